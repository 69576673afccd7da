// Words of a command for several targets: the cells of its table, its counts, and the titles of what is the same.

import { countedBy } from '../../base/grouped.ts';
import { counted, few } from '../../base/text.ts';
import type { TargetAnswer, TargetsReport } from '../../tasks/targets/schema.ts';
import type { Tone } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';

/** Of targets in these states, without a message and with nothing to read, more than so many are counted and not listed. */
const MOST_LISTED: { readonly [state in TargetAnswer['state']]?: number } = {
  valid: 10,
  'in sync': 10,
  done: 10,
  applied: 40,
  'not begun': 40,
};

export interface TargetsTable {
  readonly head: readonly string[];
  readonly rows: readonly { readonly answer: TargetAnswer; readonly cells: readonly string[] }[];
  /** How many targets of each state are left out. */
  readonly left: ReadonlyMap<TargetAnswer['state'], number>;
}

export function targetsTable({ targets, summary }: Pick<TargetsReport, 'targets' | 'summary'>): TargetsTable {
  const quiet = countedBy(targets.filter(isQuiet), ({ state }) => state);
  const left = new Map([...quiet].filter(([state, count]) => count > (MOST_LISTED[state] ?? targets.length)));
  const listed = targets.filter((answer) => !(isQuiet(answer) && left.has(answer.state)));
  const columns = Object.keys(summary.figures);
  const withRequests = targets.some(({ requests }) => requests !== null);
  return {
    head: ['Target', ...columns.map(capital), ...(withRequests ? ['Requests'] : []), 'State'],
    rows: listed.map((answer) => ({
      answer,
      cells: [
        plain(answer.target),
        ...columns.map((column) => cell(answer.figures[column])),
        ...(withRequests ? [cell(answer.requests ?? undefined)] : []),
        stateText(answer),
      ],
    })),
    left,
  };
}

function isQuiet({ alike, message }: TargetAnswer): boolean {
  return alike === null && message === null;
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** Nothing is a dash, so that what there is stands out. */
function cell(count: number | undefined): string {
  return count === undefined || count === 0 ? '-' : String(count);
}

/** `unreachable: the environment variable TOKEN_B is not set`. */
export function stateText({ state, message }: TargetAnswer): string {
  return message === null ? state : `${state}: ${plain(message.split('\n')[0] ?? '')}`;
}

/** `Not listed: 21 in sync, 50 applied.`; null where all are listed. */
export function leftText({ left }: TargetsTable): string | null {
  if (left.size === 0) return null;
  return `Not listed: ${Array.from(left, ([state, count]) => `${count} ${state}`).join(', ')}.`;
}

export function toneOf(state: TargetAnswer['state']): Tone | null {
  return TONES[state] ?? null;
}

const TONES: { readonly [state in TargetAnswer['state']]?: Tone } = {
  failed: 'error',
  unreachable: 'error',
  'in part': 'error',
  withheld: 'error',
  interrupted: 'error',
  outdated: 'warning',
  locked: 'warning',
  drift: 'warning',
  differs: 'warning',
  'not begun': 'warning',
};

/** `27 targets with the same result: acme, bravo and 25 more`. */
export function sameTitle(targets: readonly string[]): string {
  const names = targets.map(plain);
  return names.length === 1 ? `Target ${names[0]}` : `${names.length} targets with the same result: ${few(names)}`;
}

/** `8 more make the same changes with other values: ...`. */
export function likeText(targets: readonly string[]): string {
  const make = targets.length === 1 ? 'makes' : 'make';
  return `${targets.length} more ${make} the same changes with other values: ${few(targets.map(plain))}; --details shows each`;
}

/** `2 dangers`, `1 danger`; a verb such as `add` stays. */
export function figureText(count: number, column: string): string {
  return `${count} ${count === 1 ? column.replace(/s$/, '') : column}`;
}

/** `27 changes, 1 in sync; 27 requests; digest 5f1c...`, with each state as `mark` writes it. */
export function factsText(
  { summary }: TargetsReport,
  mark: (state: TargetAnswer['state'], text: string) => string = (_, text) => text,
): string {
  return [
    statesText(summary, mark),
    ...(summary.requests > 0 ? [counted(summary.requests, 'request')] : []),
    ...(summary.digest === null ? [] : [`digest ${summary.digest}`]),
  ].join('; ');
}

/** `27 changes, 1 in sync`. */
export function statesText(
  { states }: Pick<TargetsReport['summary'], 'states'>,
  mark: (state: TargetAnswer['state'], text: string) => string = (_, text) => text,
): string {
  return Object.entries(states)
    .map(([state, count]) => mark(state as TargetAnswer['state'], `${count} ${state}`))
    .join(', ');
}

/** Which targets were chosen by what changed, with the commit as `mark` writes it; null where that did not choose. */
export function sinceText(
  { since, targets }: Pick<TargetsReport, 'since'> & { readonly targets: readonly unknown[] },
  mark: (text: string) => string = plain,
): string | null {
  if (since === null) return null;
  const ref = mark(since.ref);
  if (targets.length === 0) return `No target is touched by what changed since ${ref}.`;
  const all = targets.length + since.untouched;
  return `Touched by what changed since ${ref}: ${targets.length} of ${counted(all, 'target')}.`;
}
