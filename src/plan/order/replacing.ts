// Objects that are made before others of their kind go: replacements and new ones, which of them have room for that, and in which order.

import { grouped } from '../../base/grouped.ts';
import type { Address, Live } from '../../base/model.ts';
import type { KindLimits } from '../../kinds/limits.ts';
import type { Draft } from '../draft.ts';
import { holderIn } from '../problems.ts';
import { formerAddress } from '../reference.ts';

/** Returns the drafts, where new objects of a kind that overlaps wait for one that goes, if there is no room for both. */
export function madeRoom(drafts: readonly Draft[], live: Live, limits: KindLimits): readonly Draft[] {
  const own = drafts.filter(({ kind }) => kind.replacing?.overlaps !== undefined);
  const created = own.filter(({ verb }) => verb === 'create');
  const cleared = new Map<Draft, Address>();
  for (const [holder, made] of grouped(created.map((each) => [holderOf(each), each] as const))) {
    const going = own.filter((each) => each.verb === 'delete' && holderOf(each) === holder);
    // Those that come last wait, each for one that goes.
    const waiting = made.slice(Math.max(0, made.length - (countOf(holder, made, drafts, live) - mostOf(made, limits))));
    for (const [index, each] of waiting.entries()) {
      const gone = going[index];
      if (gone !== undefined) cleared.set(each, gone.address);
    }
  }
  if (cleared.size === 0) return drafts;
  return drafts.map((made) => {
    const clearedBy = cleared.get(made);
    return clearedBy === undefined ? made : { ...made, clearedBy };
  });
}

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
