// The changes of a comment: a table with a row for each, and their fields as diffs to unfold.

import { few } from '../../base/text.ts';
import type { FieldChange, ResourceChange } from '../../plan/plan.ts';
import { addressCode, code, cut, fenced, type LineUrl, listed, placeLink } from '../../view/markdown.ts';
import { entities, plain, value } from '../../view/plain.ts';
import { memberChanges } from '../../view/values.ts';
import { actionOf, unwrittenText } from '../words/plan.ts';

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

/** Whether a change is written, adopts, or has differences that are not written. */
export function isListed(change: ResourceChange): boolean {
  return actionOf(change) !== null || change.fields.length > 0;
}

/** Dangerous changes first, and what is not written last. */
export function byDanger(changes: readonly ResourceChange[]): readonly ResourceChange[] {
  const rank = ({ danger, change }: ResourceChange): number =>
    danger.length > 0 ? 0 : change.actions[0] === 'no-op' ? 2 : 1;
  return changes.toSorted((one, other) => rank(one) - rank(other));
}

export function changeTable(changes: readonly ResourceChange[], lineOf: LineUrl | null, room: number): string {
  const rows = changes.map((change) => row(change, lineOf));
  return listed(HEAD, rows, room, (left) => `\nAnd ${left} more resources, listed in the plan.\n`);
}

function row(change: ResourceChange, lineOf: LineUrl | null): string {
  const { address, fields, moved, adopting } = change;
  const action = actionOf(change);
  const what = [
    ...(adopting && action !== 'adopt' ? ['adopted'] : []),
    ...(moved === null ? [] : [`position ${moved.from} → ${moved.to}`]),
    ...(action === 'delete' ? formerText(change).map((text) => code(cut(text, LONGEST_SUMMARY))) : []),
    ...(action === 'create' || action === 'delete' || fields.length === 0
      ? []
      : [few([...new Set(fields.map(({ field }) => code(cut(field, LONGEST_VALUE))))], MOST_FIELDS)]),
  ];
  const cells = [action === null ? unwrittenWord(change) : WORDS[action], addressCode(address), what.join(', ')];
  return `| ${[...cells, placeLink(change.source, lineOf)].join(' | ')} |\n`;
}

function unwrittenWord({ fields }: ResourceChange): string {
  return fields.every(({ reach }) => reach === 'unreadable') ? 'cannot be verified' : 'cannot be changed';
}

/** What a destroyed object was: its name, unless the address has it; otherwise its fields. */
function formerText({ name, id, address, change: { before } }: ResourceChange): readonly string[] {
  if (name !== '' && name !== String(id) && !address.endsWith(`/${name}`)) return [name];
  const fields = Object.entries(before ?? {}).map(([field, had]) => `${field}: ${value(had)}`);
  return fields.length === 0 ? [] : [fields.join(', ')];
}

/** A fold for each change, as many as fit. */
export function changeDiffs(changes: readonly ResourceChange[], room: number): string {
  const folds = changes.flatMap((change) => {
    const lines = diffLines(change);
    if (lines.length === 0) return [];
    const summary = `<code>${entities(cut(change.address, LONGEST_SUMMARY))}</code>`;
    return [`<details><summary>${summary}</summary>\n\n${fenced('diff', lines)}\n</details>\n`];
  });
  return listed('\n', folds, room, (left) => `\nThe plan has the fields of ${left} more.\n`);
}

function diffLines(change: ResourceChange): readonly string[] {
  const { fields, moved, id, name } = change;
  const isDeleted = actionOf(change) === 'delete';
  return [
    ...(id === null ? [] : [`  ${cut(`${value(name)}, id ${value(id)}`, LONGEST_VALUE)}`]),
    ...(moved === null ? [] : [`- position ${moved.from}`, `+ position ${moved.to}`]),
    ...(isDeleted ? lostLines(change) : fields.flatMap(fieldLines)),
  ];
}

/** The managed fields of a destroyed object. */
function lostLines({ change: { before } }: ResourceChange): readonly string[] {
  return Object.entries(before ?? {}).map(([name, had]) => line('-', `${plain(name)}: ${value(had)}`));
}

function fieldLines(change: FieldChange): readonly string[] {
  const { field, before, after, reach, reason } = change;
  if (reach === 'unverified') return [line('+', `${field}: ${value(after)}${reason === null ? '' : `: ${reason}`}`)];
  const unwritten = unwrittenText(change);
  if (unwritten !== null) return [line('!', `${field}: ${unwritten}`)];
  return memberChanges(field, before ?? undefined, after).flatMap((each) => [
    ...(each.before === null ? [] : [line('-', `${each.name}: ${each.before}`)]),
    ...(each.after === null ? [] : [line('+', `${each.name}: ${each.after}`)]),
  ]);
}

function line(sign: '+' | '-' | '!', text: string): string {
  return `${sign} ${cut(text, LONGEST_VALUE)}`;
}
