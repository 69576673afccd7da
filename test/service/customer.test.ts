// The table of the Customer Chat Web API against the tables of the specification, transcribed here.

import { describe, expect, test } from 'vitest';
import { type ApiAction, namedActions } from '../../src/service/api.ts';
import { CUSTOMER } from '../../src/service/customer.ts';

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
const OTHERS = [
  'list_group_statuses',
  'check_goals',
  'get_form',
  'get_url_info',
  'mark_events_as_seen',
  'accept_greeting',
  'cancel_greeting',
  'request_email_verification',
];
const IN_BOTH = [...CHATS, ...CONFIGURATION, ...EVENTS, ...PROPERTIES, ...CUSTOMERS, ...OTHERS];
const SPECIFICATION = {
  '3.3': [...IN_BOTH, 'get_predicted_agent'],
  '3.7': [...IN_BOTH, 'delete_event', 'request_welcome_message', 'send_greeting_button_clicked'],
};

const rows = Object.entries<ApiAction>(CUSTOMER.actions);
const namesWhere = (holds: (action: ApiAction) => boolean) =>
  rows.filter(([, action]) => holds(action)).map(([name]) => name);

describe('the table of actions', () => {
  test.each(CUSTOMER.versions)('Version %s has exactly the actions of the specification', (version) => {
    const named = [...namedActions(CUSTOMER)].filter(([, { versions }]) => versions.includes(version));
    expect(named.map(([name]) => name).sort()).toEqual([...SPECIFICATION[version]].sort());
    expect(named).toHaveLength({ '3.3': 33, '3.7': 35 }[version]);
  });

  test('Five actions are a GET, and they are the ones that need no token', () => {
    const gets = [...CONFIGURATION, 'list_license_properties', 'list_group_properties'];
    expect(namesWhere(({ method }) => method === 'GET')).toEqual(gets);
    expect(namesWhere(({ token }) => token === 'optional')).toEqual(gets);
  });

  test('A read is what a name with get or list says, and nothing else', () => {
    expect(namesWhere(({ effect }) => effect === 'read')).toEqual(
      rows.map(([name]) => name).filter((name) => /^(get|list)_/.test(name)),
    );
  });

  test('What starts, sends or counts something is never repeated blindly; what sets or removes a value is', () => {
    expect(namesWhere(({ effect }) => effect === 'create')).toEqual([
      'start_chat',
      'resume_chat',
      'send_event',
      'upload_file',
      'send_rich_message_postback',
      'check_goals',
      'accept_greeting',
      'cancel_greeting',
      'send_greeting_button_clicked',
      'request_welcome_message',
      'request_email_verification',
    ]);
    expect(namesWhere(({ namesItsObject }) => namesItsObject === true)).toEqual([]);
    expect(namesWhere(({ effect }) => effect === 'delete')).toEqual(
      rows.map(([name]) => name).filter((name) => name.startsWith('delete_')),
    );
  });

  test('The read that shows what a create made is a read of the same versions', () => {
    for (const [name, { shownBy, versions }] of rows) {
      if (shownBy === undefined) continue;
      const shown = rows.find(([other]) => other === shownBy)?.[1];
      expect([name, shown?.effect, shown?.versions]).toEqual([name, 'read', expect.arrayContaining([...versions])]);
    }
  });

  test('One action sends a file, of 10 MB at most', () => {
    expect(namesWhere(({ upload }) => upload !== undefined)).toEqual(['upload_file']);
    expect(CUSTOMER.actions.upload_file.upload).toEqual({ member: 'file', mostBytes: 10_485_760 });
  });
});
