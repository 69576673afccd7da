// An undo's plan and the way back of each resource in; how far each comes back out, in the order in which people read a license.

import { byText } from '../../base/json.ts';
import type { Address } from '../../base/model.ts';
import { KIND_NAMES, KINDS, kindOf } from '../../kinds/index.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import type { WayBack } from './way-back.ts';

/**
 * How far a resource comes back: as it was, not all of it, or not at all; or nothing has to be done for it, because it is as it was; or nothing is
 * done, because it is not what the run left any more.
 */
export type Verdict = 'reversible' | 'lossy' | 'irreversible' | 'as_before' | 'left_out';

export interface Ruling {
  readonly address: Address;
  readonly verdict: Verdict;
  /** One line each: what does not come back, or why nothing is done. */
  readonly reasons: readonly string[];
}

export interface Outcome {
  readonly address: Address;
  readonly way: WayBack;
  /** Fields that no request can bring back, one line each. */
  readonly lost: readonly string[];
  /** It comes back to its place in a list, whether it is written or not. */
  readonly moves: boolean;
}

export function rulingsOf(plan: Plan, outcomes: readonly Outcome[]): readonly Ruling[] {
  const changes = new Map(plan.resource_changes.map((change) => [change.address, change]));
  const known = new Set(outcomes.map(({ address }) => address));
  const moved = plan.resource_changes.filter(({ address }) => !known.has(address));
  return [
    ...outcomes.map((outcome) => rulingOf(outcome, changes.get(outcome.address))),
    ...moved.map(({ address }): Ruling => ({ address, verdict: 'reversible', reasons: [] })),
  ].sort((a, b) => rank(a) - rank(b) || byText(a.address, b.address));
}

function rank({ address }: Ruling): number {
  return KIND_NAMES.indexOf(kindOf(address));
}

function rulingOf({ address, way, lost, moves }: Outcome, change: ResourceChange | undefined): Ruling {
  const kind = KINDS[kindOf(address)];
  const beyond = kind.lasting === undefined ? [] : [kind.lasting];
  switch (way.way) {
    case 'left-out':
      return { address, verdict: 'left_out', reasons: [way.reason] };
    case 'stuck':
      return { address, verdict: 'irreversible', reasons: [way.reason] };
    case 'none':
      return { address, verdict: 'as_before', reasons: [] };
    case 'delete':
      return { address, verdict: beyond.length === 0 ? 'reversible' : 'lossy', reasons: beyond };
    case 'restore': {
      const isWritten = moves || (change !== undefined && change.change.actions[0] !== 'no-op');
      const losses = [...way.losses, ...lost];
      if (!isWritten) return { address, verdict: losses.length === 0 ? 'as_before' : 'irreversible', reasons: losses };
      const isReplaced = change?.change.actions[1] === 'create';
      const reasons = [...losses, ...(isReplaced && kind.forfeits !== undefined ? [kind.forfeits] : []), ...beyond];
      return { address, verdict: reasons.length === 0 ? 'reversible' : 'lossy', reasons };
    }
  }
}
