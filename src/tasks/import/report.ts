// A draft in; what there is to say of it, in the words of the kinds, out.

import type { Address, KindName } from '../../base/model.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import type { LeftOut } from './candidates.ts';
import type { Draft } from './draft.ts';
import type { Entry } from './entry.ts';

/** So many of a kind. */
export interface Count {
  readonly type: KindName;
  readonly count: number;
  readonly noun: string;
}

export interface ReportedFile {
  readonly path: string;
  readonly change: 'created' | 'extended';
  readonly counts: readonly Count[];
  /** Objects that the file only looks up. */
  readonly lookedUp: number;
  readonly before: string | null;
  readonly text: string;
}

export interface ImportReport {
  readonly counts: readonly Count[];
  readonly files: readonly ReportedFile[];
  readonly entries: readonly (Pick<Entry, 'address' | 'kind' | 'id'> & { readonly file: string })[];
  /** They were ours, and no file declared them any more. */
  readonly takenBack: readonly Address[];
  readonly leftOut: readonly (LeftOut & { readonly noun: string })[];
  /** What the service does not show of a kind, and of how many. */
  readonly unread: readonly (Count & { readonly fields: readonly string[] })[];
  readonly omitted: readonly { readonly address: Address; readonly field: string; readonly reason: string }[];
  /** What an apply would have done before the import, and does after it. */
  readonly pending: readonly ResourceChange[];
}

export function reportOf({ imported, files }: Draft, before: Plan): ImportReport {
  const own = new Set(imported.entries);
  const addresses = new Set<Address>(imported.entries.map(({ address }) => address));
  return {
    counts: countsOf(imported.entries),
    files: files.map(({ path, before, text, entries }) => ({
      path,
      change: before === null ? 'created' : 'extended',
      counts: countsOf(entries.filter((entry) => own.has(entry))),
      lookedUp: entries.filter((entry) => !own.has(entry)).length,
      before,
      text,
    })),
    entries: files.flatMap(({ path, entries }) =>
      entries.filter((entry) => own.has(entry)).map(({ address, kind, id }) => ({ address, kind, id, file: path })),
    ),
    takenBack: [...imported.ours],
    leftOut: imported.leftOut.map((left) => ({ ...left, noun: KINDS[left.type].noun.one })),
    unread: unreadOf(imported.entries),
    omitted: imported.entries.flatMap(({ address, omitted }) => omitted.map((each) => ({ address, ...each }))),
    pending: before.resource_changes.filter(
      ({ address, change }) => change.actions[0] !== 'no-op' && !addresses.has(address),
    ),
  };
}

function countsOf(entries: readonly Entry[]): readonly Count[] {
  return KIND_NAMES.flatMap((type): readonly Count[] => {
    const count = entries.filter(({ kind }) => kind === type).length;
    const { one, many } = KINDS[type].noun;
    return count === 0 ? [] : [{ type, count, noun: count === 1 ? one : many }];
  });
}

function unreadOf(entries: readonly Entry[]): ImportReport['unread'] {
  const lacking = entries.filter(({ unread }) => unread.length > 0);
  return countsOf(lacking).map((count) => {
    const own = lacking.filter(({ kind }) => kind === count.type);
    return { ...count, fields: [...new Set(own.flatMap(({ unread }) => unread))] };
  });
}
