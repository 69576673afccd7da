// What a plan leaves alone or remarks on in, folds out: findings about the files, notes, and what is on the license that nothing declares, of the kinds
// that the plan touches.

import type { Diagnostic } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { entities } from '../entities.ts';
import { folded } from '../markdown-text.ts';
import { plain, value } from '../plain.ts';
import { fitting } from './budget.ts';
import { cut } from './words.ts';

const LONGEST = 500;

/** One fold, with as many lines as fit; empty when not even one does. */
export function fold(summary: string, lines: readonly string[], room: number): string {
  if (lines.length === 0) return '';
  const frame = 200;
  // As they will be inside of a fold.
  const sized = lines.map((line) => entities(line));
  const { left } = fitting(
    sized.map((line) => `${line}\n`),
    room - frame,
  );
  if (left === lines.length) return '';
  const shown = lines.slice(0, lines.length - left);
  return folded(summary, left === 0 ? shown : [...shown, `and ${left} more`]);
}

export function findingFold(diagnostics: readonly Diagnostic[], room: number): string {
  const lines = diagnostics.map(({ severity, code, place, message, remedy }) =>
    cut(
      `${severity}: ${place.file}:${place.line}:${place.column}: ${message}${remedy === null ? '' : `; ${remedy}`} (${code})`,
      LONGEST,
    ),
  );
  return fold(counted(lines.length, 'finding in the files').replace(/filess$/, 'files'), lines, room);
}

export function noteFold({ notes }: Plan, room: number): string {
  const lines = notes.map(({ address, message }) => cut(`${address}: ${message}`, LONGEST));
  return fold(counted(lines.length, 'note'), lines, room);
}

/** What somebody made by hand beside what the plan touches. */
export function driftFold(plan: Plan, room: number): string {
  const touched = new Set(plan.resource_changes.map(({ type }) => type));
  const near = plan.unmanaged.filter(({ type, released }) => released !== null || touched.has(type));
  const lines = near.map(({ type, id, name, released, reason }) => {
    const what = released === null ? `${type} ${value(name)} (${plain(String(id))})` : released;
    return cut(`${what}${reason === null ? '' : `: ${reason}`}`, LONGEST);
  });
  return fold(`Unmanaged, and left alone: ${counted(lines.length, 'object')}`, lines, room);
}
