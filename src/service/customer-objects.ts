// Objects of the Customer Chat Web API as requests and replies have them, by version where the versions differ.
// Specification: "Resources and their fields"; customer-and-reports-notes.md, "Customer Web: what "not shown" really is".

import type { CustomerVersion } from '../base/model.ts';
import type { AtLeastOne, NamespacedValues, Since36, Unstated, WithId } from './messages.ts';

/** In order; each item has one member. */
export type SessionFields = readonly { readonly [name: string]: string }[];

/** Where a chat stands. Group 0 is everybody. */
export interface ChatAccess {
  readonly group_ids: readonly number[];
}

interface MessengerProfile {
  readonly id: string;
  readonly name?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly profile_pic?: string;
  readonly gender?: string;
  readonly locale?: string;
  readonly is_verified_user?: boolean;
}

/** Specification: "Customer omnichannel (3.7)". */
export interface CustomerChannels {
  readonly messenger?: MessengerProfile;
  readonly sms?: { readonly phone_number: string };
  /** `messenger` in the public pages. */
  readonly fbmessenger?: MessengerProfile;
  /** `sms` in the public pages. */
  readonly twilio?: { readonly phone_number: string };
  /** `phone_number` is E.164. */
  readonly chatapp?: { readonly id: string; readonly name?: string; readonly phone_number: string };
}

/** Specification: "Customer address (3.7)". */
export interface CustomerAddress {
  readonly address?: string;
  readonly city?: string;
  readonly country?: string;
  readonly state?: string;
  readonly postal_code?: string;
}

/** What a customer can change. In 3.7 an empty text clears the name, the e-mail and parts of the address. */
export type CustomerProfile<V extends CustomerVersion> = AtLeastOne<CustomerMembers<V>>;

type CustomerMembers<V extends CustomerVersion> = {
  readonly name?: string;
  readonly email?: string;
  /** URL. */
  readonly avatar?: string;
  readonly session_fields?: SessionFields;
} & (V extends Since36
  ? {
      /** E.164. The specification does not name it; the service may ignore it. */
      readonly phone_number?: string;
      readonly omnichannel?: CustomerChannels;
      readonly address?: CustomerAddress;
    }
  : unknown);

/** Members are there if they are set; `omnichannel` always is. It may read otherwise than it was written. */
export type CustomerReading<V extends CustomerVersion> = {
  readonly id: string;
  readonly type: 'customer';
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly avatar?: string;
  readonly session_fields?: SessionFields;
} & (V extends Since36
  ? { readonly phone_number?: string; readonly omnichannel: Unstated; readonly address?: CustomerAddress }
  : unknown);

interface ChatPresence {
  readonly present: boolean;
  /** RFC 3339. */
  readonly events_seen_up_to?: string;
}

/** An agent or a bot as customers see it: the id is not the one of the Configuration API. */
export interface ChatAgent extends ChatPresence {
  readonly id: string;
  readonly type: 'agent';
  readonly name: string;
  readonly avatar: string;
  readonly job_title?: string;
}

/** A customer of a chat; the channels are not always there. */
type ChatCustomer<V extends CustomerVersion> = Omit<CustomerReading<V>, 'omnichannel'> &
  Partial<Pick<CustomerReading<Since36>, 'omnichannel'>>;

export type ChatUser<V extends CustomerVersion> = (ChatCustomer<V> & ChatPresence) | ChatAgent;

/** What a customer chose in a shop. */
export interface EcommerceChoice {
  readonly product_id: string;
  readonly option_id?: string;
  readonly quantity?: number;
}

/** The button of a rich message that a message answers. `type` and `value` come together. */
interface MessagePostback {
  readonly id: string;
  readonly thread_id: string;
  readonly event_id: string;
  readonly type?: string;
  readonly value?: string;
  /** Since 3.6. */
  readonly ecommerce?: EcommerceChoice;
}

export interface RichMessageButton {
  readonly text: string;
  readonly type?: string;
  readonly value?: string;
  readonly postback_id?: string;
  readonly user_ids?: readonly string[];
  readonly target?: string;
  readonly webview_height?: string;
}

