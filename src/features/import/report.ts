// Report of an import: what each file got, what was left out, and what an apply would still do.

import type { ImportDraft } from '../../authoring/draft.ts';
import type { ImportEntry } from '../../authoring/entry.ts';
import { nodeOf, writerIn } from '../../authoring/nodes.ts';
import { PLAIN_STYLE } from '../../authoring/style.ts';
import { grouped } from '../../base/grouped.ts';
import type { Address, Live } from '../../base/model.ts';
import { KIND_NAMES, KINDS } from '../../kinds/index.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import type { ImportResult } from './schema.ts';
import type { ZonedProject } from './zone.ts';

type NotRead = NonNullable<ImportResult['not_read']>;

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
    kinds,
    clients_read: asked,
    clients_met: [...owned].map(([client, owns]) => ({ client, owns })),
    setting: `clients: ${writerIn(PLAIN_STYLE).inline(nodeOf(Object.fromEntries([...asked, ...owned.keys()].map((client) => [client, {}])), ['clients'], PLAIN_STYLE, true))}`,
  };
}

/** What an import found or writes in addition to its draft. */
interface FoundAlso {
  readonly zoned: ZonedProject | null;
  readonly notRead: NotRead | null;
  readonly preview: boolean;
}

/** What an import with this draft says of itself, but for what it does with it. */
export function foundBy(
  { imported, files }: ImportDraft,
  before: Plan,
  { zoned, notRead, preview }: FoundAlso,
): Omit<ImportResult, 'target' | 'written' | 'ids_in' | 'gitignore'> {
  const own = new Set<Address>(imported.entries.map(({ address }) => address));
  return {
    preview,
    imported: files.flatMap(({ path, entries }) =>
      entries
        .filter((entry) => own.has(entry.address))
        .map(({ address, kind, id }) => ({ address, type: kind, id, file: path })),
    ),
    files: [...files, ...(zoned === null ? [] : [{ ...zoned, entries: [] }])].map((file) => {
      const { path, before: text, text: after, entries } = file;
      return {
        path,
        change: text === null ? 'created' : 'extended',
        counts: countsOf(entries.filter((entry) => own.has(entry.address))),
        looked_up: entries.filter((entry) => !own.has(entry.address)).length,
        setting: 'zone' in file ? `routing.timezone ${file.zone}` : null,
        text: preview ? after : null,
        added: preview && text !== null ? addedLines(text, after) : null,
      };
    }),
    adoptable: before.summary.adopt,
    taken_back: [...imported.owned],
    left_out: imported.leftOut.map(({ type, id, name, reason }) => ({ type, id, name, reason })),
    omitted: imported.entries.flatMap(({ address, omitted }) => omitted.map((each) => ({ address, ...each }))),
    unread: unreadOf(imported.entries),
    not_read: notRead,
    pending: before.resource_changes
      .filter(({ address, change }) => change.actions[0] !== 'no-op' && !own.has(address))
      .map((change) => ({ address: change.address, type: change.type, action: actionOf(change) })),
  };
}

function actionOf({ change: { actions }, moved, fields }: ResourceChange): string {
  const [first, second] = actions;
  if (second === 'create') return 'replace';
  return first === 'update' && moved !== null && fields.length === 0 ? 'move' : first;
}

/** Null when a line of the old text is missing in the new one. */
function addedLines(before: string, text: string): readonly { readonly line: number; readonly text: string }[] | null {
  const old = before.split('\n');
  let next = 0;
  const added = text.split('\n').flatMap((line, index) => {
    if (line !== old[next]) return [{ line: index + 1, text: line }];
    next += 1;
    return [];
  });
  return next === old.length ? added : null;
}

function countsOf(entries: readonly ImportEntry[]): ImportResult['files'][number]['counts'] {
  return KIND_NAMES.flatMap((type) => {
    const count = entries.filter(({ kind }) => kind === type).length;
    return count === 0 ? [] : [{ type, count }];
  });
}

function unreadOf(entries: readonly ImportEntry[]): ImportResult['unread'] {
  const lacking = entries.filter(({ unread }) => unread.length > 0);
  return countsOf(lacking).map((count) => {
    const own = lacking.filter(({ kind }) => kind === count.type);
    return { ...count, fields: [...new Set(own.flatMap(({ unread }) => unread))] };
  });
}
