// The terminal text of an apply that is under way.

import type { ApplyEvent } from '../../apply/input.ts';
import type { StepResult } from '../../apply/outcome.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { stepName } from '../../view/words/plan.ts';

const DONE = { create: 'created', update: 'changed', delete: 'destroyed', transition: 'changed' } as const;

function endedLine({ step, outcome }: StepResult, paint: Paint): string {
  const name = stepName(step);
  switch (outcome.status) {
    case 'done':
      return `${name}: ${DONE[step.operation]}`;
    case 'failed': {
      const { debugId } = outcome.error.failure;
      const debug = debugId === null ? '' : ` (x-debug-id ${plain(debugId)})`;
      return `${name}: ${paint('error', 'failed')}: ${plain(outcome.error.message)}${debug}`;
    }
    case 'skipped':
      return `${name}: ${paint('warning', 'skipped')}, because this failed: ${plain(outcome.because)}`;
    case 'not-sent':
      return `${name}: ${paint('warning', 'not sent')}, because the run was stopped`;
  }
}

/** Progress lines of one event; none for an event that says nothing new. */
export function progressLines(event: ApplyEvent, paint: Paint): readonly string[] {
  switch (event.type) {
    case 'sending':
      return [];
    case 'ended':
      return event.results.map((result) => endedLine(result, paint));
    case 'waiting': {
      const seconds = Math.round(event.elapsed / 1000);
      if (seconds === 0) return [];
      return [paint('faint', `Still waiting for propagation... [${seconds}s elapsed]`)];
    }
  }
}
