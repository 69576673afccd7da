// Requests and replies of every action of the Customer Chat Web API, by version. Specification: "Endpoints";
// customer-and-reports-notes.md, "Customer Web: what "not shown" really is".

import type { CustomerVersion } from '../base/model.ts';
import type {
  ChatForm,
  ChatInfo,
  ChatReading,
  ChatSummary,
  ChatThread,
  CustomerProfile,
  CustomerReading,
  DynamicConfiguration,
  EcommerceChoice,
  NewChat,
  NewChatEvent,
  PredictedAgent,
  ResumedChat,
  SessionFields,
  WidgetConfiguration,
} from './customer-objects.ts';
import type {
  EmptyReply,
  EmptyRequest,
  Message,
  NamespacedNames,
  NamespacedValues,
  Paged,
  SameIn,
  Since36,
  WithId,
} from './messages.ts';
import type { FileContent } from './upload.ts';

interface Neighbours {
  readonly next_page_id?: string;
  readonly previous_page_id?: string;
}

interface ChatFilters {
  /** At most 25, by default 10. */
  readonly limit?: number;
  /** By the creation of the last thread, by default `desc`. */
  readonly sort_order?: 'asc' | 'desc';
}

/** `limit`, by default 3 and at most 100, or `min_events_count`, from 1 to 100. */
type ThreadFilters = { readonly sort_order?: 'asc' | 'desc' } & (
  | { readonly limit?: number; readonly min_events_count?: never }
  | { readonly min_events_count: number; readonly limit?: never }
);

interface ChatStart {
  /** By default the thread is active. */
  readonly active?: boolean;
  /** A continuous chat needs no group that is online. */
  readonly continuous?: boolean;
}

/** `event_ids` are those of the events in the request; absent when it had none. */
interface StartedThread {
  readonly thread_id: string;
  readonly event_ids?: readonly string[];
}

interface ThreadReference {
  readonly chat_id: string;
  readonly thread_id: string;
}

interface EventReference extends ThreadReference {
  readonly event_id: string;
}

interface WrittenValues {
  readonly properties: NamespacedValues;
}

/** The specification does not show whether a value has to be sent as well. */
interface DeletedValues {
  readonly properties: NamespacedNames | NamespacedValues;
}

interface ValuesByName {
  readonly namespace?: string;
  readonly name?: string;
}

type Postback<V extends CustomerVersion> = EventReference & {
  readonly postback: {
    readonly id: string;
    readonly toggled: boolean;
  } & (V extends Since36
    ? {
        readonly button_type?: string;
        readonly button_value?: string;
        readonly ecommerce?: EcommerceChoice;
      }
    : unknown);
};

/** Action -> version -> request and reply. */
export interface CustomerMessages {
  readonly list_chats: {
    readonly [V in CustomerVersion]: Message<
      Paged<ChatFilters>,
      Neighbours & { readonly total_chats: number } & (V extends '3.7'
          ? { readonly chats_info: readonly ChatInfo[] }
          : { readonly chats_summary: readonly ChatSummary<V>[] })
    >;
  };
  readonly list_threads: {
    readonly [V in CustomerVersion]: Message<
      Paged<ThreadFilters> & { readonly chat_id: string },
      Neighbours & { readonly threads: readonly ChatThread<V>[]; readonly found_threads: number }
    >;
  };
  readonly get_chat: {
    readonly [V in CustomerVersion]: Message<{ readonly chat_id: string; readonly thread_id?: string }, ChatReading<V>>;
  };
  readonly start_chat: SameIn<
    CustomerVersion,
    ChatStart & { readonly chat?: NewChat },
    StartedThread & { readonly chat_id: string }
  >;
  readonly resume_chat: SameIn<CustomerVersion, ChatStart & { readonly chat: ResumedChat }, StartedThread>;
  readonly deactivate_chat: SameIn<CustomerVersion, WithId, EmptyReply>;

  readonly get_dynamic_configuration: {
    readonly [V in CustomerVersion]: Message<
      {
        readonly group_id?: number;
        readonly url?: string;
        readonly channel_type?: string;
        readonly test?: boolean;
      },
      DynamicConfiguration[V]
    >;
  };
  readonly get_configuration: SameIn<
    CustomerVersion,
    { readonly group_id: number; readonly version: string },
    WidgetConfiguration
  >;
  readonly get_localization: SameIn<
    CustomerVersion,
    { readonly group_id: number; readonly language: string; readonly version: string },
    { readonly [phrase: string]: string }
  >;

