// The name that a misspelt one probably means.

import { distance } from 'fastest-levenshtein';

/** Longest list of right names that is worth reading. */
const LISTED = 16;

/** Fewest characters of a name that is cut off. */
const SHORTEST_BEGINNING = 3;

/** The same text for spellings of one name: `maxChatsCount`, `max-chats-count`, `Max_chats_count`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** Edit distance, except that swapped letters (`nmae`), the commonest slip of all, count as one edit. */
function apartness(name: string, candidate: string): number {
  if (name === candidate) return 0;
  return [...name].sort().join('') === [...candidate].sort().join('') ? 1 : distance(name, candidate);
}

/** Whether two names are one edit apart. */
export function slip(name: string, candidate: string): boolean {
  return apartness(name, candidate) === 1;
}

/** The part in which names differ: people of one company share their domain, and addresses of one kind its name. */
function ownPart(name: string): string {
  return name.replace(/@.*$/, '').replace(/^[a-z]+\//, '');
}

/** `online` is near `offline`, and means the contrary. */
function isOpposite(name: string, candidate: string): boolean {
  return name.replace(/^on/, 'off') === candidate || name === candidate.replace(/^on/, 'off');
}

/** The only candidate that begins with `name`, or whose own part does; null when there are none or several. */
function goneOn(name: string, names: readonly string[]): string | null {
  const begins = (text: string): boolean => plainName(text).startsWith(plainName(name));
  const longer = names.filter((candidate) => begins(candidate) || begins(ownPart(candidate)));
  return plainName(name).length < SHORTEST_BEGINNING || longer.length !== 1 ? null : (longer[0] ?? null);
}

/** The right name that is nearest to `name`; null when none is near enough to have been meant. */
export function nearest(name: string, names: readonly string[]): string | null {
  const wanted = plainName(name);
  let best: string | null = null;
  let least = Math.max(1, Math.floor(ownPart(wanted).length * 0.4)) + 1;
  for (const candidate of names) {
    if (isOpposite(wanted, plainName(candidate))) continue;
    if (Math.abs(candidate.length - name.length) > least + 3) continue;
    const apart = apartness(wanted, plainName(candidate));
    if (apart < least) [best, least] = [candidate, apart];
  }
  return best ?? goneOn(name, names);
}

/** `a`, `b` and `c`; a long list is cut. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED).map((name) => `\`${name}\``);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** The remedy for a name that is not one of `names`. `otherwise` is meant where none is near. */
export function rightNames(name: string, names: readonly string[], otherwise: string | null = null): string {
  const meant = nearest(name, names) ?? otherwise;
  const allowed = names.length === 0 ? 'nothing is allowed here' : `allowed: ${listed(names)}`;
  return meant === null ? allowed : `did you mean \`${meant}\`? ${allowed}`;
}
