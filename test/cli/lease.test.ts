// Two runs and one target, as real processes: who is locked out and told what, who takes over, and that whoever lost the lease sends nothing more.
// Nothing waits for time to pass: a run is held at a request, and clocks are made to leap. `npm run test:all` has the long version of the first test.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator, listen } from '../../src/emulator/index.ts';
import { type LeaseState, leaseState } from '../../src/ledger/lease.ts';
import { fileLease } from '../../src/ledger/lease-file.ts';
import { tries } from '../tries.ts';
import { chatform, filesIn, folder, project, type Ran, type Running, start } from './chatform.ts';

const ROUNDS = tries(50, 2);

interface Service {
  readonly emulator: Emulator;
  readonly url: string;
  /** Resolves when the first request that is held has been carried out; its answer waits for `go`. */
  readonly arrived: Promise<void>;
  readonly go: () => void;
}

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A service that holds its answers to requests for these actions until it is told to go on. */
async function serviceHolding(actions: RegExp): Promise<Service> {
  const emulator = createEmulator({ now: Date.now, random: Math.random });
  const arrival = gate();
  const release = gate();
  const handle: Emulator['handle'] = async (asked) => {
    const reply = await emulator.handle(asked);
    if (actions.test(asked.target)) {
      arrival.open();
      await release.opened;
    }
    return reply;
  };
  const server = await listen({ handle }, { port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    release.open();
    await server.close();
  });
  return { emulator, url: server.url, arrived: arrival.opened, go: release.open };
}

const writesOf = (emulator: Emulator) =>
  Object.fromEntries(Object.entries(emulator.stats()).filter(([action]) => !/^(list|get)_/.test(action)));

/** Of a process whose clock is ahead by 75 seconds, from the beginning or from SIGUSR2 on. */
const LEAP = `
let ahead = process.env.AHEAD === undefined ? 0 : 75_000;
const { now } = Date;
Date.now = () => now() + ahead;
process.on('SIGUSR2', () => { ahead += 75_000; process.stderr.write('leapt\\n'); });
`;

interface Site {
  readonly cwd: string;
  readonly apply: (...more: readonly string[]) => Running;
  readonly later: (...more: readonly string[]) => Running;
}

async function site(url: string): Promise<Site> {
  const cwd = await folder(project());
  const leap = join(cwd, 'leap.mjs');
  await writeFile(leap, LEAP);
  const env = { CHATFORM_TOKEN: 'dal:token', NODE_OPTIONS: `--import=file://${leap}` };
  const args = ['apply', '--yes', '--base-url', url];
  return {
    cwd,
    apply: (...more) => start([...args, ...more], { cwd, env }),
    later: (...more) => start([...args, ...more], { cwd, env: { ...env, AHEAD: 'yes' } }),
  };
}

async function stateIn(cwd: string): Promise<LeaseState> {
  return leaseState(await fileLease(join(cwd, 'ledger.ndjson')).read(), Date.now());
}

const WHOLE = { batch_create_agents: 1, create_group: 1, add_auto_access: 1 };

test(
  'Of two applies at once on one target, one wins and the other exits 4',
  async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      // Nothing is answered before one of them has ended, so both run at the same time however slow this machine is.
      const { emulator, url, go } = await serviceHolding(/./);
      const { cwd, apply } = await site(url);
      const both = [apply().ended, apply().ended];
      const loser = await Promise.race(both);
      expect([round, loser.code, loser.stdout]).toEqual([round, 4, '']);
      expect(loser.stderr).toMatch(
        /^Error: target here is locked by \S+@\S+ \(pid \d+, chatform apply\) since 2\S+Z, until 2/,
      );
      go();
      const codes = (await Promise.all(both)).map(({ code }) => code);
      expect([round, codes.toSorted(), writesOf(emulator)]).toEqual([round, [0, 4], WHOLE]);
      expect(await stateIn(cwd)).toBe('free');
    }
  },
  60_000 + ROUNDS * 5_000,
);

test('An expired holder that wakes up writes nothing more, exits 6, and says why', async () => {
  const { emulator, url, arrived, go } = await serviceHolding(/batch_create_agents/);
  const { apply } = await site(url);
  const sleeper = apply();
  await arrived;
  sleeper.kill('SIGUSR2');
  await sleeper.says('stderr', 'leapt');
  go();
  const { code, stdout } = await sleeper.ended;
  expect(writesOf(emulator)).toEqual({ batch_create_agents: 1 });
  expect(code).toBe(6);
  expect(stdout).toContain('Nothing more was sent: the lease was lost: it ran out at ');
  expect(stdout).toContain('Applied in part. 1 added, 0 changed, 0 destroyed.');
});

