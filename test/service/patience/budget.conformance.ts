// What every place that counts the requests of a token must do: one suite for all of them, on a clock that leaps over every wait.

import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock, Version } from '../../../src/base/model.ts';
import type { Exchange } from '../../../src/service/exchange.ts';
import type { Budget } from '../../../src/service/patience/budget.ts';
import { patient } from '../../../src/service/patience/retry.ts';
import type { ClientSettings } from '../../../src/service/sender.ts';
import { clientWith, failureOf, NOW, reply } from '../scripted.ts';

export interface BudgetPlace {
  /** Begins at NOW. */
  readonly clock: Clock;
  /** The budget of one token, for a process of its own where the place has several. */
  readonly open: () => Budget;
}

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);

/** Clients of one token, in four processes, and when each request left. */
function clients(
  count: number,
  { clock, open }: BudgetPlace,
  answer: (number: number, time: number) => Awaited<ReturnType<Exchange>>,
) {
  const budgets = Array.from({ length: Math.min(count, 4) }, open);
  const times: number[] = [];
  const exchange: Exchange = async () => {
    times.push(clock.now());
    return answer(times.length, clock.now());
  };
  const settings: Partial<ClientSettings<Version>> = { exchange, clock };
  const stop = new AbortController();
  const made = Array.from({ length: count }, (_, index) =>
    patient(clientWith(settings), {
      clock,
      random: () => 0,
      concurrency: 4,
      signal: stop.signal,
      budget: budgets[index % budgets.length] as Budget,
    }),
  );
  return { made, times, clock, stop };
}

/** In any stretch of time: no more than its rate and a burst. A timer is up to a millisecond late. */
function expectWithin(times: readonly number[], rate: number, burst: number): void {
  for (const [index, from] of times.entries())
    for (const [more, to] of times.slice(index).entries())
      expect(more + 1, `${to - from} ms`).toBeLessThanOrEqual(burst + ((to - from + 1) * rate) / 1_000);
}

/** `make` gives a place for a token that was never used. `examples`: how many random ones are tried. */
export function describeBudget(
  name: string,
  make: (rate: number | null) => Promise<BudgetPlace>,
  examples: number,
): void {
  describe(`a budget in ${name}`, () => {
    test('20 clients of one token never send more than the rate and a burst, and all of them are served', async () => {
      const { made, times, clock } = clients(20, await make(10), () => reply(200, []));
      await Promise.all(made.flatMap((client) => Array.from({ length: 10 }, () => client.call('list_groups', {}))));
      expect(times).toHaveLength(200);
      expectWithin(times, 10, 2);
      // Nothing of the budget is wasted.
      expect(clock.now() - NOW).toBeLessThan(20_000);
    });

    test('A 429 stops all clients until its Retry-After, and they go on at the rate', async () => {
      const { made, times } = clients(20, await make(10), (number) =>
        number === 5
          ? reply(429, { error: { type: 'too_many_requests', message: 'slow down' } }, { 'retry-after': '30' })
          : reply(200, []),
      );
      await Promise.all(made.flatMap((client) => [client.call('list_groups', {}), client.call('list_groups', {})]));
      expect(times).toHaveLength(41);
      const refused = times[4] ?? 0;
      const between = times.slice(5).filter((time) => time < refused + 30_000);
      expect(between).toEqual([]);
      expectWithin(times.slice(5), 10, 1);
    });

    test('A 429 stops all clients without a rate as well, and for a second without a Retry-After', async () => {
      const { made, times } = clients(3, await make(null), (number) =>
        number === 1 ? reply(429, { error: { type: 'too_many_requests', message: 'slow down' } }) : reply(200, []),
      );
      await made[0]?.call('list_groups', {});
      await Promise.all(made.map((client) => client.call('list_groups', {})));
      expect(times.map((time) => time - NOW)).toEqual([0, 1_000, 1_000, 1_000, 1_000]);
    });

    test('A Retry-After beyond what a request waits for closes the budget for no longer than that', async () => {
      const { made, times, clock } = clients(2, await make(null), (number) =>
        number === 1
          ? reply(429, { error: { type: 'too_many_requests', message: 'no' } }, { 'retry-after': '86400' })
          : reply(200, []),
      );
      const [first, second] = made;
      if (first === undefined || second === undefined) throw new Error('there are no clients');
      expect((await failureOf(first.call('list_groups', {}))).type).toBe('too_many_requests');
      // Another process has heard of it.
      await clock.sleep(1);
      await second.call('list_groups', {});
      expect(times.map((time) => time - NOW)).toEqual([0, 300_000]);
    });

    test('A request that waits for its turn is not sent once its run is stopped, and does not hold others', async () => {
      const { made, times, stop } = clients(1, await make(1), () => reply(200, []));
      const [client] = made;
      if (client === undefined) throw new Error('there is no client');
      await client.call('list_groups', {});
      const waiting = client.call('list_groups', {});
      stop.abort();
      expect((await failureOf(waiting)).type).toBe('aborted');
      expect(times).toHaveLength(1);
    });

    test('What is asked for after the run was stopped, such as the end of a chat, is sent in its turn', async () => {
      const { made, times, stop } = clients(1, await make(1), () => reply(200, []));
      const [client] = made;
      if (client === undefined) throw new Error('there is no client');
      await client.call('list_groups', {});
      stop.abort();
      await client.call('list_groups', {});
      expect(times.map((time) => time - NOW)).toEqual([0, 1_000]);
      const late = client.call('list_groups', {}, { stop: AbortSignal.abort() });
      expect((await failureOf(late)).type).toBe('aborted');
      expect(times).toHaveLength(2);
    });

    test('A turn that is given up while another one waits ends at once', async () => {
      const budget = (await make(1)).open();
      budget.close(NOW + 60_000);
      const stop = new AbortController();
      const order: string[] = [];
      const first = budget.turn(NEVER).then(() => order.push('first'));
      const second = budget.turn(stop.signal).then((isReady) => order.push(`second ${isReady}`));
      stop.abort();
      await Promise.all([first, second]);
      expect(order).toEqual(['second false', 'first']);
    });

    test('Whatever comes when, no stretch of time has more than the rate and a burst, and turns keep their order', async () => {
      const anyTurns = fc.array(
        fc.record({ after: fc.nat(3_000), process: fc.nat(2), close: fc.option(fc.nat(5_000), { freq: 8 }) }),
        { maxLength: 30 },
      );
      const property = fc.asyncProperty(anyTurns, fc.integer({ min: 1, max: 20 }), async (turns, rate) => {
        const { clock, open } = await make(rate);
        const budgets = [open(), open(), open()];
        const times: number[] = [];
        const orders = new Map<Budget, number[]>(budgets.map((budget) => [budget, []]));
        const closed: { from: number; until: number }[] = [];
        const waiting: Promise<unknown>[] = [];
        for (const [index, { after, process, close }] of turns.entries()) {
          await clock.sleep(after);
          const budget = budgets[process] as Budget;
          if (close !== null) {
            closed.push({ from: clock.now(), until: clock.now() + close });
            budget.close(clock.now() + close);
          }
          waiting.push(
            budget.turn(NEVER).then(() => {
              times.push(clock.now());
              orders.get(budget)?.push(index);
            }),
          );
        }
        await Promise.all(waiting);
        for (const order of orders.values()) expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(times).toHaveLength(turns.length);
        expectWithin(times, rate, Math.max(1, Math.floor(rate / 5)));
        for (const time of times) expect(closed.filter(({ from, until }) => from < time && time < until)).toEqual([]);
      });
      await fc.assert(property, { numRuns: examples });
    });
  });
}
