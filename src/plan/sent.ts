// What the write of a draft carries, and the spec that its object has afterwards.

import type { Json, Spec } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { isMembership } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { isInReach } from './diff.ts';
import { changedFields, type Draft, remade } from './draft.ts';

/** Returns the value of every field that a create or an update of this draft sends. */
export function sent(made: Draft): Spec {
  const desired = made.desired ?? {};
  if (made.verb === 'replace') return { ...identity(made), ...remade(made.kind, made.live, desired) };
  const carried = new Set<string>();
  for (const { field, reach } of made.fields) if (reach === 'write' || reach === 'unverified') carried.add(field);
  const fields: Record<string, Json> = { ...identity(made) };
  for (const [name, value] of Object.entries(remade(made.kind, made.remaking, desired))) {
    const field = made.kind.fields[name];
    if (isMembership(made.kind.name, name) || !(carried.has(name) || field?.option === true)) continue;
    const live = made.object?.facts.generated?.[name] ?? made.live?.[name] ?? null;
    fields[name] = field?.carried?.(value, live) ?? value;
  }
  return fields;
}

/** Returns the fields that every write of an existing object must carry; a removal names them as they are. */
export function identity(made: Draft, removes = false): Spec {
  if (made.verb === 'create') return {};
  const source: { readonly [name: string]: Json } = { ...made.live, ...(removes ? {} : made.desired) };
  return Object.fromEntries(
    (made.kind.identifying ?? []).flatMap((name) => (source[name] === undefined ? [] : [[name, source[name]]])),
  );
}

/** Returns the spec that the object has once every difference within reach is closed; null when there is no object. */
export function aftermath(made: Draft): Spec | null {
  if (made.verb === 'delete') return null;
  if (made.object === null && made.verb !== 'create') return null;
  if (made.live !== null && made.verb === 'none') return made.live;
  const left: Record<string, Json> = { ...(made.live ?? defaultsOf(made.kind)) };
  for (const difference of changedFields(made)) if (isInReach(difference)) left[difference.field] = difference.after;
  return left;
}

/** Values that the service fills in for fields that a create leaves out. */
const defaultsOf = oncePer(
  ({ fields }: Kind): Spec =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) =>
        field.default === undefined ? [] : [[name, field.default] as const],
      ),
    ),
);
