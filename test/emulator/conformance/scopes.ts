// Which scopes an action needs, transcribed from the column "Scopes" of the tables. Does not know the emulator, or how a request is sent.

import type { Version } from '../caller.ts';
import type { Body } from './row.ts';

const AGENTS_RW = 'agents--all:rw';
const ACCOUNTS_RW = 'accounts--all:rw';
const ROLES = 'accounts.roles.lc--all:rw';
const APPROVAL = [AGENTS_RW, ACCOUNTS_RW, 'subscription.lc:rw'];
const NEW = { id: 'new', name: 'New' };
const RULE = { access: { groups: [0] }, conditions: { url: { values: [{ value: 'x' }] } } };
const GREETING = { type: 'normal', active: true, name: 'Hello', group: 2, rules: [] };
const APP = { owner_client_id: 'app' };
const TEMPLATE = { ...APP, id: 'template' };
const PROPERTY = { ...APP, name: 'p' };
const WEBHOOK = { ...APP, type: 'license', action: 'incoming_chat', url: 'https://a/in', secret_key: 's' };
const ACCESS = { license: { agent: ['read'] } };
const set = (namespace: string, name: string) => ({ properties: { [namespace]: { [name]: 5 } } });
const unset = (namespace: string, name: string) => ({ properties: { [namespace]: [name] } });
const license = (access: string): string => `properties.license.value--${access}`;
const group = (access: string): string => `properties.group.value--${access}`;

/**
 * Action, request, and the scopes that are needed all together. The token is ann's, of the client `app`: she is in group 1 and not in
 * group 2; the bot `bot` and the namespace `app` are that client's, `foreign` and `other` are not.
 */
