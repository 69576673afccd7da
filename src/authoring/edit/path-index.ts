// Paths of a value that are compared with each other: whether one is inside of another.

import type { Path } from '../../yaml/places.ts';

/** Paths, of which none may be inside of another. */
export interface PathIndex {
  /** Whether the path is not one of them, not inside of one, and not around one. */
  readonly isApart: (path: Path) => boolean;
  readonly add: (path: Path) => void;
}

export function pathIndex(): PathIndex {
  const whole = new Set<string>();
  const around = new Set<string>();
  const beginnings = (path: Path): readonly string[] => path.map((_, depth) => pathText(path.slice(0, depth)));
  return {
    isApart: (path) =>
      !around.has(pathText(path)) && ![...beginnings(path), pathText(path)].some((each) => whole.has(each)),
    add: (path) => {
      whole.add(pathText(path));
      for (const each of beginnings(path)) around.add(each);
    },
  };
}

/** An index and a name that read alike have different texts. */
export function pathText(path: Path): string {
  return JSON.stringify(path);
}
