// Changes on the license since the last apply that a plan overwrites: the `resource_drift` of the plan. Sends no request of its own.

import { grouped, groupedBy } from '../../base/grouped.ts';
import { byText, equalJson, isObject } from '../../base/json.ts';
import type { Address, Json, Spec } from '../../base/model.ts';
import type { Comparison } from '../compare.ts';
import type { Draft } from '../draft.ts';
import type { ResourceDrift } from '../plan.ts';
import type { Difference } from './difference.ts';
import { differencesOf } from './differences.ts';

/** The differences of one address. */
type DifferencesOfOne = readonly [Difference, ...Difference[]];

/** One item for each resource, and one for the order of a list. `selects`: addresses that `--only` and `--except` leave in. */
export function overwrittenBy(compared: Comparison, selects: (address: Address) => boolean): readonly ResourceDrift[] {
  const ends = new Set(compared.edges.planned.changed.flatMap(({ left, right }) => [left, right]));
  // An apply overwrites nothing where it writes nothing, or where no object was.
  const isWritten = ({ address, verb, object, lost }: Draft): boolean =>
    (object !== null || lost !== null) && (verb !== 'none' || ends.has(address));
  const overwritten = differencesOf(compared, selects, isWritten).filter(isOverwritten);
  return Array.from(groupedBy(overwritten, ({ address }) => address).values(), driftOf);
}

/** Whether the license changed from a known value, and an apply overwrites the change. */
function isOverwritten({ status, kind, base, ways_out }: Difference): boolean {
  if ((status !== 'drift' && status !== 'conflict') || !ways_out.includes('apply')) return false;
  return kind !== 'unmanaged' || base !== null;
}

function driftOf(differences: DifferencesOfOne): ResourceDrift {
  const [{ address, type, name, id, applied_at, kind }] = differences;
  const isGone = kind === 'missing';
  return {
    address,
    type,
    name,
    id,
    change: {
      actions: isGone ? ['delete'] : ['update'],
      before: side(differences, 'base'),
      after: isGone ? null : side(differences, 'live'),
    },
    applied_at,
  };
}

/** One side of differences about an object, its fields, members of maps and an order, as one spec. */
function side(differences: readonly Difference[], which: 'base' | 'live'): Spec {
  const spec: Record<string, Json> = {};
  const members: [field: string, member: readonly [name: string, value: Json]][] = [];
  for (const difference of differences) {
    const [field, member] = difference.path;
    const value = difference[which];
    if (difference.kind === 'reordered') spec['order'] = value;
    else if (field === undefined) Object.assign(spec, differing(difference, which));
    else if (member === undefined) spec[field] = value;
    else members.push([field, [member, value]]);
  }
  for (const [field, own] of grouped(members))
    spec[field] = { ...(isObject(spec[field]) ? spec[field] : {}), ...Object.fromEntries(own) };
  return Object.fromEntries(Object.entries(spec).sort(([a], [b]) => byText(a, b)));
}

/** Of a whole object, the fields that were applied and are different or gone now. */
function differing({ base, live }: Difference, which: 'base' | 'live'): Spec {
  const [was, is] = [isObject(base) ? base : {}, isObject(live) ? live : {}];
  const names = Object.keys(was).filter((name) => !equalJson(was[name], is[name]));
  return Object.fromEntries(names.map((name) => [name, (which === 'base' ? was : is)[name] ?? null]));
}
