import { describe, expect, test } from 'vitest';
import type { Version } from '../../src/base/model.ts';
import { type ApiAction, namedActions } from '../../src/service/api.ts';
import { CONFIGURATION } from '../../src/service/configuration.ts';
import { SPECIFICATION } from '../emulator/conformance/specification.ts';

const rows = Object.entries<ApiAction>(CONFIGURATION.actions);
const namesWhere = (holds: (action: ApiAction, name: string) => boolean) =>
  rows.filter(([name, action]) => holds(action, name)).map(([name]) => name);

const SINCE_35 = ['3.5', '3.6', '3.7'] as const;

const CANNED = ['create_canned_response', 'list_canned_responses', 'update_canned_response', 'delete_canned_response'];
const DOMAINS = ['add_allowed_domain', 'list_allowed_domains', 'delete_allowed_domain'];
const GREETINGS = ['create_greeting', 'get_greeting', 'list_greetings', 'update_greeting', 'delete_greeting'];

describe('the table of actions', () => {
  test.each(CONFIGURATION.versions)('Version %s has exactly the actions of the specification', (version) => {
    const named = [...namedActions(CONFIGURATION)].filter(([, { versions }]) => versions.includes(version));
    expect(named.map(([name]) => name).sort()).toEqual([...SPECIFICATION[version]].sort());
  });

  test('The read that shows what a create made is a read of the same versions', () => {
    for (const [name, { shownBy, versions }] of rows) {
      if (shownBy === undefined) continue;
      const shown = rows.find(([other]) => other === shownBy)?.[1];
      expect([name, shown?.effect, shown?.versions]).toEqual([name, 'read', expect.arrayContaining([...versions])]);
    }
  });

  test('An action is a read exactly when its name says get or list, so planning can send nothing else', () => {
    expect(namesWhere((action) => action.effect === 'read')).toEqual(
      namesWhere((_, name) => /^(get|list)_/.test(name)),
    );
    expect(namesWhere((action) => action.effect === 'read')).toHaveLength(20);
  });

  test('What must not be sent twice is told apart from a change or a removal, which can be repeated', () => {
    expect(namesWhere((action) => action.effect === 'create')).toEqual([
      'create_agent',
      'request_agent_unsuspension',
      'add_auto_access',
      'create_bot',
      'issue_bot_token',
      'create_bot_template',
      'create_group',
      'create_tag',
      'create_greeting',
      'create_canned_response',
      'add_allowed_domain',
      'register_property',
      'register_webhook',
    ]);
    expect(namesWhere((action) => action.effect === 'delete')).toEqual(
      namesWhere((_, name) => /^(delete|unregister)_/.test(name)),
    );
  });

  test('The batches are the nine that have a URL in the specification, and the one that has none, each under the action it repeats, since 3.5', () => {
    const batches = rows.flatMap(([name, { batch }]) => (batch === null ? [] : [[name, batch.name, batch.versions]]));
    expect(batches).toEqual([
      ['create_agent', 'batch_create_agents', SINCE_35],
      ['update_agent', 'batch_update_agents', SINCE_35],
      ['delete_agent', 'batch_delete_agents', SINCE_35],
      ['suspend_agent', 'batch_suspend_agents', SINCE_35],
      ['unsuspend_agent', 'batch_unsuspend_agents', SINCE_35],
      ['approve_agent', 'batch_approve_agents', SINCE_35],
      ['request_agent_unsuspension', 'batch_request_agent_unsuspensions', SINCE_35],
      ['create_bot', 'batch_create_bots', SINCE_35],
      ['update_bot', 'batch_update_bots', SINCE_35],
      ['delete_bot', 'batch_delete_bots', SINCE_35],
    ]);
  });

  test('Templates, bot secrets, bot tokens and tags exist since 3.5, and one list of the values of all groups replaces one for each group', () => {
    expect(namesWhere((action) => !action.versions.includes('3.3'))).toEqual([
      'reset_bot_secret',
      'issue_bot_token',
      'create_bot_template',
      'list_bot_templates',
      'update_bot_template',
      'delete_bot_template',
      'reset_bot_template_secret',
      'create_tag',
      'list_tags',
      'update_tag',
      'delete_tag',
      ...GREETINGS,
      ...CANNED,
      ...DOMAINS,
      'list_groups_properties',
    ]);
    expect(namesWhere((action) => !action.versions.includes('3.5'))).toEqual([
      ...GREETINGS,
      ...CANNED,
      ...DOMAINS,
      'list_group_properties',
    ]);
    const lacking = (version: Version) => namesWhere((action) => !action.versions.includes(version));
    expect(lacking('3.6')).toEqual([...CANNED, ...DOMAINS, 'list_group_properties']);
    expect(lacking('3.7')).toEqual(['list_group_properties']);
  });

  test('Whatever answers with a credential is marked, so that no part of the answer is quoted', () => {
    expect(namesWhere((action) => action.answersSecret)).toEqual([
      'create_bot',
      'reset_bot_secret',
      'issue_bot_token',
      'create_bot_template',
      'reset_bot_template_secret',
    ]);
  });

  test('Deleting another agent needs both families of scopes for all, deleting oneself both for my', () => {
    expect(CONFIGURATION.actions.delete_agent.scopes).toEqual(['agents--all:rw', 'accounts--all:rw']);
    expect(CONFIGURATION.actions.delete_agent.ownScopes).toEqual(['agents--my:rw', 'accounts--my:rw']);
  });

  test('A role above normal needs a scope of its own wherever a role can be sent', () => {
    const role = namesWhere((action) => action.extraScopes.some(({ when }) => when({ role: 'administrator' })));
    expect(role).toEqual(['create_agent', 'update_agent']);
  });

  test('Listing properties and bot templates needs a scope to write', () => {
    expect(CONFIGURATION.actions.list_properties.scopes).toEqual(['properties.configuration:rw']);
    expect(CONFIGURATION.actions.list_bot_templates.scopes).toEqual(['bots.templates:rw']);
  });
});
