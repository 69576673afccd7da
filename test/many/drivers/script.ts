// What targets and gates do in a spec of the drivers, by the log of the run alone: two processes that are asked say the same.

import pLimit from 'p-limit';
import type { Clock } from '../../../src/base/model.ts';
import type { FleetWork, TargetEnd } from '../../../src/many/drive.ts';
import type { CancelEvent, FleetEvent, RunMaker } from '../../../src/many/log/events.ts';
import type { FleetStore } from '../../../src/many/log/store.ts';
import { ANN, START, stampAt } from '../names.ts';
import type { DriverSpec } from './spec.ts';

export const BOB: RunMaker = { ...ANN, user: 'bob' };

export const CANCEL: CancelEvent = { ...stampAt(START), type: 'cancel', by: BOB };

/** As moments of a spec say it. */
export function labelOf(event: FleetEvent): string {
  switch (event.type) {
    case 'started':
    case 'ended':
    case 'unbegun':
      return `${event.type} ${event.target}`;
    case 'gate':
      return `gate ${event.gate} ${event.target}`;
    default:
      return event.type;
  }
}

/** What the clock of the driver shows when the run begins. */
export function beginOf({ clock }: DriverSpec): number {
  return clock === undefined ? START : Date.parse(clock);
}

/** Milliseconds that the work on a target takes, and between two looks at the log. */
const TICK = 20;

export function scripted(
  { outcomes = {}, gates = {}, waits = {}, slots = Number.POSITIVE_INFINITY }: DriverSpec,
  store: Pick<FleetStore, 'read'>,
  { now, sleep }: Clock,
): FleetWork {
  const count = async (label: string): Promise<number> =>
    (await store.read()).filter((event) => labelOf(event) === label).length;
  const isReached = async (moment: string): Promise<boolean> =>
    moment === 'freeze' ? now() >= START : (await count(moment)) > 0;
  const limited = pLimit(slots);
  return {
    work: (target, _attempt, mayBegin) =>
      limited(async () => {
        await mayBegin();
        return work(target);
      }),
    check: async (gate, target) => {
      const known = gates[`${gate} ${target}`] ?? [];
      const checked = await count(`gate ${gate} ${target}`);
      const passed = known[checked] ?? known.at(-1) ?? true;
      return { passed, message: passed ? null : 'not as wanted' };
    },
  };

  async function work(target: string): Promise<TargetEnd> {
    const begun = await count(`started ${target}`);
    const known = outcomes[target] ?? [];
    const state = known[begun - 1] ?? known.at(-1) ?? 'done';
    await sleep(TICK);
    for (const moment of [waits[target]]) while (moment !== undefined && !(await isReached(moment))) await sleep(TICK);
    if (state === 'throws') throw new Error(`${target} is broken`);
    const isDone = state === 'done' || state === 'unchanged';
    const end = { code: isDone ? 0 : 1, message: isDone ? null : 'no such group', requests: 1, summary: {} };
    if (state === 'unchanged') return { ...end, state: 'done', unchanged: true };
    if (state === 'over') return { ...end, state: 'failed', over: { setting: 'max_deletes', count: 12, limit: 10 } };
    return { ...end, state };
  }
}
