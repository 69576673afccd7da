// The question before a release, and the lease while a person thinks: commands run in this process, with a terminal and a clock of ours.

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Terminal } from '../../src/command/terminal.ts';
import { leaseState } from '../../src/ledger/lease.ts';
import { fileLease } from '../../src/ledger/lease-file.ts';
import { takeLease } from '../../src/ledger/tenure.ts';
import { holderOf } from '../ledger/lease-conformance.ts';
import { folder, MANIFEST } from './chatform.ts';
import { atTerminal, type FakeTerminal, fakeTerminal, refusal } from './terminal.ts';

const home = process.cwd();
let cwd = home;

beforeEach(async () => {
  cwd = await folder({ 'manifest.yaml': MANIFEST });
  process.chdir(cwd);
});

afterEach(() => process.chdir(home));

const LEDGER = join('.chatform', 'default.ledger.ndjson');

const PLACE = ['--ledger', LEDGER];

const apply = (terminal: Terminal, ...flags: readonly string[]) => atTerminal(['apply', ...flags], terminal);

const lease = (terminal: Terminal, ...args: readonly string[]) => atTerminal(['ledger', ...args], terminal);

const there = () => ['-f', join(cwd, 'manifest.yaml'), '--base-url', `emulator:${join(cwd, 'license.json')}`];

async function heldBy(user: string, { clock }: Terminal): Promise<void> {
  await mkdir('.chatform', { recursive: true });
  await takeLease({ lease: fileLease(LEDGER), holder: holderOf(user), run: user, clock, ttl: 60_000 });
}

async function stateFor({ clock }: Terminal): Promise<string> {
  return leaseState(await fileLease(LEDGER).read(), clock.now());
}

test('The word itself releases, and the question says what it would do to whom', async () => {
  const { terminal, asked, said } = fakeTerminal(' unlock\n');
  await heldBy('zoe', terminal);
  expect(await lease(terminal, 'unlock', ...PLACE)).toBe(0);
  expect(asked).toEqual([
    expect.stringMatching(/^\nLedger .* is held by zoe@build-7.*it stops in the middle.*Type unlock to go ahead: $/s),
  ]);
  expect(said()).toMatch(/^Released: ledger /);
  expect(await stateFor(terminal)).toBe('free');
});

test('Any other answer releases nothing, and neither does nobody', async () => {
  for (const answer of ['', 'y', 'yes', 'apply', null]) {
    const { terminal } = fakeTerminal(answer);
    await heldBy('zoe', terminal);
    expect([answer, await lease(terminal, 'unlock', ...PLACE)]).toEqual([answer, 1]);
    expect(await stateFor(terminal)).toBe('held');
  }
});

test('What is free needs no release, and asking for one leaves no file', async () => {
  const { terminal, asked, said } = fakeTerminal('unlock');
  await writeFile('ledger.ndjson', '');
  expect(await lease(terminal, 'unlock', '--ledger', 'ledger.ndjson')).toBe(0);
  expect([asked, said()]).toEqual([[], 'Ledger ledger.ndjson is free: no run has held it yet.\n']);
  expect(await readdir(cwd)).toEqual(['ledger.ndjson', 'manifest.yaml']);
});

test('A misspelt ledger is not passed off as free', async () => {
  const status = (...flags: readonly string[]) => refusal(['ledger', 'lock', ...flags], fakeTerminal('unlock'));
  expect(await status('--ledger', 'legder.ndjson')).toMatch(/legder\.ndjson: there is no such file/);
  expect(await status('--ledger', LEDGER, '-t', 'shop')).toMatch(/-t/);
});

test('A lease that changed hands while the person thought is not released', async () => {
  const { terminal } = fakeTerminal(null);
  await heldBy('zoe', terminal);
  const slow: Terminal = {
    ...terminal,
    ask: async () => {
      await terminal.clock.sleep(70_000);
      await heldBy('yan', terminal);
      return 'unlock';
    },
  };
  expect(await lease(slow, 'unlock', ...PLACE)).toBe(4);
  expect(await fileLease(LEDGER).read()).toMatchObject({ run: 'yan' });
});

test('The status tells a lease that is held from one that has run out and one that was given back', async () => {
  const { terminal, said } = fakeTerminal(null);
  await heldBy('zoe', terminal);
  await lease(terminal, 'lock', ...PLACE);
  await terminal.clock.sleep(70_000);
  await lease(terminal, 'lock', ...PLACE);
  await lease(terminal, 'unlock', ...PLACE, '--yes');
  await lease(terminal, 'lock', ...PLACE);
  expect(said().split('\n')).toEqual([
    'Ledger .chatform/default.ledger.ndjson is held by zoe@build-7 (pid 4711, chatform apply) since 2026-01-05T09:00:00.000Z, until 2026-01-05T09:01:10.000Z unless it is renewed.',
    'Ledger .chatform/default.ledger.ndjson was held by zoe@build-7 (pid 4711, chatform apply) until 2026-01-05T09:01:10.000Z, and not released: the next run takes it.',
    'Released: ledger .chatform/default.ledger.ndjson was held by zoe@build-7 (pid 4711, chatform apply). If that run is still alive, it sends nothing more.',
    'Ledger .chatform/default.ledger.ndjson is free: ann@build-7 (pid 4711, chatform ledger unlock) released it at 2026-01-05T09:01:10.000Z.',
    '',
  ]);
});

