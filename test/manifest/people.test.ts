// People from a table: what the rows declare, where, and what a finding about them shows.

import { describe, expect, test } from 'vitest';
import { type LoadedManifest, loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from './memory-disk.ts';

interface Files {
  readonly manifest: string;
  readonly table: string;
  readonly overlay?: string;
  /** The table belongs to another project. */
  readonly isOutside?: boolean;
}

async function loaded({ manifest, table, overlay, isOutside = false }: Files): Promise<LoadedManifest> {
  const io = memoryDisk({
    'manifest.yaml': `version: 1\n${manifest}`,
    'people.csv': table,
    ...(overlay === undefined ? {} : { 'overlay.yaml': overlay }),
  });
  return loadManifest({
    files: ['manifest.yaml'],
    overlays: overlay === undefined ? [] : ['overlay.yaml'],
    env: {},
    version: '3.6',
    io: { ...io, isOutside: (path) => isOutside && path === 'people.csv' },
  });
}

function agentsOf({ desired }: LoadedManifest) {
  return Object.fromEntries(
    (desired?.resources ?? []).filter(({ kind }) => kind === 'agent').map(({ key, spec }) => [key, spec]),
  );
}

const MANIFEST = `
agents_from:
  csv: people.csv
  email: E-mail
  columns: { name: Name, max_chats_count: Chats, notifications: Tells, groups: { column: Team, priority: last } }
  left: { column: Status, value: Left }
  defaults: { max_chats_count: 4, role: normal }
groups: { sales: { name: Sales }, support: { name: Support } }
`;

const TABLE = `E-mail,Name,Chats,Tells,Team,Status
ann@example.com,"Ann ""A"", B",8,ticket; incoming_chat,sales; support : first,
 bob@example.com , Bob ,,,,active
cid@example.com,Cid,8,ticket,sales, LEFT
`;

test('a row has the values of its cells, those of the defaults where a cell is empty, and no group where none is named', async () => {
  expect(agentsOf(await loaded({ manifest: MANIFEST, table: TABLE }))).toEqual({
    'ann@example.com': {
      name: 'Ann "A", B',
      max_chats_count: 8,
      notifications: ['incoming_chat', 'ticket'],
      groups: { 'group/sales': 'last', 'group/support': 'first' },
      role: 'normal',
      suspended: false,
    },
    'bob@example.com': { name: 'Bob', max_chats_count: 4, groups: {}, role: 'normal', suspended: false },
    'cid@example.com': { suspended: true, groups: {} },
  });
});

test.each([' LEFT', 'left\u200b', 'le\u00adft', '\u2060Left\u00a0', '\uff2ceft'])(
  'a row with %j is that of a person who left',
  async (cell) => {
    const table = TABLE.replace(' LEFT', cell);
    expect(agentsOf(await loaded({ manifest: MANIFEST, table }))['cid@example.com']).toEqual({
      suspended: true,
      groups: {},
    });
  },
);

test('only a person whose row is marked leaves, unless an overlay keeps them', async () => {
  const leavingIn = async (overlay?: string) => {
    const { desired } = await loaded({
      manifest: MANIFEST,
      table: TABLE,
      ...(overlay === undefined ? {} : { overlay }),
    });
    return (desired?.resources ?? []).flatMap(({ address, leaves }) =>
      leaves === undefined ? [] : [[address, leaves]],
    );
  };
  expect(await leavingIn()).toEqual([['agent/cid@example.com', { by: 'marked-row', file: 'people.csv' }]]);
  expect(await leavingIn('agents: { cid@example.com: { suspended: false } }')).toEqual([]);
});

test('a declaration and its members are where the cells are, and those of the defaults where the manifest writes them', async () => {
  const { desired, markOf } = await loaded({ manifest: MANIFEST, table: TABLE });
  const placeOf = (path: readonly string[]) => {
    const { file, line, column, length } = markOf('agent/ann@example.com', path, 'value')?.place ?? {};
    return `${file}:${line}:${column}+${length}`;
  };
  expect(placeOf([])).toBe('people.csv:2:1+15');
  expect(placeOf(['name'])).toBe('people.csv:2:17+14');
  expect(placeOf(['groups', 'support'])).toBe('people.csv:2:63+7');
  expect(placeOf(['suspended'])).toBe('people.csv:2:79+1');
  expect(placeOf(['role'])).toBe('manifest.yaml:8:41+6');
  expect(desired?.resources.find(({ key }) => key === 'bob@example.com')?.place).toMatchObject({ line: 3 });
  expect(desired?.resources.map(({ row }) => row?.line)).toEqual([2, 3, 4, undefined, undefined]);
});

test('a table that says nothing of leaving decides nothing about it', async () => {
  const manifest = 'agents_from: { csv: people.csv, columns: { name: name } }';
  const table = 'email,name\nann@example.com,Ann\n';
  const { desired } = await loaded({ manifest, table });
  expect(desired?.resources[0]?.spec).toEqual({ name: 'Ann' });
  expect(desired?.leavers).toBeUndefined();
});

test('with `leavers: suspend` every row says that its person is active, and the manifest says where that is decided', async () => {
  const manifest = 'agents_from: { csv: people.csv, columns: { name: name }, leavers: suspend }';
  const { desired } = await loaded({ manifest, table: 'email,name\nann@example.com,Ann\n' });
  expect(desired?.resources[0]?.spec).toEqual({ name: 'Ann', suspended: false });
  expect(desired?.leavers).toMatchObject({ kind: 'agent', table: 'people.csv', place: { line: 2, column: 67 } });
});

test('a credential in any column is refused and not shown; other texts that begin like one are fine', async () => {
  const manifest = 'agents_from: { csv: people.csv, columns: { name: name, job_title: title } }';
  const table = 'email,name,title,note\nann@example.com,Ann,Basic support,Bearer dal:abcdefgh\n';
  const { diagnostics } = await loaded({ manifest, table });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code, excerpt }) => [code, excerpt])).toEqual([['not-allowed', null]]);
  expect(JSON.stringify(diagnostics)).not.toContain('abcdefgh');
});

