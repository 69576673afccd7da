// The faults that strike each request: the same for the same seed and the same requests. Does not carry them out.

import { isObject, type ParsedObject } from '../../base/json.ts';
import type { ActionRoute } from './api.ts';
import { seededRandom, shuffled } from './random.ts';
import type { DelaySpan, Fault, Scenario } from './scenario.ts';

type SlotFault = Extract<Fault, { type: 'slot' }>;

export interface Faults {
  readonly scenario: Scenario;
  /** Those that strike the next request for an action, in the order of the scenario. */
  readonly draw: (route: ActionRoute) => readonly Fault[];
  /** The one that strikes the next item of a batch. */
  readonly drawSlot: (route: ActionRoute) => SlotFault | undefined;
  /** Milliseconds out of a span. */
  readonly within: (span: DelaySpan) => number;
  /** How often each fault of the scenario has struck. */
  readonly struck: () => readonly number[];
}

interface ArmedFault {
  readonly fault: Fault;
  readonly strikes: (route: ActionRoute) => boolean;
  readonly struck: () => number;
}

/** Each fault has a source of its own, so that adding one changes nothing for the others. */
const sourceOf = (seed: number, index: number): (() => number) => seededRandom(Math.imul(seed + 1, 0x9e3779b1) + index);

export function createFaults(scenario: Scenario): Faults {
  const { seed = 0, faults } = scenario;
  const armed = faults.map((fault, index) => arm(fault, sourceOf(seed, index)));
  const draws = sourceOf(seed, faults.length);
  return {
    scenario,
    draw: (route) => armed.flatMap(({ fault, strikes }) => (fault.type !== 'slot' && strikes(route) ? [fault] : [])),
    drawSlot: (route) => {
      for (const { fault, strikes } of armed) if (fault.type === 'slot' && strikes(route)) return fault;
      return undefined;
    },
    within: ({ from, to }) => (from === to ? to : from + Math.floor(draws() * (to - from + 1))),
    struck: () => armed.map(({ struck }) => struck()),
  };
}

function arm(fault: Fault, random: () => number): ArmedFault {
  const { actions, versions, probability = 1, skip = 0, times = Number.POSITIVE_INFINITY } = fault;
  const patterns = actions?.map(patternOf);
  let matched = 0;
  let struck = 0;
  const strikes = (route: ActionRoute): boolean => {
    if (!concerns(fault, route) || patterns?.some((pattern) => pattern.test(route.key)) === false) return false;
    if (versions?.includes(route.version) === false) return false;
    matched += 1;
    if (matched <= skip || struck >= times) return false;
    // Drawn also when it is certain: a changed probability must not shift what is drawn later.
    if (random() >= probability) return false;
    struck += 1;
    return true;
  };
  return { fault, strikes, struck: () => struck };
}

/** A fault that would show nothing does not strike. */
function concerns({ type }: Fault, { action }: ActionRoute): boolean {
  switch (type) {
    case 'stale':
      return action.effect === 'read';
    case 'shuffle':
      return action.name.startsWith('list_');
    case 'broken_chain':
      return action.breakChain !== undefined;
    default:
      return true;
  }
}

function patternOf(glob: string): RegExp {
  const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** A reply as the faults let it be seen: a list in another order, or one that contradicts itself. */
export function distort(value: object, hits: readonly Fault[], { action }: ActionRoute, random: () => number): object {
  if (hits.length === 0 || !Array.isArray(value)) return value;
  let seen: readonly ParsedObject[] = value.filter(isObject);
  for (const hit of hits) {
    if (hit.type === 'shuffle') seen = shuffled(seen, random);
    if (hit.type === 'broken_chain') seen = action.breakChain?.(seen, hit.as) ?? seen;
  }
  return seen;
}
