// The versions of the Configuration API, and its settings. Says what each setting decides, not how it is carried out.

import type { EngineSettings, SettingDefinitions, SettingsOf } from '../engine/settings.ts';
import { about, choice, flag, limit, nullable, setting, stage } from '../engine/settings.ts';
import { closed, int, list, oneOf, string, text, timezone } from '../engine/shape.ts';
import { KEPT_FORMS } from './kept-forms.ts';

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
  /** Specification: "Limits". -1 is unlimited, as in the license namespace `limits` (service-notes.md, "Properties"). */
  limits: {
    agentChatsOnCreate: about(
      'Most `max_chats_count` of a new agent; the released 3.6 is said to take 20',
      limitByVersion(100, 100),
    ),
    agentChatsOnUpdate: about('Most `max_chats_count` of an existing agent', limitByVersion(100, 20)),
    botChats: about('Most `max_chats_count` of bots and bot templates', limit(500)),
    groupNameLength: about("Most characters of a group's name", limit(180)),
    templatesPerClient: about('Most bot templates of one client', limit(5)),
    agents: about('Most agents, with the owner', limit(-1)),
    groups: about('Most groups, with group 0', limit(-1)),
    bots: about('Most bots', limit(-1)),
    accessRules: about('Most auto access rules', limit(200)),
    batchItems: about('Most items of one batch', limit(-1)),
  },
  lifecycle: {
    '3.3': about('The header that says when the version ends', stage({ header: 'Deprecation', date: '2027-12-31' })),
    '3.6': about('The same for 3.6, which is a preview', stage(null)),
  },
  regionIn33: about('Whether 3.3 looks at `X-Region` too', choice(['ignored', 'checked'])),
  clientId: about('Client of a bearer token that names none', setting('emulator-client', text)),
  organizationId: about(
    'The organization of the license, which requests must name where they name one; `null` accepts any',
    nullable(null, text),
  ),

  widgetNamespace: about(
    'Namespace of the properties of the widget, in which it marks chats that begin with a greeting',
    setting('lc2', text),
  ),

  approval: about(
    'New agents wait for approval unless a token that may approve sends `awaiting_approval: false`; or only if `true` is sent',
    choice(['strict', 'open']),
  ),
  inactiveAgentTokens: about(
    'Tokens of agents who are suspended or wait for approval; `request_agent_unsuspension` is always open to them',
    choice(['accepted', 'refused']),
  ),
  roleCeiling: about(
    'Only scopes decide; or an agent cannot change or create an agent with a higher role',
    choice(['none', 'own']),
  ),
  repeatedTransition: about(
    'Suspending a suspended agent, approving an approved one, and so on',
    choice(['accept', 'validation']),
  ),
  groupsOfNewAgent: about(
    'Groups of an agent created without `groups`; `general` is group 0',
    choice(['none', 'general']),
  ),
  subscriptionsKey: about(
    'Key under which `email_subscriptions` reads back',
    choice(['email_subscriptions', 'summaries']),
  ),
  unsetOnRead: about('Fields that were never set read as empty, or are left out', choice(['defaults', 'omitted'])),
  defaultAvatar: about('Avatar URL of an agent or bot without one', setting('', string)),
  agentTimezone: about('Time zone of every agent', setting('UTC', timezone)),
  emptyTimezoneReadsAs: about(
    "A 3.6 scheduler with an empty `timezone` reads back with the agent's zone, or empty",
    choice(['agent', 'empty']),
  ),
  newerSchedulerIn33: about(
    'Reading in 3.3 a scheduler that 3.6 wrote; what 3.3 cannot express is always refused',
    choice(['validation', 'converted']),
  ),

  keptForms: about(
    'Forms in which names, titles, descriptions, texts of conditions and values of properties are kept, instead of as they were written: `nfc`, `trimmed`, `joined-blanks`, `small`, `ascii-hosts`, `unicode-hosts`',
    setting([], list(oneOf(KEPT_FORMS))),
  ),
  membershipWrite: about('What `agent_priorities` of `update_group` does', choice(['replace', 'merge'])),
  botsInAgentPriorities: about('Whether `agent_priorities` shows and takes bots', flag(false)),
  presence: about(
    'Who accepts chats, which `routing_status` shows: agents and bots as the control API says (all are offline at first), as `login_status` says, or in their own working hours; with `always`, agents accept chats at any time, and bots in their working hours. What the control API says of an agent or a bot comes first',
    choice(['manual', 'login_status', 'schedule', 'always']),
  ),
  botsWithoutStatus: about(
    'A bot whose routing status the control API or the seed has not set is offline; or it accepts chats where `presence` says so',
    choice(['offline', 'present']),
  ),
  missingGroup: about(
    'Error of get, update and delete of an unknown group; where a request only mentions a group, it is always `group_not_found`',
    choice(['not_found', 'group_not_found']),
  ),
  botJobTitleOnUpdate: about(
    'Whether `update_bot` of 3.6 takes `job_title`, as the released 3.6 is said to',
    choice(['ignored', 'accepted']),
  ),
  defaultGroupPriority: about(
    '`default_group_priority` of a bot created without it',
    choice(['first', 'normal', 'last', 'supervisor'], 'normal'),
  ),

  deletedAgentInGroups: about('A deleted agent leaves its groups; or an agent in a group cannot be deleted', removal),
  deletedBotInGroups: about('The same for bots', removal),
  deletedBotTokens: about('Tokens of a deleted bot, which cannot be revoked', choice(['accepted', 'refused'])),
  deletedGroupMembers: about('Agents and bots leave a deleted group; or only an empty group can be deleted', removal),
  deletedGroupInRules: about(
    'Rules lose a deleted group, even their last one; or a group in a rule cannot be deleted',
    removal,
  ),
  deletedGroupValues: about(
    'Property values of a deleted group are deleted; or a group with values cannot be deleted',
    removal,
  ),
  deletedGroupZero: about('Whether group 0 can be deleted', choice(['refuse', 'accept'])),
  unregisteredValues: about(
    'Values of an unregistered property are deleted; or a property with values cannot be unregistered',
    removal,
  ),

  ruleListOrder: about('Order of `list_auto_accesses`', choice(['list', 'shuffled'])),
  missingNextRule: about('Error of a `next_id` that names no rule', choice(['validation', 'not_found'])),
  lastRuleNextId: about('`next_id` of the last rule', choice(['empty', 'null', 'absent'])),
  ruleDefaultsOnRead: about(
    'Whether rules read back with `description: ""` and `exact_match: false` filled in',
    flag(true),
  ),

  listPropertyDetails: about(
    'Whether `list_properties` shows `domain`, `range` and `default_value`, which its table does not list',
    flag(false),
  ),
  batchOrder: about('The order in which the items of a batch take effect', choice(['shuffled', 'sent'])),
} satisfies SettingDefinitions;

type ConfigurationSettingValues = EngineSettings & SettingsOf<typeof configurationSettings>;
export interface ConfigurationSettings extends ConfigurationSettingValues {}

/** Whether one more would be too many. */
export function isFull(most: number, present: number): boolean {
  return most !== -1 && present >= most;
}
