// What webhooks exist, in which versions, and what each may have. today/configuration.md, "Webhooks".

import { since } from '../base/api-versions.ts';
import { isObject } from '../base/json.ts';
import { type Json, VERSIONS, type Version } from '../base/model.ts';
import { listed, nearest } from '../base/nearest.ts';
import { anyOf } from './features.ts';
import type { Report } from './kind.ts';

interface WebhookAction {
  readonly versions: readonly Version[];
  readonly filters: readonly string[];
  /** Whether deliveries can have additional data. */
  readonly data: boolean;
}

const OF_CHAT: WebhookAction = {
  versions: VERSIONS,
  filters: ['chat_presence', 'only_my_chats', 'source_type'],
  data: true,
};
const OF_OBJECT: WebhookAction = { versions: since('3.5'), filters: ['source_type'], data: false };
const OF_AGENT: WebhookAction = { versions: VERSIONS, filters: ['agent_ids', 'source_type'], data: false };

function named(names: string, action: WebhookAction): { readonly [name: string]: WebhookAction } {
  return Object.fromEntries(names.split(' ').map((name) => [name, action]));
}

const ACTIONS: { readonly [name: string]: WebhookAction } = {
  ...named('incoming_chat chat_deactivated chat_transferred user_added_to_chat user_removed_from_chat', OF_CHAT),
  ...named('chat_access_updated', { ...OF_CHAT, versions: since('3.5') }),
  ...named('chat_access_granted chat_access_revoked', { ...OF_CHAT, versions: ['3.3'] }),
  ...named('incoming_event event_updated', { ...OF_CHAT, filters: ['author_type', ...OF_CHAT.filters] }),
  ...named('event_deleted thread_summary_set', { ...OF_CHAT, versions: since('3.6') }),
  ...named('incoming_rich_message_postback chat_properties_updated chat_properties_deleted', OF_CHAT),
  ...named('thread_properties_updated thread_properties_deleted event_properties_updated', OF_CHAT),
  ...named('event_properties_deleted thread_tagged thread_untagged events_marked_as_seen', OF_CHAT),
  ...named('customer_session_fields_updated', { ...OF_CHAT, filters: ['chat_presence', 'source_type'] }),
  ...named('incoming_customer', { versions: ['3.3', '3.5'], filters: [], data: false }),
  ...named('routing_status_set agent_deleted', OF_AGENT),
  ...named('agent_created agent_updated agent_approved agent_suspended agent_unsuspended', OF_OBJECT),
  ...named('bot_created bot_updated bot_deleted group_created group_updated group_deleted', OF_OBJECT),
  ...named('tag_created tag_updated tag_deleted auto_accesses_updated', OF_OBJECT),
};

/** Every name, for editors. */
export const WEBHOOK_ACTIONS: readonly string[] = Object.keys(ACTIONS);

/** The names that begin with the same word, as the beginning of a sentence. */
function alike(action: string): string {
  const begin = `${action.split('_')[0]}_`;
  const names = WEBHOOK_ACTIONS.filter((name) => name.startsWith(begin));
  return names.length === 0 ? '' : `those with \`${begin}\` are ${listed(names)}; `;
}

/** Checks an action, and that its filters and additional data are for it. A name that is like none is a warning: a later version may have it. */
export function checkAction(action: string, filters: Json, data: Json, version: Version, report: Report): void {
  const known = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (known === undefined) {
    const meant = nearest(action, WEBHOOK_ACTIONS);
    const message = `chatform knows no webhook \`${action}\``;
    if (meant !== null) report(['action'], 'not-allowed', message, `did you mean \`${meant}\`?`);
    else
      report(
        ['action'],
        'not-allowed',
        message,
        `${alike(action)}\`chatform api list_webhook_names\` says whether the service has it`,
        'warning',
      );
    return;
  }
  if (!known.versions.includes(version)) {
    const message = `version ${version} of the service has no webhook \`${action}\``;
    const remedy = `it exists in ${anyOf(known.versions)}: set \`api_version\`, or remove it with an overlay of this target`;
    report(['action'], 'unsupported-by-version', message, remedy);
    return;
  }
  for (const name of isObject(filters) ? Object.keys(filters) : []) {
    if (name === 'source_type' && version === '3.3')
      report(
        ['filters', name],
        'unsupported-by-version',
        'version 3.3 of the service has no filter `source_type`',
        'remove it with an overlay of this target',
      );
    else if (!known.filters.includes(name)) {
      const fit = known.filters.map((each) => `\`${each}\``).join(', ');
      const remedy = fit === '' ? 'remove it' : `remove it; its filters are ${fit}`;
      report(['filters', name], 'not-allowed', `\`${name}\` is no filter of \`${action}\``, remedy);
    }
  }
  if (Array.isArray(data) && data.length > 0 && !known.data)
    report(['additional_data'], 'not-allowed', `deliveries of \`${action}\` have no additional data`, 'remove it');
}
