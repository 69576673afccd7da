// The part that a value of a manifest plays: section, entry, member or item. Knows no text and no kind.

import { SECTIONS } from '../../manifest/sections.ts';
import type { Path } from '../../yaml/places.ts';

/** `section`: any mapping or list that leads to entries. A value in no section, such as a shelf for anchors, is a `member`. */
export type PathRole = 'section' | 'entry' | 'member' | 'item';

export function roleOf(path: Path): PathRole {
  const [top] = path;
  if (typeof path.at(-1) === 'number') return 'item';
  const section = SECTIONS.find(({ name }) => name === top);
  if (section === undefined) return path.length === 0 ? 'section' : 'member';
  // A list of entries is one level, as a mapping of entries is.
  const depth = Math.max(1, section.depth);
  if (path.length <= depth) return 'section';
  return path.length === depth + 1 ? 'entry' : 'member';
}
