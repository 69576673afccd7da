// People who are owned and no longer declared, where a table of people says that they left: their objects are desired as retired.

import { byText } from '../../base/json.ts';
import type { Desired, DesiredResource } from '../../base/model.ts';
import { KINDS } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import type { Bindings } from './bind.ts';
import type { Stays } from './undeclared.ts';

/** Returns `desired` with the people whose row is missing. Those who stay as they are for another reason are not among them. */
export function withLeavers(
  desired: Desired,
  { undeclared, neverOwned, keptBecause }: Bindings,
  stays: Stays,
): Desired {
  const { leavers, ...rest } = desired;
  if (leavers === undefined) return desired;
  const { kind, table, place } = leavers;
  const { retired: spec = {} } = KINDS[kind];
  const missing = [...undeclared].flatMap(([address, object]): readonly DesiredResource[] => {
    const isLeaver =
      object.kind === kind && !neverOwned.has(address) && !keptBecause.has(object) && stays(object, address) === null;
    const key = splitName(address)[1];
    return isLeaver ? [{ address, kind, key, id: object.id, spec, place, leaves: { row: 'missing', table } }] : [];
  });
  return { ...rest, resources: [...desired.resources, ...missing].toSorted((a, b) => byText(a.address, b.address)) };
}
