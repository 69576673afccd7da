// Mistakes that newcomers make, and the one line of help that each gets: it says what to write, and says nothing that leads to the next mistake.

import { expect, test } from 'vitest';
import { nearest } from '../../src/base/nearest.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { loadProject } from '../../src/project/project.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';

const HEAD = 'version: 1\ngroups: { sales: { name: Sales } }\n';

async function helpWith(rule: string): Promise<string | null | undefined> {
  const io = memoryDisk({ 'm.yaml': `${HEAD}${rule}\n` });
  const { diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io });
  return diagnostics[0]?.remedy;
}

async function helpWithSetting(setting: string): Promise<string | null | undefined> {
  const text = `version: 1\nmanifest: [m.yaml]\ntargets: { t: { base_url: "emulator:x", ${setting} } }\n`;
  const { diagnostics } = await loadProject('chatform.yaml', {}, memoryDisk({ 'chatform.yaml': text }));
  return diagnostics[0]?.remedy;
}

test('A text where a mapping with one needed member belongs is shown as that mapping', async () => {
  const rule = 'auto_access: [{ key: a, access: { groups: [sales] }, conditions: { url: { values: [/pricing] } } }]';
  expect(await helpWith(rule)).toBe('write `{ value: /pricing }`');
});

test('A mapping where a list belongs, and a list where a mapping belongs, are told how the other one is written', async () => {
  expect(await helpWith('auto_access: { pricing: { access: { groups: [sales] } } }')).toContain('begins with `-`');
  expect(await helpWith('agents: [ann@example.com]')).toContain('`key: ...`');
});

test('A number without its unit is not sent into quotes, where it would be wrong again', async () => {
  for (const setting of ['propagation_timeout: 150', 'request_timeout: 30', 'propagation_delay: 5']) {
    const help = await helpWithSetting(setting);
    expect([setting, help]).toEqual([setting, expect.stringMatching(/`\d+s`/)]);
    expect(help).not.toContain('quotes');
  }
  expect(await helpWithSetting('vars: { a: 1 }')).toContain('quotes');
});

test('A number or a switch in quotes is told to leave them out', async () => {
  expect(await helpWith('agents: { ann@example.com: { max_chats_count: "8" } }')).toBe('write it without quotes: `8`');
  expect(await helpWith('agents: { ann@example.com: { suspended: "true" } }')).toBe('write it without quotes: `true`');
  expect(await helpWith('agents: { ann@example.com: { max_chats_count: many } }')).not.toContain('quotes');
});

test('A text where a mapping of several members belongs is told their names', async () => {
  expect(await helpWithSetting('secrets: keep.json')).toContain('`file`, `env_file`, `command`');
});

test('A key with nothing behind it is not told to be empty where it cannot be', async () => {
  expect(await helpWith('auto_access: [{ key: a, access: , conditions: {} }]')).toBe('it needs `groups`');
  const text = 'version: 1\nmanifest: [m.yaml]\ntargets:\n';
  const { diagnostics } = await loadProject('chatform.yaml', {}, memoryDisk({ 'chatform.yaml': text }));
  expect(diagnostics[0]?.remedy).toContain('at least one');
});

test('An overlay that patches rules where there are none is told so', async () => {
  const io = memoryDisk({ 'm.yaml': HEAD, 'o.yaml': 'auto_access: [{ op: remove, path: /shop }]\n' });
  const { diagnostics } = await loadManifest({ files: ['m.yaml'], overlays: ['o.yaml'], env: {}, version: '3.6', io });
  expect(diagnostics.map(({ remedy }) => remedy)).toEqual(['there are no rules to patch']);
});

test('The beginning of a name is near to it', () => {
  expect(nearest('language', ['name', 'language_code'])).toBe('language_code');
  expect(nearest('geo', ['url', 'domain', 'geolocation'])).toBe('geolocation');
  expect(nearest('agent', ['agent_priorities', 'agent_groups'])).toBe(null);
});

test('Another person of the same domain is not near', () => {
  expect(nearest('jim@example.com', ['ann@example.com'])).toBe(null);
  expect(nearest('an@example.com', ['ann@example.com'])).toBe('ann@example.com');
  expect(nearest('ann@exmaple.com', ['ann@example.com', 'bob@example.com'])).toBe('ann@example.com');
});

test.each([
  ['a: 1\n---\nb: 1\n', 'the file has more than one document'],
  ['a: [1, 2]]\n', 'unexpected `]` here'],
  ['a: }\n', 'unexpected `}`'],
  ['a: "x" y\n', 'unexpected text after the end of a value'],
])('%j is explained without the words of the parser', async (text, message) => {
  const io = memoryDisk({ 'm.yaml': text });
  const { diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io });
  expect(diagnostics[0]?.message).toContain(message);
  for (const { message: said } of diagnostics) expect(said).not.toMatch(/YAML\.|flow-|-ind\b|node end|YAML stream/);
});
