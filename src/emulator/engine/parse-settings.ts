// Settings as people write them in a file come in, checked member by member. Must not know how a setting is carried out.

import { priority } from '../configuration/records.ts';
import { timezone } from '../configuration/scheduler.ts';
import { isRefusal, refuse } from './refusal.ts';
import type { Settings, SettingsInput } from './settings.ts';
import type { Reader } from './shape.ts';
import { bool, int, isObject, object, oneOf, optional, quoted, string, text } from './shape.ts';

type Readers<T> = { readonly [name in keyof T]-?: Reader<T[name] | undefined> };

/** -1 is unlimited. */
const limit = optional(int(-1));
const limitPerVersion = optional(object({ '3.3': int(-1), '3.6': int(-1) }, true));
const status = optional(int(400, 599));
const removal = optional(oneOf(['remove', 'refuse']));

/** What may be `null` is read as absent by every reader, so it is looked at before. */
function orNull<T>(read: Reader<T>): Reader<T | null | undefined> {
  return (value, path) => (value === null || value === undefined ? value : read(value, path));
}

const date: Reader<string> = (value, path) => {
  const given = text(value, path);
  const known = /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given));
  return known ? given : refuse('validation', `${quoted(path)} must be a date in YYYY-MM-DD format`);
};
const stage = orNull(object({ header: oneOf(['Legacy', 'Deprecation']), date }, true));

const limits = {
  agentChatsOnCreate: limitPerVersion,
  agentChatsOnUpdate: limitPerVersion,
  botChats: limit,
  groupNameLength: limit,
  templatesPerClient: limit,
  agents: limit,
  groups: limit,
  bots: limit,
  accessRules: limit,
  batchItems: limit,
  bodyBytes: limit,
} satisfies Readers<Settings['limits']>;

const statuses = {
  authentication: status,
  authorization: status,
  already_exists: status,
  group_not_found: status,
  internal: status,
  license_expired: status,
  limit_reached: status,
  misdirected_request: status,
  not_found: status,
  ownership_transfer: status,
  request_timeout: status,
  service_unavailable: status,
  too_many_requests: status,
  transfer_ownership: status,
  unsupported_version: status,
  validation: status,
} satisfies Readers<Settings['statuses']>;

const settings = {
  limits: optional(object(limits, true)),
  statuses: optional(object(statuses, true)),
  lifecycle: optional(object({ '3.3': stage, '3.6': stage }, true)),
  emptyReply: optional(oneOf(['object', 'zero-bytes'])),
  requireContentType: optional(bool),
  region: orNull(oneOf(['dal', 'fra'])),
  regionIn33: optional(oneOf(['ignored', 'checked'])),
  actionOfOtherVersion: optional(oneOf(['not_found', 'unsupported_version'])),
  licenseExpired: optional(bool),
  clientId: optional(text),
  organizationId: orNull(text),
  approval: optional(oneOf(['strict', 'open'])),
  inactiveAgentTokens: optional(oneOf(['accepted', 'refused'])),
  roleCeiling: optional(oneOf(['none', 'own'])),
  repeatedTransition: optional(oneOf(['accept', 'validation'])),
  groupsOfNewAgent: optional(oneOf(['none', 'general'])),
  subscriptionsKey: optional(oneOf(['email_subscriptions', 'summaries'])),
  unsetOnRead: optional(oneOf(['defaults', 'omitted'])),
  defaultAvatar: optional(string),
  agentTimezone: optional((value, path) => timezone(text(value, path), path)),
  emptyTimezoneReadsAs: optional(oneOf(['agent', 'empty'])),
  newerSchedulerIn33: optional(oneOf(['validation', 'converted'])),
  membershipWrite: optional(oneOf(['replace', 'merge'])),
  botsInAgentPriorities: optional(bool),
  groupRoutingStatus: optional(oneOf(['accepting_chats', 'not_accepting_chats', 'offline'])),
  missingGroup: optional(oneOf(['not_found', 'group_not_found'])),
  botJobTitleOnUpdate: optional(oneOf(['ignored', 'accepted'])),
  defaultGroupPriority: optional(priority),
  deletedAgentInGroups: removal,
  deletedBotInGroups: removal,
  deletedBotTokens: optional(oneOf(['accepted', 'refused'])),
  deletedGroupMembers: removal,
  deletedGroupInRules: removal,
  deletedGroupValues: removal,
  deletedGroupZero: optional(oneOf(['refuse', 'accept'])),
  unregisteredValues: removal,
  ruleListOrder: optional(oneOf(['list', 'shuffled'])),
  missingNextRule: optional(oneOf(['validation', 'not_found'])),
  lastRuleNextId: optional(oneOf(['empty', 'null', 'absent'])),
  ruleDefaultsOnRead: optional(bool),
  listPropertyDetails: optional(bool),
  references: optional(oneOf(['latest', 'propagated'])),
  batchOrder: optional(oneOf(['shuffled', 'sent'])),
} satisfies { readonly [name in keyof Settings]: Reader<unknown> };

const settingsReader: Reader<SettingsInput> = object(settings, true);

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export function parseSettings(json: unknown): SettingsInput {
  if (!isObject(json)) throw new Error('not valid settings: they must be an object');
  try {
    return settingsReader(json, '');
  } catch (error) {
    if (isRefusal(error)) throw new Error(`not valid settings: ${error.message}`);
    throw error;
  }
}
