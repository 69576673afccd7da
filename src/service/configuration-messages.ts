// Requests and replies of every action of the Configuration API, by version. Specification: "Endpoints"; service notes: "Lists", "Properties".

import type { Version } from '../base/model.ts';
import type {
  AgentField,
  AgentIn33,
  AgentIn36,
  AgentPriorities,
  AgentProfile,
  AutoAccessRule,
  BotDetails,
  BotField,
  BotSecret,
  ChangedBot,
  DefinedProperty,
  GroupDetails,
  ListedAgentIn36,
  ListedBot,
  NewAgent,
  NewBot,
  PropertyReference,
  PropertyRules,
  ReadOrWrite,
  TemplateProfile,
  TemplateReference,
  ValueFilter,
} from './configuration-objects.ts';
import type {
  EmptyReply,
  EmptyRequest,
  Message,
  NamespacedNames,
  NamespacedValues,
  SameIn,
  WithId,
} from './messages.ts';

type AgentAction<Batch extends string> = {
  readonly '3.3': Message<WithId, EmptyReply>;
  readonly '3.6': Message<WithId, EmptyReply, Batch>;
};

/** Action -> version -> request and reply. */
export interface ConfigurationMessages {
  readonly create_agent: {
    readonly '3.3': Message<NewAgent & AgentProfile<'3.3'> & { readonly avatar_path?: string }, WithId>;
    readonly '3.6': Message<NewAgent & AgentProfile<'3.6'>, WithId, 'batch_create_agents'>;
  };
  readonly get_agent: {
    readonly '3.3': Message<WithId & { readonly fields?: readonly AgentField[] }, AgentIn33>;
    readonly '3.6': Message<WithId & { readonly fields?: readonly (AgentField | 'last_logout')[] }, AgentIn36>;
  };
  readonly list_agents: {
    readonly '3.3': Message<
      { readonly filters?: { readonly group_ids?: readonly number[] }; readonly fields?: readonly AgentField[] },
      readonly AgentIn33[]
    >;
    readonly '3.6': Message<
      {
        readonly filters?: { readonly group_ids?: readonly number[]; readonly suspended?: boolean };
        readonly fields?: readonly (AgentField | 'last_logout')[];
      },
      readonly ListedAgentIn36[]
    >;
  };
  readonly update_agent: {
    readonly '3.3': Message<
      WithId & AgentProfile<'3.3'> & { readonly name?: string; readonly avatar_path?: string },
      EmptyReply
    >;
    readonly '3.6': Message<WithId & AgentProfile<'3.6'>, EmptyReply, 'batch_update_agents'>;
  };
  readonly delete_agent: AgentAction<'batch_delete_agents'>;
  readonly suspend_agent: AgentAction<'batch_suspend_agents'>;
  readonly unsuspend_agent: AgentAction<'batch_unsuspend_agents'>;
  readonly approve_agent: AgentAction<'batch_approve_agents'>;
  readonly request_agent_unsuspension: {
    readonly '3.3': Message<EmptyRequest, EmptyReply>;
    readonly '3.6': Message<EmptyRequest, EmptyReply, 'batch_request_agent_unsuspensions'>;
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
    readonly '3.3': Message<NewBot<'3.3'>, WithId>;
    readonly '3.6': Message<NewBot<'3.6'>, WithId & BotSecret, 'batch_create_bots'>;
  };
  readonly get_bot: {
    readonly '3.3': Message<WithId & { readonly fields?: readonly BotField[] }, BotDetails<'3.3'>>;
    readonly '3.6': Message<WithId & { readonly fields?: readonly BotField[] }, BotDetails<'3.6'>>;
  };
  readonly list_bots: {
    readonly '3.3': Message<
      { readonly all?: boolean; readonly fields?: readonly BotField[] },
      readonly ListedBot<'3.3'>[]
    >;
    readonly '3.6': Message<
      { readonly all?: boolean; readonly fields?: readonly BotField[] },
      readonly ListedBot<'3.6'>[]
    >;
  };
  readonly update_bot: {
    readonly '3.3': Message<ChangedBot<'3.3'>, EmptyReply>;
    readonly '3.6': Message<ChangedBot<'3.6'>, EmptyReply, 'batch_update_bots'>;
  };
  readonly delete_bot: AgentAction<'batch_delete_bots'>;
  readonly reset_bot_secret: SameIn<'3.6', WithId & { readonly owner_client_id?: string }, BotSecret>;
  readonly issue_bot_token: SameIn<
    '3.6',
    {
      readonly bot_id: string;
      readonly client_id: string;
      readonly bot_secret: string;
      readonly organization_id: string;
    },
    { readonly token: string }
  >;

  readonly create_bot_template: SameIn<'3.6', TemplateProfile & { readonly name: string }, WithId & BotSecret>;
  readonly list_bot_templates: SameIn<
    '3.6',
    { readonly owner_client_id: string },
    readonly { readonly id: string; readonly name: string; readonly avatar_path: string }[]
  >;
  readonly update_bot_template: SameIn<'3.6', WithId & TemplateProfile, EmptyReply>;
  readonly delete_bot_template: SameIn<'3.6', TemplateReference, EmptyReply>;
  readonly reset_bot_template_secret: SameIn<'3.6', TemplateReference, BotSecret>;

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
    '3.6',
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
}
