// The one comment of a target on a request, found again by a hidden marker and its author, and edited in place. A late job leaves it unchanged; two jobs
// that create one at the same time end with one. Hosts have no compare-and-swap, so the comments are read as late as possible.

import { sha256Hex } from '../../base/digest.ts';
import { UsageError } from '../../base/errors.ts';
import type { Comment, Host } from '../../outlets/hosts/host.ts';
import { CHANGE_STATES, type ChangeState } from '../../plan/review/plan-result.ts';

/** What a job writes into the marker of its comment. */
export interface CommentClaim {
  /** Which comment of the request: one for each target. */
  readonly key: string;
  /** A later run has a higher number. */
  readonly run: number;
  /** A repeated run has a higher number. */
  readonly attempt: number;
  /** What was planned or applied. */
  readonly commit: string;
  readonly state: ChangeState;
}

export function keyOf(...names: readonly string[]): string {
  return sha256Hex(JSON.stringify(names)).slice(0, 16);
}

/** The text below its marker, in which no value can end the marker. */
export function marked({ key, run, attempt, commit, state }: CommentClaim, body: string): string {
  return `<!-- chatform:1 key=${key} run=${run} attempt=${attempt} commit=${commit} state=${state} -->\n${body}`;
}

const MARKER =
  /^<!-- chatform:1 key=([0-9a-f]{16}) run=(\d{1,15}) attempt=(\d{1,15}) commit=([0-9a-f]*) state=(\w+) -->\r?\n/;

/** Null for a comment without a marker. Only the first line counts: a quoted marker is text. */
export function claimIn(body: string): CommentClaim | null {
  const [, key, run, attempt, commit, word] = MARKER.exec(body) ?? [];
  const state = CHANGE_STATES.find((each) => each === word);
  if (key === undefined || commit === undefined || state === undefined) return null;
  return { key, run: Number(run), attempt: Number(attempt), commit, state };
}

/** Within one attempt a job only goes forward. */
const RANK: { readonly [state in ChangeState]: number } = { plan: 0, applying: 1, applied: 2, failed: 2 };

/**
 * Whether a newer job has commented. A job of a commit at which the request stands is newer than a job of another commit; otherwise the later run,
 * and of one run the later attempt. `current` is empty when it is not known where the request stands.
 */
export function isLate(mine: CommentClaim, theirs: CommentClaim, current: readonly string[]): boolean {
  const isCurrent = ({ commit }: CommentClaim): boolean => current.includes(commit);
  if (isCurrent(mine) !== isCurrent(theirs)) return isCurrent(theirs);
  if (mine.run !== theirs.run) return mine.run < theirs.run;
  if (mine.attempt !== theirs.attempt) return mine.attempt < theirs.attempt;
  return RANK[mine.state] < RANK[theirs.state];
}

export interface Published {
  readonly outcome: 'created' | 'updated' | 'late';
  readonly url: string | null;
}

interface OwnComment extends Comment {
  readonly claim: CommentClaim;
}

/** A comment may be deleted between a reading and a write, but not each time. */
const TRIES = 3;

export async function publish(host: Host, claim: CommentClaim, body: string): Promise<Published> {
  const author = await host.self();
  const text = marked(claim, body);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const current = await host.current();
    const [oldest, ...others] = await ownComments(host, author, claim);
    const newer = [oldest, ...others].find((each) => each !== undefined && isLate(claim, each.claim, current));
    if (newer !== undefined) return { outcome: 'late', url: newer.url };
    if (oldest === undefined) return settle(host, author, claim, text, await host.create(text));
    const updated = await host.update(oldest.id, text);
    if (updated === null) continue;
    for (const other of others) await host.remove(other.id);
    return { outcome: 'updated', url: updated.url };
  }
  throw new UsageError(
    'the comment is listed, and is gone each time it is written: delete it, or check that the token may edit it',
  );
}

/** Leaves the oldest of several comments of one key, which every job finds alike. The host knows the author of a new comment better than the token. */
async function settle(
  host: Host,
  author: string,
  claim: CommentClaim,
  text: string,
  made: Comment,
): Promise<Published> {
  const [oldest] = await ownComments(host, made.author ?? author, claim);
  // A list may lag behind a write.
  if (oldest === undefined || oldest.id >= made.id) return { outcome: 'created', url: made.url };
  const isBeaten = isLate(claim, oldest.claim, await host.current());
  if (!isBeaten && (await host.update(oldest.id, text)) === null) return { outcome: 'created', url: made.url };
  await host.remove(made.id);
  return { outcome: isBeaten ? 'late' : 'updated', url: oldest.url };
}

/** Oldest first. The author counts, because any other author can write a marker. */
async function ownComments(host: Host, author: string, { key }: CommentClaim): Promise<readonly OwnComment[]> {
  return (await host.comments())
    .flatMap((comment): readonly OwnComment[] => {
      const claim = comment.author === author ? claimIn(comment.body) : null;
      return claim === null || claim.key !== key ? [] : [{ ...comment, claim }];
    })
    .toSorted((one, other) => one.id - other.id);
}
