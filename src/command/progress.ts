// Progress of long work: on a terminal one line that changes in place, in a log a line now and then.

import type { Clock } from '../base/model.ts';
import type { WorkNotice } from '../target/context.ts';
import { workText } from '../view/terminal/progress.ts';

/** Milliseconds between two states of a line in place, and between two lines of a log. */
const IN_PLACE = 100;
const IN_LOG = 10_000;

/** Of work that cannot be counted while it is done, so many objects are worth a line of a log. */
const MANY = 5_000;

interface Screen {
  readonly clock: Pick<Clock, 'now'>;
  readonly err: (text: string) => void;
  /** Shows a line that whatever comes next replaces; null removes it. Absent where lines stay. */
  readonly status?: (line: string | null) => void;
}

export function progressOn({ clock, err, status }: Screen): (work: WorkNotice) => void {
  let current: { readonly name: string; readonly begun: number } | null = null;
  let shown = 0;
  let lines = 0;
  return (work) => {
    const now = clock.now();
    const name = `${work.verb} ${work.noun}`;
    const isFirst = current?.name !== name;
    const begun = current === null || isFirst ? now : current.begun;
    if (isFirst) lines = 0;
    const isOver = work.done !== null && work.done >= work.total;
    current = isOver ? null : { name, begun };
    const text = workText(work, now - begun);
    if (status !== undefined) {
      if (isOver) status(null);
      else if (isFirst || now - shown >= IN_PLACE) {
        status(text);
        shown = now;
      }
      return;
    }
    const isDue = work.done === null ? isFirst && work.total >= MANY : now - (lines === 0 ? begun : shown) >= IN_LOG;
    // A line that was promised more gets an end.
    if (!isDue && !(isOver && lines > 0)) return;
    err(`${text}\n`);
    shown = now;
    lines += 1;
  };
}
