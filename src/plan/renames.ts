// Probable renames: one object of a kind goes, one comes, and they are equal except for the name.

import { equalJson } from '../base/json.ts';
import type { Spec } from '../base/model.ts';
import { isMembership, KINDS } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { diffFields } from './diff.ts';
import type { Draft, DraftOptions } from './draft.ts';

/** The object that goes and the one that comes; null with more than one of either, where it would be a guess. */
export function probableRename(
  kind: Kind,
  drafts: readonly Draft[],
  options: DraftOptions,
): { readonly gone: Draft; readonly fresh: Draft } | null {
  const own = drafts.filter((made) => made.kind === kind);
  const [gone, ...others] = own.filter(({ verb, neverOwned }) => verb === 'delete' && !neverOwned);
  const [fresh, ...more] = own.filter(({ verb, lost }) => verb === 'create' && lost === null);
  if (gone === undefined || fresh === undefined || others.length + more.length > 0) return null;
  return gone.rival === null && isRenamed(gone, fresh, options) ? { gone, fresh } : null;
}

/** Returns the drafts, where a delete says what its object is probably called now, if the service renames nothing of its kind. */
export function renaming(drafts: readonly Draft[], options: DraftOptions): readonly Draft[] {
  const renamed = Object.values(KINDS).flatMap((kind) =>
    kind.soleSpelling === undefined ? [] : (probableRename(kind, drafts, options) ?? []),
  );
  if (renamed.length === 0) return drafts;
  return drafts.map((made) => {
    const pair = renamed.find(({ gone }) => gone === made);
    return pair === undefined ? made : { ...made, renamed: pair.fresh.address };
  });
}

/** Whether fields other than the name and the required ones are declared, and none of them differs or is unknown. */
function isRenamed({ address, kind, object, live }: Draft, { desired }: Draft, options: DraftOptions): boolean {
  const [name] = kind.unique ?? [];
  if ((name === undefined && kind.soleSpelling === undefined) || object === null || live === null || desired === null)
    return false;
  const declared: Spec = Object.fromEntries(
    Object.entries(desired).filter(([field]) => field !== name && kind.fields[field]?.option !== true),
  );
  const isEnough = kind.soleSpelling !== undefined;
  const evidence = Object.keys(declared).filter((field) => isEnough || !kind.required.includes(field));
  const edges = Object.keys(declared).filter((field) => isMembership(kind.name, field));
  const last = { applied: options.applied.get(address) ?? null, complete: false };
  return (
    evidence.length > 0 &&
    edges.every((field) => equalJson(live[field] ?? {}, declared[field] ?? {})) &&
    diffFields(kind, declared, object, live, last, options).length === 0
  );
}
