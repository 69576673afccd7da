// Every assumption that the specification leaves open, with its default. Must not know how a setting is carried out.

import type { PerVersion } from '../configuration/version.ts';
import type { ErrorType } from './refusal.ts';
import { STATUSES } from './refusal.ts';

/** How much the service takes. -1 is unlimited, as in the license namespace `limits` (service-notes.md, "Properties"). */
export interface Limits {
  /** Most `max_chats_count` of create_agent. Specification: "Limits". The released 3.6 is said to allow 20. */
  readonly agentChatsOnCreate: PerVersion<number>;
  /** Most `max_chats_count` of update_agent. Specification: "Limits". */
  readonly agentChatsOnUpdate: PerVersion<number>;
  /** Most `max_chats_count` of bots and bot templates. */
  readonly botChats: number;
  /** Most characters of a group's name. */
  readonly groupNameLength: number;
  /** Most bot templates of one client id. */
  readonly templatesPerClient: number;
  readonly agents: number;
  readonly groups: number;
  readonly bots: number;
  /** Most auto access rules: service-notes.md says likely 200. */
  readonly accessRules: number;
  /** Most items of one batch: not stated, so unlimited. */
  readonly batchItems: number;
  /** Largest body in bytes: not stated. */
  readonly bodyBytes: number;
}

/** How one license behaves where the specification does not say. */
export interface Settings {
  readonly limits: Limits;
  /** HTTP status of each error type. */
  readonly statuses: { readonly [type in ErrorType]: number };
  /** Reply of a method without response payload: `{}`, or nothing as the specification says. */
  readonly emptyReply: 'object' | 'zero-bytes';
  /** Lifecycle header of each version, none when null; the date is YYYY-MM-DD. */
  readonly lifecycle: PerVersion<{ readonly header: 'Legacy' | 'Deprecation'; readonly date: string } | null>;
  /** Whether a body needs `Content-Type: application/json`. */
  readonly requireContentType: boolean;
  /** Data center of the license; null takes every `X-Region` (or none) for the right one. Looked at in 3.6 only. */
  readonly region: 'dal' | 'fra' | null;
  /** Whether 3.3 looks at `X-Region` as well: "the region header for 3.3 calls: not shown". */
  readonly regionIn33: 'ignored' | 'checked';
  /** Answer to an action that the other version has. */
  readonly actionOfOtherVersion: 'not_found' | 'unsupported_version';
  /** Every request of a license whose subscription ended is refused with `license_expired`. */
  readonly licenseExpired: boolean;
  /** Client id of a bearer token that the license does not know. */
  readonly clientId: string;
  /** Organization that issue_bot_token asks for; null accepts any. */
  readonly organizationId: string | null;

  /** `strict`: as the table of states says. `open`: a new agent waits for approval only if `awaiting_approval` true is sent. */
  readonly approval: 'strict' | 'open';
  /** What the token of an agent who is suspended, or waits for approval, is good for beside request_agent_unsuspension. */
  readonly inactiveAgentTokens: 'accepted' | 'refused';
  /** `none`: scopes alone decide, as the specification says. `own`: nobody acts on, or makes, somebody above the own role. */
  readonly roleCeiling: 'none' | 'own';
  /** Answer to suspending the suspended, approving the approved and so on. */
  readonly repeatedTransition: 'accept' | 'validation';
  /** Groups of an agent that is created without `groups`. */
  readonly groupsOfNewAgent: 'none' | 'general';
  /** Key of an agent's `email_subscriptions` in replies. */
  readonly subscriptionsKey: 'email_subscriptions' | 'summaries';
  /** Whether fields that were never set read as their empty values, or are left out. */
  readonly unsetOnRead: 'defaults' | 'omitted';
  /** Avatar URL of whoever has none. */
  readonly defaultAvatar: string;
  /** Zone of every agent, for schedulers with an empty `timezone`. */
  readonly agentTimezone: string;
  /** What a 3.6 scheduler with an empty `timezone` reads back with. */
  readonly emptyTimezoneReadsAs: 'agent' | 'empty';
  /** 3.3 get and list of `work_scheduler` for a scheduler that 3.6 wrote; `converted` still refuses what 3.3 cannot express. */
  readonly newerSchedulerIn33: 'validation' | 'converted';

  /** Whether update_group's `agent_priorities` is the whole map, or entries to add to it. */
  readonly membershipWrite: 'replace' | 'merge';
  /** Whether bots are seen in, and can be written through, `agent_priorities`. */
  readonly botsInAgentPriorities: boolean;
  /** `routing_status` of every group: nobody is ever logged in to the Configuration API. */
  readonly groupRoutingStatus: 'accepting_chats' | 'not_accepting_chats' | 'offline';
  /** Error of a group that does not exist, where the request is about that group. */
  readonly missingGroup: 'not_found' | 'group_not_found';
  /** Whether update_bot of 3.6 takes `job_title`, as the released 3.6 is said to. */
  readonly botJobTitleOnUpdate: 'ignored' | 'accepted';
  /** `default_group_priority` of a bot that has none. */
  readonly defaultGroupPriority: 'first' | 'normal' | 'last' | 'supervisor';

