// Every create takes effect, and its answer does not tell: nothing is made twice, and the run does not say that all is well where a secret is lost.

import { describe, expect, it } from 'vitest';
import type { Desired, Version } from '../../src/base/model.ts';
import type { PlannerOptions } from '../../src/plan/input.ts';
import type { Exchange, ExchangeReply } from '../../src/service/exchange.ts';
import { TRIED_VERSIONS } from '../tries.ts';
import { type World, world } from '../world.ts';
import { expectEnded, namesOn } from './ended.ts';
import { leftOver } from './left-over.ts';
import { acknowledged, after, before, CLIENT, desiredIn } from './upheaval.ts';

const ANSWERS: readonly (readonly [string, ExchangeReply])[] = [
  ['service_unavailable', { status: 503, headers: {}, body: '{"error":{"type":"service_unavailable","message":""}}' }],
  ['a bare 429 page', { status: 429, headers: {}, body: '<html>slow down</html>' }],
  ['a bare 502 page', { status: 502, headers: {}, body: '<html>bad gateway</html>' }],
];

/** Actions that make something. The service chooses the ids of most. */
const CREATES = /\/(?:batch_)?(?:create|add|register)_\w+$/;

interface Run {
  readonly made: World;
  /** Creates that were answered so. */
  readonly answered: readonly string[];
  readonly outcome: string;
}

const optionsOf = (desired: Desired): Partial<PlannerOptions> => ({
  acknowledged: new Set(['deletes', ...acknowledged(desired)]),
  prune: { agent: 'owned' },
});

async function changed(version: Version, delay: number, answer: ExchangeReply | null): Promise<Run> {
  const answered: string[] = [];
  let isArmed = false;
  const wrap =
    (exchange: Exchange): Exchange =>
    async (request) => {
      const reply = await exchange(request);
      if (answer === null || !isArmed || !CREATES.test(request.url)) return reply;
      answered.push(request.url);
      return answer;
    };
  const made = world({ version, propagationDelay: delay, seed: { installed_clients: [CLIENT] }, wrap });
  const first = await desiredIn(before(version), version);
  await made.apply(await made.plan(first, optionsOf(first)), first, { options: optionsOf(first) });
  await made.clock.sleep(86_400_000);
  isArmed = true;
  const desired = await desiredIn(after(version), version);
  const options = optionsOf(desired);
  const { outcome } = await made.apply(await made.plan(desired, options), desired, { options });
  await made.clock.sleep(86_400_000);
  isArmed = false;
  expect(leftOver(await made.plan(desired, options))).toEqual([]);
  return { made, answered, outcome };
}

describe.each(TRIED_VERSIONS)('in version %s', (version) => {
  it.each(ANSWERS.flatMap(([name, answer]) => [0, 120_000].map((delay) => [name, delay, answer] as const)))(
    '%s after effect on every create, with readings that lag by %i ms',
    async (_, delay, answer) => {
      const undisturbed = await changed(version, delay, null);
      const { made, answered, outcome } = await changed(version, delay, answer);
      expect(answered.length).toBeGreaterThan(5);
      const { emulator, ledger, kept } = made;
      const lost = await expectEnded({
        version,
        emulator,
        desired: await desiredIn(after(version), version),
        events: await ledger.read(),
        holds: async (address) => kept.has(address),
        reference: namesOn(undisturbed.made.emulator),
      });
      expect([undisturbed.outcome, outcome]).toEqual(['done', lost.length === 0 ? 'done' : 'partial']);
    },
  );
});
