// The hidden first line of a comment: whose it is, and which job wrote it last. Everything in it is made of letters that cannot end it. Pure.

import { createHash } from 'node:crypto';
import { STATES, type State } from '../../render/comment/subject.ts';

/** What a job says of itself. */
export interface Claim {
  /** Which comment of the request: one for each target. */
  readonly key: string;
  /** Of the run: a later run has a higher one. */
  readonly run: number;
  /** Of the run: it may be repeated. */
  readonly attempt: number;
  /** What was planned or applied. */
  readonly commit: string;
  readonly state: State;
}

export function keyOf(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 16);
}

export function marked({ key, run, attempt, commit, state }: Claim, body: string): string {
  return `<!-- chatform:1 key=${key} run=${run} attempt=${attempt} commit=${commit} state=${state} -->\n${body}`;
}

const MARKER =
  /^<!-- chatform:1 key=([0-9a-f]{16}) run=(\d{1,15}) attempt=(\d{1,15}) commit=([0-9a-f]*) state=(\w+) -->\r?\n/;

/** Null for a comment that is none of ours. Only the first line counts: what is quoted below it is text. */
export function claimIn(body: string): Claim | null {
  const [, key, run, attempt, commit, word] = MARKER.exec(body) ?? [];
  const state = STATES.find((each) => each === word);
  if (key === undefined || commit === undefined || state === undefined) return null;
  return { key, run: Number(run), attempt: Number(attempt), commit, state };
}

/** Within one attempt a job goes only forwards. */
const RANK: { readonly [state in State]: number } = { plan: 0, applying: 1, applied: 2, failed: 2 };

/**
 * Whether somebody newer has spoken. Who speaks of a commit at which the request stands is newer than who does not; otherwise the later run, and of one
 * run the later attempt. `current` is empty when nobody knows where the request stands.
 */
export function isLate(mine: Claim, theirs: Claim, current: readonly string[]): boolean {
  const isCurrent = ({ commit }: Claim): boolean => current.includes(commit);
  if (isCurrent(mine) !== isCurrent(theirs)) return isCurrent(theirs);
  if (mine.run !== theirs.run) return mine.run < theirs.run;
  if (mine.attempt !== theirs.attempt) return mine.attempt < theirs.attempt;
  return RANK[mine.state] < RANK[theirs.state];
}
