// A scenario comes in, and for each request the faults that strike it go out: the same for the same seed and the same requests.
// Must not know how a fault is carried out.

import type { ApiAction } from './api.ts';
import { seededRandom } from './random.ts';
import type { Fault, Scenario, Span } from './scenario.ts';

type Target = Pick<ApiAction, 'name' | 'effect'>;

export interface Faults {
  readonly scenario: Scenario;
  /** Those that strike the next request for an action, in the order of the scenario. */
  readonly draw: (action: Target, version: string) => readonly Fault[];
  /** The one that strikes the next item of a batch. */
  readonly drawSlot: (action: Target, version: string) => Extract<Fault, { type: 'slot' }> | undefined;
  /** Milliseconds out of a span. */
  readonly within: (span: Span) => number;
  /** How often each fault of the scenario has struck. */
  readonly struck: () => readonly number[];
}

interface Armed {
  readonly fault: Fault;
  readonly strikes: (action: Target, version: string) => boolean;
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
    draw: (action, version) =>
      armed.flatMap(({ fault, strikes }) => (fault.type !== 'slot' && strikes(action, version) ? [fault] : [])),
    drawSlot: (action, version) => {
      for (const { fault, strikes } of armed) if (fault.type === 'slot' && strikes(action, version)) return fault;
      return undefined;
    },
    within: ({ from, to }) => (from === to ? to : from + Math.floor(draws() * (to - from + 1))),
    struck: () => armed.map(({ struck }) => struck()),
  };
}

function arm(fault: Fault, random: () => number): Armed {
  const { actions, versions, probability = 1, skip = 0, times = Number.POSITIVE_INFINITY } = fault;
  const patterns = actions?.map(patternOf);
  let matched = 0;
  let struck = 0;
  const strikes = (action: Target, version: string): boolean => {
    if (!concerns(fault, action) || patterns?.some((pattern) => pattern.test(action.name)) === false) return false;
    if (versions?.some((known) => known === version) === false) return false;
    matched += 1;
    if (matched <= skip || struck >= times) return false;
    // Drawn also when it is certain: a changed probability must not shift what is drawn later.
    if (random() >= probability) return false;
    struck += 1;
    return true;
  };
  return { fault, strikes, struck: () => struck };
}

/** Where a fault would show nothing, it does not strike. */
function concerns({ type }: Fault, { name, effect }: Target): boolean {
  switch (type) {
    case 'stale':
      return effect === 'read';
    case 'shuffle':
      return name.startsWith('list_');
    case 'broken_chain':
      return name === 'list_auto_accesses';
    default:
      return true;
  }
}

function patternOf(glob: string): RegExp {
  const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
