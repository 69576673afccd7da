// A draft in, what it leaves behind out: the spec that its object has once everything within reach is written. Judges nothing.

import type { Spec } from '../model.ts';
import type { Draft } from './draft.ts';
import { isInReach } from './reach.ts';

/** In the plan's terms; null when there is no object afterwards. */
export function aftermath(made: Draft): Spec | null {
  if (made.verb === 'delete') return null;
  if (made.object === null && made.verb !== 'create') return null;
  if (made.live !== null && made.verb === 'none') return made.live;
  const closed = made.fields.filter(isInReach).map(({ field, after }) => [field, after] as const);
  return { ...(made.live ?? defaultsOf(made)), ...Object.fromEntries(closed) };
}

/** What the service fills in for whoever is made without it. */
function defaultsOf({ kind }: Draft): Spec {
  return Object.fromEntries(
    Object.entries(kind.fields).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default] as const],
    ),
  );
}
