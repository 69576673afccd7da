// Notes on fields that the manifest no longer declares. They keep their values.

import { isObject } from '../../base/json.ts';
import type { Address, Json, JsonObject } from '../../base/model.ts';
import { isMembership, MEMBERSHIP } from '../../kinds/index.ts';
import { keepsOthers, membersIn, namedMembers } from '../../kinds/priority.ts';
import { valueText } from '../../kinds/words.ts';
import type { Draft, DraftOptions } from '../draft.ts';
import type { Note } from '../plan.ts';

/** Phrases of one value in a note. */
const MOST_PHRASES = 4;

/**
 * Notes on fields that were applied and that the manifest no longer declares: they keep their values. A value that was not read is
 * the one that was applied: to read it can cost a request. An edge of a membership that the other end declares is still managed.
 */
export function releasedNotes(drafts: readonly Draft[], { partial, applied: all }: DraftOptions): readonly Note[] {
  if (partial) return [];
  const declaring = new Set(
    Object.values(MEMBERSHIP).flatMap(({ kind, field }) =>
      drafts.flatMap((made) => (made.kind === kind && made.desired?.[field] !== undefined ? [made.address] : [])),
    ),
  );
  return drafts.flatMap(({ address, kind, verb, resource, selected, desired, live, lost }): readonly Note[] => {
    const applied = lost === null ? all.get(address) : undefined;
    if (applied === undefined || desired === null || live === null || !selected) return [];
    if (verb === 'replace' || resource?.leaves !== undefined) return [];
    const names = [...Object.keys(applied.spec), ...Object.keys(applied.digests)];
    const kept = names.flatMap((name): readonly string[] => {
      const field = kind.fields[name];
      const isNamed = keepsOthers(desired[name]);
      if (field === undefined || field.secret === true || field.option === true) return [];
      if (desired[name] !== undefined && !isNamed) return [];
      const value = live[name] ?? applied.spec[name] ?? null;
      const own =
        isMembership(kind.name, name) && isObject(value)
          ? undeclaredMembers(value, applied.spec[name], desired[name], declaring)
          : value;
      if (isObject(own) && Object.keys(own).length === 0) return [];
      return [own === null ? name : `${name} ${valueText(field, own, MOST_PHRASES)}`];
    });
    return kept.length === 0 ? [] : [{ address, kind: 'released', message: kept.join(', ') }];
  });
}

/** Members of a live map that the other end does not declare. Of a map that keeps the others, only those that were applied and are no longer named. */
function undeclaredMembers(
  live: JsonObject,
  applied: Json | undefined,
  desired: Json | undefined,
  declaring: ReadonlySet<Address>,
): JsonObject {
  const named = isObject(desired) ? namedMembers(desired) : null;
  const before = isObject(applied) ? membersIn(applied) : {};
  const isOpen = (end: string): boolean => named === null || (!named.has(end) && before[end] !== undefined);
  return Object.fromEntries(Object.entries(live).filter(([end]) => !declaring.has(end as Address) && isOpen(end)));
}
