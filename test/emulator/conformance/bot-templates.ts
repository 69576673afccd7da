// The rows of the bot templates. Specification: "Bot template (3.6)", "Bot templates and bot tokens (3.6)".
// Does not know how a request is sent.

import { expect } from 'vitest';
import { since } from '../caller.ts';
import type { Refused, Row } from './row.ts';
import { NO_BOOL, NO_INT, NO_PRIORITY, NO_STRING, NO_TEXT, optional, required } from './row.ts';

const HEX = expect.stringMatching(/^[0-9a-f]{32}$/);
const OF_APP = { owner_client_id: 'app' };
const ONE = { ...OF_APP, id: 'template' };
const SETTINGS = {
  ...OF_APP,
  name: 'Scout',
  avatar: 'https://a/scout.png',
  max_chats_count: 500,
  default_group_priority: 'supervisor',
  job_title: 'Scout',
  affect_existing_installations: true,
};
const OWNER = required('owner_client_id', NO_TEXT);
const AFFECTS = optional('affect_existing_installations', NO_BOOL);
const MEMBERS = [
  OWNER,
  optional('avatar', NO_STRING),
  optional('max_chats_count', [...NO_INT, 501]),
  optional('default_group_priority', NO_PRIORITY),
  optional('job_title', NO_STRING),
  AFFECTS,
];

/** Not to be found, of another client, and of a client that the organization does not have. */
const NOT_ONES: readonly Refused[] = [
  { type: 'not_found', body: { ...ONE, id: 'unknown' } },
  { type: 'not_found', body: { ...ONE, owner_client_id: 'second-app' } },
  { type: 'authorization', body: { ...ONE, owner_client_id: 'other' }, names: 'owner_client_id' },
];
const FOREIGN: Refused = {
  type: 'authorization',
  body: { name: 'T', owner_client_id: 'other' },
  names: 'owner_client_id',
};

export const BOT_TEMPLATES: readonly Row[] = [
  {
    action: 'create_bot_template',
    request: SETTINGS,
    reply: { id: HEX, secret: HEX },
    members: [required('name', NO_TEXT), ...MEMBERS],
    accepts: [{ ...OF_APP, name: 'T' }],
    refused: [
      FOREIGN,
      {
        type: 'limit_reached',
        body: { ...OF_APP, name: 'Six' },
        after: ['Two', 'Three', 'Four', 'Five'].map((name) => ['create_bot_template', { ...OF_APP, name }] as const),
      },
    ],
  },
  {
    action: 'update_bot_template',
    request: { ...SETTINGS, id: 'template' },
    reply: {},
    members: [required('id', NO_TEXT), optional('name', NO_TEXT), ...MEMBERS],
    accepts: [ONE],
    refused: NOT_ONES,
  },
  {
    action: 'delete_bot_template',
    request: { ...ONE, affect_existing_installations: true },
    reply: {},
    members: [required('id', NO_TEXT), OWNER, AFFECTS],
    accepts: [ONE],
    refused: NOT_ONES,
  },
  {
    action: 'list_bot_templates',
    request: OF_APP,
    reply: [{ id: 'template', name: 'Template', avatar_path: '' }],
    members: [OWNER],
    refused: [FOREIGN],
  },
  {
    action: 'reset_bot_template_secret',
    request: { ...ONE, affect_existing_installations: true },
    reply: { secret: HEX },
    members: [required('id', NO_TEXT), OWNER, AFFECTS],
    accepts: [ONE],
    refused: NOT_ONES,
  },
].map((row): Row => ({ ...row, versions: since('3.5') }));
