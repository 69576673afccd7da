// Every published sample of a reply of the Configuration API: the client has its type, and the emulator answers its shape, member by member.

import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isList, isObject } from '../../../src/base/json.ts';
import type { Json } from '../../../src/base/model.ts';
import type { Seed } from '../../../src/emulator/index.ts';
import { SAMPLES } from '../../service/configuration-samples.ts';
import { createCaller } from '../caller.ts';

const FOLDER = new URL('../../fixtures/payloads/', import.meta.url);
const VERSIONS = ['3.6', '3.7'] as const;

/** Samples of actions that chatform does not have, and why. */
const LEFT_OUT: { readonly [folder: string]: string } = {
  'bans/': 'bans come from daily work and end by themselves: nothing of them is declared',
  'other/': 'nothing of a license is configured by them; two of them are of 3.4',
};

const CLIENT = '0805e283233042b37f460ed8fbf22160';
const READ = { agent: ['read'], customer: ['read'] } as const;

const SEED = {
  owner: { id: 'smith@example.com', name: 'Smith' },
  agents: [
    {
      id: 'jones@example.com',
      name: 'Jones',
      job_title: 'Support Hero',
      last_logout: '2022-08-23T14:31:21.000000Z',
      email_subscriptions: ['weekly_summary'],
      groups: [{ id: 19, priority: 'normal' }],
    },
  ],
  groups: [{ id: 19, name: 'Sports shoes' }],
  bots: [{ id: 'bot', name: 'Bot', owner_client_id: CLIENT, secret: 'told', groups: [{ id: 0, priority: 'normal' }] }],
  bot_templates: [{ id: 'template', name: 'Bot', owner_client_id: CLIENT }],
  tags: [{ name: 'sales', group_ids: [0, 19], author_id: '' }],
  // The sample has neither a template nor an image.
  greetings: [
    {
      id: 123,
      name: 'Welcome greeting',
      rules: [{ condition: 'and', type: 'visit_time_site', operator: 'greater_than', value: '10' }],
      properties: { text: 'Hello!' },
      rich_message: {
        elements: [
          {
            title: 'Welcome!',
            subtitle: 'How can we help you?',
            buttons: [{ text: 'Support', type: 'message', value: 'Help', postback_id: 'help' }],
          },
        ],
      },
    },
  ],
  properties: {
    [CLIENT]: {
      string_property: {
        type: 'string',
        access: { thread: READ, chat: READ, license: READ, group: READ },
        default_value: 'string value',
        public_access: ['read'],
      },
    },
  },
  webhooks: [
    {
      owner_client_id: CLIENT,
      type: 'license',
      action: 'chat_deactivated',
      url: 'http://shop.example/webhooks',
      filters: { chat_presence: { user_ids: { values: ['jones@example.com'] }, my_bots: true } },
    },
  ],
} as const satisfies Seed;

const REQUESTS = {
  create_agent: { id: 'new@example.com', name: 'New' },
  get_agent: { id: 'jones@example.com' },
  list_agents: { fields: ['job_title', 'last_logout', 'max_chats_count', 'summaries'] },
  create_bot: { name: 'Bot' },
  create_bot_template: { name: 'Bot', owner_client_id: CLIENT },
  get_bot: { id: 'bot' },
  issue_bot_token: { bot_id: 'bot', client_id: CLIENT, bot_secret: 'told', organization_id: 'o' },
  list_bot_templates: { owner_client_id: CLIENT },
  list_bots: { all: true },
  reset_bot_secret: { id: 'bot' },
  reset_bot_template_secret: { id: 'template', owner_client_id: CLIENT },
  create_greeting: { type: 'normal', active: true, name: 'New', group: 0, rules: [] },
  get_greeting: { id: 123 },
  list_greetings: {},
  create_group: { name: 'Shoes', agent_priorities: {} },
  get_group: { id: 19, fields: ['agent_priorities', 'routing_status'] },
  // The sample has the status although its request does not ask for it.
  list_groups: { fields: ['routing_status'] },
  list_tags: {},
  list_groups_properties: { group_ids: [0, 19], namespace: CLIENT },
  list_license_properties: { namespace: CLIENT },
  list_properties: { owner_client_id: CLIENT },
  register_webhook: {
    owner_client_id: CLIENT,
    type: 'bot',
    action: 'incoming_chat',
    url: 'https://shop.example/chats',
    secret_key: 'told',
  },
  list_webhooks: { owner_client_id: CLIENT },
  list_webhook_names: {},
  get_license_webhooks_state: {},
} satisfies { readonly [action in keyof typeof SAMPLES]: object };

/** Objects whose names are data: agents, namespaces, properties, locations. */
const MAPS = [
  /^get_group\.agent_priorities$/,
  /^list_license_properties(\.\*)?$/,
  /^list_groups_properties\[\]\.properties(\.\*)?$/,
  /^list_properties(\.\*\.access(\.\*)?)?$/,
];

/** The path and the type of each member; items of a list are one. */
function shapeOf(value: Json, path: string): readonly string[] {
  if (isList(value)) return [`${path}[]`, ...value.flatMap((item) => shapeOf(item, `${path}[]`))];
  if (!isObject(value)) return [`${path}: ${value === null ? 'null' : typeof value}`];
  const isMap = MAPS.some((map) => map.test(path));
  const members = Object.entries(value).flatMap(([name, member]) => shapeOf(member, `${path}.${isMap ? '*' : name}`));
  return [`${path}{}`, ...members];
}

const shape = (value: Json, action: string): readonly string[] => [...new Set(shapeOf(value, action))].sort();

async function sampleAt(version: string, file: string): Promise<Json> {
  const url = new URL(`configuration-${version}/${file}.json`, FOLDER);
  const sample: Json = JSON.parse(await readFile(url, 'utf8'));
  return sample;
}

test.each(VERSIONS)('Each published sample of %s is held here, or left out with a reason', async (version) => {
  const files = await readdir(new URL(`configuration-${version}`, FOLDER), { recursive: true });
  const known = new Set<string>(Object.values(SAMPLES).map(({ file }) => `${file}.json`));
  const others = files.filter((file) => file.endsWith('.json') && !known.has(file));
  expect(files).toEqual(expect.arrayContaining([...known]));
  expect(others.filter((file) => !Object.keys(LEFT_OUT).some((folder) => file.startsWith(folder)))).toEqual([]);
  for (const folder of Object.keys(LEFT_OUT)) expect(others.some((file) => file.startsWith(folder))).toBe(true);
});

const requestOf = (name: string) => Object.entries(REQUESTS).find(([action]) => action === name)?.[1];

const EACH = VERSIONS.flatMap((version) =>
  Object.entries(SAMPLES).map(([action, sample]) => [version, action, sample] as const),
);

test.each(EACH)(
  '%s %s: the client has the type of the sample, and the emulator its shape',
  async (version, action, { file, reply }) => {
    const sample = await sampleAt(version, file);
    expect(reply).toEqual(sample);
    const { call } = createCaller({ seed: SEED, settings: { clientId: CLIENT } }, version);
    const answered: Json = await call(action, requestOf(action));
    expect(shape(answered, action)).toEqual(shape(sample, action));
  },
);
