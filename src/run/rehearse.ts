// Rehearsal: a plan applied to an emulator in this process that begins as the license is. Nothing leaves the process, and nothing is written.

import { apply } from '../apply/apply.ts';
import type { StepResult } from '../apply/outcome.ts';
import { asError, UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import { limitsOf } from '../kinds/limits.ts';
import { memoryLedger } from '../ledger/memory.ts';
import type { Plan } from '../plan/plan.ts';
import { planSettled } from '../reading/settled.ts';
import { createClient, readsOnly } from '../service/client.ts';
import { CONFIGURATION } from '../service/configuration.ts';
import { callsAfter, emulatedLimits, seedOf } from '../tasks/rehearse/seed.ts';
import type { Requests } from './connect.ts';
import type { Planning } from './planning.ts';
import { heldToPolicies } from './policies.ts';
import type { Declared } from './prepare.ts';
import { heldToRoutes } from './routes.ts';
import type { Surroundings } from './surroundings.ts';

/** What a rehearsal showed. */
export interface Rehearsal {
  readonly passed: boolean;
  /** The plan is withheld, so nothing was tried. */
  readonly withheld: boolean;
  /** Writes that were refused, and writes that were not sent because of a refused one. */
  readonly failed: readonly { readonly step: string; readonly reason: string }[];
  /** Steps of the plan after it; null when no plan could be made. */
  readonly left: readonly string[] | null;
  /** What would be wrong afterwards: failed routing tests, lints that are errors, what cannot be planned. */
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: Requests;
}

/**
 * Applies a plan to a copy of the license, and plans again there. A withheld plan is not tried, as an apply would not begin.
 * @throws UsageError for a license that an emulator cannot begin with
 */
export async function rehearse(
  declared: Declared,
  planning: Planning & { readonly plan: Plan },
  surroundings: Surroundings,
): Promise<Rehearsal> {
  const { settings, desired, moved } = declared;
  const { plan, events, options } = planning;
  if (plan.withheld.length > 0)
    return { passed: false, withheld: true, failed: [], left: null, diagnostics: [], requests: {} };
  const client = await copyOf(declared, planning, surroundings);
  const ledger = memoryLedger(events);
  const signal = surroundings.signal;
  const report = await apply({
    run: 'rehearsal',
    plan,
    desired,
    options,
    client,
    ledger,
    sink: { probe: async () => {}, store: async () => {} },
    clock: surroundings.clock,
    signal,
    window: 0,
    // A copy shows every write at once.
    propagationTimeout: 0,
    onEvent: () => {},
  });
  if (report.failure !== null) throw report.failure;
  if (signal.aborted) throw new UsageError('interrupted before the rehearsal had come to its end; nothing was changed');
  const after = await ledger.read();
  const reader = readsOnly(client);
  const { live, compared, planned, recovery } = await planSettled({
    ask: (action, body) => reader.call(action, body, { signal }),
    desired,
    events: after,
    moved,
    options,
    version: settings.apiVersion,
    clock: surroundings.clock,
    delay: () => ({ window: 0, underWay: 0 }),
    signal,
    onWait: () => {},
  });
  const second = planned.plan === null ? null : await heldToPolicies(planned.plan, settings, []);
  const then: Planning = {
    ...planning,
    events: after,
    live,
    compared,
    recovery,
    plan: second,
    diagnostics: planned.problems,
  };
  const failed = [
    ...report.results.flatMap((ended) => reasonOf(ended)),
    ...(second?.withheld ?? []).map(({ message }) => ({ step: 'the plan after it', reason: `withheld: ${message}` })),
  ];
  // What was so before the plan is no fault of it.
  const before = new Set(planning.diagnostics.map(({ code, place }) => `${code} ${place.file}:${place.line}`));
  const diagnostics = heldToRoutes(declared, then, surroundings.clock.now()).diagnostics.filter(
    ({ code, place, severity }) =>
      severity === 'error' || (code === 'route-failed' && !before.has(`${code} ${place.file}:${place.line}`)),
  );
  const left = second === null ? null : second.steps.map(({ id }) => id);
  const passed = failed.length === 0 && left?.length === 0 && diagnostics.length === 0;
  return { passed, withheld: false, failed, left, diagnostics, requests: client.requests() };
}

function reasonOf({ step, outcome }: StepResult): readonly { readonly step: string; readonly reason: string }[] {
  switch (outcome.status) {
    case 'done':
      return [];
    case 'failed':
      return [{ step: step.id, reason: `refused: ${outcome.error.message}` }];
    case 'skipped':
      return [{ step: step.id, reason: `not sent, because this failed: ${outcome.because}` }];
    case 'not-sent':
      return [{ step: step.id, reason: 'not sent' }];
  }
}

/** @throws UsageError for a license that an emulator cannot begin with */
async function copyOf({ settings }: Declared, { live }: Planning, surroundings: Surroundings) {
  const [{ createEmulator, parseSeed }, { createInProcessExchange }] = await Promise.all([
    import('../emulator/index.ts'),
    import('../service/in-process.ts'),
  ]);
  const seed = (() => {
    try {
      return parseSeed(seedOf(live));
    } catch (error) {
      throw new UsageError(
        `the license cannot be rehearsed: the emulator does not take what was read: ${asError(error).message}`,
      );
    }
  })();
  const { apiVersion, accountId } = settings;
  const token = 'rehearsal';
  const emulator = createEmulator({
    seed,
    settings: { limits: emulatedLimits(limitsOf(apiVersion, settings.limits)) },
    now: surroundings.clock.now,
    random: surroundings.random,
  });
  const client = createClient(CONFIGURATION, {
    baseUrl: 'http://emulator.localhost',
    version: apiVersion,
    credential: accountId === null ? { kind: 'bearer', token } : { kind: 'basic', accountId, token },
    exchange: createInProcessExchange(emulator.fetch),
    clock: surroundings.clock,
    timeout: settings.requestTimeout,
  });
  for (const { action, body } of callsAfter(live)) await client.call(action, body, { signal: surroundings.signal });
  return client;
}
