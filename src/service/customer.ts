// The Customer Chat Web API: the only table of its actions. Specification: "Endpoints", "Authentication";
// customer-and-reports-notes.md, "Customer Web: what "not shown" really is", "Traps".

import { STABLE_VERSION } from '../base/api-versions.ts';
import { CUSTOMER_VERSIONS, type CustomerVersion } from '../base/model.ts';
import type { Client } from './client.ts';
import type { CustomerMessages } from './customer-messages.ts';
import type { ActionTable, TypedApi } from './messages.ts';

/** What a customer may do depends on the chat, and not on scopes. */
const PLAIN = { batch: null, scopes: [], ownScopes: [], extraScopes: [], answersSecret: false } as const;
const ALL = { ...PLAIN, versions: CUSTOMER_VERSIONS } as const;
const UNTIL_36 = { ...PLAIN, versions: ['3.3', '3.5', '3.6'] } as const;
const SINCE_36 = { ...PLAIN, versions: ['3.6', '3.7'] } as const;

const READ = { ...ALL, effect: 'read' } as const;
/** Only for the property lists is it promised that no token is needed; for the configuration it was seen. */
const GET = { ...READ, method: 'GET', token: 'optional' } as const;
/** What counts, sends or starts something each time that it is sent. */
const CREATE = { ...ALL, effect: 'create' } as const;
const UPDATE = { ...ALL, effect: 'update' } as const;
const DELETE = { ...ALL, effect: 'delete' } as const;

const ACTIONS = {
  list_chats: { ...READ, pages: { keeps: [] } },
  list_threads: { ...READ, pages: { keeps: ['chat_id'] } },
  get_chat: READ,
  start_chat: { ...CREATE, shownBy: 'list_chats' },
  resume_chat: { ...CREATE, shownBy: 'get_chat' },
  deactivate_chat: UPDATE,

  get_dynamic_configuration: GET,
  get_configuration: GET,
  get_localization: GET,

  send_event: { ...CREATE, shownBy: 'get_chat' },
  delete_event: { ...SINCE_36, effect: 'delete' },
  upload_file: { ...CREATE, upload: { member: 'file', mostBytes: 10 * 1024 * 1024 } },
  send_rich_message_postback: { ...CREATE, shownBy: 'get_chat' },
  send_sneak_peek: UPDATE,

  update_chat_properties: UPDATE,
  delete_chat_properties: DELETE,
  update_thread_properties: UPDATE,
  delete_thread_properties: DELETE,
  update_event_properties: UPDATE,
  delete_event_properties: DELETE,
  list_license_properties: GET,
  list_group_properties: GET,

  get_customer: READ,
  update_customer: UPDATE,
  set_customer_session_fields: UPDATE,

  list_group_statuses: READ,
  check_goals: CREATE,
  get_form: READ,
  get_url_info: READ,
  mark_events_as_seen: UPDATE,
  accept_greeting: CREATE,
  cancel_greeting: CREATE,
  send_greeting_button_clicked: { ...SINCE_36, effect: 'create' },
  get_predicted_agent: { ...UNTIL_36, effect: 'read' },
  // The service sends a welcome message, so it is not a read, unlike `get_predicted_agent`.
  request_welcome_message: { ...SINCE_36, effect: 'create' },
  request_email_verification: CREATE,
} as const satisfies ActionTable<CustomerMessages, typeof CUSTOMER_VERSIONS>;

/** Versions whose real-time interface answers the groups of a page. */
export const PAGE_GROUP_VERSIONS: readonly CustomerVersion[] = SINCE_36.versions;

const ORGANIZATION = { name: 'organization_id', pattern: /^\S+$/, form: 'a text without spaces' } as const;

export const CUSTOMER: TypedApi<CustomerMessages, CustomerVersion> = {
  name: 'Customer Chat Web API',
  path: 'customer/action',
  versions: CUSTOMER_VERSIONS,
  actions: ACTIONS,
  stable: STABLE_VERSION,
  credential: { kinds: ['bearer'], prefixed: CUSTOMER_VERSIONS },
  account: {
    '3.3': { name: 'license_id', pattern: /^\d+$/, form: 'a whole number' },
    '3.5': ORGANIZATION,
    '3.6': ORGANIZATION,
    '3.7': ORGANIZATION,
  },
};

export type CustomerClient = Client<keyof CustomerMessages, CustomerVersion>;
