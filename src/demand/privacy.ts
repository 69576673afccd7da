// Which figures of single persons stay hidden, so that no other one can be computed from them. docs/how-to/how-many-chats.md, "Privacy".

import { LEAST_CHATS } from './hourly.ts';

/**
 * The places of those that stay hidden, among figures that stand on so many chats: those on fewer than five; and, until these stand on five together, the
 * smallest of the others. So their part of a sum is never that of one person, and never small. `unseen`: chats of those that are not shown anyway.
 */
export function hiddenAmong(chats: readonly number[], unseen = 0): ReadonlySet<number> {
  const bySize = chats.map((count, place) => ({ count, place })).toSorted((one, other) => one.count - other.count);
  const hidden = new Set<number>();
  let hiddenChats = unseen;
  for (const { count, place } of bySize) {
    const isAnyHidden = hidden.size > 0 || unseen > 0;
    if (count >= LEAST_CHATS && (!isAnyHidden || hiddenChats >= LEAST_CHATS)) break;
    hidden.add(place);
    hiddenChats += count;
  }
  return hidden;
}