test.each([
  ['email,name\nann@example.com,Ann\nann@example.com,Ann\n'],
  ['email,name,chats\nann@example.com,Ann,many\n'],
  ['email,given name\nann@example.com,Ann\n'],
  ['email,name\n"ann@example.com\n'],
])('no finding quotes a table of another project: %j', async (table) => {
  const manifest = 'agents_from: { csv: people.csv, columns: { name: name, max_chats_count: chats } }';
  const { diagnostics } = await loaded({ manifest, table, isOutside: true });
  expect(diagnostics.length).toBeGreaterThan(0);
  for (const { place, ...said } of diagnostics) expect(JSON.stringify(said)).not.toMatch(/ann@|Ann|many|given/);
});

describe('several tables', () => {
  const load = (files: { readonly [name: string]: string }, more = '') => {
    const text = `version: 1
agents_from:
  - { csv: staff.csv, columns: { name: name }, left: { column: state, value: [left, retired] } }
  - { csv: temps/temps.csv, email: mail, columns: { name: "\${given} \${var.by} \${family}" }${more} }
variables: { by: { type: string, default: of } }
`;
    const io = memoryDisk({ 'manifest.yaml': text, ...files });
    return loadManifest({ files: ['manifest.yaml'], env: {}, version: '3.6', io });
  };
  const STAFF = 'email;name;state\nann@example.com;Ann;\nbob@example.com;Bob;Retired\n';
  const TEMPS = 'mail\tgiven\tfamily\ncid@example.com\tCid\tLee\n';

  test('are one list of people, each with its own columns, separators and words', async () => {
    const read = await load({ 'staff.csv': STAFF, 'temps/temps.csv': TEMPS });
    expect(agentsOf(read)).toEqual({
      'ann@example.com': { name: 'Ann', suspended: false },
      'bob@example.com': { suspended: true, groups: {} },
      'cid@example.com': { name: 'Cid of Lee' },
    });
    expect(read.markOf('agent/cid@example.com', ['name'], 'value')?.place).toMatchObject({ line: 2, column: 17 });
  });

  test('share what happens to a person whose row is missing, and are all named', async () => {
    const { desired } = await load({ 'staff.csv': STAFF, 'temps/temps.csv': TEMPS }, ', leavers: suspend');
    expect(desired?.leavers).toMatchObject({ table: 'staff.csv or temps/temps.csv', place: { line: 4 } });
  });

  test('have each person once', async () => {
    const temps = `${TEMPS}Ann@example.com\tAnn\tLee\n`;
    const { diagnostics } = await load({ 'staff.csv': STAFF, 'temps/temps.csv': temps });
    expect(
      diagnostics.map(({ place, message, related }) => [place.file, place.line, message, related[0]?.place]),
    ).toEqual([
      [
        'temps/temps.csv',
        3,
        '`Ann@example.com`, which differs only in case from `ann@example.com`, is also declared under `agents`',
        { file: 'staff.csv', line: 2, column: 1, length: 15 },
      ],
    ]);
  });

  test('say each what is wrong with them', async () => {
    const { diagnostics } = await load({
      'staff.csv': 'mail,nam\na@example.com,A\n',
      'temps/temps.csv': 'mail,given\n',
    });
    expect(diagnostics.map(({ place, message }) => [place.line, message])).toEqual([
      [3, 'the table has no column `email`'],
      [3, 'the table has no column `name`'],
      [3, 'the table has no column `state`'],
      [4, 'the table has no column `family`'],
    ]);
  });
});

test('a variable of the environment that may not be read names no file, and is shown nowhere', async () => {
  const manifest = 'agents_from: { csv: "${env.MY_TOKEN}.csv", columns: { name: name } }';
  const io = memoryDisk({ 'manifest.yaml': `version: 1\n${manifest}\n` });
  const env = { MY_TOKEN: 'dal:abcdefgh' };
  const { diagnostics } = await loadManifest({ files: ['manifest.yaml'], env, version: '3.6', io });
  expect(diagnostics.map(({ place }) => place.file)).toEqual(['manifest.yaml']);
  expect(JSON.stringify(diagnostics)).not.toContain('abcdefgh');
});

test('a default that a variable gives is inserted once, also where it looks like a variable itself', async () => {
  const manifest = `
variables: { title: { type: string, default: "$\${literally}" }, chats: { type: integer, default: 7 } }
agents_from:
  csv: people.csv
  columns: { name: name }
  defaults: { job_title: "\${var.title}", max_chats_count: "\${var.chats}", mobile: "$\${x}" }
`;
  const read = await loaded({ manifest, table: 'email,name\nann@example.com,Ann\n' });
  expect(read.diagnostics).toEqual([]);
  expect(agentsOf(read)['ann@example.com']).toMatchObject({ max_chats_count: 7, mobile: '${x}' });
  expect(read.variables).toContain('var.chats');
});
