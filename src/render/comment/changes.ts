// Changes in; a table with a row for each, and their fields as diffs to unfold, out.

import { few } from '../../base/text.ts';
import type { FieldChange, ResourceChange } from '../../plan/plan.ts';
import { parts } from '../difference.ts';
import { entities } from '../entities.ts';
import { code, fenced } from '../markdown-text.ts';
import { plain, value } from '../plain.ts';
import { shownAs } from '../plan-text.ts';
import { listed } from './budget.ts';
import type { Origin } from './subject.ts';
import { addressed, cut, placed } from './words.ts';

const WORDS = {
  create: 'create',
  update: 'change',
  replace: '**replace**',
  delete: '**destroy**',
  move: 'move',
  adopt: 'adopt',
} as const;

const HEAD = `
| | Resource | What | Declared at |
| --- | --- | --- | --- |
`;

const MOST_FIELDS = 6;
const LONGEST_VALUE = 500;
const LONGEST_SUMMARY = 160;

/** Neither written, nor adopted, nor different. */
export function isTold(change: ResourceChange): boolean {
  return shownAs(change) !== null || change.fields.length > 0;
}

/** What can be lost is read first. */
export function byDanger(changes: readonly ResourceChange[]): readonly ResourceChange[] {
  const rank = ({ danger, change }: ResourceChange): number =>
    danger.length > 0 ? 0 : change.actions[0] === 'no-op' ? 2 : 1;
  return changes.toSorted((one, other) => rank(one) - rank(other));
}

export function changeTable(changes: readonly ResourceChange[], origin: Origin, room: number): string {
  const rows = changes.map((change) => row(change, origin));
  return listed(HEAD, rows, room, (left) => `\nAnd ${left} more resources, which the plan itself has.\n`);
}

function row(change: ResourceChange, origin: Origin): string {
  const { address, fields, moved, adopting } = change;
  const shown = shownAs(change);
  const what = [
    ...(adopting && shown !== 'adopt' ? ['adopting it'] : []),
    ...(moved === null ? [] : [`place ${moved.from} → ${moved.to}`]),
    ...(shown === 'delete' ? whatItWas(change).map((text) => code(cut(text, LONGEST_SUMMARY))) : []),
    ...(shown === 'create' || shown === 'delete' || fields.length === 0
      ? []
      : [few([...new Set(fields.map(({ field }) => code(cut(field, LONGEST_VALUE))))], MOST_FIELDS)]),
  ];
  const cells = [shown === null ? unwritten(change) : WORDS[shown], addressed(address), what.join(', ')];
  return `| ${[...cells, placed(change.source, origin)].join(' | ')} |\n`;
}

function unwritten({ fields }: ResourceChange): string {
  return fields.every(({ reach }) => reach === 'unreadable') ? 'cannot be verified' : 'out of reach';
}

/** Its name, where it has one of its own; otherwise what it said. */
function whatItWas({ name, id, address, change: { before } }: ResourceChange): readonly string[] {
  if (name !== '' && name !== String(id) && !address.endsWith(`/${name}`)) return [name];
  const fields = Object.entries(before ?? {}).map(([field, had]) => `${field}: ${value(had)}`);
  return fields.length === 0 ? [] : [fields.join(', ')];
}

/** One fold for each, the first ones as far as they fit. */
export function changeDiffs(changes: readonly ResourceChange[], room: number): string {
  const folds = changes.flatMap((change) => {
    const lines = diffLines(change);
    if (lines.length === 0) return [];
    const summary = `<code>${entities(cut(change.address, LONGEST_SUMMARY))}</code>`;
    return [`<details><summary>${summary}</summary>\n\n${fenced('diff', lines)}\n</details>\n`];
  });
  return listed('\n', folds, room, (left) => `\nThe fields of ${left} more are in the plan itself.\n`);
}

function diffLines(change: ResourceChange): readonly string[] {
  const { fields, moved, id, name } = change;
  const isDeleted = shownAs(change) === 'delete';
  return [
    ...(id === null ? [] : [`  ${cut(`${value(name)}, id ${value(id)}`, LONGEST_VALUE)}`]),
    ...(moved === null ? [] : [`- place ${moved.from}`, `+ place ${moved.to}`]),
    ...(isDeleted ? lost(change) : fields.flatMap(fieldLines)),
  ];
}

/** What is destroyed is shown as far as it is managed. */
function lost({ change: { before } }: ResourceChange): readonly string[] {
  return Object.entries(before ?? {}).map(([name, had]) => `- ${cut(`${plain(name)}: ${value(had)}`, LONGEST_VALUE)}`);
}

function fieldLines({ field, before, after, reach, reason }: FieldChange): readonly string[] {
  const why = reason === null ? '' : `: ${reason}`;
  switch (reach) {
    case 'write':
    case 'transition':
    case 'replace':
      return parts(field, before ?? undefined, after).flatMap((part) => [
        ...(part.before === null ? [] : [`- ${cut(`${plain(part.name)}: ${part.before}`, LONGEST_VALUE)}`]),
        ...(part.after === null ? [] : [`+ ${cut(`${plain(part.name)}: ${part.after}`, LONGEST_VALUE)}`]),
      ]);
    case 'unverified':
      return [`+ ${cut(`${field}: ${value(after)}${why}`, LONGEST_VALUE)}`];
    case 'unreachable':
      return [`! ${cut(`${field}: ${value(before)} stays, ${value(after)} is out of reach${why}`, LONGEST_VALUE)}`];
    case 'unreadable':
      return [`! ${cut(`${field}: cannot verify ${value(after)}${why}`, LONGEST_VALUE)}`];
  }
}
