// How old a snapshot was when a plan was made from it, as the plan says it.

import { expect, test } from 'vitest';
import { against } from '../../../src/planning/snapshot/against.ts';
import type { Snapshot } from '../../../src/planning/snapshot/snapshot.ts';
import { againstLine } from '../../../src/view/words/plan.ts';
import { dangerous } from '../../features/plan/dangerous.ts';

const TAKEN = Date.UTC(2026, 0, 2);

test.each([
  [TAKEN + 3 * 3_600_000, '3 hours before the plan was made'],
  [TAKEN - 20_000, 'a moment before the plan was made'],
  [TAKEN - 3_600_000, 'one of the two clocks is wrong'],
])('A plan made at %d says %s', (now, said) => {
  const snapshot = { created_at: new Date(TAKEN).toISOString(), digest: 'd'.repeat(64), full: true, nameless: {} };
  const plan = against({ ...dangerous(), resource_changes: [] }, snapshot as unknown as Snapshot, [], now);
  expect(againstLine(plan)).toContain(said);
});
