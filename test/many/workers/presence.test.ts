import { expect, test } from 'vitest';
import type { EngineConnection } from '../../../src/many/workers/connection.ts';
import { presence } from '../../../src/many/workers/presence.ts';
import { leapingClock, START } from '../names.ts';

const HOLDER = { user: 'ann', host: 'build-7', pid: 7, command: 'fleet worker' };

interface Rigged {
  readonly look: () => Promise<void>;
  readonly fails?: (second: number) => boolean;
  /** The worker that lives longer. */
  readonly older?: { readonly id: string; readonly project: string } | null;
  readonly schedule?: () => Promise<void>;
}

/** A server with one worker, perhaps next to an older one, which writes down when the row of the worker was renewed: in seconds since the start. */
function rig({
  look,
  fails = () => false,
  older = { id: 'w0', project: 'chatform' },
  schedule = async () => {},
}: Rigged) {
  const clock = leapingClock();
  const second = (): number => (clock.now() - START) / 1_000;
  const asked: string[] = [];
  const logged: string[] = [];
  const query = async (sql: string) => {
    if (fails(second())) throw new Error('no server');
    const [, what] = /chatform\.(\w+)/.exec(sql) ?? [];
    if (what !== 'worker') asked.push(`${what} ${second()}`);
    const alive = [...(older === null ? [] : [older]), { id: 'w1', project: 'chatform' }];
    const rowOf = ({ id, project }: { readonly id: string; readonly project: string }) => ({
      id,
      state: { project, parallel: 4 },
      since: new Date(START),
    });
    return { rows: what === 'worker' ? alive.map(rowOf) : [] };
  };
  const client = { retrieveQueue: async () => null, listWorkflows: async () => [] };
  const connection = { pool: { query }, answering: async () => client, close: async () => {} };
  const made = presence(connection as unknown as EngineConnection, {
    id: 'w1',
    state: () => ({ holder: HOLDER, project: 'chatform', parallel: 4, refused: [] }),
    ttl: 15_000,
    clock,
    log: (_, message) => void logged.push(`${message} ${second()}`),
    watchdog: { look },
    schedule,
  });
  return { clock, asked, logged, made };
}

test('A worker says that it is alive at its start, three times in each time to live, and is gone in the end', async () => {
  const { made, clock, asked } = rig({ look: async () => {} });
  await made.begin();
  await clock.sleep(16_500);
  await made.end();
  expect(asked.map((each) => each.replace(/(?<=drop_worker).*/, ''))).toEqual([
    'keep_worker 0',
    'keep_worker 5',
    'keep_worker 10',
    'keep_worker 15',
    'drop_worker',
  ]);
});

test('A look that does not end delays neither the next sign of life nor, for long, the end', async () => {
  let looks = 0;
  const look = () => {
    looks += 1;
    return new Promise<void>(() => {});
  };
  const { made, clock, asked } = rig({ look });
  await made.begin();
  await clock.sleep(31_000);
  await made.end();
  expect(looks).toBe(1);
  expect(asked.filter((each) => each.startsWith('keep'))).toHaveLength(7);
  expect(clock.now() - START).toBe(36_000);
});

test('A server that is away is told each second, and at once when it is back', async () => {
  const { made, clock, asked, logged } = rig({ look: async () => {}, fails: (second) => second > 4 && second < 20 });
  await made.begin();
  await clock.sleep(21_500);
  await made.end();
  expect(asked.slice(0, 2)).toEqual(['keep_worker 0', 'keep_worker 20']);
  expect(logged.filter((each) => each.includes('that it is alive'))).toHaveLength(15);
  expect(logged[0]).toMatch(/: no server 5$/);
});

test.each([
  ['alone', null, 3_601, 2],
  ['next to an older one of its project', { id: 'w0', project: 'chatform' }, 0, 0],
  ['next to an older one of another project', { id: 'w0', project: 'shop' }, 3_601, 0],
])(
  'A worker %s begins what is due each second, and forgets each hour, as far as that is its part',
  async (_, older, looks, forgets) => {
    let begun = 0;
    const schedule = async () => {
      begun += 1;
      throw new Error('the files have errors');
    };
    const { made, clock, asked, logged } = rig({ look: async () => {}, older, schedule });
    await made.begin();
    await clock.sleep(3_601_500);
    await made.end();
    expect(begun).toBe(looks);
    expect(asked.filter((each) => each.startsWith('forget_runs'))).toHaveLength(forgets);
    expect(logged[0]).toBe(looks > 0 ? 'the runs that are due could not be begun: the files have errors 1' : undefined);
  },
);
