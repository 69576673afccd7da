// All differences of a look and what was asked for in; those that shall be taken over out, and of the others those that somebody would expect among
// them, with the reason.

import { assertNever } from '../../base/errors.ts';
import type { Difference } from '../drift/report.ts';
import type { Left } from './changes.ts';

export interface Chosen<Item extends Difference> {
  readonly items: readonly Item[];
  readonly left: readonly (Left & { readonly item: Item })[];
}

/** `isNamed` is null when no address is named: then everything is taken over in which only the license moved, and nothing that is ignored. */
export function chosen<Item extends Difference & { readonly ignored: unknown }>(
  all: readonly Item[],
  isNamed: ((address: string) => boolean) | null,
): Chosen<Item> {
  const asked = all.filter(({ address, ignored }) => (isNamed === null ? ignored === null : isNamed(address)));
  const judged = asked.map((item) => ({ item, reason: refusal(item, isNamed !== null) }));
  return {
    items: judged.flatMap(({ item, reason }) => (reason === null ? [item] : [])),
    left: judged.flatMap(({ item, reason }) =>
      reason === null || (isNamed === null && !isExpected(item)) ? [] : [{ item, reason, mark: null }],
    ),
  };
}

/** What nobody named is only remarked on when the license moved. */
function isExpected({ status }: Difference): boolean {
  return status === 'drift' || status === 'conflict';
}

function refusal(item: Difference, isNamed: boolean): string | null {
  switch (item.status) {
    case 'drift':
      return acceptable(item);
    case 'conflict':
      return isNamed ? acceptable(item) : 'both sides moved: name its address to take over what the license says';
    case 'pending':
      return 'only the repository moved: the license says nothing new';
    case 'converged':
      return 'both sides moved to the same: there is nothing to take over';
    case 'unknown':
      return 'nobody can see what the license says';
    default:
      return assertNever(item.status);
  }
}

function acceptable({ ways_out: ways, reason }: Difference): string | null {
  return ways.includes('accept') ? null : (reason ?? 'it can be declared nowhere');
}
