// A run that uses up its time: it stops sending, and its report tells the truth.

import { afterEach, describe, expect, test, vi } from 'vitest';
import { endedApply } from '../../../src/features/apply/report.ts';
import { applyView } from '../../../src/features/apply/view.ts';
import { limited } from '../../../src/license/transport.ts';
import type { Exchange } from '../../../src/service/exchange.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { chatform, folder, project, spawned } from '../../cli/chatform.ts';
import { declare, desiredOf } from '../../desired.ts';
import { world } from '../../world.ts';

const timeUp = (): DOMException => new DOMException('the time of the run is up', 'TimeoutError');
const ANN = 'agent/ann@example.com';
const desired = desiredOf([
  declare('agent', 'ann@example.com', { name: 'Ann' }),
  declare('group', 'sales', { name: 'Sales', agent_priorities: { [ANN]: 'normal' } }),
]);

/** The time is up while the first request for an action is under way, which still goes through. */
function upAt(action: string, controller: AbortController): (exchange: Exchange) => Exchange {
  return (exchange) => (request) => {
    if (request.url.endsWith(`/${action}`)) controller.abort(timeUp());
    return exchange(request);
  };
}

describe('when the time is up', () => {
  test('what is under way is waited for, nothing more is sent, and the run is partial', async () => {
    const controller = new AbortController();
    const made = world({ wrap: upAt('batch_create_agents', controller) });
    const plan = await made.plan(desired);
    const report = await made.apply(plan, desired, { signal: controller.signal });
    expect(report.results.map(({ step, outcome }) => [step.id, outcome.status])).toEqual([
      [`create ${ANN}`, 'done'],
      ['create group/sales', 'not-sent'],
    ]);
    expect(report).toMatchObject({ outcome: 'partial', timedOut: true, failure: null });
    expect(made.emulator.stats()['create_group']).toBeUndefined();
    const end = endedApply(report);
    expect(end).toMatchObject({ outcome: 'partial', stopped_by: 'time', message: 'the time of the run is up' });
    const view = applyView('apply', { plan, end: { type: 'ended', run: 'r', report: end, sent: {} }, customers: null });
    expect(terminalText(view, uncoloured)).toContain('The run reached its time limit');
    expect(await made.apply(await made.plan(desired), desired)).toMatchObject({ outcome: 'done', timedOut: false });
  });

  test('before the first write, nothing was applied', async () => {
    const made = world();
    const report = await made.apply(await made.plan(desired), desired, { signal: AbortSignal.abort(timeUp()) });
    expect(report).toMatchObject({ outcome: 'failed', timedOut: true });
    expect(Object.keys(made.emulator.stats()).filter((name) => !name.startsWith('list_'))).toEqual([]);
  });

  test('after the last write, everything was written and not everything was seen', async () => {
    const controller = new AbortController();
    const made = world({ wrap: upAt('create_group', controller), propagationDelay: 5000 });
    const report = await made.apply(await made.plan(desired), desired, { signal: controller.signal });
    expect(report).toMatchObject({ outcome: 'unsettled', timedOut: true });
    expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['done', 'done']);
  });

  test('and everything was written and seen all the same, nobody has to hear of it', async () => {
    const controller = new AbortController();
    const made = world({ wrap: upAt('create_group', controller) });
    const report = await made.apply(await made.plan(desired), desired, { signal: controller.signal });
    expect(report).toMatchObject({ outcome: 'done', timedOut: false });
  });
});

describe('the signal of a run', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is aborted by a time-out when the time is up, however long that is, and by an interruption before', () => {
    vi.useFakeTimers();
    const interruption = new AbortController();
    const [short, long, interrupted, over] = [
      limited(interruption.signal, 1000),
      limited(interruption.signal, 2 ** 40),
      limited(interruption.signal, 2000),
      limited(interruption.signal, 1000),
    ];
    vi.advanceTimersByTime(999);
    over.clear();
    expect(short.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(short.signal.reason).toMatchObject({ name: 'TimeoutError' });
    interruption.abort();
    expect([long, interrupted, over].map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(interrupted.signal.reason).toMatchObject({ name: 'AbortError' });
    expect(limited(AbortSignal.abort('before'), 5).signal.reason).toBe('before');
  });
});

test('--timeout ends a run before it has read the license with 1, and says which time it was', async () => {
  const cwd = await folder(project('run_timeout: 1h'));
  // A process of its own, because with warm modules a reading can take less than a millisecond.
  const { code, stdout } = await spawned(['apply', '--yes', '--json', '--timeout', '1ms'], { cwd });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ errored: true, message: expect.stringContaining('--timeout') });
  const wrong = await chatform(['plan', '--timeout', '10'], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('30s')]);
});
