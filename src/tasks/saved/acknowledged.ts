// Vetoes that an acknowledgement ends, and whether an approved plan ended them already.

import type { Comparison } from '../../plan/compare.ts';
import { guard } from '../../plan/guards/guard.ts';
import type { PlanOptions } from '../../plan/input.ts';
import type { Veto } from './saved-plan.ts';

/** Vetoes that stand when only `others` are acknowledged, and not with all that `options` acknowledge. */
export function letGo(compared: Comparison, options: PlanOptions, others: ReadonlySet<string>): readonly Veto[] {
  const still = pairsOf(guard(compared, options));
  return guard(compared, { ...options, acknowledged: others }).flatMap(
    ({ guard: name, addresses }): readonly Veto[] => {
      const gone = addresses.filter((address) => !still.has(pair(name, address)));
      return gone.length === 0 ? [] : [{ guard: name, addresses: gone }];
    },
  );
}

/** Each veto is among those that the consent was shown: it is no consent to another change of the same address. */
export function isCovered(vetoes: readonly Veto[], by: readonly Veto[]): boolean {
  const seen = pairsOf(by);
  return [...pairsOf(vetoes)].every((each) => seen.has(each));
}

function pairsOf(vetoes: readonly Veto[]): ReadonlySet<string> {
  return new Set(vetoes.flatMap(({ guard: name, addresses }) => addresses.map((address) => pair(name, address))));
}

function pair(name: string, address: string): string {
  return `${name} ${address}`;
}
