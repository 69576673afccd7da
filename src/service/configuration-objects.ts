// Objects of the Configuration API as requests and replies have them, by version where the versions differ.
// Specification: "Resources and their fields"; service notes: "Agents", "Groups", "Bots and templates", "Auto access", "Properties".

import type { PropertyAccess, PropertyType } from '../base/default-properties.ts';
import type { Version } from '../base/model.ts';
import type { Since35, Since36, WithId } from './messages.ts';

/** `supervisor` gets no chats. Specification: "Group priority values". */
export type MemberPriority = 'first' | 'normal' | 'last' | 'supervisor';

/** A role that can be given. The owner of a license has the role `owner`. */
export type GivenRole = 'viceowner' | 'administrator' | 'normal';

export type DayName = 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday';

/** Working hours by version; times are `HH:MM`. Specification: "Work scheduler". */
export interface WorkHours extends Readonly<Record<Since35, WeeklyHours>> {
  readonly '3.3': { readonly [day in DayName]?: { readonly start: string; readonly end: string } };
}

/** A day may appear more than once. */
export interface WeeklyHours {
  /** Needed when `schedule` has an item. */
  readonly timezone?: string;
  readonly schedule: readonly {
    readonly day: DayName;
    readonly enabled: boolean;
    readonly start: string;
    readonly end: string;
  }[];
}

export interface GroupMembership {
  readonly id: number;
  readonly priority: MemberPriority;
}

export type AgentNotification =
  | 'new_visitor'
  | 'incoming_chat'
  | 'returning_visitor'
  | 'queued_visitor'
  | 'visitor_is_typing'
  | 'new_goal'
  | 'unassigned_chats'
  | 'unassigned_chat_messages'
  | 'ticket'
  | 'inactive_notifications'
  | 'mute_all_sounds'
  | 'repeat_sound_notifications'
  | 'ticket_notifications'
  | 'incoming_message_for_focused_chat';

export type AgentSubscription = 'daily_summary' | 'weekly_summary';

/** Members that a create and an update of an agent share. */
export interface AgentProfile<V extends Version> {
  readonly role?: GivenRole;
  readonly login_status?: 'accepting chats' | 'not accepting chats';
  readonly job_title?: string;
  readonly mobile?: string;
  readonly max_chats_count?: number;
  readonly groups?: readonly GroupMembership[];
  readonly notifications?: readonly AgentNotification[];
  readonly email_subscriptions?: readonly AgentSubscription[];
  readonly work_scheduler?: WorkHours[V];
}

/** Members that a reading has only when `fields` names them. */
export interface AgentFields<V extends Version> extends Omit<AgentProfile<V>, 'role' | 'login_status'> {
  /** The other spelling of `email_subscriptions`. */
  readonly summaries?: readonly AgentSubscription[];
  readonly suspended?: boolean;
  readonly awaiting_approval?: boolean;
}

/** An agent as it is read, without the avatar, whose name differs. */
export interface AgentReading<V extends Version> extends AgentFields<V> {
  readonly id: string;
  readonly name: string;
  readonly role: GivenRole | 'owner';
  readonly login_status: string;
}

export interface AgentIn33 extends AgentReading<'3.3'> {
  readonly avatar_path: string;
}

/** With what 3.5 and later tell in addition. */
export interface AgentReading35 extends AgentReading<Since35> {
  readonly account_id: string;
  /** RFC 3339; absent for an agent who never logged out. */
  readonly last_logout?: string;
}

/** In 3.5 and later. */
export interface ListedAgentIn35 extends AgentReading35 {
  readonly avatar_path: string;
}

/** In 3.5 and later. */
export interface AgentIn35 extends AgentReading35 {
  readonly avatar: string;
}

/** What `fields` can name. */
export type AgentField =
  | 'work_scheduler'
  | 'groups'
  | 'email_subscriptions'
  | 'notifications'
  | 'job_title'
  | 'mobile'
  | 'max_chats_count'
  | 'suspended'
  | 'awaiting_approval';

export interface NewAgent {
  readonly id: string;
  readonly name: string;
  /** `false` needs the private scope subscription.lc:rw. */
  readonly awaiting_approval?: boolean;
}

/** A text that is looked for in a URL or a domain. */
export interface TextMatch {
  readonly value: string;
  /** `false`, the default, matches any part. */
  readonly exact_match?: boolean;
}

/** One of the two. */
export type TextCondition =
  | { readonly values: readonly TextMatch[]; readonly exclude_values?: never }
  | { readonly exclude_values: readonly TextMatch[]; readonly values?: never };

/** At least one member; all given members must match. */
export interface PlaceMatch {
  readonly country?: string;
  readonly country_code?: string;
  readonly region?: string;
  readonly city?: string;
}

