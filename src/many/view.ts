// The view of an operation on several targets: a line for each, and what there is to read of them, once for targets for which it is the same.

import { digest } from '../base/digest.ts';
import { countedBy, groupedBy } from '../base/grouped.ts';
import { byText, isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { capital, counted, few } from '../base/text.ts';
import {
  type Block,
  type Mark,
  type Section,
  type Span,
  type Table,
  type Text,
  type View,
  viewJson,
} from '../view/blocks.ts';
import type { KnownOutcome, Outcome, TargetRow } from './operation.ts';
import { type Asked, viewOf } from './outputs.ts';
import type { TargetAnswer, TargetsReport } from './schema.ts';

/** Targets for which there is the same to read. */
export interface Alike<Value> {
  readonly targets: readonly [string, ...string[]];
  /** Of the first. */
  readonly outcome: KnownOutcome<Value>;
  /** Equal for those that differ in values only. */
  readonly likeness: string;
}

export interface RowOfOutcome<Value> {
  readonly outcome: Outcome<Value>;
  readonly row: TargetRow;
}

/** What there is to read, what most targets share first; with `each`, also of targets that need none. */
export function alikeOf<Options, Value>(
  asked: Asked<Options, Value>,
  rows: readonly RowOfOutcome<Value>[],
  { each }: { readonly each: boolean },
): readonly Alike<Value>[] {
  const read = rows.flatMap(({ outcome, row: { isQuiet, same, likeness } }) => {
    if (outcome.state !== 'known') return [];
    if (isQuiet === true && !each) return [];
    if (same !== undefined && likeness !== undefined) return [{ outcome, key: same(), likeness: likeness() }];
    const { title: _, about: __, ...rest } = viewOf(asked, withoutName(outcome));
    const view = viewJson(asked.operation.among?.(outcome.value, outcome, asked.options) ?? rest);
    return [{ outcome, key: digest(view), likeness: likeness?.() ?? digest(withoutValues(view)) }];
  });
  return Array.from(groupedBy(read, ({ key }) => key).values(), (same): Alike<Value> => {
    const [first, ...others] = same;
    const { outcome, likeness } = first;
    return { targets: [outcome.target, ...others.map((each) => each.outcome.target)], outcome, likeness };
  }).toSorted((a, b) => b.targets.length - a.targets.length || byText(a.targets[0], b.targets[0]));
}

/** The outcome of a target that has no name, so that equal outcomes have equal views. */
function withoutName<Value>(outcome: KnownOutcome<Value>): KnownOutcome<Value> {
  return { ...outcome, target: '', value: { ...outcome.value, target: '' } };
}

/** Members of a view that say what the values are. */
const VALUES: ReadonlySet<string> = new Set(['values', 'words', 'about', 'names', 'remarks', 'exact']);

function withoutValues(json: Json): Json {
  if (isList(json)) return json.map(withoutValues);
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, member]) => (VALUES.has(name) ? [] : [[name, withoutValues(member)]])),
  );
}

/** From so many different results on, those that differ in values only are shown by one of them. */
const MOST_IN_FULL = 5;

/** A section for each, one for all that differ in values only where there are many and `each` is not asked for. */
export function alikeSections<Options, Value>(
  asked: Asked<Options, Value>,
  alike: readonly Alike<Value>[],
  { each }: { readonly each: boolean },
): readonly Section[] {
  const key = ({ likeness, outcome }: Alike<Value>): string =>
    each || alike.length <= MOST_IN_FULL ? outcome.target : likeness;
  return Array.from(groupedBy(alike, key).values(), ([first, ...others]): Section => {
    const more = others.flatMap(({ targets }) => targets).toSorted(byText);
    return {
      type: 'section',
      id: `target-${first.targets[0]}`,
      title: titleOf(first.targets),
      body: [
        ...(more.length === 0 ? [] : [{ type: 'text', text: likeText(more) } as const]),
        ...blocksOf(asked, first.outcome, each && first.targets.length === 1),
      ],
      isDocument: true,
    };
  });
}

