// A path of a manifest in; what stands there is of what it stands in, out. Knows no text, and no kind.

import { SECTIONS } from '../../manifest/sections.ts';
import type { Path } from '../../yaml/mark.ts';

/** `section` is whatever leads to entries; what stands in no section, such as a shelf for anchors, is a member. */
export type Role = 'section' | 'entry' | 'member' | 'item';

export function roleOf(path: Path): Role {
  const [top] = path;
  if (typeof path.at(-1) === 'number') return 'item';
  const section = SECTIONS.find(({ name }) => name === top);
  if (section === undefined) return path.length === 0 ? 'section' : 'member';
  // A list of entries leads to them as a mapping does.
  const depth = Math.max(1, section.depth);
  if (path.length <= depth) return 'section';
  return path.length === depth + 1 ? 'entry' : 'member';
}