test('The release that is offered is that of the same target, not of the default one', async () => {
  const target = (name: string) => `  ${name}: { base_url: "emulator:${name}.json" }\n`;
  const head = 'version: 1\nmanifest: [manifest.yaml]\ndefault_target: north\ntargets:\n';
  await writeFile('chatform.yaml', `${head}${target('north')}${target('south')}`);
  const { terminal, said } = fakeTerminal(null);
  await mkdir('.chatform');
  const south = fileLease(join('.chatform', 'south.ledger.ndjson'));
  await takeLease({ lease: south, holder: holderOf('zoe'), run: 'zoe', clock: terminal.clock, ttl: 60_000 });
  expect(await apply(terminal, '-t', 'south', '--yes')).toBe(4);
  expect(said()).toMatch(/: chatform ledger unlock --ledger .chatform\/south.ledger.ndjson$/m);
  await heldBy('zoe', terminal);
  expect(await apply(terminal, ...there(), '--yes')).toBe(4);
  expect(said()).toContain(`: chatform ledger unlock --ledger ${LEDGER}\n`);
});

test('A holder whose clock is far ahead is named as such, because its lease seems to last longer', async () => {
  const { terminal, said } = fakeTerminal(null);
  await heldBy('zoe', { ...terminal, clock: { ...terminal.clock, now: () => terminal.clock.now() + 3_600_000 } });
  expect(await apply(terminal, ...there(), '--yes')).toBe(4);
  expect(said()).toContain('the clock of that machine is 3600 s ahead of this one');
});

test('A holder that would command a terminal is written out', async () => {
  const { terminal, said } = fakeTerminal(null);
  await heldBy('zoe\u001b[2J\u202e', terminal);
  expect(await lease(terminal, 'lock', ...PLACE)).toBe(0);
  expect(said()).toContain('zoe\\u001b[2J\\u202e@build-7');
});

test('Locked by hand, it keeps runs away and says why, until its time is over or a person ends it', async () => {
  const { terminal, said } = fakeTerminal(null);
  expect(await lease(terminal, 'lock', ...PLACE, '--reason', 'new shifts', '--for', '2h')).toBe(1);
  await mkdir('.chatform', { recursive: true });
  await writeFile(LEDGER, '');
  expect(await lease(terminal, 'lock', ...PLACE, '--reason', 'new shifts', '--for', '2h')).toBe(0);
  expect(await apply(terminal, ...there(), '--yes')).toBe(4);
  expect(said()).toMatch(
    /default is locked by ann@build-7 \(new shifts\) since \S+09:00:00.000Z, until \S+11:00:10.000Z\n +wait until then, or ask that person to run: chatform ledger unlock --ledger /,
  );
  expect(await lease(terminal, 'lock', ...PLACE, '--reason', 'another')).toBe(4);
  expect(await lease(terminal, 'unlock', ...PLACE, '--yes')).toBe(0);
  expect(said()).toMatch(/Released: ledger \S+ was held by ann@build-7 \(new shifts\)\.\n/);
  expect(await apply(terminal, ...there(), '--yes')).toBe(0);
  expect(await lease(terminal, 'lock', ...PLACE, '--reason', 'new shifts')).toBe(0);
  await terminal.clock.sleep(3_611_000);
  expect(await apply(terminal, ...there(), '--yes')).toBe(0);
});

test('An apply waits for the lease of another run as long as it is told to, and says so once', async () => {
  const { terminal, said } = fakeTerminal(null);
  await heldBy('zoe', terminal);
  expect(await apply(terminal, ...there(), '--yes', '--lock-timeout', '1m')).toBe(4);
  expect(terminal.clock.now()).toBe(Date.parse('2026-01-05T09:01:00Z'));
  expect(await apply(terminal, ...there(), '--yes', '--lock-timeout', '1m')).toBe(0);
  expect(
    said().match(/^Waiting until .* at most for the lease of zoe@build-7 \(pid 4711, chatform apply\)\.$/gm),
  ).toHaveLength(2);
});

/** A person who takes a minute and a half to answer; `meanwhile` every 20 seconds. */
function thinking({ terminal }: FakeTerminal, meanwhile: (beats: number) => Promise<void>): Terminal {
  return {
    ...terminal,
    ask: async () => {
      for (let beats = 1; beats <= 4; beats += 1) {
        await terminal.clock.sleep(20_000);
        await meanwhile(beats);
      }
      return 'apply';
    },
  };
}

test('While a person thinks about a plan, the heartbeat keeps the lease', async () => {
  const fake = fakeTerminal(null);
  const patient = thinking(fake, async (beats) => {
    fake.beat();
    while ((await fileLease(LEDGER).read())?.generation !== beats + 1);
  });
  expect(await apply(patient, ...there())).toBe(0);
  expect(fake.said()).toContain('3 added, 0 changed, 0 destroyed');
});

test('A machine that slept at the question applies nothing: the license may have changed since the plan', async () => {
  const fake = fakeTerminal(null);
  expect(
    await apply(
      thinking(fake, async () => {}),
      ...there(),
    ),
  ).toBe(4);
  expect(fake.said()).toContain(
    'the lease was lost before anything was changed: it ran out at 2026-01-05T09:01:00.000Z',
  );
  expect(await readdir(cwd)).not.toContain('license.json');
});

test('Commands that change the ledger are kept out of a run, and those that look at it are not', async () => {
  const { terminal, said } = fakeTerminal('forget');
  await heldBy('zoe', terminal);
  await writeFile(LEDGER, '');
  const ledger = (...args: readonly string[]) => atTerminal(['ledger', ...args, ...PLACE], terminal);
  for (const work of [['compact'], ['forget', 'group/sales'], ['repair']]) expect(await ledger(...work)).toBe(4);
  expect(said()).toContain('ledger .chatform/default.ledger.ndjson is locked by zoe@build-7');
  expect(await ledger('show')).toBe(0);
  await lease(terminal, 'unlock', ...PLACE, '--yes');
  expect(await ledger('compact')).toBe(0);
  expect(await stateFor(terminal)).toBe('free');
});
