// Requests and replies of every action of the Configuration API, by version. Specification: "Endpoints"; today/configuration.md: "Actions", "Versions".

import type { Version } from '../base/model.ts';
import type {
  AgentField,
  AgentIn33,
  AgentIn35,
  AgentPriorities,
  AgentProfile,
  AutoAccessRule,
  BotDetails,
  BotField,
  BotSecret,
  CannedResponse,
  CannedResponseProfile,
  ChangedBot,
  ChangedGreeting,
  DefinedProperty,
  Greeting,
  GroupDetails,
  ListedAgentIn35,
  ListedBot,
  NewAgent,
  NewBot,
  PropertyReference,
  PropertyRules,
  ReadOrWrite,
  Tag,
  TagProfile,
  TemplateProfile,
  TemplateReference,
  ValueFilter,
  Webhook,
  WebhookName,
} from './configuration-objects.ts';
import type {
  EmptyReply,
  EmptyRequest,
  Message,
  NamespacedNames,
  NamespacedValues,
  Paged,
  SameIn,
  Since35,
  Since36,
  WithId,
} from './messages.ts';

/** A batch exists since 3.5. */
type BatchSince35<V extends Version, Batch extends string> = V extends Since35 ? Batch : null;

type AgentAction<Batch extends string> = {
  readonly [V in Version]: Message<WithId, EmptyReply, BatchSince35<V, Batch>>;
};

/** The avatar of an agent as a request takes it; 3.6 and later take none. */
type GivenAvatar<V extends Version> = V extends '3.3'
  ? { readonly avatar_path?: string }
  : V extends '3.5'
    ? { readonly avatar?: string }
    : unknown;

type AskedAgentFields<V extends Version> = {
  readonly fields?: readonly (AgentField | (V extends Since35 ? 'last_logout' : never))[];
};

/** The client is needed with a personal access token, and refused in 3.3 with any other. */
type WebhookStateRequest = { readonly owner_client_id?: string };

/** Action -> version -> request and reply. */
export interface ConfigurationMessages {
  readonly create_agent: {
    readonly [V in Version]: Message<
      NewAgent & AgentProfile<V> & GivenAvatar<V>,
      WithId,
      BatchSince35<V, 'batch_create_agents'>
    >;
  };
  readonly get_agent: {
    readonly [V in Version]: Message<WithId & AskedAgentFields<V>, V extends '3.3' ? AgentIn33 : AgentIn35>;
  };
  readonly list_agents: {
    readonly [V in Version]: Message<
      AskedAgentFields<V> & {
        readonly filters?: { readonly group_ids?: readonly number[] } & (V extends Since35
          ? { readonly suspended?: boolean }
          : unknown);
      },
      readonly (V extends '3.3' ? AgentIn33 : ListedAgentIn35)[]
    >;
  };
  readonly update_agent: {
    readonly [V in Version]: Message<
      WithId & AgentProfile<V> & GivenAvatar<V> & (V extends '3.3' | '3.5' ? { readonly name?: string } : unknown),
      EmptyReply,
      BatchSince35<V, 'batch_update_agents'>
    >;
  };
  readonly delete_agent: AgentAction<'batch_delete_agents'>;
  readonly suspend_agent: AgentAction<'batch_suspend_agents'>;
  readonly unsuspend_agent: AgentAction<'batch_unsuspend_agents'>;
  readonly approve_agent: AgentAction<'batch_approve_agents'>;
  readonly request_agent_unsuspension: {
    readonly [V in Version]: Message<EmptyRequest, EmptyReply, BatchSince35<V, 'batch_request_agent_unsuspensions'>>;
  };

  readonly add_auto_access: SameIn<
    Version,
    Omit<AutoAccessRule, 'id' | 'next_id'> & { readonly next_id?: string },
    WithId
  >;
  readonly list_auto_accesses: SameIn<Version, EmptyRequest, readonly AutoAccessRule[]>;
  readonly update_auto_access: SameIn<
    Version,
    WithId & Partial<Pick<AutoAccessRule, 'access' | 'conditions' | 'description'>> & { readonly next_id?: string },
    EmptyReply
  >;
  readonly delete_auto_access: SameIn<Version, WithId, EmptyReply>;

  readonly create_bot: {
    readonly [V in Version]: Message<
      NewBot<V>,
      V extends Since35 ? WithId & BotSecret : WithId,
      BatchSince35<V, 'batch_create_bots'>
    >;
  };
  readonly get_bot: {
    readonly [V in Version]: Message<WithId & { readonly fields?: readonly BotField[] }, BotDetails<V>>;
  };
  readonly list_bots: {
    readonly [V in Version]: Message<
      { readonly all?: boolean; readonly fields?: readonly BotField[] },
      readonly ListedBot<V>[]
    >;
  };
  readonly update_bot: {
    readonly [V in Version]: Message<ChangedBot<V>, EmptyReply, BatchSince35<V, 'batch_update_bots'>>;
  };
  readonly delete_bot: AgentAction<'batch_delete_bots'>;
  readonly reset_bot_secret: SameIn<Since35, WithId & { readonly owner_client_id?: string }, BotSecret>;
  readonly issue_bot_token: SameIn<
    Since35,
    {
      readonly bot_id: string;
      readonly client_id: string;
      readonly bot_secret: string;
      readonly organization_id: string;
    },
    { readonly token: string }
  >;

  readonly create_bot_template: SameIn<Since35, TemplateProfile & { readonly name: string }, WithId & BotSecret>;
  readonly list_bot_templates: SameIn<
    Since35,
    { readonly owner_client_id: string },
    readonly { readonly id: string; readonly name: string; readonly avatar_path: string }[]
  >;
  readonly update_bot_template: SameIn<Since35, WithId & TemplateProfile, EmptyReply>;
  readonly delete_bot_template: SameIn<Since35, TemplateReference, EmptyReply>;
  readonly reset_bot_template_secret: SameIn<Since35, TemplateReference, BotSecret>;

