// `chatform ledger`: what its commands say and do, without network, token or manifest.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { intent } from '../ledger/conformance.ts';
import { chatform, filesIn, folder, project } from './chatform.ts';
import { atTerminal, type FakeTerminal, fakeTerminal, refusal } from './terminal.ts';

const at = (day: number): string => `2026-11-0${day}T12:00:00.000Z`;

const EVENTS = [
  { v: 1, at: at(1), run: 'aaaaaaaa-1', type: 'bound', address: 'group/sales', id: 1, origin: 'created' },
  { v: 1, at: at(1), run: 'aaaaaaaa-1', type: 'applied', address: 'group/sales', spec: { name: 'Sales' }, digests: {} },
  { v: 1, at: at(1), run: 'aaaaaaaa-1', type: 'run', command: 'apply', outcome: 'done' },
  {
    v: 1,
    at: at(2),
    run: 'bbbbbbbb-2',
    type: 'bound',
    address: 'agent/ann@example.com',
    id: 'ann@example.com',
    origin: 'adopted',
  },
  { v: 1, at: at(3), run: 'bbbbbbbb-2', type: 'moved', from: 'group/sales', to: 'group/shop' },
  { ...intent('group/vip', 'i1'), at: at(4), run: 'bbbbbbbb-2' },
  { v: 1, at: at(5), run: 'bbbbbbbb-2', type: 'bound', address: 'workflow/x', id: 'w', origin: 'created' },
];

const logOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

const home = process.cwd();
let cwd = home;

