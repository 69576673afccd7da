// Kinds of which the first object shuts out whatever none of them names, and the end of the last one lets everything in again.

import { groupedBy } from '../../base/grouped.ts';
import type { Live } from '../../base/model.ts';
import { licenseProperty } from '../../kinds/property-values.ts';
import type { Draft } from '../draft.ts';

/** Returns the drafts, where one of those that begin or end a restriction says so: one acknowledgement is enough for all of them. */
export function restricting(drafts: readonly Draft[], live: Live): readonly Draft[] {
  const own = drafts.filter(({ kind, verb }) => kind.restricts !== undefined && verb !== 'none');
  if (own.length === 0) return drafts;
  const marked = new Map<Draft, string>();
  for (const [kind, changed] of groupedBy(own, (made) => made.kind)) {
    const { restricts } = kind;
    if (restricts === undefined) continue;
    const made = changed.filter(({ verb }) => verb === 'create');
    const gone = changed.filter(({ verb }) => verb === 'delete');
    const before = live.objects[kind.name]?.length ?? 0;
    const begins = before === 0;
    const [first] = begins ? made : gone;
    if (first === undefined || (!begins && before + made.length > gone.length)) continue;
    const what = begins
      ? `it is the first ${kind.noun.one}, so ${restricts.first}`
      : `it is the last ${kind.noun.one}, so ${restricts.last}`;
    marked.set(first, `${what}; ${flagIn(live, restricts.flag)}`);
  }
  return drafts.map((made) => {
    const restriction = marked.get(made);
    return restriction === undefined ? made : { ...made, restriction };
  });
}

/** The property that tells whether anything is shut out, as it was read. */
function flagIn(live: Live, flag: string): string {
  const value = live.objects[licenseProperty.name]?.find(({ id }) => id === flag)?.spec['value'];
  return value === undefined ? `\`${flag}\` tells whether the list is in force` : `\`${flag}\` is ${String(value)} now`;
}
