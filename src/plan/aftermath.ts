// A draft in, what it leaves behind out: the spec that its object has once everything within reach is written. Judges nothing.

import type { Json, Spec } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import type { Kind } from '../kinds/kind.ts';
import { changedFields, type Draft } from './draft.ts';
import { isInReach } from './reach.ts';

/** In the plan's terms; null when there is no object afterwards. */
export function aftermath(made: Draft): Spec | null {
  if (made.verb === 'delete') return null;
  if (made.object === null && made.verb !== 'create') return null;
  if (made.live !== null && made.verb === 'none') return made.live;
  const left: Record<string, Json> = { ...(made.live ?? defaultsOf(made.kind)) };
  for (const difference of changedFields(made)) if (isInReach(difference)) left[difference.field] = difference.after;
  return left;
}

/** What the service fills in for whoever is made without it. */
const defaultsOf = oncePer(
  ({ fields }: Kind): Spec =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) =>
        field.default === undefined ? [] : [[name, field.default] as const],
      ),
    ),
);