export const SCOPES: readonly (readonly [string, Body, readonly string[], Version?])[] = [
  ['create_agent', NEW, ['accounts--all:rc']],
  ['create_agent', { ...NEW, role: 'normal' }, ['accounts--all:rc']],
  ['create_agent', { ...NEW, role: 'administrator' }, ['accounts--all:rc', ROLES]],
  ['create_agent', { ...NEW, role: 'viceowner' }, ['accounts--all:rc', ROLES]],
  ['get_agent', { id: 'ann' }, ['agents--my:ro']],
  ['get_agent', { id: 'sue' }, ['agents--all:ro']],
  ['list_agents', {}, ['agents--all:ro']],
  ['update_agent', { id: 'ann' }, ['agents--my:rw']],
  ['update_agent', { id: 'sue' }, [AGENTS_RW]],
  ['update_agent', { id: 'ann', role: 'normal' }, ['agents--my:rw', ROLES]],
  ['update_agent', { id: 'sue', role: 'viceowner' }, [AGENTS_RW, ROLES]],
  ['delete_agent', { id: 'ann' }, ['agents--my:rw', 'accounts--my:rw']],
  ['delete_agent', { id: 'sue' }, [AGENTS_RW, ACCOUNTS_RW]],
  ['suspend_agent', { id: 'sue' }, [AGENTS_RW, 'sessions--all:rw']],
  ['suspend_agent', { id: 'ann' }, [AGENTS_RW, 'sessions--all:rw']],
  ['unsuspend_agent', { id: 'sue' }, APPROVAL],
  ['request_agent_unsuspension', {}, []],
  ['approve_agent', { id: 'sue' }, APPROVAL],
  ['add_auto_access', RULE, ['access_rules:rw']],
  ['list_auto_accesses', {}, ['access_rules:ro']],
  ['delete_auto_access', { id: 'rule' }, ['access_rules:rw']],
  ['update_auto_access', { id: 'rule' }, ['access_rules:rw']],
  ['create_bot', { name: 'B' }, ['agents-bot--my:rw']],
  ['delete_bot', { id: 'bot' }, ['agents-bot--my:rw']],
  ['delete_bot', { id: 'foreign' }, ['agents-bot--all:rw']],
  ['update_bot', { id: 'bot' }, ['agents-bot--my:rw']],
  ['update_bot', { id: 'foreign' }, ['agents-bot--all:rw']],
  ['list_bots', {}, ['agents-bot--my:ro']],
  ['list_bots', { all: true }, ['agents-bot--all:ro']],
  ['get_bot', { id: 'bot' }, ['agents-bot--my:ro']],
  ['get_bot', { id: 'foreign' }, ['agents-bot--all:ro']],
  ['create_bot_template', { ...APP, name: 'T' }, ['bots.templates:rw']],
  ['update_bot_template', TEMPLATE, ['bots.templates:rw']],
  ['delete_bot_template', TEMPLATE, ['bots.templates:rw']],
  ['list_bot_templates', APP, ['bots.templates:rw']],
  ['reset_bot_template_secret', TEMPLATE, ['bots.templates:rw']],
  ['reset_bot_secret', { id: 'bot' }, ['agents-bot--my:rw']],
  ['create_group', { name: 'G', agent_priorities: { ann: 'normal' } }, ['groups--all:rw']],
  ['update_group', { id: 1 }, ['groups--my:rw']],
  ['update_group', { id: 2 }, ['groups--all:rw']],
  ['delete_group', { id: 1 }, ['groups--my:rw']],
  ['delete_group', { id: 2 }, ['groups--all:rw']],
  ['list_groups', {}, ['groups--all:ro']],
  ['get_group', { id: 1 }, ['groups--my:ro']],
  ['get_group', { id: 2 }, ['groups--all:ro']],
  ['create_tag', { name: 't', group_ids: [1] }, ['tags--groups:rw']],
  ['create_tag', { name: 't', group_ids: [1, 2] }, ['tags--all:rw']],
  ['create_tag', { name: 't' }, ['tags--all:rw']],
  ['update_tag', { name: 'vip', group_ids: [1] }, ['tags--groups:rw']],
  ['update_tag', { name: 'vip', group_ids: [2] }, ['tags--all:rw']],
  ['update_tag', { name: 'spam' }, ['tags--all:rw']],
  ['delete_tag', { name: 'vip' }, ['tags--groups:rw']],
  ['delete_tag', { name: 'spam' }, ['tags--all:rw']],
  ['list_tags', {}, ['tags--groups:ro']],
  ['create_greeting', GREETING, ['greetings:rw']],
  ['get_greeting', { id: 1 }, ['greetings:ro']],
  ['list_greetings', {}, ['greetings:ro']],
  ['update_greeting', { id: 1 }, ['greetings:rw']],
  ['delete_greeting', { id: 1 }, ['greetings:rw']],
  ['create_canned_response', { text: 'Hi', tags: [], group_id: 2 }, ['canned_responses_write']],
  ['update_canned_response', { id: 1, group_id: 1 }, ['canned_responses--groups:rw']],
  ['update_canned_response', { id: 1, group_id: 2 }, ['canned_responses--all:rw']],
  ['delete_canned_response', { id: 1 }, ['canned_responses--groups:rw']],
  ['list_canned_responses', { include_private: true }, ['canned_responses--groups:ro']],
  ['list_canned_responses', { include_all_private: true }, ['canned_responses--all:ro']],
  ['add_allowed_domain', { domain: 'a.example' }, ['domain_manage']],
  ['list_allowed_domains', {}, ['domain_manage']],
  ['delete_allowed_domain', { domain: 'shop.example' }, ['domain_manage']],
  ['register_property', { ...APP, name: 'n', type: 'int', access: ACCESS }, ['properties.configuration:rw']],
  ['unregister_property', PROPERTY, ['properties.configuration:rw']],
  ['publish_property', { ...PROPERTY, access_type: ['read'] }, ['properties.configuration:rw']],
  ['list_properties', APP, ['properties.configuration:rw']],
  ['update_license_properties', set('app', 'p'), [license('my:rw')]],
  ['update_license_properties', set('other', 'q'), [license('all:rw')]],
  ['update_license_properties', set('test', 'int_property'), [license('all:rw')]],
  ['list_license_properties', {}, [license('my:ro')]],
  ['list_license_properties', { namespace: 'app' }, [license('my:ro')]],
  ['list_license_properties', { namespace: 'other' }, [license('all:ro')]],
  ['delete_license_properties', unset('app', 'p'), [license('my:rw')]],
  ['delete_license_properties', unset('other', 'q'), [license('all:rw')]],
  ['update_group_properties', { group_id: 1, ...set('app', 'p') }, [group('my:rw')]],
  ['update_group_properties', { group_id: 1, ...set('other', 'q') }, [group('all:rw')]],
  ['list_group_properties', { id: 1, namespace: 'app' }, [group('my:ro')]],
  ['list_group_properties', { id: 1, namespace: 'other' }, [group('all:ro')]],
  ['list_groups_properties', { group_ids: [], namespace: 'app' }, [group('all:ro')]],
  ['list_groups_properties', { group_ids: [], namespace: 'other' }, [group('all:ro')]],
  ['delete_group_properties', { id: 1, ...unset('app', 'p') }, [group('my:rw')]],
  ['delete_group_properties', { id: 1, ...unset('other', 'q') }, [group('all:rw')]],
  ['register_webhook', WEBHOOK, ['webhooks.configuration:rw']],
  ['list_webhooks', APP, ['webhooks.configuration:rw']],
  ['unregister_webhook', { ...APP, id: 'hook' }, ['webhooks.configuration:rw']],
  ['enable_license_webhooks', {}, ['webhooks.state:rw']],
  ['disable_license_webhooks', {}, ['webhooks.state:rw']],
  ['get_license_webhooks_state', {}, ['webhooks.state:ro']],
];
