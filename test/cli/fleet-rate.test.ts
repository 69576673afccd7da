// The requests of several processes on one token, and of licenses of two tokens, as the service sees them. `TRIES=all` has 900 licenses of one of them.

import { beforeAll, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/index.ts';
import { postgresBinaries } from '../ledger/postgres/binaries.ts';
import { type SharedServer, sharedServer } from '../ledger/postgres/server.ts';
import { tries } from '../tries.ts';
import { chatform, type Running, start } from './chatform.ts';
import { repository } from './repository.ts';
import { served } from './served.ts';

const FOUND = await postgresBinaries();

/** At full length. */
const tell = (line: string): void => void (tries(1, 0) === 1 && process.stdout.write(`${line}\n`));

/** Licenses behind one port, each below its name, and when their requests came, in milliseconds. */
async function licenses() {
  const emulators = new Map<string, Emulator>();
  const asked: { readonly name: string; readonly at: number }[] = [];
  const { url } = await served({}, () => async (request) => {
    const [, name = '', target = ''] = /^\/([^/]+)(.*)$/.exec(request.target) ?? [];
    const emulator = emulators.get(name) ?? createEmulator({ now: Date.now, random: Math.random });
    emulators.set(name, emulator);
    asked.push({ name, at: Date.now() });
    return emulator.handle({ ...request, target });
  });
  return { url, asked };
}

/** A project whose licenses have the tokens of these variables. */
function agency(url: string, rate: string, tokens: ReadonlyMap<string, string>, store: string) {
  const rows = Array.from(tokens, ([name, token]) => `${name},${token}\n`);
  return repository({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
${store}targets_from: { csv: licenses.csv }
defaults:
  base_url: "${url}/\${target.name}"
  token_env: "TOKEN_\${row.account}"
fleet:
  rate: ${rate}
  waves: [{ name: all, parallel: 48 }]
`,
    'manifest.yaml': 'version: 1\ngroups: { support: { name: Support } }\n',
    'licenses.csv': `name,account\n${rows.join('')}`,
    '.gitignore': '.chatform/\n',
  });
}

const many = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(3, '0')}`);

const STORE = 'ledger_store: { postgres_env: DATABASE_URL }\n';

const TOKENS = { TOKEN_A: 'dal:token-a', TOKEN_B: 'dal:token-b' };

describe.skipIf('missing' in FOUND)('workers of one database', () => {
  let server: SharedServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  /** Starts workers in a checkout. */
  async function working(cwd: string, count: number) {
    const env = { ...TOKENS, DATABASE_URL: await server.newDatabase() };
    const migrated = await chatform(['ledger', 'migrate'], { cwd, env });
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    const workers: Running[] = [];
    for (let each = 0; each < count; each += 1) {
      const worker = start(['fleet', 'worker'], { cwd, env });
      await worker.says('stderr', 'Working on');
      workers.push(worker);
    }
    return { env, workers };
  }

  test('keep the rate of their token together', async () => {
    const { url, asked } = await licenses();
    const cwd = await agency(url, '20/s', new Map(many('a', 40).map((name) => [name, 'A'])), STORE);
    const { env } = await working(cwd, 3);
    expect(await chatform(['apply', '--all', '--yes', '-q', '--workers'], { cwd, env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('40 applied'),
    });
    const times = asked.map(({ at }) => at).toSorted((a, b) => a - b);
    const took = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
    tell(`3 workers, 20/s: ${times.length} requests in ${took} s, at most ${most} in a second`);
    expect(times.length).toBeGreaterThanOrEqual(120);
    // A burst of 4, and a second in which a busy machine lets requests pile up. Three budgets would let 72 pass.
    expect(most).toBeLessThanOrEqual(4 + 20 * 2);
    expect(times.length).toBeLessThanOrEqual(4 + 20 * (took + 1));
    expect(took).toBeLessThan((tries(1.5, 2.5) * times.length) / 20);
  }, 120_000);

  test(
    'do not let few licenses of a token wait for many of another',
    () =>
      fairness(STORE, async (cwd, args) => {
        const { env, workers } = await working(cwd, 3);
        return [start([...args, '--workers'], { cwd, env }), ...workers];
      }),
    240_000,
  );
});

test(
  'One process does not let few licenses of a token wait for many of another',
  () => fairness('', async (cwd, args) => [start(args, { cwd, env: TOKENS })]),
  240_000,
);

/** Measures few licenses of a token alone, and next to many of another one. `begin` starts the processes of an apply. */
async function fairness(
  store: string,
  begin: (cwd: string, args: readonly string[]) => Promise<readonly Running[]>,
): Promise<void> {
  const [few, all] = [many('z', 3), many('a', tries(900, 60))];
  const tokens = new Map([...all.map((name) => [name, 'A'] as const), ...few.map((name) => [name, 'B'] as const)]);
  /** Milliseconds from the first request of a run to the last one of the few. */
  const timed = async (...choice: readonly string[]): Promise<number> => {
    const { url, asked } = await licenses();
    const processes = await begin(await agency(url, '4/s', tokens, store), ['apply', ...choice, '--yes', '-q']);
    const ofFew = () => asked.filter(({ name }) => few.includes(name));
    await expect.poll(() => ofFew().length, { timeout: 60_000, interval: 50 }).toBeGreaterThanOrEqual(9);
    const took = (ofFew().at(-1)?.at ?? 0) - (asked[0]?.at ?? 0);
    for (const each of processes) each.kill('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
    return took;
  };
  const alone = await timed('-t', 'z*');
  const next = await timed('--all');
  tell(`3 licenses: ${alone} ms alone, ${next} ms next to ${all.length} of another token`);
  expect(next).toBeLessThanOrEqual(tries(2, 4) * alone);
}
