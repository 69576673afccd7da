// Rows of what customers say of themselves, and of what is counted about them. Specification: "Customers", "Status and other".

import { NO_BOOL, NO_INT, NO_LIST, NO_OBJECT, NO_STRING, NO_TEXT, optional, required } from '../../conformance/row.ts';
import { type CustomerRow, isSince36, SINCE_36 } from './row.ts';

const OLDER = ['omnichannel', 'address', 'phone_number'];

/** Versions in which an empty text clears nothing. */
const UNCLEARED = ['3.3', '3.5', '3.6'] as const;

const KIM = '11111111-1111-4111-8111-111111111111';
const NO_URL = [...NO_TEXT, 'shop.example', '/a.png', 'ftp://shop.example/a', 'https://me:secret@shop.example/'];
const NO_EMAIL = [...NO_STRING, 'kim', 'kim@', '@example.com', 'kim lee@example.com', 'a@b@c'];
const NO_FIELD = ['x', 1, [], {}, { a: '1', b: '2' }];
const FIELDS_MEMBERS: CustomerRow['members'] = [
  required('session_fields', NO_LIST),
  optional('session_fields[0]', NO_FIELD),
  optional('session_fields[0].tier', [1, true, {}, []]),
];
const NUMBER = '+48221234567';
const NO_NUMBER = [...NO_TEXT, '112', '+0221234567', '48221234567', '+1234567890123456', '+48 22'];

