// The table of the Customer Chat Web API against the tables of the specification.

import { describe, expect, test } from 'vitest';
import { type ApiAction, namedActions } from '../../src/service/api.ts';
import { CUSTOMER } from '../../src/service/customer.ts';
import { SPECIFICATION } from '../emulator/customer/specification.ts';

const rows = Object.entries<ApiAction>(CUSTOMER.actions);
const namesWhere = (holds: (action: ApiAction) => boolean) =>
  rows.filter(([, action]) => holds(action)).map(([name]) => name);

describe('the table of actions', () => {
  test.each(CUSTOMER.versions)('Version %s has exactly the actions of the specification', (version) => {
    const named = [...namedActions(CUSTOMER)].filter(([, { versions }]) => versions.includes(version));
    expect(named.map(([name]) => name).sort()).toEqual([...SPECIFICATION[version]].sort());
    expect(named).toHaveLength({ '3.3': 33, '3.5': 33, '3.6': 36, '3.7': 35 }[version]);
  });

  test('Five actions are a GET, and they are the ones that need no token', () => {
    const gets = [
      'get_dynamic_configuration',
      'get_configuration',
      'get_localization',
      'list_license_properties',
      'list_group_properties',
    ];
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
