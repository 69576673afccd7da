// Mistakes that newcomers make, and the one line of help that each gets: it says what to write, and says nothing that leads to the next mistake.

import { expect, test } from 'vitest';
import { nearest } from '../../src/base/nearest.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { loadProject } from '../../src/project/project.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';

const HEAD = 'version: 1\ngroups: { sales: { name: Sales } }\n';

async function helpWith(rule: string): Promise<string | null | undefined> {
  const io = memoryDisk({ 'm.yaml': `${HEAD}${rule}\n` });
  const { diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io, now: 0 });
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
  expect(await helpWith('auto_access: { key: pricing, access: { groups: [sales] } }')).toContain('begins with `-`');
  expect(await helpWith('auto_access: { pricing: { access: { groups: [sales] } } }')).toContain('`- key: pricing`');
  expect(await helpWith('agents: [ann@example.com]')).toContain('`ann@example.com: ...`');
  expect(await helpWith('agents: [{ bob@example.com: { name: Bob } }]')).toContain('`bob@example.com: ...`');
  expect(await helpWith('agents: [{ id: bob@example.com, name: Bob }]')).toContain('`key: ...`');
});

test('A list in place of a mapping is told the field that it is the value of, or the value that each entry needs', async () => {
  expect(await helpWith('tags: { vip: [sales, support] }')).toBe('write `{ groups: [sales, support] }`');
  expect(await helpWith('tags: { vip: [{ name: sales }] }')).toContain('write a mapping of `groups`');
  expect(await helpWith('bots: { triage: { name: Triage, groups: [sales] } }')).toContain('`sales: first`');
});

test('Fields that people look for, and the service does not have, are told what to write', async () => {
  const greeting = async (field: string) =>
    helpWith(`greetings: { help: { name: Help, group: sales, rules: [], ${field} } }`);
  for (const field of ['hours: 9-17', 'work_scheduler: office', 'active_from: "08:00"'])
    expect(await greeting(field)).toContain('greeting.hide_when_offline: true');
  expect(await greeting('text: Hello')).toContain('greeting-message_text');
  expect(await helpWith('tags: { vip: { name: VIP, groups: [sales] } }')).toContain('the key is the name');
});

test('The contrary of a word is not what it means', async () => {
  expect(nearest('online', ['accepting_chats', 'offline'])).toBeNull();
  expect(nearest('ofline', ['accepting_chats', 'offline'])).toBe('offline');
  expect(await helpWith('bots: { triage: { name: Triage, routing_status: online } }')).toMatch(
    /^allowed: `accepting_chats`/,
  );
});

test('An item without its `-`, which continues the text of another one, is told to begin with it', async () => {
  const help = async (lines: string) => helpWith(`agents: { ann@example.com: { name: Ann, notifications: ${lines} } }`);
  expect(await help('[incoming_chat ticket]')).toContain('these are 2 items: begin each with `- `');
  expect(await help('incoming_chat - ticket')).toBe('write a list: begin each item with `- `, on a line of its own');
  expect(await help('incoming_chat')).toBe('write a list: `[incoming_chat]`');
  expect(await help('[incoming_chat tickets]')).toContain('allowed: ');
});

test('A variable without a value is told all places that can have it', async () => {
  const help = await helpWith(`agents: { ann@example.com: { name: "\${var.name}" } }`);
  expect(help).toBe('add it to `vars` of the target, or use --var or --var-file');
});

test('A variable as other tools write it, a group as a text, and quotes of a text processor are told what to write', async () => {
  const agent = async (field: string) => helpWith(`agents: { ann@example.com: { name: Ann, ${field} } }`);
  for (const other of ['$chats', '%chats%', '"{{ chats }}"'])
    expect(await agent(`max_chats_count: ${other === '%chats%' ? '"%chats%"' : other}`)).toBe(
      `a variable is written \`\${var.chats}\``,
    );
  expect(await agent('max_chats_count: chats')).not.toContain('variable');
  expect(await agent('groups: sales')).toBe('write entries such as `{ sales: first }`');
  const hours = `{ timezone: UTC, schedule: [{ day: monday, enabled: true, start: “09:00”, end: "17:00" }] }`;
  expect(await agent(`work_scheduler: ${hours}`)).toMatch(/^write "09:00": /);
});

