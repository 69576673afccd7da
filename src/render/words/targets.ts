// Words of a command for several targets: the cells of its table, its counts, and the titles of what is the same.

import { counted, few } from '../../base/text.ts';
import type { TargetAnswer, TargetsReport } from '../../tasks/targets/schema.ts';
import type { Tone } from '../paint.ts';
import { plain } from '../plain.ts';

/** More than so many targets that need nothing are counted and not listed. */
const MOST_QUIET = 40;

export interface TargetsTable {
  readonly head: readonly string[];
  readonly rows: readonly { readonly answer: TargetAnswer; readonly cells: readonly string[] }[];
  /** How many targets that need nothing are left out. */
  readonly left: number;
}

export function targetsTable({ targets, summary }: Pick<TargetsReport, 'targets' | 'summary'>): TargetsTable {
  const quiet = targets.filter(isQuiet);
  const listed = quiet.length > MOST_QUIET ? targets.filter((each) => !isQuiet(each)) : targets;
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
    left: targets.length - listed.length,
  };
}

function isQuiet({ alike, message, exit_code: code }: TargetAnswer): boolean {
  return alike === null && message === null && code === 0;
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

/** `41 targets that need nothing are not listed.`; null where all are listed. */
export function leftText({ left }: TargetsTable): string | null {
  if (left === 0) return null;
  return left === 1
    ? '1 target that needs nothing is not listed.'
    : `${left} targets that need nothing are not listed.`;
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
  return titleOf(targets, 'with the same result');
}

/** `27 targets with the same plan: acme, bravo and 25 more`. */
export function samePlanTitle(targets: readonly string[], mark: (name: string) => string): string {
  return titleOf(targets, 'with the same plan', mark);
}

function titleOf(targets: readonly string[], alike: string, mark: (name: string) => string = plain): string {
  const names = targets.map(mark);
  return names.length === 1 ? `Target ${names[0]}` : `${names.length} targets ${alike}: ${few(names)}`;
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
  { since, targets }: Pick<TargetsReport, 'since' | 'targets'>,
  mark: (text: string) => string = plain,
): string | null {
  if (since === null) return null;
  const ref = mark(since.ref);
  if (targets.length === 0) return `No target is touched by what changed since ${ref}.`;
  const all = targets.length + since.untouched;
  return `Touched by what changed since ${ref}: ${targets.length} of ${counted(all, 'target')}.`;
}
