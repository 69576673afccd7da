// The rows of the groups. Specification: "Group", "Groups". Does not know how a request is sent.

import { until } from '../caller.ts';
import type { Refused, Row } from './row.ts';
import { NO_INT, NO_LIST, NO_OBJECT, NO_PRIORITY, NO_TEXT, optional, required } from './row.ts';

const PRIORITIES = { ann: 'normal', sue: 'supervisor' };
const SETTINGS = { name: 'x'.repeat(180), language_code: 'pl', agent_priorities: PRIORITIES };
const LONG = 'x'.repeat(181);
const FIELDS = ['agent_priorities', 'routing_status'];
const FIELD_MEMBERS = [optional('fields', NO_LIST), optional('fields[0]', [...NO_TEXT, 'agents'])];
const PRIORITY = optional('agent_priorities.ann', NO_PRIORITY);
const UNKNOWN: Refused = { type: 'not_found', body: { id: 9 } };

const GENERAL = {
  id: 0,
  name: 'General',
  language_code: 'en',
  agent_priorities: { 'owner@example.com': 'normal' },
  routing_status: 'offline',
};
const ONE = {
  id: 1,
  name: 'One',
  language_code: 'pl',
  agent_priorities: { ann: 'first' },
  routing_status: 'offline',
};
const TWO = { id: 2, name: 'Two', language_code: 'en', agent_priorities: {}, routing_status: 'offline' };

export const GROUPS: readonly Row[] = [
  {
    action: 'create_group',
    request: SETTINGS,
    reply: { id: 3 },
    members: [
      required('name', [...NO_TEXT, LONG]),
      optional('language_code', NO_TEXT),
      required('agent_priorities', NO_OBJECT),
      optional('agent_priorities.sue', NO_PRIORITY),
    ],
    accepts: [{ name: 'Three', agent_priorities: { ann: 'normal' } }],
    refused: [
      {
        type: 'validation',
        body: { name: 'x', agent_priorities: { ann: 'normal', missing: 'first' } },
        names: 'agent_priorities.missing',
      },
      { type: 'validation', body: { name: 'x', agent_priorities: {} }, names: 'agent_priorities', only: until('3.5') },
      {
        type: 'validation',
        body: { name: 'x', agent_priorities: { ann: 'first' } },
        names: 'agent_priorities',
        only: until('3.5'),
      },
    ],
  },
  {
    action: 'update_group',
    request: { ...SETTINGS, id: 1 },
    reply: {},
    members: [
      required('id', NO_INT),
      optional('name', [...NO_TEXT, LONG]),
      optional('language_code', NO_TEXT),
      optional('agent_priorities', NO_OBJECT),
      PRIORITY,
    ],
    accepts: [{ id: 1 }, { id: 1, agent_priorities: {} }, { id: 0, name: 'Everyone' }],
    refused: [
      UNKNOWN,
      {
        type: 'validation',
        body: { id: 1, agent_priorities: { missing: 'first' } },
        names: 'agent_priorities.missing',
      },
    ],
  },
  {
    action: 'delete_group',
    request: { id: 1 },
    reply: {},
    members: [required('id', NO_INT)],
    refused: [UNKNOWN, { type: 'validation', body: { id: 0 } }],
  },
  {
    action: 'list_groups',
    request: { fields: FIELDS },
    reply: [GENERAL, ONE, TWO],
    members: FIELD_MEMBERS,
    accepts: [{}],
  },
  {
    action: 'get_group',
    request: { id: 1, fields: FIELDS },
    reply: ONE,
    members: [required('id', NO_INT), ...FIELD_MEMBERS],
    accepts: [{ id: 0 }],
    refused: [UNKNOWN],
  },
];