test('A line with the indentation of another mapping is told where it belongs', async () => {
  const help = async (rest: string) => helpWith(`agents:\n  ann@example.com:\n    name: Ann\n${rest}`);
  expect(await help('    bob@example.com:')).toMatch(/^if another entry begins here, indent it less; allowed: /);
  expect(await help('    bob@example.com:\n      name: Bob')).toMatch(/^if another entry begins here/);
  expect(await help('    sales: first')).toBe('move it under `groups`');
});

test('A number without its unit is not sent into quotes, where it would be wrong again', async () => {
  for (const setting of ['propagation_timeout: 150', 'request_timeout: 30', 'propagation_delay: 5']) {
    const help = await helpWithSetting(setting);
    expect([setting, help]).toEqual([setting, expect.stringMatching(/`\d+s`/)]);
    expect(help).not.toContain('quotes');
  }
  expect(await helpWithSetting('overlays: [1]')).toContain('quotes');
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

test('A text of the wrong form is shown a right one, and told once', async () => {
  const named = 'schedules: { named: { timezone: UTC, schedule: [], calendars: [free] } }';
  const day = (item: string) => `calendars: { free: [{ ${item} }] }\n${named}`;
  expect(await helpWith(day('date: 24.12.2026, closed: true'))).toBe('write one such as `2026-12-24`');
  expect(await helpWith(day('date: 2026-12-24, closed: yes'))).toBe('write `true`. Description: No hours are worked.');
  const excepted = (address: string) =>
    `routing: { lint: { idle-agent: { except: [{ address: ${address}, reason: x }] } } }`;
  expect(await helpWithSetting(excepted('"Sales team!"'))).toBe('write one such as `group/sales` or `agent/*`');
  expect(await helpWithSetting('protect: [sales]')).toBe('write one such as `group/sales` or `agent/*`');
  expect(await helpWithSetting('request_timeout: soon')).toBe('write one such as `30s`');
  expect(await helpWithSetting('chat_mark: { property: mark }')).toMatch(
    /^write one such as `[^`/]+\/[^`]+`\. Description: `<namespace>/,
  );
});

test('A list that is not written is told what an item is', async () => {
  const item = 'One channel: `{ webhook: { url_env, secret_env } }` or `{ slack: { url_env } }`.';
  expect(await helpWithSetting('notify:')).toBe(`add items, or write \`[]\` for none. Description: ${item}`);
  expect(await helpWithSetting('notify: slack')).toBe(`write a list, each item after \`-\`. Description: ${item}`);
  expect(await helpWith(`groups: { sales: { name: S } }\nauto_access:\n`)).not.toContain('`[]`');
});

test('A field that other tools have is led to the one that means the same', async () => {
  const help = async (member: string) => helpWith(`bots: { b: { name: B, default_group_priority: first, ${member} } }`);
  expect(await helpWith('agents: { ann@example.com: { members: {} } }')).toMatch(/^allowed: /);
  expect(await help('members: []')).toMatch(/^allowed: /);
  const group = async (member: string) => (await allFound(`groups: { a: { name: A, ${member} } }\n`))[0]?.[2];
  expect(await group('members: [ann@example.com]')).toMatch(/^did you mean `agent_priorities`\? allowed: /);
  expect(await group('agents: {}')).toMatch(/^did you mean `agent_priorities`\? /);
  expect(await group('title: A')).toMatch(/^allowed: /);
});

test('A setting of a target at the top of chatform.yaml is told where it belongs', async () => {
  const text = 'version: 1\nmanifest: [m.yaml]\ndrift: {}\ntargets: { t: { base_url: "emulator:x" } }\n';
  const { diagnostics } = await loadProject('chatform.yaml', {}, memoryDisk({ 'chatform.yaml': text }));
  expect(diagnostics[0]?.remedy).toBe('move it under `defaults`');
});

test('A membership that one side lacks is told what to add there, or to remove here', async () => {
  const side = async (groups: string, members: string) =>
    (
      await allFound(
        `agents: { kim@example.com: { name: Kim, groups: ${groups} } }\ngroups: { a: { name: A, agent_priorities: ${members} } }\n`,
      )
    ).map(([, , remedy]) => remedy);
  expect(await side('{ a: normal }', '{}')).toEqual([
    'add `kim@example.com: normal` to the `agent_priorities` of `group/a`, or remove `a` here: a side that is declared is complete',
  ]);
  expect(await side('{}', '{ kim@example.com: last }')).toEqual([
    'add `a: last` to the `groups` of `agent/kim@example.com`, or remove `kim@example.com` here: a side that is declared is complete',
  ]);
  expect(await side('{ a: normal }', '{ kim@example.com: last }')).toEqual([
    'write the same priority on both sides, or declare the membership on one side only',
  ]);
});

test('The id of an agent that is no e-mail address is doubted, whether it is the key or not', async () => {
  const found = async (agents: string) => allFound(`agents: { ${agents} }\n`);
  const help = 'write the e-mail address as the key, or as `id`';
  expect(await found('ann: { name: Ann }')).toEqual([[2, 'bad-format', help]]);
  expect(await found('ann: { id: ann@example.com, name: Ann }')).toEqual([]);
  expect(await found('ann@example: { id: ann@example.com, name: Ann }')).toEqual([]);
  expect(await found('ann@example.com: { id: ann, name: Ann }')).toEqual([[2, 'bad-format', help]]);
  expect(await found('ann: { external: { name: Ann } }')).toEqual([]);
  expect(await found('ann: { external: { id: ann } }')).toEqual([]);
});

test('A list of channels without one is doubted, unless it takes back those of defaults', async () => {
  const found = async (defaults: string, own: string) => {
    const text = `version: 1\nmanifest: [m.yaml]\ndefaults: { ${defaults} }\ntargets: { t: { base_url: "emulator:x", ${own} } }\n`;
    const { diagnostics } = await loadProject('chatform.yaml', {}, memoryDisk({ 'chatform.yaml': text }));
    return diagnostics.map(({ severity, code, place, remedy }) => [severity, code, place.line, remedy]);
  };
  const help = 'add one such as `{ slack: { url_env: SLACK_URL } }`, or remove `notify`';
  expect(await found('', 'notify: []')).toEqual([['warning', 'too-short', 4, help]]);
  expect(await found('notify: []', '')).toEqual([['warning', 'too-short', 3, help]]);
  expect(await found('notify: [{ slack: { url_env: A } }]', 'notify: []')).toEqual([]);
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
  ['a: 1\n  b: 2\n', 'a value cannot have members below it'],
  ['a: one: two\n', 'a line has more than one `: `'],
  ['a:\n  b one\n  c: 2\n', 'this key has no `: ` on its line'],
])('%j is explained without the words of the parser', async (text, message) => {
  const io = memoryDisk({ 'm.yaml': text });
  const { diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io });
  expect(diagnostics[0]?.message).toContain(message);
  for (const { message: said } of diagnostics) expect(said).not.toMatch(/YAML\.|flow-|-ind\b|node end|YAML stream/);
});

test('a line that is indented too little is told once, and a wrong indent at its key', async () => {
  const told = async (text: string): Promise<readonly string[]> => {
    const { diagnostics } = await loadManifest({
      files: ['m.yaml'],
      env: {},
      version: '3.6',
      io: memoryDisk({ 'm.yaml': text }),
    });
    return diagnostics.map(({ place, message }) => `${place.line}:${place.column} ${message}`);
  };
  expect(await told('x-a:\n  b: 1\n    c: 2\n    d: 3\n    e: 4\n')).toEqual([
    '2:6 a value cannot have members below it',
  ]);
  expect(await told('x-a:\n  b: 1\n\n # why\n   c: 2\n')).toEqual([
    '5:4 this key is not indented like the keys before it',
  ]);
});

test('what an overlay changes lacks nothing while the file of its entry cannot be read', async () => {
  const io = memoryDisk({
    'm.yaml': 'version: 1\ngroups:\n  a: { name: A }\n   b: { name: B }\n',
    'o.yaml': 'groups: { a: { language_code: de } }\n',
  });
  const { diagnostics } = await loadManifest({ files: ['m.yaml'], overlays: ['o.yaml'], env: {}, version: '3.6', io });
  expect(diagnostics.map(({ code, place }) => `${place.file} ${code}`)).toEqual(['m.yaml yaml-syntax']);
});

const HOURS = (lines: string): string =>
  `agents:\n  ann@example.com:\n    work_scheduler:\n      timezone: Europe/Warsaw\n      schedule:\n${lines}`;

async function allFound(manifest: string) {
  const io = memoryDisk({ 'm.yaml': `version: 1\n${manifest}` });
  const { diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io });
  return diagnostics.map(({ place, code, remedy }) => [place.line, code, remedy] as const);
}

