// The actions of the Customer Chat Web API, transcribed from the tables of the specification ("Endpoints"), and its errors ("Errors").
// Does not know the emulator.

import type { CustomerVersion } from './rows/row.ts';

const CHATS = ['list_chats', 'list_threads', 'get_chat', 'start_chat', 'resume_chat', 'deactivate_chat'];
const CONFIGURATION = ['get_dynamic_configuration', 'get_configuration', 'get_localization'];
const EVENTS = ['send_event', 'upload_file', 'send_rich_message_postback', 'send_sneak_peek'];
const PROPERTIES = [
  'update_chat_properties',
  'delete_chat_properties',
  'update_thread_properties',
  'delete_thread_properties',
  'update_event_properties',
  'delete_event_properties',
  'list_license_properties',
  'list_group_properties',
];
const CUSTOMERS = ['update_customer', 'set_customer_session_fields', 'get_customer'];
const OTHER = [
  'list_group_statuses',
  'check_goals',
  'get_form',
  'get_url_info',
  'mark_events_as_seen',
  'accept_greeting',
  'cancel_greeting',
  'request_email_verification',
];
const IN_ALL = [...CHATS, ...CONFIGURATION, ...EVENTS, ...PROPERTIES, ...CUSTOMERS, ...OTHER];

const SINCE_36 = ['delete_event', 'request_welcome_message', 'send_greeting_button_clicked'];

export const SPECIFICATION: { readonly [version in CustomerVersion]: readonly string[] } = {
  '3.3': [...IN_ALL, 'get_predicted_agent'],
  '3.5': [...IN_ALL, 'get_predicted_agent'],
  '3.6': [...IN_ALL, ...SINCE_36, 'get_predicted_agent'],
  '3.7': [...IN_ALL, ...SINCE_36],
};

const ERRORS_OF_ALL: readonly (readonly [type: string, message: string])[] = [
  ['authentication', 'Authentication error'],
  ['authorization', 'Authorization error'],
  ['customer_banned', 'Customer is banned'],
  ['entity_too_large', 'Upload limit exceeded (10MB).'],
  ['greeting_not_found', 'Greeting not found'],
  ['group_not_found', 'Group not found'],
  ['group_offline', 'Group is offline'],
  ['group_unavailable', 'No agent available for group'],
  ['groups_offline', 'Groups offline'],
  ['internal', 'Internal server error'],
  ['license_expired', 'License expired'],
  ['license_not_found', 'License not found'],
  ['misdirected_request', 'Wrong region'],
  ['request_timeout', 'Request timed out'],
  ['too_many_requests', 'Too many requests'],
  ['validation', 'Wrong format of request'],
  ['wrong_product_version', 'Wrong product version'],
];

const LATER_ERRORS: typeof ERRORS_OF_ALL = [
  ...ERRORS_OF_ALL,
  ['chat_anonymized', 'Chat anonymized'],
  ['chat_inactive', 'Chat is inactive'],
  ['limit_reached', 'Limit reached'],
  ['service_unavailable', 'Service unavailable'],
  ['unsupported_version', 'Cannot call unsupported API versions.'],
];

/** Types and default messages. */
export const ERRORS: { readonly [version in CustomerVersion]: typeof ERRORS_OF_ALL } = {
  '3.3': [
    ...ERRORS_OF_ALL,
    ['service_unavailable', 'Not accepting new requests'],
    ['unsupported_version', 'Unsupported version'],
  ],
  '3.5': LATER_ERRORS,
  '3.6': LATER_ERRORS,
  '3.7': LATER_ERRORS,
};