/** `isWhole`: also what is of one license alone. */
function blocksOf<Options, Value>(
  asked: Asked<Options, Value>,
  outcome: KnownOutcome<Value>,
  isWhole: boolean,
): readonly Block[] {
  const among = isWhole ? undefined : asked.operation.among?.(outcome.value, outcome, asked.options);
  if (among !== undefined) return among;
  const { result, body, urgent = [] } = viewOf(asked, outcome);
  return [...body, ...urgent, { type: 'text', text: result }];
}

function titleOf(targets: readonly string[]): string {
  return targets.length === 1
    ? `Target ${targets[0]}`
    : `${targets.length} targets with the same result: ${few(targets)}`;
}

function likeText(targets: readonly string[]): string {
  const make = targets.length === 1 ? 'makes' : 'make';
  return `${targets.length} more ${make} the same changes with other values: ${few(targets)}; --details shows each`;
}

/** Of targets in these states, with nothing to say, more than so many are counted and not listed. */
const MOST_LISTED: { readonly [state in TargetAnswer['state']]?: number } = {
  valid: 10,
  'in sync': 10,
  done: 10,
  applied: 40,
  'not begun': 40,
};

export type ManyReport = Pick<TargetsReport, 'command' | 'targets' | 'since' | 'summary'>;

/** The line of each target. Nothing is a dash, so that what there is stands out. */
export function targetsTable({ targets, summary }: Pick<ManyReport, 'targets' | 'summary'>): readonly Block[] {
  const isQuiet = ({ alike, message }: TargetAnswer): boolean => alike === null && message === null;
  const quiet = countedBy(targets.filter(isQuiet), ({ state }) => state);
  const left = new Map([...quiet].filter(([state, count]) => count > (MOST_LISTED[state] ?? targets.length)));
  const shared = sharedFailures(
    targets.filter(({ state, alike }) => (state === 'failed' || state === 'unreachable') && alike === null),
  );
  const told = new Set(shared.flatMap((failure) => failure.targets));
  const listed = targets.filter((answer) => !(isQuiet(answer) && left.has(answer.state)) && !told.has(answer.target));
  const failures: readonly Block[] =
    shared.length === 0 ? [] : [{ type: 'list', texts: shared.map(({ text }) => ({ text, tone: 'error' })) }];
  if (listed.length === 0) return failures;
  const columns = Object.keys(summary.figures);
  const withRequests = targets.some(({ requests }) => requests !== null && requests > 0);
  const cell = (count: number | null | undefined): Text | number => (count == null || count === 0 ? '-' : count);
  const table: Table = {
    type: 'table',
    name: 'Targets',
    columns: [
      { title: 'Target' },
      ...columns.map((column, at) => ({ title: capital(column), isNumber: true, dispensable: at + 1 })),
      ...(withRequests ? [{ title: 'Requests', isNumber: true, dispensable: columns.length + 1 }] : []),
      { title: 'State' },
    ],
    rows: listed.map((answer) => ({
      cells: [
        answer.target,
        ...columns.map((column) => cell(answer.figures[column])),
        ...(withRequests ? [cell(answer.requests)] : []),
        [stateSpan(answer), ...(answer.message === null ? [] : [`: ${firstLine(answer.message)}`])],
      ],
      weight: MARKS[answer.state].tone === 'error' ? 2 : 1,
    })),
  };
  const counts = Array.from(left, ([state, count]) => `${count} ${state}`).join(', ');
  return [table, ...failures, ...(left.size === 0 ? [] : [{ type: 'text', text: `Not listed: ${counts}.` } as const])];
}

/** A failure of as many targets is told once. */
const MANY_ALIKE = 3;

/** `24 targets failed: the token is not set: acme, bravo and 22 more`: the same apart from their own names, the most frequent first. */
export function sharedFailures(
  answers: readonly { readonly target: string; readonly state: string; readonly message: string | null }[],
): readonly { readonly targets: readonly string[]; readonly text: string }[] {
  const failures = answers.flatMap(({ target, state, message }) =>
    message === null ? [] : [{ target, said: `${state}: ${unnamed(firstLine(message), target)}` }],
  );
  return [...groupedBy(failures, ({ said }) => said)]
    .filter(([, own]) => own.length >= MANY_ALIKE)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([said, own]) => {
      const targets = own.map(({ target }) => target);
      return { targets, text: `${targets.length} targets ${said}: ${few(targets, 2)}` };
    });
}