/** At least one condition. */
export interface RuleMatch {
  readonly url?: TextCondition;
  readonly domain?: TextCondition;
  readonly geolocation?: { readonly values: readonly PlaceMatch[] };
}

export interface RuleAccess {
  readonly groups: readonly number[];
}

export interface AutoAccessRule {
  readonly id: string;
  readonly description?: string;
  readonly access: RuleAccess;
  readonly conditions: RuleMatch;
  /** Empty, null and absent all mean that it is the last rule. */
  readonly next_id?: string | null;
}

/** Members that creates and updates of bots and bot templates share. */
export interface BotProfile {
  readonly name?: string;
  /** URL. */
  readonly avatar?: string;
  readonly max_chats_count?: number;
  readonly default_group_priority?: MemberPriority;
}

/** Hours of a bot: 3.3 has the time zone next to them. */
export type BotHours<V extends Version> = V extends '3.3'
  ? { readonly work_scheduler?: WorkHours['3.3']; readonly timezone?: string }
  : { readonly work_scheduler?: WeeklyHours };

/** `chatbot`, `ai_agent` or another text. */
export type BotType<V extends Version> = V extends Since36 ? { readonly type?: string } : unknown;

export type NewBot<V extends Version> = BotProfile &
  BotHours<V> &
  BotType<V> & {
    readonly name: string;
    readonly job_title?: string;
    readonly groups?: readonly (Partial<GroupMembership> & Pick<GroupMembership, 'priority'>)[];
    /** With a personal access token. In 3.3 it is refused with any other. */
    readonly owner_client_id?: string;
  };

export type ChangedBot<V extends Version> = WithId &
  BotProfile &
  BotHours<V> &
  BotType<V> & { readonly groups?: readonly GroupMembership[] } & (V extends Since35
    ? { readonly job_title?: string }
    : unknown);

/** A bot in a list. No sample shows its `type`, and no page says that it is there. */
export type ListedBot<V extends Version> = BotHours<V> &
  BotType<V> & {
    readonly id: string;
    readonly name: string;
    readonly avatar_path: string;
    readonly job_title?: string;
    readonly max_chats_count?: number;
    readonly groups?: readonly GroupMembership[];
  };

export type BotDetails<V extends Version> = ListedBot<V> & {
  readonly default_group_priority: MemberPriority;
  readonly owner_client_id: string;
  readonly max_chats_count: number;
  readonly groups: readonly GroupMembership[];
};

export type BotField = 'groups' | 'work_scheduler' | 'job_title' | 'max_chats_count' | 'timezone';

/** The secret is told once. */
export interface BotSecret {
  readonly secret: string;
}

export interface TemplateProfile extends BotProfile {
  readonly owner_client_id: string;
  readonly job_title?: string;
  /** Also the bots that were made from it, on every license that has the application. */
  readonly affect_existing_installations?: boolean;
}

export type TemplateReference = WithId & Pick<TemplateProfile, 'owner_client_id' | 'affect_existing_installations'>;

export interface AgentPriorities {
  readonly [agent: string]: MemberPriority;
}

export interface GroupDetails {
  readonly id: number;
  readonly name: string;
  readonly language_code: string;
  readonly agent_priorities?: AgentPriorities;
  /** `accepting_chats`, `not_accepting_chats` or `offline`. */
  readonly routing_status?: string;
}

/** The name is the id: a create ignores capitals in it, an update and a delete need it exactly. */
export interface TagProfile {
  readonly name: string;
  /** A chat can get the tag only in one of these groups. */
  readonly group_ids?: readonly number[];
}

export interface Tag extends Required<TagProfile> {
  /** Empty for a tag that came with the license. */
  readonly author_id: string;
  /** RFC 3339. */
  readonly created_at: string;
}

export type ReadOrWrite = 'read' | 'write';

export interface PropertyReference {
  readonly name: string;
  readonly owner_client_id: string;
}

/** `domain` and `range` exclude each other. */
export interface PropertyRules {
  readonly description?: string;
  readonly domain?: readonly (string | number | boolean)[];
  readonly range?: { readonly from: number; readonly to: number };
  readonly default_value?: string | number | boolean;
}

export interface DefinedProperty extends PropertyRules {
  readonly type: PropertyType;
  readonly access: PropertyAccess;
  readonly public_access?: readonly ReadOrWrite[];
}

export interface ValueFilter {
  readonly namespace?: string;
  readonly name_prefix?: string;
}

/** Users by their ids; one of the two. */
export interface WebhookUsers {
  readonly values?: readonly string[];
  readonly exclude_values?: readonly string[];
}

