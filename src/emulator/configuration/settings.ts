// The versions of the Configuration API, and its settings. Says what each setting decides, not how it is carried out.

import { featuresIn } from '../engine/api.ts';
import type { EngineSettings, SettingDefinitions, SettingsOf } from '../engine/settings.ts';
import { about, choice, flag, limit, nullable, setting, stage } from '../engine/settings.ts';
import { closed, int, list, oneOf, optional, string, text, timezone } from '../engine/shape.ts';
import { KEPT_FORMS } from './kept-forms.ts';

/** A version as it stands in the URL path, without its `v`. */
export type ConfigurationVersion = '3.3' | '3.5' | '3.6' | '3.7';
export const VERSIONS: readonly ConfigurationVersion[] = ['3.3', '3.5', '3.6', '3.7'];

const since = (first: ConfigurationVersion) => VERSIONS.slice(VERSIONS.indexOf(first));
const until = (last: ConfigurationVersion) => VERSIONS.slice(0, VERSIONS.indexOf(last) + 1);

/** Which versions have what others have not. Specification: "Versioning"; today/configuration.md, "Versions". */
export const FEATURES = {
  /** Hours have one span a day, and a bot's zone next to them; later ones are a list with its zone. */
  dailyHours: until('3.3'),
  /** An agent's avatar as a create and an update take it, and as get_agent answers it. */
  agentAvatarPath: until('3.3'),
  /** The same as `avatar`; 3.6 takes none. */
  agentAvatar: ['3.5'],
  /** An update takes the name of an agent. */
  agentName: until('3.5'),
  /** `account_id`, `last_logout` and `filters.suspended`. */
  agentAccounts: since('3.5'),
  /** A new group needs an agent with the priority `normal`. */
  normalPriority: until('3.5'),
  /** A bearer token makes bots for its own client only. */
  ownBotsOnly: until('3.3'),
  botSecrets: since('3.5'),
  botTemplates: since('3.5'),
  /** An update takes the job title of a bot. */
  botJobTitle: since('3.5'),
  botType: since('3.6'),
  greetings: since('3.6'),
  groupValues: until('3.3'),
  groupsValues: since('3.5'),
  tags: since('3.5'),
  cannedResponses: since('3.7'),
  allowedDomains: since('3.7'),
  batches: since('3.5'),
  /** The error `transfer_ownership`, later `ownership_transfer`. */
  transferOwnership: until('3.3'),
  region: since('3.6'),
  /** Webhooks of agents, bots, groups, tags and rules; before, only of agents that are deleted. */
  objectWebhooks: since('3.5'),
  /** `chat_access_granted` and `chat_access_revoked`, later one webhook. */
  accessWebhooks: until('3.3'),
  customerWebhooks: until('3.5'),
  summaryWebhooks: since('3.6'),
  /** A webhook says who asked for a change, and which button a postback is of. */
  webhookRequester: since('3.6'),
  /** `filters.source_type` of webhooks. */
  sourceFilter: since('3.5'),
  /** Whether the address of a webhook has a limit. */
  urlLength: since('3.5'),
  /** A bearer token turns the license webhooks of its own client only. */
  ownStateOnly: until('3.3'),
} as const satisfies { readonly [feature: string]: readonly ConfigurationVersion[] };

export const has = featuresIn(FEATURES);

const later = optional(int(-1));
const limitReader = closed({ '3.3': int(-1), '3.5': later, '3.6': later, '3.7': later });
/** A limit that differs between the versions: that of a version holds until the next one that is named. */
type LimitSince = ReturnType<typeof limitReader>;
const limitSince = (standard: LimitSince) => setting(standard, limitReader);

/** The limit of a version. */
export function limitIn(limit: LimitSince, version: ConfigurationVersion): number {
  return until(version).reduce((most, each) => limit[each] ?? most, limit['3.3']);
}

/** What a delete does to what refers to the object: remove that as well, or refuse the delete. */
const removal = choice(['remove', 'refuse']);