/** Part of a word is no name. */
function unnamed(message: string, name: string): string {
  const words = message.split(/([\w-]+(?:\.[\w-]+)*)/);
  const isNamed = (word: string): boolean => word === name || word.startsWith(`${name}.`);
  return words.map((word) => (isNamed(word) ? `…${word.slice(name.length)}` : word)).join('');
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

const tone = (state: TargetAnswer['state'], of: Mark['tone'], sign: string): Mark => ({ sign, word: state, tone: of });

/** Sign, word and tone of each state. */
export const MARKS: { readonly [state in TargetAnswer['state']]: Mark } = {
  valid: tone('valid', 'calm', '✓'),
  'in sync': tone('in sync', 'calm', '✓'),
  done: tone('done', 'calm', '✓'),
  absent: tone('absent', 'calm', '✓'),
  applied: tone('applied', 'add', '✓'),
  changes: tone('changes', 'change', '~'),
  drift: tone('drift', 'warning', '!'),
  differs: tone('differs', 'warning', '!'),
  'not begun': tone('not begun', 'warning', '!'),
  locked: tone('locked', 'warning', '!'),
  outdated: tone('outdated', 'warning', '!'),
  withheld: tone('withheld', 'error', '!'),
  unreachable: tone('unreachable', 'error', '!'),
  'in part': tone('in part', 'error', '!'),
  failed: tone('failed', 'error', '!'),
  interrupted: tone('interrupted', 'error', '!'),
};

function stateSpan({ state }: Pick<TargetAnswer, 'state'>): Span {
  const { tone } = MARKS[state];
  return tone === 'calm' ? state : { text: state, tone };
}

/** `acme: drift (2 differences)`: one target while others are under way. */
export function answerText({ target, state, figures, message }: TargetAnswer): Text {
  const counts = Object.entries(figures).flatMap(([column, count]) =>
    count > 0 ? [`${count} ${count === 1 ? column.replace(/(?<!s)s$/, '') : column}`] : [],
  );
  return [
    `${target}: `,
    stateSpan({ state }),
    ...(message === null ? [] : [`: ${firstLine(message)}`]),
    ...(counts.length === 0 ? [] : [` (${counts.join(', ')})`]),
  ];
}

/** `3 with changes`, `29 in sync`. */
export function stateCount(state: string, count: number): string {
  return `${count} ${state === 'changes' ? 'with changes' : state}`;
}

/** Title, result and what the targets were chosen by. */
export function manyFrame({ command, targets, summary, since }: ManyReport): Omit<View, 'body'> {
  const states = Object.entries(summary.states).flatMap(([state, count], at) => {
    const { tone } = MARKS[state as TargetAnswer['state']];
    const text = stateCount(state, count);
    return [...(at === 0 ? [] : [', ']), tone === 'calm' ? text : { text, tone }];
  });
  const worst = targets.map(({ state }) => MARKS[state]).toSorted((a, b) => RANK[b.tone] - RANK[a.tone])[0];
  const of = since === null ? null : `what changed since ${since.ref}`;
  const all = counted(targets.length + (since?.untouched ?? 0), 'target');
  const result: Text = [
    { text: `${counted(targets.length, 'target')}:`, tone: 'strong' },
    ' ',
    ...states,
    ...(summary.requests > 0 ? [`; ${counted(summary.requests, 'request')}`] : []),
    ...(summary.digest === null ? [] : [`; digest ${summary.digest}`]),
  ];
  return {
    title: `chatform ${command}: ${counted(targets.length, 'target')}`,
    mark: worst ?? MARKS.done,
    result: of !== null && targets.length === 0 ? `No target is touched by ${of}.` : result,
    about: of === null || targets.length === 0 ? [] : [`Touched by ${of}: ${targets.length} of ${all}.`],
  };
}

const RANK: { readonly [tone in Mark['tone']]: number } = {
  ...{ calm: 0, strong: 0, faint: 0, add: 1, move: 2, change: 2, destroy: 3, warning: 3, error: 4 },
};
