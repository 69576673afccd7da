// Canned responses and allowed domains: what their settings decide, and what a narrow scope sees. Their rows are in test/emulator/conformance/.

import { expect, test } from 'vitest';
import type { SettingsInput } from '../../../src/emulator/index.ts';
import { createCaller } from '../caller.ts';

const SEED = {
  agents: [{ id: 'ann@example.com', name: 'Ann', groups: [{ id: 1, priority: 'normal' }] }],
  groups: [
    { id: 1, name: 'One' },
    { id: 2, name: 'Two' },
  ],
  canned_responses: [
    { text: 'One', tags: ['one'], group_id: 1 },
    { text: 'Two', tags: ['two'], group_id: 2 },
    { text: 'Mine', tags: [], group_id: 1, is_private: true, author_id: 'ann@example.com' },
    { text: 'Theirs', tags: [], group_id: 1, is_private: true },
  ],
} as const;
const ALL = { group_ids: [0, 1, 2] };

function calling(scopes: readonly string[], settings: SettingsInput = {}) {
  const token = { token: 't', scopes, agent_id: 'ann@example.com' };
  const { call, fail } = createCaller({ seed: { ...SEED, tokens: [token] }, settings }, '3.7');
  const how = { authorization: 'Bearer t' };
  const texts = async (query: object): Promise<readonly string[]> =>
    (await call('list_canned_responses', query, how)).canned_responses.map(({ text }: { text: string }) => text);
  return { call: (action: string, body: object) => call(action, body, how), fail, texts };
}

test.each([
  ['groups', {}, ['One']],
  ['groups', { ...ALL, include_private: true }, ['One', 'Mine']],
  ['all', {}, ['One']],
  ['all', ALL, ['One', 'Two']],
  ['all', { ...ALL, include_all_private: true }, ['One', 'Two', 'Mine', 'Theirs']],
])('With `canned_responses--%s:ro`, a list asked for by %j has %j', async (reach, query, texts) => {
  expect(await calling([`canned_responses--${reach}:ro`]).texts(query)).toEqual(texts);
});

test('A page says where the next one begins, and keeps what the first one asked for', async () => {
  const { call } = calling(['canned_responses--all:ro']);
  const first = await call('list_canned_responses', { ...ALL, include_all_private: true, limit: 3 });
  expect(first).toMatchObject({ found_canned_responses: 4, canned_responses: [{ id: 1 }, { id: 2 }, { id: 3 }] });
  const last = await call('list_canned_responses', { page_id: first.next_page_id });
  expect(last).toMatchObject({ found_canned_responses: 4, canned_responses: [{ id: 4 }] });
  expect(last.next_page_id).toBeUndefined();
});

test.each([
  ['stripped', 'Go to Settings, 1 < 2'],
  ['escaped', 'Go to &lt;b&gt;Settings&lt;/b&gt;, 1 &lt; 2'],
  ['written', 'Go to <b>Settings</b>, 1 < 2'],
] as const)('A text is kept %s', async (cannedTexts, kept) => {
  const { call, texts } = calling(['canned_responses--all:rw'], { cannedTexts });
  await call('update_canned_response', { id: 1, text: ' Go to <b>Settings</b>, 1 < 2\n' });
  expect(await texts({})).toEqual([kept]);
});

test('An edit names its author and its moment', async () => {
  const { call } = calling(['canned_responses--all:rw']);
  await call('update_canned_response', { id: 2, tags: ['second'] });
  const { canned_responses: found } = await call('list_canned_responses', { group_ids: [2] });
  expect(found).toMatchObject([{ id: 2, tags: ['second'], author_id: 'ann@example.com' }]);
  expect(found[0].updated_at).not.toBe(found[0].created_at);
});

test.each([
  ['remove', 0],
  ['keep', 1],
] as const)('Texts of a deleted group: %s', async (deletedGroupCannedResponses, left) => {
  const { emulator, call } = createCaller({ seed: SEED, settings: { deletedGroupCannedResponses } }, '3.7');
  await call('delete_group', { id: 2 });
  expect(JSON.stringify(emulator.snapshot().tables.cannedResponses).split('"group_id":2').length - 1).toBe(left);
});

test('A group with texts cannot be deleted, where a setting says so', async () => {
  const { fail } = createCaller({ seed: SEED, settings: { deletedGroupCannedResponses: 'refuse' } }, '3.7');
  expect(await fail('delete_group', { id: 2 })).toBe('validation');
});

test('`monitoring/whitelist_enabled` follows the list of domains', async () => {
  const { call } = createCaller({}, '3.7');
  const isOn = async () => (await call('list_license_properties', { namespace: 'monitoring' })).monitoring;
  await call('add_allowed_domain', { domain: 'shop.example' });
  expect(await isOn()).toMatchObject({ whitelist_enabled: true });
  await call('delete_allowed_domain', { domain: 'shop.example' });
  expect(await isOn()).toMatchObject({ whitelist_enabled: false });
});

test('A domain that is there, or is no name of a host, is refused or taken', async () => {
  const strict = createCaller({ seed: { allowed_domains: ['shop.example'] } }, '3.7');
  expect(await strict.fail('add_allowed_domain', { domain: 'shop.example' })).toBe('already_exists');
  expect(await strict.fail('add_allowed_domain', { domain: 'https://a.example/b' })).toBe('validation');
  const settings = { duplicateDomain: 'accepted', domainForms: 'any' } as const;
  const lax = createCaller({ seed: { allowed_domains: ['shop.example'] }, settings }, '3.7');
  await lax.call('add_allowed_domain', { domain: 'shop.example' });
  await lax.call('add_allowed_domain', { domain: '*.a.example' });
  expect(await lax.call('list_allowed_domains', {})).toEqual({ domains: ['shop.example', '*.a.example'] });
});

test.each([
  ['an unknown group', { canned_responses: [{ text: 'Hi', tags: [], group_id: 9 }] }],
  ['an id twice', { canned_responses: [1, 1].map((id) => ({ id, text: 'Hi', tags: [], group_id: 0 })) }],
  ['a text of nothing', { canned_responses: [{ text: '<br>', tags: [], group_id: 0 }] }],
  ['a page for a domain', { allowed_domains: ['https://shop.example/de'] }],
])('A seed with %s is refused', (_, seed) => {
  expect(() => createCaller({ seed })).toThrow(/valid seed/);
});
