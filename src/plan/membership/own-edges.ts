// Writes in; which of them would undo each other if they left together, out: whole maps of members, and edges that others write on themselves.

import { isObject } from '../../base/json.ts';
import type { Reference, Spec } from '../../base/model.ts';
import { isMembership } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Step } from '../plan.ts';
import type { EdgeWrite } from './edges.ts';

/** A step that does not know yet what it waits for. */
export type OpenStep = Omit<Step, 'after'>;

/**
 * Whoever writes an edge of its own to an object whose whole map is written, too, does so afterwards: the map was built from a reading in which that
 * edge was not there, or not like this. Service notes, "Groups": whether bots appear in the map is not stated.
 */
export function overwrites(open: readonly OpenStep[], edges: readonly EdgeWrite[]): ReadonlyMap<Reference, string> {
  const maps = new Set(edges.map((write) => `${write.kind.name} ${write.reference}`));
  return new Map(
    open.flatMap((step): readonly (readonly [Reference, string])[] => {
      const reference = step.address ?? String(step.object);
      return step.operation === 'update' && maps.has(`${step.type} ${reference}`) ? [[reference, step.id]] : [];
    }),
  );
}

/** The objects at the other end of edges that are no membership, as they are and as they will be. */
export function ownEdges(step: OpenStep, live: Spec | null, kind: Kind): readonly Reference[] {
  const names = Object.keys(step.fields).filter(
    (name) => kind.fields[name]?.references?.at === 'keys' && !isMembership(kind.name, name),
  );
  return names.flatMap((name) =>
    [step.fields[name], live?.[name]].flatMap((value) => (isObject(value) ? Object.keys(value) : [])),
  );
}