/** An element of the template `ecommerce`, which customers only read. */
interface ShopElement {
  readonly ecommerce: Unstated;
}

interface RichMessageElement {
  readonly title?: string;
  readonly subtitle?: string;
  readonly image?: Unstated;
  /** At most 13. */
  readonly buttons?: readonly RichMessageButton[];
}

interface ChosenOption {
  readonly id: string;
  readonly label: string;
  readonly group_id?: number;
}

/** A field of a form with its answer: a text, an option, or the options of a checkbox. */
export interface AnsweredField {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly answer?: string | ChosenOption;
  readonly answers?: readonly ChosenOption[];
}

/** What a customer can write. The text of a message has at most 16 KB. */
type WrittenContent =
  | { readonly type: 'message'; readonly text: string; readonly postback?: MessagePostback }
  | { readonly type: 'file'; readonly url: string; readonly alternative_text?: string }
  | {
      readonly type: 'rich_message';
      readonly template_id: string;
      /** At most 10. */
      readonly elements: readonly RichMessageElement[];
    }
  | {
      readonly type: 'filled_form';
      readonly form_id: string;
      readonly form_type?: string;
      readonly fields: readonly AnsweredField[];
    }
  | { readonly type: 'custom'; readonly content: Unstated }
  | SystemText;

/** A message of the system, which applications may define as well. It has no author. */
interface SystemText {
  readonly type: 'system_message';
  readonly system_message_type: string;
  readonly text?: string;
  readonly text_vars?: { readonly [name: string]: string };
}

/** An event to send. */
export type NewChatEvent = WrittenContent & {
  readonly custom_id?: string;
  readonly recipients?: string;
  readonly properties?: NamespacedValues;
};

interface EventStamp {
  /** `<thread id>_<number>`. */
  readonly id: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly custom_id?: string;
  readonly recipients?: string;
  readonly properties?: NamespacedValues;
}

/** What a file has in addition when it is read; images have the optional members. */
interface StoredFile {
  readonly name?: string;
  readonly content_type?: string;
  readonly size?: number;
  readonly width?: number;
  readonly height?: number;
  readonly thumbnail_url?: string;
  readonly thumbnail2x_url?: string;
}

/** A rich message of a shop, since 3.6. */
interface ShopMessage {
  readonly type: 'rich_message';
  readonly template_id: 'ecommerce';
  readonly elements: readonly ShopElement[];
}

/** `all` or `agents`: in 3.7, of every rich message. */
interface Visible {
  readonly visibility?: string;
}

/** Since 3.6. */
interface SystemEvent extends EventStamp {
  readonly type: 'system';
  readonly source: string;
  readonly subtype: string;
  readonly version: number;
  /** JSON as a text. */
  readonly details: string;
}

type AuthoredEvent = EventStamp & { readonly author_id: string } & (
    | Exclude<WrittenContent, { readonly type: 'file' | 'system_message' | 'rich_message' }>
    | ((Extract<WrittenContent, { readonly type: 'rich_message' }> | ShopMessage) & Visible)
    | (Extract<WrittenContent, { readonly type: 'file' }> & StoredFile)
    | ({ readonly type: 'form' } & Omit<ChatForm, 'id'> & { readonly form_id: string })
  );

export type ChatEvent<V extends CustomerVersion> =
  | AuthoredEvent
  | (EventStamp & SystemText)
  | (V extends Since36 ? SystemEvent : never);

export interface ChatThread<V extends CustomerVersion> {
  readonly id: string;
  readonly active: boolean;
  readonly user_ids: readonly string[];
  readonly events: readonly ChatEvent<V>[];
  readonly properties: NamespacedValues;
  readonly access: ChatAccess;
  /** RFC 3339. */
  readonly created_at: string;
  readonly previous_thread_id?: string;
  readonly next_thread_id?: string;
  /** Only while the chat waits; `wait_time` in seconds. */
  readonly queue?: { readonly position: number; readonly wait_time: number; readonly queued_at: string };
}