  readonly send_event: SameIn<
    CustomerVersion,
    { readonly chat_id: string; readonly event: NewChatEvent; readonly attach_to_last_thread?: boolean },
    { readonly event_id: string }
  >;
  readonly delete_event: SameIn<Since36, EventReference, EmptyReply>;
  readonly upload_file: SameIn<CustomerVersion, { readonly file: FileContent }, { readonly url: string }>;
  readonly send_rich_message_postback: {
    readonly [V in CustomerVersion]: Message<Postback<V>, EmptyReply>;
  };
  readonly send_sneak_peek: SameIn<
    CustomerVersion,
    { readonly chat_id: string; readonly sneak_peek_text: string },
    EmptyReply
  >;

  readonly update_chat_properties: SameIn<CustomerVersion, WithId & WrittenValues, EmptyReply>;
  readonly delete_chat_properties: SameIn<CustomerVersion, WithId & DeletedValues, EmptyReply>;
  readonly update_thread_properties: SameIn<CustomerVersion, ThreadReference & WrittenValues, EmptyReply>;
  readonly delete_thread_properties: SameIn<CustomerVersion, ThreadReference & DeletedValues, EmptyReply>;
  readonly update_event_properties: SameIn<CustomerVersion, EventReference & WrittenValues, EmptyReply>;
  readonly delete_event_properties: SameIn<CustomerVersion, EventReference & DeletedValues, EmptyReply>;
  readonly list_license_properties: SameIn<CustomerVersion, ValuesByName, NamespacedValues>;
  readonly list_group_properties: SameIn<CustomerVersion, WithId<number> & ValuesByName, NamespacedValues>;

  readonly get_customer: {
    readonly [V in CustomerVersion]: Message<EmptyRequest, CustomerReading<V>>;
  };
  readonly update_customer: {
    readonly [V in CustomerVersion]: Message<CustomerProfile<V>, EmptyReply>;
  };
  /** At most 100 fields. */
  readonly set_customer_session_fields: SameIn<CustomerVersion, { readonly session_fields: SessionFields }, EmptyReply>;

  readonly list_group_statuses: SameIn<
    CustomerVersion,
    | { readonly all: boolean; readonly group_ids?: never }
    | { readonly group_ids: readonly number[]; readonly all?: never },
    { readonly groups_status: { readonly [group: string]: 'online' | 'offline' | 'online_for_queue' } }
  >;
  readonly check_goals: SameIn<
    CustomerVersion,
    { readonly session_fields: SessionFields; readonly group_id: number; readonly page_url: string },
    EmptyReply
  >;
  readonly get_form: SameIn<
    CustomerVersion,
    { readonly group_id: number; readonly type: 'prechat' | 'postchat' },
    { readonly enabled: boolean; readonly form?: ChatForm }
  >;
  readonly get_url_info: SameIn<
    CustomerVersion,
    { readonly url: string },
    {
      readonly image_url: string;
      readonly image_original_url: string;
      readonly image_width?: number;
      readonly image_height?: number;
      readonly title?: string;
      readonly description?: string;
      readonly url?: string;
    }
  >;
  readonly mark_events_as_seen: SameIn<
    CustomerVersion,
    {
      readonly chat_id: string;
      /** RFC 3339. */
      readonly seen_up_to: string;
    },
    EmptyReply
  >;
  readonly accept_greeting: SameIn<
    CustomerVersion,
    { readonly greeting_id: number; readonly unique_id: string },
    EmptyReply
  >;
  readonly cancel_greeting: SameIn<CustomerVersion, { readonly unique_id: string }, EmptyReply>;
  readonly send_greeting_button_clicked: SameIn<
    Since36,
    { readonly greeting_unique_id: string; readonly button_id: string },
    EmptyReply
  >;
  readonly get_predicted_agent: SameIn<
    Exclude<CustomerVersion, '3.7'>,
    EmptyRequest,
    { readonly agent?: PredictedAgent; readonly queue: boolean }
  >;
  readonly request_welcome_message: SameIn<
    Since36,
    { readonly id?: string; readonly group_id?: number },
    { readonly id: string; readonly predicted_agent: PredictedAgent; readonly queue: boolean }
  >;
  readonly request_email_verification: SameIn<CustomerVersion, { readonly callback_uri: string }, EmptyReply>;
}