/** today/configuration.md, "Webhooks". */
export interface WebhookFilters {
  readonly author_type?: 'customer' | 'agent';
  readonly only_my_chats?: boolean;
  readonly chat_presence?: { readonly user_ids?: WebhookUsers; readonly my_bots?: boolean };
  /** Since 3.4. */
  readonly source_type?: readonly ('my_client' | 'other_clients' | 'system')[];
  /** No page gives its shape. */
  readonly agent_ids?: readonly string[] | WebhookUsers;
}

export interface Webhook {
  readonly action: string;
  readonly url: string;
  readonly owner_client_id: string;
  readonly type: 'license' | 'bot';
  readonly description?: string;
  readonly filters?: WebhookFilters;
  /** No sample of a reply has it. */
  readonly additional_data?: readonly ('chat_properties' | 'chat_presence_user_ids')[];
}

/** What webhooks of an action may have. */
export interface WebhookName {
  readonly action: string;
  readonly filters?: readonly string[];
  readonly additional_data?: readonly string[];
}

export type GreetingOperator =
  | 'equals'
  | 'doesnt_equal'
  | 'lower_than'
  | 'lower_or_equal'
  | 'greater_than'
  | 'greater_or_equal'
  | 'contains'
  | 'doesnt_contain';

export type GreetingRuleType =
  | 'visit_time_site'
  | 'visit_time_page'
  | 'url_current'
  | 'url_visited'
  | 'url_referrer'
  | 'pages_view_number'
  | 'visits_number'
  | 'geolocation'
  | 'search_keyword'
  | 'url_funnel'
  | 'url_match_page_view_number'
  | 'custom_variable'
  | 'ads_traffic';

export interface GreetingRule {
  readonly condition: 'and' | 'or';
  readonly type: GreetingRuleType;
  /** Needed by every type but `url_funnel`, `custom_variable` and `ads_traffic`. */
  readonly operator?: GreetingOperator;
  /** A text also where it is a number: whole seconds, or a count. */
  readonly value?: string;
  /** 1 to 10, for `url_funnel` and `url_match_page_view_number`. */
  readonly urls?: readonly { readonly url: string; readonly operator: GreetingOperator }[];
  /** One key and its value, for `custom_variable` and `ads_traffic`. */
  readonly session_field?: { readonly [key: string]: string };
}

export interface GreetingButton {
  readonly text: string;
  readonly type: 'webview' | 'message' | 'url' | 'phone';
  readonly value: string;
  readonly postback_id: string;
  /** Made by the service for a button without one. */
  readonly button_id?: string;
  readonly role?: 'default' | 'primary' | 'danger';
}

export interface GreetingElement {
  readonly title: string;
  /** Listed as required, and missing in some samples, as is `image`. */
  readonly subtitle?: string;
  readonly image?: {
    readonly url: string;
    readonly name?: string;
    readonly content_type?: string;
    readonly size?: number;
    readonly width?: number;
    readonly height?: number;
    readonly alternative_text?: string;
  };
  /** At most 13. */
  readonly buttons?: readonly GreetingButton[];
}

/** What a greeting says and when, without its group, which no update changes. */
export interface GreetingContent {
  readonly type: 'normal' | 'announcement';
  readonly active: boolean;
  readonly name: string;
  /** At most 10. */
  readonly rules: readonly GreetingRule[];
  /** RFC 3339, as `active_until`. A reply has them only if they are set. */
  readonly active_from?: string;
  readonly active_until?: string;
  readonly properties?: { readonly [key: string]: string | number | boolean };
  readonly rich_message?: {
    /** `cards`, `sticker` or `quick_replies`; a sample of a reply has none. */
    readonly template_id?: string;
    /** At most 10. */
    readonly elements?: readonly GreetingElement[];
  };
}

export interface Greeting extends GreetingContent {
  readonly id: number;
  readonly group: number;
}

/** Whether null clears a date is not stated. */
export type ChangedGreeting = WithId<number> &
  Partial<Omit<GreetingContent, 'active_from' | 'active_until'>> & {
    readonly active_from?: string | null;
    readonly active_until?: string | null;
  };

/** today/configuration.md, "Only in 3.7 (developer preview)". */
export interface CannedResponseProfile {
  /** Sanitized when it is written, so that a reply may have another text. */
  readonly text: string;
  /** Shortcuts; no tags of chats. */
  readonly tags: readonly string[];
  readonly group_id: number;
  readonly is_private?: boolean;
}

export interface CannedResponse extends Required<CannedResponseProfile> {
  readonly id: number;
  /** The last editor. */
  readonly author_id: string;
  readonly created_at: string;
  readonly updated_at: string;
}
