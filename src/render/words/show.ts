// Rows of what a license has, shared by text, CSV and pages. Nothing in them is cut.

import type { Json } from '../../base/model.ts';
import type { KindCount, ShownObject, ShownReference } from '../../tasks/show/schema.ts';
import { plain, time } from '../../view/plain.ts';

type Rows = readonly (readonly string[])[];

/** Counts by kind, with their head. */
export function kindRows(kinds: readonly KindCount[]): Rows {
  const rows = kinds.map(({ type, read, total, declared, owned, unmanaged }) =>
    read ? [type, ...[total, declared, owned, unmanaged].map(String)] : [type, 'not read', '', '', ''],
  );
  return [['KIND', 'TOTAL', 'DECLARED', 'OWNED', 'UNMANAGED'], ...rows];
}

/** The text of a cell; where it has several names, each of them. */
export interface ShownCell {
  readonly text: string;
  readonly items: readonly string[] | null;
}

/** Objects of a kind with their head. `columns` are fields; an empty value is empty, and one that was not read is `unread`. */
export function resourceRows(resources: readonly ShownObject[], columns: readonly string[], unread = '-'): Rows {
  return resourceCells(resources, columns, unread).map((row) => row.map(({ text }) => text));
}

export function resourceCells(
  resources: readonly ShownObject[],
  columns: readonly string[],
  unread = '-',
): readonly (readonly ShownCell[])[] {
  const single = (text: string): ShownCell => ({ text, items: null });
  const rows = resources.map(({ address, id, name, spec, ownership }) => [
    single(plain(address)),
    single(name === String(id) ? '' : plain(name)),
    ...columns.map((column): ShownCell => {
      const json = spec[column];
      return json === undefined ? single(unread) : { text: briefly(json), items: namesIn(json) };
    }),
    single(ownership),
  ]);
  const heads = columns.map((column) => column.replaceAll('_', ' ').toUpperCase());
  return [['ADDRESS', 'NAME', ...heads, 'OWNERSHIP'].map(single), ...rows];
}

/** The members of a list or a mapping, also below a single name (`groups a`, `b`); null for other values. */
function namesIn(json: Json): readonly string[] | null {
  if (typeof json !== 'object' || json === null) return null;
  if (Array.isArray(json)) return json.every(isScalar) ? json.map(briefly) : null;
  const members = Object.entries(json);
  if (members.every(([, member]) => isScalar(member)))
    return members.map(([name, member]) => `${plain(name)} ${briefly(member)}`.trim());
  const [[name, member] = ['', null], ...others] = members;
  const [first, ...rest] = (others.length === 0 ? namesIn(member) : null) ?? [];
  return first === undefined ? null : [`${plain(name)} ${first}`, ...rest];
}

function isScalar(json: Json): boolean {
  return typeof json !== 'object' || json === null;
}

function briefly(json: Json): string {
  if (json === null) return '';
  if (typeof json !== 'object') return plain(String(json));
  if (Array.isArray(json)) return json.map(briefly).join(', ');
  return Object.entries(json)
    .map(([name, member]) => `${plain(name)} ${briefly(member)}`.trim())
    .join(', ');
}

/** What chatform knows of an object in addition to its fields. */
export function resourceFacts({
  name,
  id,
  ownership,
  origin,
  last_applied: applied,
  source,
}: ShownObject): readonly (readonly [fact: string, text: string])[] {
  const owned = ownership === 'owned' ? 'no longer' : 'no';
  return [
    ['name', plain(name)],
    ['id', plain(String(id))],
    ['declared', source === null ? owned : `${plain(source.file)}:${source.line}`],
    ['owned', origin === null ? 'no' : origin],
    ...(applied === null ? [] : [['last applied', time(applied)] as const]),
  ];
}

/** The other end of a reference, its name, and the field that the reference stands in. */
export function pointerCells({ field, address, name }: ShownReference): readonly string[] {
  const isNamed = name === null || address.endsWith(`/${name}`);
  return [plain(address), isNamed ? '' : plain(name), field ?? 'value'];
}
