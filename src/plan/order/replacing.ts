// Replacements whose new object is made before the old one goes: which of them have room for that, and in which order.

import { grouped } from '../../base/grouped.ts';
import type { Address, Live } from '../../base/model.ts';
import type { KindLimits } from '../../kinds/limits.ts';
import type { Draft } from '../draft.ts';
import { holderIn } from '../problems.ts';
import { formerAddress } from '../reference.ts';

/** Returns the drafts, where a replacement has the address at which the old object stays until the new one is there. */
export function overlapping(drafts: readonly Draft[], live: Live, limits: KindLimits): readonly Draft[] {
  const replaced = drafts.filter(({ verb, kind }) => verb === 'replace' && kind.replacing?.overlaps !== undefined);
  if (replaced.length === 0) return drafts;
  const changed = new Map<Address, Draft>();
  for (const [holder, own] of grouped(replaced.map((made) => [holderOf(made), made] as const))) {
    // One more for a moment: each waits until the one before has ended.
    const hasRoom = countOf(holder, own, drafts, live) < mostOf(own, limits);
    own.forEach((made, index) => {
      const before = own[index - 1];
      changed.set(made.address, {
        ...made,
        ...(hasRoom && made.object !== null ? { former: formerAddress(made.kind.name, made.object.id) } : {}),
        ...(before === undefined ? {} : { behind: before.address }),
      });
    });
  }
  return drafts.map((made) => changed.get(made.address) ?? made);
}

/** What the new object is counted with. */
function holderOf({ kind, resource, desired, live }: Draft): string {
  const spec = { ...live, ...desired };
  return `${kind.name} ${holderIn(kind, { key: resource?.key ?? '', spec })}`;
}

function mostOf([first]: readonly Draft[], limits: KindLimits): number {
  const limit = first?.kind.capacity?.limit;
  return limit === undefined ? Number.POSITIVE_INFINITY : limits[limit];
}

/** Live objects that are counted with them, and those that are made before anything goes. */
function countOf(holder: string, [first]: readonly Draft[], drafts: readonly Draft[], { objects }: Live): number {
  if (first === undefined) return 0;
  const { kind } = first;
  const listed = (objects[kind.name] ?? []).filter(
    ({ id, spec }) => `${kind.name} ${holderIn(kind, { key: String(id), spec })}` === holder,
  );
  const made = drafts.filter((each) => each.kind === kind && each.verb === 'create' && holderOf(each) === holder);
  return listed.length + made.length;
}
