// One comment on a request, found again by its marker and its author, edited in place. A slow old job leaves it as it is; two jobs that make one at the same
// time end with one. No host can compare and swap a comment, so it is looked at as late as possible.

import { UsageError } from '../../base/errors.ts';
import type { Comment, Host } from './host.ts';
import { type Claim, claimIn, isLate, marked } from './marker.ts';

export interface Published {
  readonly outcome: 'created' | 'updated' | 'late';
  readonly url: string | null;
}

interface Own extends Comment {
  readonly claim: Claim;
}

/** A comment may go between a look and a write, but not each time. */
const TRIES = 3;

export async function publish(host: Host, claim: Claim, body: string): Promise<Published> {
  const author = await host.self();
  const text = marked(claim, body);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const current = await host.current();
    const [oldest, ...others] = await own(host, author, claim);
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

/**
 * The oldest of those that stand for the same is the one that stays: every job comes to the same answer, whoever looks last. Who made it, the host says
 * better than the token.
 */
async function settle(host: Host, author: string, claim: Claim, text: string, made: Comment): Promise<Published> {
  const [oldest] = await own(host, made.author ?? author, claim);
  // A list may lag behind what was just written.
  if (oldest === undefined || oldest.id >= made.id) return { outcome: 'created', url: made.url };
  const isBeaten = isLate(claim, oldest.claim, await host.current());
  if (!isBeaten && (await host.update(oldest.id, text)) === null) return { outcome: 'created', url: made.url };
  await host.remove(made.id);
  return { outcome: isBeaten ? 'late' : 'updated', url: oldest.url };
}

/** Oldest first. Whoever else can write a comment can write a marker, too. */
async function own(host: Host, author: string, { key }: Claim): Promise<readonly Own[]> {
  return (await host.comments())
    .flatMap((comment): readonly Own[] => {
      const claim = comment.author === author ? claimIn(comment.body) : null;
      return claim === null || claim.key !== key ? [] : [{ ...comment, claim }];
    })
    .toSorted((one, other) => one.id - other.id);
}
