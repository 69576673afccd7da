// The versions of the Configuration API, and its settings. Says what each setting decides, not how it is carried out.

import type { EngineSettings, SettingDefinitions, SettingsOf } from '../engine/settings.ts';
import { choice, flag, limit, nullable, setting, stage } from '../engine/settings.ts';
import { closed, int, string, text, timezone } from '../engine/shape.ts';

/** A version as it stands in the URL path, without its `v`. */
export type ConfigurationVersion = '3.3' | '3.6';
export const BOTH: readonly ConfigurationVersion[] = ['3.3', '3.6'];
export const ONLY_36: readonly ConfigurationVersion[] = ['3.6'];
export const ONLY_33: readonly ConfigurationVersion[] = ['3.3'];

/** Limits differ between the versions. */
const limitByVersion = (older: number, newer: number) =>
  setting({ '3.3': older, '3.6': newer }, closed({ '3.3': int(-1), '3.6': int(-1) }));

/** What a delete does to what refers to the object: remove that as well, or refuse the delete. */
const removal = choice(['remove', 'refuse']);

export const configurationSettings = {
  /** -1 is unlimited, as in the license namespace `limits` (service-notes.md, "Properties"). */
  limits: {
    /** Most `max_chats_count` of create_agent. Specification: "Limits". The released 3.6 is said to allow 20. */
    agentChatsOnCreate: limitByVersion(100, 100),
    /** Most `max_chats_count` of update_agent. Specification: "Limits". */
    agentChatsOnUpdate: limitByVersion(100, 20),
    /** Most `max_chats_count` of bots and bot templates. */
    botChats: limit(500),
    /** Most characters of a group's name. */
    groupNameLength: limit(180),
    /** Most bot templates of one client id. */
    templatesPerClient: limit(5),
    agents: limit(-1),
    groups: limit(-1),
    bots: limit(-1),
    /** Most auto access rules: service-notes.md says likely 200. */
    accessRules: limit(200),
    /** Most items of one batch: not stated, so unlimited. */
    batchItems: limit(-1),
  },
  lifecycle: { '3.3': stage({ header: 'Deprecation', date: '2027-12-31' }), '3.6': stage(null) },
  /** Whether 3.3 checks `X-Region` as well: "the region header for 3.3 calls: not shown". */
  regionIn33: choice(['ignored', 'checked']),
  /** Client id of a bearer token that the license does not know. */
  clientId: setting('emulator-client', text),
  /** Organization that issue_bot_token asks for; null accepts any. */
  organizationId: nullable(null, text),

  /** `strict`: as the table of states says. `open`: a new agent waits for approval only where `awaiting_approval` is true. */
  approval: choice(['strict', 'open']),
  /** Tokens of agents who are suspended or wait for approval; request_agent_unsuspension accepts them in any case. */
  inactiveAgentTokens: choice(['accepted', 'refused']),
  /** `none`: scopes alone decide, as the specification says. `own`: a caller cannot act on, or give, a role above its own. */
  roleCeiling: choice(['none', 'own']),
  /** Answer to suspending the suspended, approving the approved and so on. */
  repeatedTransition: choice(['accept', 'validation']),
  /** Groups of an agent that is created without `groups`. */
  groupsOfNewAgent: choice(['none', 'general']),
  /** Key of an agent's `email_subscriptions` in replies. */
  subscriptionsKey: choice(['email_subscriptions', 'summaries']),
  /** Whether fields that were never set read as their empty values, or are left out. */
  unsetOnRead: choice(['defaults', 'omitted']),
  /** Avatar URL of agents, bots and templates that have none. */
  defaultAvatar: setting('', string),
  /** Zone of every agent, for schedulers with an empty `timezone`. */
  agentTimezone: setting('UTC', timezone),
  /** What a 3.6 scheduler with an empty `timezone` reads back with. */
  emptyTimezoneReadsAs: choice(['agent', 'empty']),
  /** How 3.3 reads a `work_scheduler` that 3.6 wrote; `converted` still refuses what 3.3 cannot express. */
  newerSchedulerIn33: choice(['validation', 'converted']),

  /** Whether update_group's `agent_priorities` is the whole map, or entries to add to it. */
  membershipWrite: choice(['replace', 'merge']),
  /** Whether bots are seen in, and can be written through, `agent_priorities`. */
  botsInAgentPriorities: flag(false),
  /** `routing_status` of every group: no agent is ever logged in to the Configuration API. */
  groupRoutingStatus: choice(['accepting_chats', 'not_accepting_chats', 'offline'], 'offline'),
  /** Error of a group that does not exist, where the request is about that group. */
  missingGroup: choice(['not_found', 'group_not_found']),
  /** Whether update_bot of 3.6 takes `job_title`, as the released 3.6 is said to. */
  botJobTitleOnUpdate: choice(['ignored', 'accepted']),
  /** `default_group_priority` of a bot that has none. */
  defaultGroupPriority: choice(['first', 'normal', 'last', 'supervisor'], 'normal'),

  deletedAgentInGroups: removal,
  deletedBotInGroups: removal,
  /** Tokens of a deleted bot: good for the rest of their 24 hours, because none can be revoked, or refused. */
  deletedBotTokens: choice(['accepted', 'refused']),
  /** Deleting a group that has agents or bots. */
  deletedGroupMembers: removal,
  /** Deleting a group that rules name; a rule may be left without groups. */
  deletedGroupInRules: removal,
  /** Deleting a group that has property values. */
  deletedGroupValues: removal,
  /** Deleting group 0: refuse, or treat it like any other. */
  deletedGroupZero: choice(['refuse', 'accept']),
  /** Unregistering a property that has values. */
  unregisteredValues: removal,

  /** Order of list_auto_accesses. */
  ruleListOrder: choice(['list', 'shuffled']),
  /** Error of a `next_id` that names no rule. */
  missingNextRule: choice(['validation', 'not_found']),
  /** `next_id` of the last rule. */
  lastRuleNextId: choice(['empty', 'null', 'absent']),
  /** Whether `description: ""` and `exact_match: false` are filled in on read. */
  ruleDefaultsOnRead: flag(true),

  /** Whether list_properties carries `domain`, `range` and `default_value`. */
  listPropertyDetails: flag(false),
  /** In which order the items of a batch take effect. */
  batchOrder: choice(['shuffled', 'sent']),
} satisfies SettingDefinitions;

type ConfigurationSettingValues = EngineSettings & SettingsOf<typeof configurationSettings>;
export interface ConfigurationSettings extends ConfigurationSettingValues {}

/** Whether one more would be too many. */
export function isFull(most: number, present: number): boolean {
  return most !== -1 && present >= most;
}
