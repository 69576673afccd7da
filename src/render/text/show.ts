// The terminal text of `show`: counts by kind, members of groups, a table of resources, or one resource in full. In a pipe nothing is cut.

import type { Json } from '../../base/model.ts';
import type { Difference } from '../../tasks/drift/report.ts';
import type { Shown, ShownObject, ShownReference } from '../../tasks/show/schema.ts';
import type { Section } from '../../view/blocks.ts';
import type { Paint } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import {
  capped,
  columnWidths,
  headedTable,
  INDENT,
  narrowed,
  type Rows,
  section,
  table,
} from '../../view/terminal/layout.ts';
import { columnsOf, fewWithin, within } from '../../view/terminal/narrow.ts';
import { differencesBlock } from '../../view/words/difference.ts';
import { blocksText } from '../../view/writers/terminal.ts';
import { kindRows, pointerCells, resourceCells, resourceFacts, type ShownCell } from '../words/show.ts';
import { type MembersBy, membersText } from './members.ts';

function differingSection(differences: readonly [Difference, ...Difference[]]): Section {
  const title = 'Differs from the applied or declared values';
  return { type: 'section', id: 'differences', title, body: [differencesBlock(differences)] };
}

/** References that a terminal shows. */
const MOST_POINTERS = 20;

export function showText(shown: Shown, columns: readonly string[], by: MembersBy, paint: Paint): string {
  const { resources, members } = shown;
  if (members !== undefined) return membersText(members, by, paint);
  if (resources === null) return lines(headedTable(kindRows(shown.kinds), paint));
  const [only] = resources;
  if (shown.referred_to_by !== null && only !== undefined) return lines(inFull(only, shown, paint));
  if (resources.length === 0) return lines(['There are no such objects.']);
  return lines(headedTable(withNames(resourceCells(resources, columns), paint.width), paint));
}

/** The rows with what fits: of several names as many as fit and how many more there are, or only their number. */
function withNames(cells: readonly (readonly ShownCell[])[], width: number | undefined): Rows {
  const cut = narrowed(
    cells.map((row) => row.map(({ text }) => text)),
    width,
  );
  const widths = columnWidths(cut);
  const named = cells.map((row, nth) =>
    row.map(({ text, items }, column) => {
      if (items === null || cut[nth]?.[column] === text) return text;
      const room = widths[column] ?? 0;
      const some = fewWithin(items, items.length - 1, room);
      return items.length > 1 && columnsOf(some) <= room ? some : `${items.length} in all`;
    }),
  );
  return narrowed(named, width);
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

function inFull(entry: ShownObject, shown: Shown, paint: Paint): readonly string[] {
  const { refers_to: to, referred_to_by: by, differences } = shown;
  const [first, ...others] = differences ?? [];
  return [
    paint('strong', plain(entry.address)),
    ...table(resourceFacts(entry), paint.width, INDENT),
    '',
    ...Object.entries(entry.spec).flatMap(([field, value]) => yamlLines(field, value)),
    ...(entry.unread.length === 0 ? [] : [paint('faint', `# not read: ${entry.unread.join(', ')}`)]),
    ...(first === undefined
      ? []
      : ['', blocksText([differingSection([first, ...others])], paint, { details: true }).trimEnd()]),
    ...section('Refers to:', pointerLines(to ?? [], paint), paint),
    ...section('Referred to by:', pointerLines(by ?? [], paint), paint),
  ];
}

function pointerLines(pointers: readonly ShownReference[], { width }: Paint): readonly string[] {
  const most = width === undefined ? pointers.length : MOST_POINTERS;
  const shown = table(pointers.slice(0, most).map(pointerCells), within(width, INDENT));
  return [...shown, ...capped(pointers.slice(most), 0)];
}

/** A text that needs no quotes in YAML. */
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