beforeEach(async () => {
  // The manifest is broken, and the target is on a network that is not there.
  const target = '  here: { base_url: "https://nowhere.example.com", ledger: ledger.ndjson }\n';
  cwd = await folder({
    'manifest.yaml': 'version: 1\ngroups: { sales: {} }\n',
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n${target}`,
    'ledger.ndjson': logOf(EVENTS),
  });
  process.chdir(cwd);
});

afterEach(() => process.chdir(home));

const ledger = ({ terminal }: Pick<FakeTerminal, 'terminal'>, ...args: readonly string[]) =>
  atTerminal(['ledger', ...args], terminal);

const refused = (...args: readonly string[]) => refusal(['ledger', ...args], fakeTerminal(null));

const log = () => readFile(join(cwd, 'ledger.ndjson'), 'utf8');
const lastEvents = async (count: number) =>
  (await log())
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => JSON.parse(line));

describe('show', () => {
  test('What is ours is a table, and below it what nobody knows the end of', async () => {
    const { terminal, said } = fakeTerminal(null);
    expect(await ledger({ terminal }, 'show')).toBe(0);
    expect(said().split('\n')).toEqual([
      'ADDRESS                ID               ORIGIN   OWNED SINCE           LAST APPLIED',
      'agent/ann@example.com  ann@example.com  adopted  2026-11-02T12:00:00Z  never',
      'group/shop             1                created  2026-11-01T12:00:00Z  2026-11-01T12:00:00Z',
      '',
      'Sent, with a result that is not known yet:',
      '  group/vip  create  2026-11-04T12:00:00Z',
      '  The next apply finds out whether it arrived before it sends it again.',
      '',
    ]);
  });

  test('As a document it has the same', async () => {
    const { terminal, said } = fakeTerminal(null);
    expect(await ledger({ terminal }, 'show', '--json')).toBe(0);
    expect(JSON.parse(said())).toEqual({
      format_version: '1.0',
      errored: false,
      ledger: 'ledger.ndjson',
      resources: [
        {
          address: 'agent/ann@example.com',
          id: 'ann@example.com',
          origin: 'adopted',
          since: at(2),
          last_applied: null,
        },
        { address: 'group/shop', id: 1, origin: 'created', since: at(1), last_applied: at(1) },
      ],
      intents: [
        { intent: 'i1', address: 'group/vip', operation: 'create', identity: '{"name":"A"}', seen: [1], at: at(4) },
      ],
      diagnostics: [],
    });
  });

  test('A ledger that is not there yet owns nothing, but a misspelt one is a mistake', async () => {
    await writeFile('ledger.ndjson', '');
    const { terminal, said } = fakeTerminal(null);
    expect(await ledger({ terminal }, 'show')).toBe(0);
    expect(said()).toBe('The ledger ledger.ndjson owns no objects.\n');
    expect(await refused('show', '--ledger', 'ledgre.ndjson')).toContain('--ledger ledgre.ndjson: there is no');
  });

  test('What a terminal would obey is written out', async () => {
    await writeFile('ledger.ndjson', logOf([{ ...EVENTS[0], address: 'group/\u001b[31m', id: '\u202e' }]));
    const { terminal, said } = fakeTerminal(null);
    await ledger({ terminal }, 'show');
    await ledger({ terminal }, 'log');
    for (const character of ['\u001b', '\u202e']) expect(said()).not.toContain(character);
  });
});

describe('log', () => {
  test('Each event has its time, the run that ended after it, and words', async () => {
    const { terminal, said } = fakeTerminal(null);
    expect(await ledger({ terminal }, 'log')).toBe(0);
    expect(said().split('\n')).toEqual([
      '2026-11-01T12:00:00Z  aaaaaaaa  group/sales was created, as 1',
      '2026-11-01T12:00:00Z  aaaaaaaa  group/sales was applied: name',
      '2026-11-01T12:00:00Z  aaaaaaaa  apply ended: done',
      '2026-11-02T12:00:00Z  bbbbbbbb  agent/ann@example.com was adopted: ann@example.com',
      '2026-11-03T12:00:00Z  bbbbbbbb  group/sales is now called group/shop',
      '2026-11-04T12:00:00Z  bbbbbbbb  group/vip is about to be sent: create (intent i1)',
      '2026-11-05T12:00:00Z  bbbbbbbb  bound: an event that only a newer chatform understands',
      '2026-11-05T12:00:00Z  bbbbbbbb  was killed',
      '',
    ]);
  });

  test('An address is followed through its earlier names, and --limit keeps the latest', async () => {
    const told = async (address: string, limit?: number) => {
      const { terminal, said } = fakeTerminal(null);
      await ledger({ terminal }, 'log', address, '--json', ...(limit === undefined ? [] : ['--limit', String(limit)]));
      return JSON.parse(said()).events.map(({ event }: { event: { type: string } }) => event.type);
    };
    expect(await told('group/shop')).toEqual(['bound', 'applied', 'moved']);
    expect(await told('group/shop', 2)).toEqual(['applied', 'moved']);
    expect(await told('agent')).toEqual(['bound']);
    expect(await refused('log', 'group/nothing')).toContain('has no event of group/nothing');
  });

  test('The end of an intent belongs to its address', async () => {
    const done = { v: 1, at: at(5), run: 'bbbbbbbb-2', type: 'done', intent: 'i1', outcome: 'created', created: 9 };
    await writeFile('ledger.ndjson', logOf([...EVENTS, done]));
    const { terminal, said } = fakeTerminal(null);
    await ledger({ terminal }, 'log', 'group/vip', '--json');
    expect(said()).toContain('"created": 9');
  });
});

describe('forget', () => {
  test('Whoever says the word lets go what a glob covers, with what it means before and after', async () => {
    const { terminal, asked, said } = fakeTerminal('forget');
    expect(await ledger({ terminal }, 'forget', 'group')).toBe(0);
    expect(asked[0]).toContain('1 resource would no longer be owned:');
    expect(asked[0]).toContain('group/shop');
    expect(asked[0]).toContain('Nothing on the license changes.');
    expect(said()).toBe('Forgot 1 resource, and gave up 1 request. Nothing on the license was changed.\n');
    expect(await lastEvents(3)).toMatchObject([
      { type: 'forgotten', address: 'group/shop' },
      { type: 'done', intent: 'i1', outcome: 'unknown' },
      { type: 'run', command: 'ledger forget', outcome: 'done' },
    ]);
  });

  test('Any other answer, and nobody to answer, forgets nothing', async () => {
    for (const answer of ['', 'yes', 'apply', null]) {
      const { terminal } = fakeTerminal(answer);
      expect(await ledger({ terminal }, 'forget', 'group/shop')).toBe(1);
    }
    const { terminal, said } = fakeTerminal(null);
    expect(await ledger({ terminal }, 'forget', 'group/shop', '--json')).toBe(1);
    expect(said()).toContain('use --yes to forget without asking');
    expect(await log()).toBe(logOf(EVENTS));
  });

  test('--yes asks nothing; a glob that covers nothing is refused with all of its command', async () => {
    const { terminal, asked } = fakeTerminal(null);
    expect(await refused('forget', 'agent/*', 'bot/*', '--yes')).toContain('bot/* covers nothing');
    expect(await log()).toBe(logOf(EVENTS));
    expect(await ledger({ terminal }, 'forget', 'agent/*', 'group/vip', '--yes')).toBe(0);
    expect(asked).toEqual([]);
  });
});

describe('compact', () => {
  const runs = Array.from({ length: 3 }, (_, index) => ({
    ...EVENTS[2],
    id: `r${index}`,
    at: new Date(Date.parse(at(1)) + index * 60_000).toISOString(),
  }));
  const later = (days: number) => {
    const { terminal, said } = fakeTerminal(null);
    const clock = { ...terminal.clock, now: () => Date.parse(at(1)) + days * 86_400_000 };
    return { terminal: { ...terminal, clock }, said };
  };

  test('Events older than --keep-days are reduced to what is still true', async () => {
    await writeFile('ledger.ndjson', logOf([...runs, ...EVENTS.slice(0, 6)]));
    const { terminal, said } = later(8);
    expect(await ledger({ terminal }, 'compact', '--keep-days', '3')).toBe(0);
    expect(said()).toBe(
      'Compacted ledger.ndjson: 9 events became 7. Events since 2026-11-06T12:00:00Z are unchanged.\n',
    );
    expect((await lastEvents(9)).map(({ type }) => type)).toEqual([
      'bound',
      'bound',
      'applied',
      'intent',
      'run',
      'begun',
      'run',
    ]);
    expect((await lastEvents(1))[0]).toMatchObject({
      command: 'ledger compact',
      by: { user: 'ann', host: 'build-7' },
      reduced: '2026-11-09T12:00:00.000Z',
    });
    const again = later(8);
    expect(await ledger(again, 'compact', '--keep-days', '3', '--json')).toBe(0);
    expect(JSON.parse(again.said())).toMatchObject({ errored: false, before: 7, after: 7 });
  });

  test('A log in which everything is young is not touched', async () => {
    const { terminal, said } = later(8);
    expect(await ledger({ terminal }, 'compact', '--keep-days', '30')).toBe(0);
    expect(said()).toBe('Nothing to compact in ledger.ndjson: 7 events.\n');
    expect(await log()).toBe(logOf(EVENTS));
  });
});

describe('repair', () => {
  const DAMAGED = logOf([EVENTS[0], '<<<<<<< HEAD', EVENTS[5], '=======', EVENTS[3], '>>>>>>> other']);

  test('Damaged lines are shown, and moved beside the log once somebody says so', async () => {
    await writeFile('ledger.ndjson', DAMAGED);
    const { terminal, asked, said } = fakeTerminal('repair');
    expect(await refused('show')).toMatch(/ledger.ndjson:2:.* line 2 of the ledger is not an event/);
    expect(await ledger({ terminal }, 'repair')).toBe(0);
    expect(said()).toMatch(/ledger.ndjson:2:1: .*<<<<<<< HEAD.*ledger.ndjson:4:1.*ledger.ndjson:6:1/s);
    expect(asked[0]).toContain('3 lines would be moved to ledger.ndjson.damaged, and 3 events kept.');
    expect(await log()).toBe(logOf([EVENTS[0], EVENTS[3], EVENTS[5]]));
    expect((await filesIn(cwd))['ledger.ndjson.damaged']).toBe('<<<<<<< HEAD\n=======\n>>>>>>> other\n');
    expect(await ledger({ terminal }, 'show')).toBe(0);
  });

  test('A second repair adds to what was moved by the first', async () => {
    for (const damage of ['one', 'two']) {
      await writeFile('ledger.ndjson', logOf([EVENTS[0], damage, EVENTS[1]]));
      expect(await ledger(fakeTerminal(null), 'repair', '--yes')).toBe(0);
    }
    expect((await filesIn(cwd))['ledger.ndjson.damaged']).toBe('one\ntwo\n');
  });

  test('Nobody said so: nothing is written, and the document names the lines', async () => {
    await writeFile('ledger.ndjson', DAMAGED);
    const { code, stdout } = await chatform(['ledger', 'repair', '--json'], { cwd });
    expect(code).toBe(1);
    const { errored, diagnostics } = JSON.parse(stdout);
    expect([errored, diagnostics.map(({ place }: { place: { line: number } }) => place.line)]).toEqual([
      true,
      [2, 4, 6],
    ]);
    expect(await log()).toBe(DAMAGED);
    expect(Object.keys(await filesIn(cwd))).not.toContain('ledger.ndjson.damaged');
  });

  test('A good log is left alone, and what a newer chatform wrote is no damage', async () => {
    const { terminal, said } = fakeTerminal(null);
    expect(await ledger({ terminal }, 'repair')).toBe(0);
    expect(said()).toBe('Nothing to repair in ledger.ndjson: 7 events.\n');
    await writeFile('ledger.ndjson', logOf([EVENTS[0], { v: 2 }]));
    expect(await refused('repair', '--yes')).toContain('was written by a newer chatform');
  });
});

test('What an apply did is shown by the command line, and after a forget it is adopted again', async () => {
  const at = await folder(project());
  await chatform(['apply', '--yes', '-q'], { cwd: at });
  const shown = await chatform(['ledger', 'show'], { cwd: at });
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toMatch(/^group\/sales +1 +created +\S+Z +\S+Z$/m);
  const told = await chatform(['ledger', 'log', 'group/sales', '--limit', '1'], { cwd: at });
  expect([told.code, told.stdout]).toEqual([0, expect.stringContaining('group/sales was applied: ')]);
  const asked = await chatform(['ledger', 'forget', 'group/sales'], { cwd: at });
  expect([asked.code, asked.stdout, asked.stderr]).toEqual([1, '', expect.stringContaining('--yes')]);
  expect((await chatform(['ledger', 'forget', 'group/sales', '--yes'], { cwd: at })).code).toBe(0);
  const plan = await chatform(['plan'], { cwd: at });
  expect(plan.stdout).toContain('Adopted as they are: group/sales');
});

test('The help of each command says what it does', async () => {
  for (const command of ['show', 'log', 'forget', 'compact', 'repair']) {
    const { code, stdout } = await chatform(['ledger', command, '--help'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: chatform ledger ${command}`)]);
  }
  expect((await chatform(['ledger', '--help'], { cwd })).code).toBe(0);
});

test('A mistake in a flag or in chatform.yaml is an error at its place', async () => {
  for (const [word, ...args] of [
    ['there', 'show', '-t', 'there'],
    ['--ledger', 'show', '-t', 'here', '--ledger', 'ledger.ndjson'],
    ['whole number', 'log', '--limit', '0'],
    ['whole number', 'compact', '--keep-days', '1.5'],
    ["missing required argument 'address'", 'forget', '--yes'],
    ["unknown option '--force'", 'repair', '--force'],
  ] as const) {
    const { code, stdout, stderr } = await chatform(['ledger', ...args], { cwd });
    expect([args, code, stdout, stderr]).toEqual([args, 1, '', expect.stringContaining(word)]);
  }
  await writeFile('chatform.yaml', 'version: 1\nmanifest: [manifest.yaml]\ntargets: { here: {} }\n');
  const { code, stdout, stderr } = await chatform(['ledger', 'show', '--json'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('chatform.yaml:3:')]);
  expect(JSON.parse(stdout)).toMatchObject({ errored: true, diagnostics: [{ code: 'missing-field' }] });
  const none = await chatform(['ledger', 'show'], { cwd: await folder() });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('--ledger FILE')]);
});