  /** Deleting an agent who is in groups: take it out of them, or refuse. */
  readonly deletedAgentInGroups: 'remove' | 'refuse';
  /** The same for a bot. */
  readonly deletedBotInGroups: 'remove' | 'refuse';
  /** Tokens of a deleted bot: good for the rest of their 24 hours, because none can be revoked, or refused. */
  readonly deletedBotTokens: 'accepted' | 'refused';
  /** Deleting a group that has agents or bots: take them out of it, or refuse. */
  readonly deletedGroupMembers: 'remove' | 'refuse';
  /** Deleting a group that rules name: take it out of them (a rule may be left without groups), or refuse. */
  readonly deletedGroupInRules: 'remove' | 'refuse';
  /** Deleting a group that has property values: delete them, or refuse. */
  readonly deletedGroupValues: 'remove' | 'refuse';
  /** Deleting group 0: refuse, or treat it like any other. */
  readonly deletedGroupZero: 'refuse' | 'accept';
  /** Unregistering a property that has values: delete them, or refuse. */
  readonly unregisteredValues: 'remove' | 'refuse';

  /** Order of list_auto_accesses. */
  readonly ruleListOrder: 'list' | 'shuffled';
  /** Error of a `next_id` that names no rule. */
  readonly missingNextRule: 'validation' | 'not_found';
  /** `next_id` of the last rule. */
  readonly lastRuleNextId: 'empty' | 'null' | 'absent';
  /** Whether `description: ""` and `exact_match: false` are filled in on read. */
  readonly ruleDefaultsOnRead: boolean;

  /** Whether list_properties carries `domain`, `range` and `default_value`. */
  readonly listPropertyDetails: boolean;
  /** Whether a write may refer to what was just created, or only to what a read would show it. Deletes of objects are always free to. */
  readonly references: 'latest' | 'propagated';
  /** In which order the items of a batch take effect. */
  readonly batchOrder: 'shuffled' | 'sent';
}

/** The settings that are many: each of their members can be changed by itself. */
type Grouped = 'limits' | 'statuses' | 'lifecycle';

/** Settings to change; those left out keep their defaults, and so does each limit, status and version by itself. */
export type SettingsInput = { readonly [name in Exclude<keyof Settings, Grouped>]?: Settings[name] } & {
  readonly [name in Grouped]?: Partial<Settings[name]>;
};

const LIMITS: Limits = {
  agentChatsOnCreate: { '3.3': 100, '3.6': 100 },
  agentChatsOnUpdate: { '3.3': 100, '3.6': 20 },
  botChats: 500,
  groupNameLength: 180,
  templatesPerClient: 5,
  agents: -1,
  groups: -1,
  bots: -1,
  accessRules: 200,
  batchItems: -1,
  bodyBytes: 10 * 1024 * 1024,
};

export const DEFAULT_SETTINGS: Settings = {
  limits: LIMITS,
  statuses: STATUSES,
  emptyReply: 'object',
  lifecycle: { '3.3': { header: 'Deprecation', date: '2027-12-31' }, '3.6': null },
  requireContentType: true,
  region: null,
  regionIn33: 'ignored',
  actionOfOtherVersion: 'not_found',
  licenseExpired: false,
  clientId: 'emulator-client',
  organizationId: null,
  approval: 'strict',
  inactiveAgentTokens: 'accepted',
  roleCeiling: 'none',
  repeatedTransition: 'accept',
  groupsOfNewAgent: 'none',
  subscriptionsKey: 'email_subscriptions',
  unsetOnRead: 'defaults',
  defaultAvatar: '',
  agentTimezone: 'UTC',
  emptyTimezoneReadsAs: 'agent',
  newerSchedulerIn33: 'validation',
  membershipWrite: 'replace',
  botsInAgentPriorities: false,
  groupRoutingStatus: 'offline',
  missingGroup: 'not_found',
  botJobTitleOnUpdate: 'ignored',
  defaultGroupPriority: 'normal',
  deletedAgentInGroups: 'remove',
  deletedBotInGroups: 'remove',
  deletedBotTokens: 'accepted',
  deletedGroupMembers: 'remove',
  deletedGroupInRules: 'remove',
  deletedGroupValues: 'remove',
  deletedGroupZero: 'refuse',
  unregisteredValues: 'remove',
  ruleListOrder: 'list',
  missingNextRule: 'validation',
  lastRuleNextId: 'empty',
  ruleDefaultsOnRead: true,
  listPropertyDetails: false,
  references: 'latest',
  batchOrder: 'shuffled',
};

export function completeSettings(input: SettingsInput): Settings {
  const { limits, statuses, lifecycle } = DEFAULT_SETTINGS;
  return {
    ...DEFAULT_SETTINGS,
    ...input,
    limits: { ...limits, ...input.limits },
    statuses: { ...statuses, ...input.statuses },
    lifecycle: { ...lifecycle, ...input.lifecycle },
  };
}

/** Whether one more would be too many. */
export function isFull(limit: number, present: number): boolean {
  return limit !== -1 && present >= limit;
}