  readonly create_group: SameIn<
    Version,
    { readonly name: string; readonly language_code?: string; readonly agent_priorities: AgentPriorities },
    WithId<number>
  >;
  readonly get_group: SameIn<
    Version,
    WithId<number> & { readonly fields?: readonly ('agent_priorities' | 'routing_status')[] },
    GroupDetails
  >;
  readonly list_groups: SameIn<
    Version,
    { readonly fields?: readonly ('agent_priorities' | 'routing_status')[] },
    readonly GroupDetails[]
  >;
  readonly update_group: SameIn<
    Version,
    WithId<number> & Partial<Pick<GroupDetails, 'name' | 'language_code' | 'agent_priorities'>>,
    EmptyReply
  >;
  readonly delete_group: SameIn<Version, WithId<number>, EmptyReply>;

  readonly create_tag: SameIn<Since35, TagProfile, EmptyReply>;
  /** `filters` that are given must name groups. */
  readonly list_tags: SameIn<Since35, { readonly filters?: { readonly group_ids: readonly number[] } }, readonly Tag[]>;
  readonly update_tag: SameIn<Since35, TagProfile, EmptyReply>;
  readonly delete_tag: SameIn<Since35, Pick<Tag, 'name'>, EmptyReply>;
  readonly create_greeting: SameIn<Since36, Omit<Greeting, 'id'>, WithId<number>>;
  readonly get_greeting: SameIn<Since36, WithId<number>, Greeting>;
  /** No `groups` are all groups that the caller may see. At most 100 a page. */
  readonly list_greetings: SameIn<
    Since36,
    Paged<{ readonly groups?: readonly number[]; readonly limit?: number }>,
    {
      readonly greetings: readonly Greeting[];
      readonly found_greetings: number;
      readonly next_page_id?: string;
    }
  >;
  readonly update_greeting: SameIn<Since36, ChangedGreeting, EmptyReply>;
  readonly delete_greeting: SameIn<Since36, WithId<number>, EmptyReply>;

  readonly create_canned_response: SameIn<'3.7', CannedResponseProfile, WithId<number>>;
  /** Without `group_ids`, of the requester's groups; private ones only where they are asked for. */
  readonly list_canned_responses: SameIn<
    '3.7',
    Paged<{
      readonly group_ids?: readonly number[];
      readonly include_private?: boolean;
      readonly include_all_private?: boolean;
      readonly limit?: number;
    }>,
    {
      readonly canned_responses: readonly CannedResponse[];
      readonly found_canned_responses: number;
      readonly next_page_id?: string;
    }
  >;
  readonly update_canned_response: SameIn<'3.7', WithId<number> & Partial<CannedResponseProfile>, EmptyReply>;
  readonly delete_canned_response: SameIn<'3.7', WithId<number>, EmptyReply>;

  readonly add_allowed_domain: SameIn<'3.7', { readonly domain: string }, EmptyReply>;
  readonly list_allowed_domains: SameIn<'3.7', EmptyRequest, { readonly domains: readonly string[] }>;
  readonly delete_allowed_domain: SameIn<'3.7', { readonly domain: string }, EmptyReply>;

  readonly register_property: SameIn<
    Version,
    PropertyReference & PropertyRules & Pick<DefinedProperty, 'type' | 'access'>,
    EmptyReply
  >;
  readonly list_properties: SameIn<
    Version,
    Pick<PropertyReference, 'owner_client_id'>,
    { readonly [name: string]: DefinedProperty }
  >;
  readonly publish_property: SameIn<
    Version,
    PropertyReference & { readonly access_type: readonly ReadOrWrite[] },
    EmptyReply
  >;
  readonly unregister_property: SameIn<Version, PropertyReference, EmptyReply>;
  readonly list_license_properties: SameIn<Version, ValueFilter, NamespacedValues>;
  readonly update_license_properties: SameIn<Version, { readonly properties: NamespacedValues }, EmptyReply>;
  readonly delete_license_properties: SameIn<Version, { readonly properties: NamespacedNames }, EmptyReply>;
  readonly list_group_properties: SameIn<'3.3', WithId<number> & ValueFilter, NamespacedValues>;
  /** No `group_ids` mean all groups. */
  readonly list_groups_properties: SameIn<
    Since35,
    { readonly group_ids: readonly number[] } & ValueFilter,
    readonly { readonly id: number; readonly properties: NamespacedValues }[]
  >;
  readonly update_group_properties: SameIn<
    Version,
    { readonly group_id: number; readonly properties: NamespacedValues },
    EmptyReply
  >;
  readonly delete_group_properties: SameIn<
    Version,
    WithId<number> & { readonly properties: NamespacedNames },
    EmptyReply
  >;

  readonly register_webhook: SameIn<Version, Webhook & { readonly secret_key: string }, WithId>;
  readonly list_webhooks: SameIn<Version, { readonly owner_client_id: string }, readonly (WithId & Webhook)[]>;
  readonly unregister_webhook: SameIn<Version, WithId & { readonly owner_client_id: string }, EmptyReply>;
  /** Needs no credential. */
  readonly list_webhook_names: SameIn<Version, { readonly version?: Version }, readonly WebhookName[]>;
  readonly enable_license_webhooks: SameIn<Version, WebhookStateRequest, EmptyReply>;
  readonly disable_license_webhooks: SameIn<Version, WebhookStateRequest, EmptyReply>;
  readonly get_license_webhooks_state: SameIn<
    Version,
    WebhookStateRequest,
    { readonly license_webhooks_enabled: boolean }
  >;
}
