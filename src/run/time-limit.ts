// Signal of a run that is also aborted when the time of the run is up.

import { outOfTime } from '../service/patience/deadline.ts';
import { LONGEST_TIMER } from './surroundings.ts';

/** Aborted with `signal`, or after so many milliseconds with a `TimeoutError`. Keeps no process alive. */
export function limited(signal: AbortSignal, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    controller.abort(signal.reason);
  };
  const timer = setTimeout(
    () => {
      signal.removeEventListener('abort', end);
      controller.abort(outOfTime());
    },
    Math.min(milliseconds, LONGEST_TIMER),
  ).unref();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return controller.signal;
}
