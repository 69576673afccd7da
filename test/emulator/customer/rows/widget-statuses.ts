// Rows of who is there, of forms, and of what links lead to. Specification: "Status and other".

import { expect } from 'vitest';
import { NO_BOOL, NO_INT, NO_LIST, NO_TEXT, optional, required } from '../../conformance/row.ts';
import { type CustomerRow, SINCE_36 } from './row.ts';
import { PRECHAT } from './widget-configuration.ts';

const ANN = {
  id: expect.stringMatching(/^[0-9a-f]{32}$/),
  name: 'Ann',
  avatar: '',
  is_bot: false,
  job_title: 'Support',
  type: 'agent',
};
const IDA = { authorization: 'Bearer dal:ida' } as const;
const NOT_LOGGED_IN = { type: 'authorization', body: {}, authorization: 'Bearer dal:kim' } as const;

export const WIDGET_STATUSES: readonly CustomerRow[] = [
  {
    action: 'list_group_statuses',
    request: { all: true, group_ids: [1] },
    reply: { groups_status: { '0': 'online', '1': 'online', '2': 'offline' } },
    members: [optional('all', NO_BOOL), optional('group_ids', NO_LIST), optional('group_ids[0]', NO_INT)],
    accepts: [{ group_ids: [] }, { all: false, group_ids: [2, 2, 9] }],
    refused: [
      { type: 'validation', body: {}, names: 'group_ids' },
      { type: 'validation', body: { all: false }, names: 'group_ids' },
    ],
  },
  {
    ...IDA,
    action: 'get_predicted_agent',
    versions: ['3.3', '3.5', '3.6'],
    request: {},
    reply: { agent: ANN, queue: false },
    members: [],
    refused: [NOT_LOGGED_IN],
  },
  {
    ...IDA,
    action: 'request_welcome_message',
    versions: SINCE_36,
    request: { id: 'welcome', group_id: 1 },
    reply: { id: 'welcome', predicted_agent: ANN, queue: false },
    members: [optional('id', NO_TEXT), optional('group_id', NO_INT)],
    refused: [
      NOT_LOGGED_IN,
      { type: 'group_not_found', body: { group_id: 9 }, ...IDA },
      { type: 'group_offline', body: { group_id: 2 }, ...IDA },
    ],
  },
  {
    action: 'get_form',
    request: { group_id: 1, type: 'prechat' },
    reply: { enabled: true, form: PRECHAT },
    members: [required('group_id', NO_INT), required('type', [...NO_TEXT, 'ticket', 'Prechat'])],
    accepts: [{ group_id: 2, type: 'prechat' }],
    refused: [{ type: 'group_not_found', body: { group_id: 9, type: 'prechat' } }],
  },
  {
    action: 'get_url_info',
    request: { url: 'https://shop.example/shoe' },
    reply: {
      title: 'A shoe',
      description: '',
      url: 'https://shop.example/shoe',
      image_url: expect.stringMatching(/^https:/),
      image_original_url: 'https://shop.example/shoe.png',
      image_width: 32,
      image_height: 32,
    },
    members: [required('url', [...NO_TEXT, 'shop.example', 'mailto:kim@example.com', 'https://', 'https://a b/'])],
    accepts: [{ url: 'http://localhost:8080/' }],
  },
];
