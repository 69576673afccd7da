// What a person is told of a target of a run.

import type { TargetResult } from '../../fleet/log.ts';

/** A check that found differences is done, and deserves a look. */
export type ShownState = TargetResult['state'] | 'differs';

export function shownState({ state, end }: TargetResult): ShownState {
  return state === 'done' && end?.code === 2 ? 'differs' : state;
}
