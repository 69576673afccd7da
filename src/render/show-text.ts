// What a license has in; a table for a person, or one resource in full, out. Decides nothing.

import type { Json } from '../base/model.ts';
import type { Entry, Pointer } from '../tasks/show/catalogue.ts';
import type { KindCount, Shown } from '../tasks/show/shown.ts';
import { differenceLines } from './drift/item-lines.ts';
import { cut, movement, time } from './drift/words.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';
import { table } from './table.ts';

/** Characters of a cell at most. */
const WIDEST = 48;

const MOST_POINTERS = 20;

export function showText(shown: Shown, columns: readonly string[], paint: Paint): string {
  const { resources } = shown;
  if (resources === null) return lines(kindTable(shown.kinds, paint));
  const [only] = resources;
  if (shown.referred_to_by !== null && only !== undefined) return lines(inFull(only, shown, paint));
  return lines(resources.length === 0 ? ['There are none.'] : resourceTable(resources, columns, paint));
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

function headed(rows: readonly (readonly string[])[], paint: Paint): readonly string[] {
  const [head = '', ...rest] = table(rows);
  return [paint('strong', head), ...rest];
}

function kindTable(kinds: readonly KindCount[], paint: Paint): readonly string[] {
  const rows = kinds.map(({ type, read, total, declared, owned, unmanaged }) =>
    read ? [type, ...[total, declared, owned, unmanaged].map(String)] : [type, 'not read', '', '', ''],
  );
  return headed([['KIND', 'TOTAL', 'DECLARED', 'OWNED', 'UNMANAGED'], ...rows], paint);
}

function resourceTable(resources: readonly Entry[], columns: readonly string[], paint: Paint): readonly string[] {
  const rows = resources.map(({ address, id, name, spec, ownership }) => [
    plain(address),
    name === String(id) ? '' : cut(plain(name), WIDEST),
    ...columns.map((column) => cell(spec[column])),
    ownership,
  ]);
  const heads = columns.map((column) => column.replaceAll('_', ' ').toUpperCase());
  return headed([['ADDRESS', 'NAME', ...heads, 'OWNERSHIP'], ...rows], paint);
}

/** What was not read is a dash; nothing at all is empty. */
function cell(json: Json | undefined): string {
  return json === undefined ? '-' : cut(briefly(json), WIDEST);
}

function briefly(json: Json): string {
  if (json === null) return '';
  if (typeof json !== 'object') return plain(String(json));
  if (Array.isArray(json)) return json.map(briefly).join(', ');
  return Object.entries(json)
    .map(([name, member]) => `${plain(name)} ${briefly(member)}`.trim())
    .join(', ');
}

function inFull(entry: Entry, shown: Shown, paint: Paint): readonly string[] {
  const { refers_to: to, referred_to_by: by, differences } = shown;
  return [
    paint('strong', plain(entry.address)),
    ...table(facts(entry), '  '),
    '',
    ...Object.entries(entry.spec).flatMap(([field, value]) => yamlLines(field, value)),
    ...(entry.unread.length === 0 ? [] : [paint('faint', `# not read: ${entry.unread.join(', ')}`)]),
    ...section(
      'Differs from what was applied or is declared:',
      (differences ?? []).flatMap((each) => {
        const moved = movement(each);
        return differenceLines(each, moved === '' ? [] : [moved], paint);
      }),
      paint,
    ),
    ...section('Refers to:', pointerLines(to ?? []), paint),
    ...section('Referred to by:', pointerLines(by ?? []), paint),
  ];
}

function facts({ name, id, ownership, origin, last_applied: applied, source }: Entry): readonly (readonly string[])[] {
  const owned = ownership === 'owned' ? 'not any more' : 'nowhere';
  return [
    ['name', plain(name)],
    ['id', plain(String(id))],
    ['declared', source === null ? owned : `${plain(source.file)}:${source.line}`],
    ['ours', origin === null ? 'no' : origin],
    ...(applied === null ? [] : [['last applied', time(applied)]]),
  ];
}

function section(title: string, content: readonly string[], paint: Paint): readonly string[] {
  return content.length === 0 ? [] : ['', paint('strong', title), ...content.map((line) => `  ${line}`)];
}

function pointerLines(pointers: readonly Pointer[]): readonly string[] {
  const shown = pointers.slice(0, MOST_POINTERS).map(({ field, address, name }) => {
    const isNamed = name === null || address.endsWith(`/${name}`);
    return [plain(address), isNamed ? '' : plain(name), field ?? 'value'];
  });
  const more = pointers.length - shown.length;
  return [...table(shown), ...(more === 0 ? [] : [`and ${more} more`])];
}

/** A text that YAML takes for nothing but that text. */
const BARE = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z][\w @./+-]*(?<! )$/i;

function scalar(json: Json): string {
  return typeof json === 'string' && BARE.test(json) ? json : plain(JSON.stringify(json));
}

function yamlLines(name: string, json: Json, indent = ''): readonly string[] {
  const key = `${indent}${scalar(name)}:`;
  if (typeof json !== 'object' || json === null) return [`${key} ${scalar(json)}`];
  if (Array.isArray(json)) return json.length === 0 ? [`${key} []`] : [key, ...itemLines(json, indent)];
  const members = Object.entries(json);
  return members.length === 0
    ? [`${key} {}`]
    : [key, ...members.flatMap(([member, value]) => yamlLines(member, value, `${indent}  `))];
}

function itemLines(items: readonly Json[], indent: string): readonly string[] {
  return items.flatMap((item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      return [`${indent}  - ${Array.isArray(item) ? plain(JSON.stringify(item)) : scalar(item)}`];
    const inner = Object.entries(item).flatMap(([member, value]) => yamlLines(member, value, `${indent}    `));
    return inner.length === 0 ? [`${indent}  - {}`] : inner.map((line, at) => (at === 0 ? dashed(line, indent) : line));
  });
}

function dashed(line: string, indent: string): string {
  return `${indent}  - ${line.slice(indent.length + 4)}`;
}
