// Where the members of a composed value come from: a source and a path in it for the whole, and for each member that came from elsewhere.
// In: paths in the composed value. Out: marks. Positions are computed only for what is asked.

import type { JsonObject } from '../base/model.ts';
import type { Mark, Part, Path, Source } from './mark.ts';

export interface Origin {
  readonly source: Source;
  readonly path: Path;
  /** Members that do not stand at `path` of `source`; those of a patched list are all here. */
  readonly members: ReadonlyMap<string | number, Origin>;
}

/** A value made from several files. */
export interface Composed {
  readonly value: JsonObject;
  readonly origin: Origin;
}

const NONE: ReadonlyMap<string | number, Origin> = new Map();

export function originAt(source: Source, path: Path, members = NONE): Origin {
  return { source, path, members };
}

export function memberOrigin(origin: Origin, name: string | number): Origin {
  return origin.members.get(name) ?? originAt(origin.source, [...origin.path, name]);
}

export function markOf(origin: Origin, path: Path, part: Part): Mark {
  let at = origin;
  let depth = 0;
  for (const step of path) {
    const member = at.members.get(step);
    if (member === undefined) break;
    at = member;
    depth += 1;
  }
  return at.source.mark([...at.path, ...path.slice(depth)], part);
}
