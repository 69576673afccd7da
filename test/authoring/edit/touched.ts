// Lines of a text that an edit lost although nothing on them was to change.

import { canonicalJson } from '../../../src/base/json.ts';
import type { Json, JsonObject } from '../../../src/base/model.ts';
import type { Path } from '../../../src/yaml/places.ts';
import type { Line } from './authored.ts';

export function lostLines(
  before: string,
  now: string,
  lines: readonly Line[],
  touched: readonly Path[],
): readonly string[] {
  const [old, current] = [before, now].map((text) => text.split('\n').map((line) => line.replace(/\r$/, '')));
  // Of equal lines nobody can tell which one is gone.
  const isSpared = (index: number): boolean =>
    old?.[index] === '' ||
    lines.some((line, at) => line.text === lines[index]?.text && touched.some((path) => mayGo(lines, at, path)));
  return lost(old ?? [], current ?? []).flatMap((index) => (isSpared(index) ? [] : [old?.[index] ?? '']));
}

/** The innermost places in which two values differ; of lists that changed in number or order the list. */
export function differingPaths(before: Json | undefined, now: Json | undefined, path: Path = []): readonly Path[] {
  if ((before === undefined) !== (now === undefined)) return [path];
  if (canonicalJson(before) === canonicalJson(now)) return [];
  const isList = Array.isArray(before) && Array.isArray(now) && before.length === now.length;
  const isMap = [before, now].every((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  if (!isList && !isMap) return [path];
  const [one, other] = [before, now] as readonly [JsonObject, JsonObject];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap((name) => differingPaths(one[name], other[name], [...path, isList ? Number(name) : name]));
}

function related(a: Path, b: Path): boolean {
  const depth = Math.min(a.length, b.length);
  return a.slice(0, depth).every((step, index) => step === b[index]);
}

/** Lines of `before` that do not stand in `after` in their order. */
function lost(before: readonly string[], after: readonly string[]): readonly number[] {
  const length: number[][] = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  const cell = (row: number, column: number): number => length[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const line = length[row];
      if (line)
        line[column] =
          before[row] === after[column]
            ? cell(row + 1, column + 1) + 1
            : Math.max(cell(row + 1, column), cell(row, column + 1));
    }
  }
  const gone: number[] = [];
  for (let row = 0, column = 0; row < before.length; ) {
    if (before[row] === after[column] && column < after.length) {
      row += 1;
      column += 1;
    } else if (column < after.length && cell(row, column + 1) >= cell(row + 1, column)) column += 1;
    else gone.push(row++);
  }
  return gone;
}

/** Comment lines right above a line go with what stands on it. */
function mayGo(lines: readonly Line[], index: number, touched: Path): boolean {
  const line = lines[index];
  if (line === undefined) return true;
  if (line.text.trim() === '') return true;
  // Anchors move, and aliases are written out.
  if (/[&*]a\d/.test(line.text)) return true;
  if (line.text.trim().startsWith('#')) return true;
  // What follows the first entry behind a dash takes its place, on the line of the dash.
  const inDash = lines.some(({ text, paths }) => /^ *- /.test(text) && paths.some((path) => related(path, touched)));
  return line.paths.some((path) => related(path, touched) || (inDash && related(path, touched.slice(0, -1))));
}