export const WIDGET_CUSTOMERS: readonly CustomerRow[] = [
  {
    action: 'get_customer',
    request: {},
    reply: (version) => ({
      id: KIM,
      type: 'customer',
      name: 'Kim',
      email: 'kim@example.com',
      ...(isSince36(version) ? { omnichannel: {} } : {}),
    }),
    members: [],
  },
  {
    action: 'update_customer',
    request: (version) => ({
      name: 'Kimberly',
      email: 'kimberly@example.com',
      avatar: 'https://shop.example/kim.png',
      session_fields: [{ tier: 'gold' }, { cart: '2' }],
      ...(isSince36(version)
        ? {
            omnichannel: {
              messenger: {
                id: 'm',
                name: 'Kim',
                first_name: 'Kim',
                last_name: 'Lee',
                profile_pic: 'https://shop.example/kim.png',
                gender: 'female',
                locale: 'en_US',
                is_verified_user: true,
              },
              sms: { phone_number: '112' },
              ...(version === '3.7' ? { chatapp: { id: 'c', name: 'Kim', phone_number: NUMBER } } : {}),
            },
            phone_number: NUMBER,
            address: { address: 'Main 1', city: 'Oslo', country: 'Norway', state: 'Oslo', postal_code: '0150' },
          }
        : {}),
    }),
    reply: {},
    members: [
      optional('name', NO_STRING),
      optional('name', [''], UNCLEARED),
      optional('email', NO_EMAIL),
      optional('email', [''], UNCLEARED),
      optional('avatar', NO_URL),
      optional('session_fields', NO_LIST),
      optional('session_fields[1]', NO_FIELD),
      optional('omnichannel', NO_OBJECT, SINCE_36),
      optional('omnichannel.messenger', NO_OBJECT, SINCE_36),
      required('omnichannel.messenger.id', NO_TEXT, SINCE_36),
      ...['name', 'first_name', 'last_name', 'profile_pic', 'gender', 'locale'].map((name) =>
        optional(`omnichannel.messenger.${name}`, NO_STRING, SINCE_36),
      ),
      optional('omnichannel.messenger.is_verified_user', NO_BOOL, SINCE_36),
      optional('omnichannel.sms', NO_OBJECT, SINCE_36),
      required('omnichannel.sms.phone_number', NO_TEXT, SINCE_36),
      optional('omnichannel.chatapp', NO_OBJECT, '3.7'),
      required('omnichannel.chatapp.id', NO_TEXT, '3.7'),
      optional('omnichannel.chatapp.name', NO_STRING, '3.7'),
      required('omnichannel.chatapp.phone_number', NO_NUMBER, '3.7'),
      optional(
        'phone_number',
        NO_NUMBER.filter((one) => one !== ''),
        SINCE_36,
      ),
      optional('phone_number', [''], '3.6'),
      optional('address', NO_OBJECT, SINCE_36),
      ...['address', 'city', 'country', 'state', 'postal_code'].map((name) =>
        optional(`address.${name}`, NO_STRING, SINCE_36),
      ),
    ],
    ignores: { '3.3': OLDER, '3.5': OLDER, '3.6': ['omnichannel.chatapp'] },
    accepts: [{ session_fields: [] }, { name: 'K' }],
    refused: [
      { type: 'validation', body: {} },
      { type: 'validation', body: { name: null, phone_number: NUMBER }, only: ['3.3', '3.5'] },
      { type: 'validation', body: { address: { city: 'Oslo' } }, only: ['3.3', '3.5'] },
      {
        type: 'validation',
        body: { session_fields: Array.from({ length: 101 }, (_, at) => ({ [`key ${at}`]: '1' })) },
        names: 'session_fields',
      },
    ],
  },
  {
    action: 'set_customer_session_fields',
    request: { session_fields: [{ tier: 'gold' }, { tier: 'silver' }] },
    reply: {},
    members: FIELDS_MEMBERS,
    accepts: [{ session_fields: [] }],
    refused: [
      {
        type: 'validation',
        body: { session_fields: Array.from({ length: 101 }, () => ({ key: '1' })) },
        names: 'session_fields',
      },
    ],
  },
  {
    action: 'request_email_verification',
    request: { callback_uri: 'http://127.0.0.1:9/verified' },
    reply: {},
    members: [
      required('callback_uri', [
        ...NO_URL,
        'https://shop.example/verified',
        'http://10.0.0.1/',
        'http://127.0.0.1.example/',
        'http://localhost.example/',
        'http://[::2]/',
      ]),
    ],
    accepts: [
      { callback_uri: 'https://localhost/' },
      { callback_uri: 'http://[::1]:9/' },
      { callback_uri: 'http://127.9.9.9/' },
    ],
    refused: [{ type: 'validation', body: { callback_uri: 'http://127.0.0.1:9/' }, authorization: 'Bearer dal:max' }],
  },
  {
    action: 'check_goals',
    request: { session_fields: [{ tier: 'gold' }], group_id: 1, page_url: 'https://shop.example/thanks' },
    reply: {},
    members: [...FIELDS_MEMBERS, required('group_id', NO_INT), required('page_url', NO_URL)],
    accepts: [{ session_fields: [], group_id: 0, page_url: 'https://shop.example/' }],
    refused: [
      {
        type: 'group_not_found',
        body: { session_fields: [], group_id: 9, page_url: 'https://shop.example/' },
      },
    ],
  },
  {
    action: 'accept_greeting',
    request: { greeting_id: 7, unique_id: 'shown-kim' },
    reply: {},
    members: [required('greeting_id', NO_INT), required('unique_id', NO_TEXT)],
    refused: [
      { type: 'greeting_not_found', body: { greeting_id: 8, unique_id: 'shown-kim' } },
      { type: 'greeting_not_found', body: { greeting_id: 7, unique_id: 'shown-lee' } },
      { type: 'greeting_not_found', body: { greeting_id: 7, unique_id: 'none' } },
      {
        type: 'greeting_not_found',
        body: { greeting_id: 7, unique_id: 'shown-kim' },
        after: [['cancel_greeting', { unique_id: 'shown-kim' }]],
      },
    ],
  },
  {
    action: 'cancel_greeting',
    request: { unique_id: 'shown-kim' },
    reply: {},
    after: [['accept_greeting', { greeting_id: 7, unique_id: 'shown-kim' }]],
    members: [required('unique_id', NO_TEXT)],
    refused: [
      { type: 'greeting_not_found', body: { unique_id: 'shown-lee' } },
      {
        type: 'greeting_not_found',
        body: { unique_id: 'shown-kim' },
        after: [['cancel_greeting', { unique_id: 'shown-kim' }]],
      },
    ],
  },
  {
    action: 'send_greeting_button_clicked',
    versions: SINCE_36,
    request: { greeting_unique_id: 'shown-kim', button_id: 'yes' },
    reply: {},
    members: [required('greeting_unique_id', NO_TEXT), required('button_id', [...NO_TEXT, 'maybe'])],
    refused: [{ type: 'greeting_not_found', body: { greeting_unique_id: 'shown-lee', button_id: 'yes' } }],
  },
];