test.each([
  ['yes', 'true'],
  ['On', 'true'],
  ['no', 'false'],
  ['off', 'false'],
])('`%s`, which older YAML reads as a switch, is told to be `%s`', async (written, meant) => {
  const help = await helpWith(`agents: { ann@example.com: { suspended: ${written} } }`);
  expect(help).toMatch(new RegExp(`^write \`${meant}\``));
});

test('A lost `-` between two items of a list is one finding, at the first key that is there again', async () => {
  const item = (day: string): string =>
    `day: ${day}\n          enabled: true\n          start: "09:00"\n          end: "17:00"\n`;
  const found = await allFound(HOURS(`        - ${item('monday')}          ${item('tuesday')}`));
  expect(found).toEqual([[11, 'duplicate-key', expect.stringContaining('put `- ` before `day`')]]);
  const other = await allFound(HOURS(`        - ${item('monday')}          end: "18:00"\n`));
  expect(other).toEqual([[11, 'duplicate-key', expect.stringContaining('put `- ` before `end`')]]);
  expect(await allFound('groups: { a: { name: A, name: B } }\n')).toEqual([
    [2, 'duplicate-key', 'keep one of the two'],
  ]);
});

test('A line in the place of a `-` is one finding, with all lines that belong to it', async () => {
  const found = await allFound(
    HOURS('        - day: monday\n          enabled: true\n        start: "09:00"\n        end: "17:00"\n'),
  );
  expect(found).toEqual([[9, 'yaml-syntax', expect.stringContaining('put `- ` before `start`')]]);
  const rules = await allFound(
    'auto_access:\n  - key: a\n    access: { groups: [x] }\n\n  # the next one\n  key: b\n  access: { groups: [x] }\n  - key: c\n',
  );
  expect(rules).toEqual([[7, 'yaml-syntax', expect.stringContaining('put `- ` before `key`')]]);
});