interface ChatBase<V extends CustomerVersion> {
  readonly id: string;
  readonly users: readonly ChatUser<V>[];
  readonly access: ChatAccess;
  readonly properties: NamespacedValues;
}

/** A chat with one of its threads, the latest unless another was asked for. */
export interface ChatReading<V extends CustomerVersion> extends ChatBase<V> {
  readonly thread?: ChatThread<V>;
}

/** A chat in the list of 3.3 to 3.6. */
export interface ChatSummary<V extends CustomerVersion> extends ChatBase<V> {
  readonly active: boolean;
  readonly last_thread_id?: string;
  readonly last_thread_created_at?: string;
  readonly last_event_per_type?: {
    readonly [type: string]: {
      readonly thread_id: string;
      /** In one public sample alone. */
      readonly thread_order?: number;
      readonly thread_created_at: string;
      readonly event: ChatEvent<V>;
    };
  };
}

/** A chat in the list of 3.7. */
export interface ChatInfo extends ChatBase<'3.7'> {
  readonly active: boolean;
  readonly last_thread_info?: {
    readonly id: string;
    readonly created_at: string;
    readonly last_event_per_type?: { readonly [type: string]: { readonly event: ChatEvent<'3.7'> } };
  };
}

/** A thread that begins. */
interface NewThread {
  /** No forms. */
  readonly events?: readonly NewChatEvent[];
  readonly properties?: NamespacedValues;
}

export interface NewChat {
  readonly properties?: NamespacedValues;
  /** All agents when left out. */
  readonly access?: ChatAccess;
  readonly thread?: NewThread;
}

export type ResumedChat = NewChat & WithId;

/** What asks a customer for something, before or after a chat. */
export interface ChatForm {
  readonly id: string;
  readonly fields: readonly {
    readonly id: string;
    /** header, name, email, subject, question, textarea, radio, select, checkbox or group_chooser. */
    readonly type: string;
    readonly label: string;
    readonly required?: boolean;
    readonly options?: readonly ChosenOption[];
  }[];
}

/** Who would answer. Specification: "Welcome message prediction (3.7)". */
export interface PredictedAgent {
  readonly id: string;
  readonly name: string;
  readonly avatar: string;
  readonly is_bot: boolean;
  /** Bots only; since 3.6. */
  readonly bot_type?: string;
  readonly job_title?: string;
  readonly type?: string;
}

/** What a page of a customer gets. `online_group_ids` is absent when no group is online. */
interface WidgetState {
  readonly group_id: number;
  readonly client_limit_exceeded: boolean;
  readonly domain_allowed: boolean;
  readonly online_group_ids?: readonly number[];
  readonly config_version: string;
  readonly localization_version: string;
  readonly language: string;
}

/** The product has its name of the specification, or that of the public pages. Its state is absent while it is not active. */
type OrganizationState<State> = {
  readonly organization_id: string;
  readonly default_widget: 'product' | 'livechat' | 'widget' | 'openwidget' | 'chatbot';
} & (
  | { readonly product_active: boolean; readonly product?: State }
  | { readonly livechat_active: boolean; readonly livechat?: State }
);

export interface DynamicConfiguration {
  readonly '3.3': WidgetState;
  readonly '3.5': WidgetState;
  readonly '3.6': OrganizationState<WidgetState>;
  readonly '3.7': OrganizationState<WidgetState & { readonly ai_agent_active: boolean }>;
}

/** What the widget of a group is built from. The specification does not show it. */
export interface WidgetConfiguration {
  readonly buttons?: readonly {
    readonly id: string;
    readonly type: string;
    readonly online_value: string;
    readonly offline_value: string;
  }[];
  readonly ticket_form?: ChatForm;
  readonly prechat_form?: ChatForm;
  readonly allowed_domains?: readonly string[];
  readonly integrations?: Unstated;
  readonly properties?: { readonly group?: NamespacedValues; readonly license?: NamespacedValues };
}
