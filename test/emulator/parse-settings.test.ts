import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, parseSettings } from '../../src/emulator/index.ts';
import { createCaller } from './caller.ts';

test('The defaults are settings, and nothing is one too', () => {
  expect(parseSettings(JSON.parse(JSON.stringify(DEFAULT_SETTINGS)))).toEqual(DEFAULT_SETTINGS);
  expect(parseSettings({})).toEqual({});
});

test.each([
  ['an object', []],
  ['an object', null],
  ['an object', 'open'],
  ['`aproval` is not a known member', { aproval: 'open' }],
  ['`unknown` is not a known member', { unknown: null }],
  ['`limits.agent` is not a known member', { limits: { agent: 1 } }],
  ['`limits.agents` must be between', { limits: { agents: -2 } }],
  ['`limits.agents` must be an integer', { limits: { agents: '7' } }],
  ['`limits.agentChatsOnCreate.3.3` is required', { limits: { agentChatsOnCreate: { '3.6': 1 } } }],
  ['`limits.agentChatsOnCreate.3.4` is not', { limits: { agentChatsOnCreate: { '3.3': 1, '3.4': 1 } } }],
  ['`statuses.validation` must be between', { statuses: { validation: 200 } }],
  ['`statuses.gone` is not a known member', { statuses: { gone: 410 } }],
  ['`lifecycle.3.3.date` must be a date', { lifecycle: { '3.3': { header: 'Legacy', date: '2027-13-01' } } }],
  ['`lifecycle.3.3.header` must be one of', { lifecycle: { '3.3': { header: 'Sunset', date: '2027-12-01' } } }],
  ['`region` must be letters', { region: 'Ams:' }],
  ['`approval` must be one of', { approval: 'none' }],
  ['`requireContentType` must be a boolean', { requireContentType: 'yes' }],
  ['`agentTimezone` must be an IANA', { agentTimezone: 'Mars/Olympus' }],
  ['`agentTimezone` must not be empty', { agentTimezone: '' }],
])('An error says that %s: %j', (message, json) => {
  expect(() => parseSettings(json)).toThrow(`not valid settings:`);
  expect(() => parseSettings(json)).toThrow(message);
});

test('What is left out keeps its default, each limit, status and version by itself', async () => {
  const settings = parseSettings({
    limits: { agents: 1 },
    statuses: { limit_reached: 402 },
    lifecycle: { '3.6': { header: 'Legacy', date: '2030-01-01' } },
    region: null,
  });
  const { send } = createCaller({ settings });
  const full = await send('create_agent', { id: 'a', name: 'A' });
  expect([full.status, full.headers.get('legacy')]).toEqual([402, '2030-01-01']);
  const wrong = await send('create_agent', { id: 'a', name: 'A', max_chats_count: 101 }, { version: '3.3' });
  expect([wrong.status, wrong.headers.get('deprecation')]).toEqual([400, '2027-12-31']);
});