test('A mapping below an item, without its `-`, is one finding at the place of the mapping', async () => {
  const found = await allFound(
    HOURS(
      '        - { day: monday, enabled: true }\n\n          # the next one\n          { day: tuesday, enabled: true }\n',
    ),
  );
  expect(found).toEqual([[10, 'yaml-syntax', 'put `- ` before it, below the `-` of the item above']]);
});

test('A mapping in the place of a list is told where its `-` belongs', async () => {
  expect(await helpWith('auto_access:\n  key: a\n  access: { groups: [sales] }')).toContain('here before `key`');
});

test('An address without an ending of its domain is a warning', async () => {
  const found = await allFound(
    'agents: { bob@example: {}, a@: {}, c@x.: {}, ann@example.com: {}, d@b.example.: {} }\n',
  );
  expect(found.map(([, code]) => code)).toEqual(['bad-format', 'bad-format', 'bad-format', 'bad-format']);
  const io = memoryDisk({ 'm.yaml': 'version: 1\nagents: { bob@example: {} }\n' });
  const { desired, diagnostics } = await loadManifest({ files: ['m.yaml'], env: {}, version: '3.6', io });
  expect([desired?.resources.length, diagnostics[0]?.severity, diagnostics[0]?.message]).toEqual([
    1,
    'warning',
    'the domain of `bob@example` has no ending such as `.com`',
  ]);
});

test('A channel without a kind, or with nothing in it, is told what it needs', async () => {
  expect(await helpWithSetting('notify: [{}]')).toMatch(/^add one of `webhook`, `slack`\. Description: .*url_env/);
  expect(await helpWithSetting('notify: [{ slack: }]')).toBe('it needs `url_env`');
  expect(await helpWithSetting('notify: [{ webhook: {} }]')).toContain('add `secret_env`');
});

test('An action of webhooks that is like none is told those with the same first word', async () => {
  const help = await helpWith(
    'webhooks: { ended: { owner_client_id: shop, type: license, action: chat_ended, url: https://shop.example/chats } }',
  );
  expect(help).toMatch(
    /^those with `chat_` are `chat_deactivated`, `chat_transferred`, .*; `chatform api list_webhook_names` says/,
  );
});

test('A member with days is told its fields, and the form of a date', async () => {
  const member = async (days: string) => helpWith(`agents: { ann@example.com: { groups: { sales: { ${days} } } } }`);
  expect(await member('priorty: first')).toBe('did you mean `priority`? allowed: `priority`, `from`, `until`');
  expect(await member('priority: first, until: 24.12.2026')).toBe('write one such as `2026-12-24`');
});
