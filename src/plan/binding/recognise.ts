// Natural keys: resources that neither `id:` nor the ledger binds, matched with unclaimed objects.

import { groupedBy } from '../../base/grouped.ts';
import type { DesiredResource, LiveObject, ObjectId, Reference } from '../../base/model.ts';
import type { Kind } from '../../kinds/kind.ts';
import { type BindingState, claim, type KindTable, lostOf, problem, resolver } from './claims.ts';

export function listNames(objects: readonly LiveObject[]): string {
  return objects.map((object) => `${object.id} (${object.name})`).join(', ');
}

/** A person has one account: a second declaration of it is an error, and never makes another one. */
function isTaken({ kind, claims }: KindTable, { id }: LiveObject): boolean {
  return kind.choosesId !== true && claims.has(id);
}

function unclaimedByKey(
  table: KindTable,
  { ofLive }: Kind['naturalKeys'][number],
): ReadonlyMap<string | null, readonly LiveObject[]> {
  const unclaimed = [...table.objects.values()].filter(
    (object) => !isTaken(table, object) && object.facts.derived !== true,
  );
  return groupedBy(unclaimed, ofLive);
}

/** Of several objects with one equal key, returns those that the other keys do not tell apart from the resource. */
export function narrowed(
  kind: Kind,
  resource: DesiredResource,
  candidates: readonly LiveObject[],
  resolve: (reference: Reference) => ObjectId | null,
): readonly LiveObject[] {
  let left = candidates;
  for (const key of kind.naturalKeys) {
    if (left.length < 2) break;
    const own = key.ofDesired(resource, resolve);
    const closer = left.filter((object) => key.ofLive(object) === own);
    if (closer.length > 0) left = closer;
  }
  return left;
}

/** Tries the natural keys from the most specific to the least. A resource that no key finds does not exist. */
export function bindByNaturalKey(state: BindingState, table: KindTable, resources: readonly DesiredResource[]): void {
  if (resources.length === 0) return;
  const { kind } = table;
  const resolve = resolver(state.ids);
  let open = resources;
  for (const key of kind.naturalKeys) {
    const index = unclaimedByKey(table, key);
    const still: DesiredResource[] = [];
    for (const resource of open) {
      const own = key.ofDesired(resource, resolve);
      const unclaimed = (own === null ? [] : (index.get(own) ?? [])).filter((object) => !isTaken(table, object));
      const candidates = narrowed(kind, resource, unclaimed, resolve);
      const [first] = candidates;
      if (first === undefined) {
        still.push(resource);
      } else if (candidates.length > 1) {
        const lost = lostOf(state, table, resource);
        const was = lost === null ? '' : `was ${kind.noun.one} ${lost}, which is gone, and `;
        const message = `${resource.address} ${was}could be any of ${candidates.length} live ${kind.noun.many}: ${listNames(candidates)}`;
        state.problems.push(problem('ambiguous-match', resource.place, message, 'say which one with `id:`'));
      } else {
        claim(state, table, resource, first, key.about);
      }
    }
    open = still;
  }
  for (const resource of open) {
    state.bound.set(resource.address, {
      resource,
      object: null,
      owned: false,
      made: false,
      lost: lostOf(state, table, resource),
      recognisedBy: null,
    });
  }
}