export const configurationSettings = {
  /** Specification: "Limits". -1 is unlimited, as in the license namespace `limits` (service-notes.md, "Properties"). */
  limits: {
    agentChatsOnCreate: about(
      'Most `max_chats_count` of a new agent, since each version; published pages say 20 since 3.5, and the specification of 3.6 says 100',
      limitSince({ '3.3': 100, '3.5': 20, '3.6': 100, '3.7': 20 }),
    ),
    agentChatsOnUpdate: about(
      'Most `max_chats_count` of an existing agent, since each version',
      limitSince({ '3.3': 100, '3.5': 20 }),
    ),
    botChats: about('Most `max_chats_count` of bots and bot templates', limit(500)),
    groupNameLength: about("Most characters of a group's name", limit(180)),
    templatesPerClient: about('Most bot templates of one client', limit(5)),
    agents: about('Most agents, with the owner', limit(-1)),
    groups: about('Most groups, with group 0', limit(-1)),
    bots: about('Most bots', limit(-1)),
    accessRules: about('Most auto access rules', limit(200)),
    webhooksPerAction: about('Most webhooks of one action and client', limit(3)),
    webhookUrlLength: about('Most characters in the URL of a webhook, since 3.5', limit(500)),
    tags: about('Most tags', limit(-1)),
    batchItems: about('Most items of one batch', limit(-1)),
  },
  lifecycle: {
    '3.3': about('The header that says when the version ends', stage({ header: 'Deprecation', date: '2027-12-31' })),
    '3.5': about('The same for 3.5', stage({ header: 'Legacy', date: '2027-12-31' })),
    '3.6': about('The same for 3.6, the stable version', stage(null)),
    '3.7': about('The same for 3.7, which is a preview', stage(null)),
  },
  regionIn33: about('Whether versions before 3.6 look at `X-Region` also', choice(['ignored', 'checked'])),
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
    "A scheduler of 3.5 or later with an empty `timezone` reads back with the agent's zone, or empty",
    choice(['agent', 'empty']),
  ),
  newerSchedulerIn33: about(
    'Reading in 3.3 a scheduler that a later version wrote; what 3.3 cannot express is always refused',
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
    'Whether `update_bot` takes `job_title` since 3.5, as published pages say; the specification does not list it',
    choice(['accepted', 'ignored']),
  ),
  botTypeOnRead: about(
    'Whether `get_bot` and `list_bots` answer the `type` of a bot, which no sample shows; 3.6 and later',
    choice(['hidden', 'shown']),
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
  deletedGroupGreetings: about(
    'Greetings of a deleted group are deleted; or they stay, with a group that does not exist; or a group with greetings cannot be deleted',
    choice(['remove', 'keep', 'refuse']),
  ),
  deletedGroupValues: about(
    'Property values of a deleted group are deleted; or a group with values cannot be deleted',
    removal,
  ),
  deletedGroupInTags: about(
    'Tags lose a deleted group, even their last one; or a group in a tag cannot be deleted',
    removal,
  ),
  deletedGroupZero: about('Whether group 0 can be deleted', choice(['refuse', 'accept'])),
  unregisteredValues: about(
    'Values of an unregistered property are deleted; or a property with values cannot be unregistered',
    removal,
  ),

  tagGroupsWrite: about('What `group_ids` of `update_tag` does', choice(['replace', 'merge'])),
  tagGroupsAbsent: about('The groups of a tag after an `update_tag` without `group_ids`', choice(['kept', 'none'])),
  tagsWithoutGroups: about(
    'Whether `list_tags` without filters has tags that have no group',
    choice(['listed', 'hidden']),
  ),
  duplicateTag: about(
    'Error of a `create_tag` whose name differs from that of another tag at most in case',
    choice(['already_exists', 'validation']),
  ),
  deletedTagInChats: about('Chats keep a deleted tag, or lose it', choice(['keep', 'remove'])),

  cannedTexts: about(
    'Form in which texts of canned responses are kept, always without blanks around them: without tags of HTML, with `<` and `>` escaped, or as they were written; a text of which nothing is left is refused',
    choice(['stripped', 'escaped', 'written']),
  ),
  deletedGroupCannedResponses: about(
    'Canned responses of a deleted group are deleted; or they stay, with a group that does not exist; or a group with canned responses cannot be deleted',
    choice(['remove', 'keep', 'refuse']),
  ),
  domainForms: about(
    'What `add_allowed_domain` takes: names of hosts alone, or also a text with a scheme, a port, a path or `*`',
    choice(['hosts', 'any']),
  ),
  duplicateDomain: about(
    'Error of an `add_allowed_domain` of a domain that is on the list, or that it changes nothing',
    choice(['already_exists', 'validation', 'accepted']),
  ),

  ruleListOrder: about('Order of `list_auto_accesses`', choice(['list', 'shuffled'])),
  missingNextRule: about('Error of a `next_id` that names no rule', choice(['validation', 'not_found'])),
  lastRuleNextId: about('`next_id` of the last rule', choice(['empty', 'null', 'absent'])),
  ruleDefaultsOnRead: about(
    'Whether rules read back with `description: ""` and `exact_match: false` filled in',
    flag(true),
  ),

  webhooksCounted: about(
    'Whether `limits.webhooksPerAction` counts license webhooks and bot webhooks together',
    choice(['together', 'by-type']),
  ),
  webhookDataOnRead: about(
    'Whether `list_webhooks` shows `additional_data`, which its sample does not have',
    choice(['hidden', 'shown']),
  ),
  licenseWebhooks: about(
    'Whether license webhooks of a client are on where no request, and no seed, has turned them',
    choice(['on', 'off']),
  ),
  accessibleGreetings: about(
    'Whose greetings `list_greetings` shows: those of all groups; or, to agents with the role `normal`, those of their own groups',
    choice(['all', 'own']),
  ),
  clearedDates: about(
    'What clears `active_from` and `active_until` in `update_greeting`: `null`, an empty text, or nothing',
    choice(['null', 'empty', 'nothing']),
  ),
  greetingMessages: about(
    '`rich_message` of a greeting must be as the table of its members says; or it may be as in the samples, with another `template_id` and without images',
    choice(['listed', 'sampled']),
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