test('A holder that was suspended while another run took its place writes nothing more', async () => {
  const { emulator, url, arrived, go } = await serviceHolding(/batch_create_agents/);
  const { cwd, apply, later } = await site(url);
  const sleeper = apply('--json');
  await arrived;
  sleeper.kill('SIGSTOP');
  const next = await later().ended;
  expect([next.code, next.stderr]).toEqual([0, expect.stringMatching(/^Warning: the lease took over from /)]);
  expect(writesOf(emulator)).toEqual(WHOLE);
  sleeper.kill('SIGCONT');
  go();
  const { code, stdout } = await sleeper.ended;
  expect([code, writesOf(emulator)]).toEqual([6, WHOLE]);
  expect(JSON.parse(stdout)).toMatchObject({
    errored: true,
    outcome: 'partial',
    message: expect.stringMatching(/^the lease was lost: it was taken from this run by /),
  });
  expect(await stateIn(cwd)).toBe('free');
});

describe('a run that holds its target', () => {
  async function holding(): Promise<Site & { readonly holder: Running; readonly service: Service }> {
    const service = await serviceHolding(/list_agents/);
    const made = await site(service.url);
    const holder = made.apply();
    await service.arrived;
    return { ...made, holder, service };
  }

  test('It is named to whoever comes next, with the way to go on, in text and in JSON', async () => {
    const { cwd, apply } = await holding();
    const [text, json] = await Promise.all([apply().ended, apply('--json').ended]);
    expect([text.code, text.stdout]).toEqual([4, '']);
    expect(text.stderr).toContain('wait until that run has ended');
    expect(text.stderr).toContain('chatform ledger unlock');
    expect(json.code).toBe(4);
    const holder = { user: expect.any(String), host: expect.any(String), pid: expect.any(Number), command: 'apply' };
    const lease = { generation: 1, holder, since: expect.stringMatching(/^2/), open_from: expect.stringMatching(/^2/) };
    expect(JSON.parse(json.stdout)).toMatchObject({ errored: true, ledger: 'ledger.ndjson', state: 'held', lease });
    const status = await chatform(['ledger', 'lock', '--json'], { cwd });
    expect(JSON.parse(status.stdout)).toMatchObject({ errored: false, ledger: 'ledger.ndjson', state: 'held', lease });
  });

  test('It keeps nobody from planning and validating', async () => {
    const { cwd } = await holding();
    for (const command of ['plan', 'validate'])
      expect([command, (await chatform([command], { cwd })).code]).toEqual([command, 0]);
  });

  test('Interrupted, it gives the target back', async () => {
    const { cwd, holder } = await holding();
    holder.kill('SIGINT');
    expect((await holder.ended).code).toBe(130);
    expect(await stateIn(cwd)).toBe('free');
  });

  test('Killed, it locks the target until its lease has run out, and then the next run takes over', async () => {
    const { cwd, holder, apply, later, service } = await holding();
    holder.kill('SIGKILL');
    await holder.ended;
    service.go();
    expect((await apply().ended).code).toBe(4);
    const { code, stderr } = await later().ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining('which ended without giving it back')]);
    expect(writesOf(service.emulator)).toEqual(WHOLE);
    expect(await stateIn(cwd)).toBe('free');
  });

  test('Released by hand, it applies nothing and exits 4', async () => {
    const { cwd, holder, service } = await holding();
    const released = await chatform(['ledger', 'unlock', '--yes'], { cwd });
    expect([released.code, released.stdout]).toEqual([0, expect.stringMatching(/^Released: target here was held by /)]);
    service.go();
    const { code, stderr } = await holder.ended;
    expect([code, writesOf(service.emulator)]).toEqual([4, {}]);
    expect(stderr).toContain('was lost before anything was changed: it was taken from this run by ');
  });
});

test('However an apply ends, the target is free afterwards', async () => {
  const bot = { 'manifest.yaml': 'version: 1\nbots: { triage: { name: Triage } }\n' };
  const ends: readonly (readonly [number, { readonly [name: string]: string }, readonly string[]])[] = [
    [0, project(), ['--yes']],
    [1, project(), []],
    [1, project(), ['--yes', '--base-url', 'http://127.0.0.1:1']],
    [1, { ...project(), 'ledger.ndjson': 'garbage\n\n' }, ['--yes']],
    [3, { ...project(), ...bot }, ['--yes']],
    [6, project('propagation_delay: 60s', 'propagation_timeout: 1ms'), ['--yes']],
  ];
  for (const [wanted, files, flags] of ends) {
    const cwd = await folder(files);
    const { code }: Ran = await chatform(['apply', ...flags], { cwd });
    expect([flags, code, await stateIn(cwd)]).toEqual([flags, wanted, 'free']);
    expect(Object.keys(await filesIn(cwd))).toContain('ledger.ndjson.lease.2');
  }
});
