// A text in; lines and columns of its offsets out. Counted once, when the first place is asked for.

import type { Place } from '../base/model.ts';
import type { Mark } from './mark.ts';

/** Makes marks for ranges of offsets in a file's text. A caret never underlines more than one line. */
export function marker(file: string, text: string): (start: number, end: number) => Mark {
  let starts: readonly number[] | null = null;
  return (start, end) => {
    starts ??= lineStarts(text);
    const line = lineOf(starts, Math.min(start, text.length));
    const from = starts[line] ?? 0;
    const next = starts[line + 1];
    const last = next === undefined ? text.length : next - 1;
    const excerpt = text.slice(from, last > from && text[last - 1] === '\r' ? last - 1 : last);
    const column = Math.min(start - from, excerpt.length);
    const length = Math.max(1, Math.min(end - start, excerpt.trimEnd().length - column));
    const place: Place = { file, line: line + 1, column: column + 1, length };
    return { place, excerpt };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that starts at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
