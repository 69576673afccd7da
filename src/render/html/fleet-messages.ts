// What several targets of a run have in common: the messages that they share, apart from their own names.

import type { FleetResults } from '../../fleet/log.ts';
import { type Html, html } from '../../view/html/markup.ts';
import { shortened } from '../../view/plain.ts';

/** Messages that are listed, and characters of one. */
const LISTED = 10;
const LONGEST = 300;

/** The most frequent messages; null where no two targets share one. */
export function sharedMessages(names: readonly string[], { targets }: FleetResults): Html | null {
  const counts = new Map<string, number>();
  for (const name of names) {
    const message = targets.get(name)?.end?.message ?? null;
    if (message === null) continue;
    const said = withoutName(message, name);
    counts.set(said, (counts.get(said) ?? 0) + 1);
  }
  const shared = [...counts].filter(([, count]) => count > 1).sort((one, other) => other[1] - one[1]);
  if (shared.length === 0) return null;
  const more = shared.length - LISTED;
  return html`
    <ul>${shared.slice(0, LISTED).map(([message, count]) => html`<li><span class="count">${count}</span> ${shortened(message, LONGEST)}</li>`)}</ul>
    ${more <= 0 ? null : html`<p class="faint">and ${more} more messages of several targets</p>`}`;
}

/** Part of a word is no name. */
function withoutName(message: string, name: string): string {
  const [first = '', ...others] = message.split(name);
  return others.reduce((text, next) => {
    const isWhole = !/[\p{L}\p{N}_-]$/u.test(text) && !/^[\p{L}\p{N}_-]/u.test(next);
    return `${text}${isWhole ? '…' : name}${next}`;
  }, first);
}
