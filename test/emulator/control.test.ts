import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { createEmulator, withControl } from '../../src/emulator/index.ts';
import { callerOf, START, seededRandom } from './caller.ts';

const ANN = { id: 'ann', name: 'Ann' };

interface Steered {
  readonly emulator: Emulator;
  readonly commits: () => number;
  /** GET without a body, POST with one; gives status and parsed reply. */
  readonly steer: (name: string, body?: unknown) => Promise<readonly [number, ReturnType<typeof JSON.parse>]>;
  readonly call: (action: string, body?: unknown) => Promise<ReturnType<typeof JSON.parse>>;
}

function steered(onCommit: () => void = () => {}): Steered {
  let commits = 0;
  const emulator = createEmulator({
    now: () => START,
    random: seededRandom(1),
    seed: { agents: [ANN] },
    onCommit: () => {
      commits += 1;
      onCommit();
    },
  });
  const { fetch } = withControl(emulator);
  const steer: Steered['steer'] = async (name, body) => {
    const json = { 'content-type': 'application/json' };
    const how = body === undefined ? {} : { method: 'POST', headers: json, body: JSON.stringify(body) };
    const reply = await fetch(new Request(`http://emulator/_emulator/${name}`, how));
    return [reply.status, await reply.json()];
  };
  return { emulator, commits: () => commits, steer, call: callerOf({ ...emulator, fetch }).call };
}

test('Without being asked for there is no control', async () => {
  const { emulator } = steered();
  const reply = await emulator.fetch(new Request('http://emulator/_emulator/stats'));
  expect(reply.status).toBe(404);
});

test('The statistics and the log tell what was asked of the license, and not what steered it', async () => {
  const { steer, call } = steered();
  await call('list_agents');
  await call('list_agents');
  await call('list_groups');
  expect(await steer('stats')).toEqual([200, { total: 3, requests: { list_agents: 2, list_groups: 1 } }]);
  const [, log] = await steer('log');
  expect(log).toHaveLength(3);
  expect(log[2]).toEqual({
    at: START,
    version: '3.6',
    action: 'list_groups',
    status: 200,
    error: null,
    faults: [],
  });
});

test('A reset brings back the beginning, or clears the statistics alone', async () => {
  const { steer, call, commits } = steered();
  await call('create_agent', { id: 'bob', name: 'Bob' });
  expect(await steer('reset', { stats: true })).toEqual([200, {}]);
  expect(await steer('stats')).toEqual([200, { total: 0, requests: {} }]);
  expect(await call('list_agents')).toHaveLength(3);
  const before = commits();
  expect(await steer('reset', {})).toEqual([200, {}]);
  expect(await call('list_agents')).toHaveLength(2);
  expect(commits()).toBe(before + 1);
});

test('A seed and a snapshot replace the license', async () => {
  const { steer, call } = steered();
  const [, saved] = await steer('snapshot');
  await steer('seed', { agents: ['x', 'y', 'z'].map((id) => ({ id, name: id })) });
  expect(await call('list_agents')).toHaveLength(4);
  expect(await steer('snapshot', saved)).toEqual([200, {}]);
  expect(await call('list_agents')).toHaveLength(2);
});

test('The clock goes ahead, and what was written has had that long to propagate', async () => {
  const { emulator, steer, call } = steered();
  emulator.setFaults({ faults: [{ type: 'stale', lag: { from: 60_000, to: 60_000 } }] });
  await call('create_agent', { id: 'bob', name: 'Bob' });
  expect(await call('list_agents')).toHaveLength(2);
  expect(await steer('clock', { advance: 60_000 })).toEqual([
    200,
    { now: START + 60_000, date: new Date(START + 60_000).toISOString() },
  ]);
  expect(await call('list_agents')).toHaveLength(3);
});

test('A scenario can be played from here on, and tells how often it struck', async () => {
  const { steer, call } = steered();
  const scenario = { seed: 3, faults: [{ type: 'error', error: 'internal', times: 1 }] };
  expect(await steer('faults', scenario)).toEqual([200, { scenario, struck: [0] }]);
  await expect(call('list_agents')).rejects.toThrow('500');
  await call('list_agents');
  expect(await steer('faults')).toEqual([200, { scenario, struck: [1] }]);
});

describe('What is wrong is refused, and changes nothing', () => {
  test.each<[string, unknown, number, string]>([
    ['nothing', undefined, 404, '/_emulator/ stats, log, webhooks, reset, seed, snapshot, clock, faults'],
    ['seed', undefined, 405, 'method GET is not allowed, POST is'],
    ['stats', {}, 405, 'method POST is not allowed, GET is'],
    ['seed', { agints: [] }, 400, '`agints` is not a known member'],
    ['snapshot', {}, 400, '`format` is required'],
    ['clock', { advance: -1 }, 400, '`advance` must be between 0'],
    ['faults', { faults: [{ type: 'x' }] }, 400, '`faults[0].type` must be one of'],
    ['reset', [], 400, 'must be an object'],
  ])('%s %j answers %i', async (name, body, status, message) => {
    const { emulator, steer } = steered();
    const before = emulator.snapshot();
    const [answered, reply] = await steer(name, body);
    expect([answered, reply.error.message]).toEqual([status, expect.stringContaining(message)]);
    expect(emulator.snapshot()).toEqual(before);
  });

  test('text that is no JSON', async () => {
    const { fetch } = withControl(steered().emulator);
    const post = (type: string, body: string) =>
      fetch(new Request('http://x/_emulator/seed', { method: 'POST', headers: { 'content-type': type }, body }));
    expect((await post('application/json', '{')).status).toBe(400);
    expect((await post('text/plain', '{}')).status).toBe(400);
  });

  test('what the disk refuses', async () => {
    const refuse = () => {
      throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    };
    expect(await steered(refuse).steer('reset', {})).toMatchObject([500, { error: { type: 'internal' } }]);
  });
});
