// The lints that the last apply gave.

import type { LedgerEvent, WarnedEvent } from './events.ts';

export type GivenLint = WarnedEvent['lints'][number];

export function lastWarned(events: readonly LedgerEvent[]): readonly GivenLint[] {
  return events.findLast((event) => event.type === 'warned')?.lints ?? [];
}
