// The conformance table as a whole, and the license that its requests name. Does not know how they are sent.

import type { Seed } from '../../src/emulator/index.ts';
import { VERSIONS, type Version } from './caller.ts';
import { AGENTS } from './conformance/agents.ts';
import { AUTO_ACCESS } from './conformance/auto-access.ts';
import { BATCHES } from './conformance/batches.ts';
import { BOT_TEMPLATES } from './conformance/bot-templates.ts';
import { BOTS } from './conformance/bots.ts';
import { CANNED_RESPONSES } from './conformance/canned-responses.ts';
import { GREETINGS } from './conformance/greetings.ts';
import { GROUPS } from './conformance/groups.ts';
import { PROPERTIES } from './conformance/properties.ts';
import { PROPERTY_VALUES } from './conformance/property-values.ts';
import type { Body, Row } from './conformance/row.ts';
import { inVersion } from './conformance/row.ts';
import { TAGS } from './conformance/tags.ts';
import { WEBHOOKS } from './conformance/webhooks.ts';

const BOTH = ['read', 'write'] as const;
const LICENSE = { license: { agent: BOTH } };
const EVERYWHERE = { ...LICENSE, group: { agent: BOTH } };
const URL_X = { url: { values: [{ value: 'x' }] } };
const MONDAY = { day: 'monday', enabled: true, start: '08:00', end: '16:00' } as const;

export const SEED = {
  agents: [
    {
      id: 'ann',
      name: 'Ann',
      avatar_path: 'https://a/ann.png',
      last_logout: '2026-01-01T10:00:00Z',
      groups: [{ id: 1, priority: 'first' }],
    },
    { id: 'sue', name: 'Sue', suspended: true, awaiting_approval: true },
    { id: 'newer', name: 'Newer', work_scheduler: { timezone: 'UTC', schedule: [MONDAY] } },
  ],
  groups: [
    { id: 1, name: 'One', language_code: 'pl' },
    { id: 2, name: 'Two' },
  ],
  bots: [
    { id: 'bot', name: 'B', owner_client_id: 'app', job_title: 'Robot' },
    { id: 'foreign', name: 'F', owner_client_id: 'other' },
  ],
  bot_templates: [{ id: 'template', name: 'Template', owner_client_id: 'app' }],
  auto_access: [
    { id: 'rule', access: { groups: [1] }, conditions: URL_X },
    { id: 'second', description: 'Second', access: { groups: [0] }, conditions: URL_X },
  ],
  tags: [
    { name: 'vip', group_ids: [1], created_at: '2026-01-01T00:00:00.000000Z' },
    { name: 'spam', group_ids: [0, 2], author_id: '', created_at: '2017-11-13T15:37:36.000000+01:00' },
  ],
  canned_responses: [{ text: 'Hello!', tags: ['hello'], group_id: 1, created_at: '2026-01-01T00:00:00Z' }],
  allowed_domains: ['shop.example'],
  greetings: [{ id: 1, name: 'Hello', group: 1, active_until: '2026-12-31T23:00:00Z' }],
  properties: {
    app: {
      p: { type: 'int', access: EVERYWHERE, default_value: 1 },
      frozen: { type: 'int', access: { license: { agent: ['read'] }, group: { agent: ['read'] } } },
      only_license: { type: 'int', access: LICENSE },
      only_group: { type: 'int', access: { group: { agent: BOTH } } },
    },
    other: {
      q: { type: 'int', access: EVERYWHERE, default_value: 2, public_access: BOTH },
      readable: { type: 'int', access: EVERYWHERE, public_access: ['read'] },
      private: { type: 'int', access: EVERYWHERE },
    },
  },
  webhooks: [
    {
      id: 'hook',
      owner_client_id: 'app',
      type: 'license',
      action: 'chat_deactivated',
      url: 'http://a/closed',
      filters: { only_my_chats: true },
    },
  ],
  clients: ['app', 'second-app'],
} as const satisfies Seed;

/** Every action of every version. */
export const TABLE: readonly (readonly [Version, string, Row])[] = [
  ...AGENTS,
  ...AUTO_ACCESS,
  ...BOTS,
  ...BOT_TEMPLATES,
  ...GREETINGS,
  ...GROUPS,
  ...PROPERTIES,
  ...PROPERTY_VALUES,
  ...WEBHOOKS,
  ...TAGS,
  ...CANNED_RESPONSES,
  ...BATCHES,
].flatMap((row) => (row.versions ?? VERSIONS).map((version) => [version, row.action, row] as const));

/** Version, action and a request that is accepted. */
export const ROWS: readonly (readonly [Version, string, Body])[] = TABLE.map(([version, action, { request }]) => [
  version,
  action,
  inVersion(request, version),
]);
