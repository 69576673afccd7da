// Report of an import: what each file got, what was left out, and what an apply would still do.

import { grouped } from '../../base/grouped.ts';
import type { Address, KindName, Live } from '../../base/model.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import { writtenScalar } from '../edit/written.ts';
import type { LeftOut } from './candidates.ts';
import type { ImportDraft } from './draft.ts';
import type { ImportEntry } from './entry.ts';

/** How many objects of a kind. */
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
  readonly entries: readonly (Pick<ImportEntry, 'address' | 'kind' | 'id'> & { readonly file: string })[];
  /** Owned objects that no file declared any more. */
  readonly takenBack: readonly Address[];
  readonly leftOut: readonly (LeftOut & { readonly noun: string })[];
  /** Fields that the service does not show, by kind. */
  readonly unread: readonly (Count & { readonly fields: readonly string[] })[];
  readonly omitted: readonly { readonly address: Address; readonly field: string; readonly reason: string }[];
  /** Null when every kind was read. */
  readonly notRead: NotRead | null;
  /** Changes that an apply would make with or without the import. */
  readonly pending: readonly ResourceChange[];
}

/** Kinds that the service lists for one owner client at a time, as far as they were not read. */
export interface NotRead {
  readonly kinds: readonly { readonly type: KindName; readonly nouns: string }[];
  /** The clients that were asked. */
  readonly asked: readonly string[];
  /** Clients that were not asked, and names of objects that belong to them. */
  readonly met: readonly { readonly client: string; readonly owns: readonly string[] }[];
  /** The line of chatform.yaml that has all of them asked. */
  readonly setting: string;
}

const IN_A_LIST = { flow: true, quote: '"', quoted: false } as const;

/** `asked`: the clients whose objects were listed. */
export function notReadOf({ objects, version }: Live, asked: readonly string[]): NotRead | null {
  const owned = grouped(
    Object.values(objects)
      .flat()
      .flatMap(({ kind, spec, name }): readonly (readonly [string, string])[] => {
        const { field } = KINDS[kind].secret?.reset.owner ?? {};
        const client = field === undefined ? undefined : spec[field];
        return typeof client !== 'string' || client === '' || asked.includes(client) ? [] : [[client, name]];
      }),
  );
  if (asked.length > 0 && owned.size === 0) return null;
  const kinds = KIND_NAMES.filter(
    (type) => KINDS[type].namespace !== undefined && KINDS[type].versions.includes(version),
  );
  return {
    kinds: kinds.map((type) => ({ type, nouns: KINDS[type].noun.many })),
    asked,
    met: [...owned].map(([client, owns]) => ({ client, owns })),
    setting: `clients: [${[...asked, ...owned.keys()].map((client) => writtenScalar(client, IN_A_LIST)).join(', ')}]`,
  };
}

export function reportOf({ imported, files }: ImportDraft, before: Plan, notRead: NotRead | null): ImportReport {
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
    takenBack: [...imported.owned],
    leftOut: imported.leftOut.map((left) => ({ ...left, noun: KINDS[left.type].noun.one })),
    unread: unreadOf(imported.entries),
    omitted: imported.entries.flatMap(({ address, omitted }) => omitted.map((each) => ({ address, ...each }))),
    notRead,
    pending: before.resource_changes.filter(
      ({ address, change }) => change.actions[0] !== 'no-op' && !addresses.has(address),
    ),
  };
}

function countsOf(entries: readonly ImportEntry[]): readonly Count[] {
  return KIND_NAMES.flatMap((type): readonly Count[] => {
    const count = entries.filter(({ kind }) => kind === type).length;
    const { one, many } = KINDS[type].noun;
    return count === 0 ? [] : [{ type, count, noun: count === 1 ? one : many }];
  });
}

function unreadOf(entries: readonly ImportEntry[]): ImportReport['unread'] {
  const lacking = entries.filter(({ unread }) => unread.length > 0);
  return countsOf(lacking).map((count) => {
    const own = lacking.filter(({ kind }) => kind === count.type);
    return { ...count, fields: [...new Set(own.flatMap(({ unread }) => unread))] };
  });
}
