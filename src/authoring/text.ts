// The text of a new manifest file, as a person would write it: one line for what fits on one line, shared tables as YAML anchors.

import { canonicalJson, isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { entryPath, isListed, SECTIONS } from '../manifest/sections.ts';
import { escaped } from '../manifest/substitute.ts';
import { isCollection, isTable, type JsonCollection } from './edit/brackets.ts';
import { isWrittenFlow, PLAIN_STYLE, writtenFlow, writtenKey, writtenTail } from './edit/written.ts';
import { type ImportEntry, manifestOf } from './entry.ts';

/** The lines above the sections. */
export interface Heading {
  /** Where editors find the schema of a manifest. */
  readonly schema: string;
  /** One line each. */
  readonly comments: readonly string[];
}

export function fileText(entries: readonly ImportEntry[], { schema, comments }: Heading): string {
  const manifest = escaped(manifestOf(entries)) as JsonObject;
  const remarks = remarksOf(entries);
  const shared = sharedTables(manifest);
  const sections = SECTIONS.flatMap(({ name, depth }) => {
    const section = manifest[name];
    return section === undefined ? [] : ['', ...sectionLines(name, section, depth, { remarks, shared })];
  });
  const heading = [
    `# yaml-language-server: $schema=${schema}`,
    ...comments.map(comment),
    `version: ${manifest['version']}`,
  ];
  return [...heading, ...shelfLines(shared), ...sections, ''].join('\n');
}

/** A table that several entries have, such as the hours of an office. */
interface Shared {
  readonly table: readonly Json[];
  /** The name of the member that it is in each entry. */
  readonly member: string;
  readonly anchor: string;
}

/** Each table is looked at when tables are counted and when they are written. */
const textOf = oncePer((table: JsonCollection): string => canonicalJson(table));

/** By their canonical text, in the order of the manifest. */
function sharedTables(manifest: JsonObject): ReadonlyMap<string, Shared> {
  const counts = new Map<string, number>();
  const found = new Map<string, Omit<Shared, 'anchor'>>();
  const look = (value: Json): void => {
    for (const [member, inner] of Object.entries(isObject(value) ? value : {})) {
      if (!isList(inner) || !isTable(inner)) {
        look(inner);
        continue;
      }
      const text = textOf(inner);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      found.set(text, { table: inner, member });
    }
  };
  look(manifest);
  const often = [...found].filter(([text]) => (counts.get(text) ?? 0) > 1);
  return new Map(often.map(([text, each], index) => [text, { ...each, anchor: `${each.member}-${index + 1}` }]));
}

/** Members that hold the tables for aliases. */
function shelfLines(shared: ReadonlyMap<string, Shared>): readonly string[] {
  const members = [...new Set([...shared.values()].map(({ member }) => member))];
  return members.flatMap((name) => [
    '',
    `x-${name}s:`,
    ...[...shared.values()]
      .filter(({ member }) => member === name)
      .flatMap(({ table, anchor }) => [`  ${anchor}: &${anchor}`, ...innerLines(table, 4, NOTHING_SHARED)]),
  ]);
}

const NOTHING_SHARED: ReadonlyMap<string, Shared> = new Map();

/** Comments about fields that were left out, by the path of the entry; for an item of a list, with its key. */
function remarksOf(entries: readonly ImportEntry[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    entries.flatMap((entry) => {
      const at = isListed(entry.kind) ? [...entryPath(entry), entry.key] : entryPath(entry);
      const lines = entry.omitted.map(({ field, reason }) => comment(`without ${field}: ${reason}`));
      return lines.length === 0 ? [] : [[JSON.stringify(at), lines] as const];
    }),
  );
}

function comment(text: string): string {
  return `# ${text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')}`;
}

function sectionLines(
  name: string,
  section: Json,
  depth: number,
  { remarks, shared }: { readonly remarks: ReturnType<typeof remarksOf>; readonly shared: ReadonlyMap<string, Shared> },
): readonly string[] {
  const commentsAt = (path: readonly string[], column: number): readonly string[] =>
    (remarks.get(JSON.stringify(path)) ?? []).map((line) => ' '.repeat(column) + line);
  if (isList(section)) {
    const items = section.map((item) => {
      const key = isObject(item) ? String(item['key']) : '';
      return [...commentsAt([name, key], 2), ...itemLines(item, 2, NOTHING_SHARED)];
    });
    return [`${name}:`, ...items.flat()];
  }
  const inside = (value: Json, path: readonly string[], column: number): readonly string[] =>
    Object.entries(isObject(value) ? value : {}).flatMap(([key, member]) => {
      const at = [...path, key];
      if (at.length <= depth) return [`${' '.repeat(column)}${keyText(key)}:`, ...inside(member, at, column + 2)];
      return [...commentsAt(at, column), ...memberLines(key, member, column, 'entry', shared)];
    });
  return [`${name}:`, ...inside(section, [name], 2)];
}

function keyText(key: string): string {
  return writtenKey(key, false, PLAIN_STYLE);
}

function memberLines(
  name: string,
  value: Json,
  column: number,
  what: 'entry' | 'member',
  shared: ReadonlyMap<string, Shared>,
): readonly string[] {
  const head = `${' '.repeat(column)}${keyText(name)}:`;
  const start = head.length + 1;
  if (!isCollection(value)) {
    return `${head}${writtenTail(value, { path: [name], column, start }, PLAIN_STYLE)}`.split('\n');
  }
  const known = isTable(value) ? shared.get(textOf(value)) : undefined;
  if (known !== undefined) return [`${head} *${known.anchor}`];
  if (isWrittenFlow(value, what, start, PLAIN_STYLE)) return [`${head} ${writtenFlow(value, PLAIN_STYLE)}`];
  return [head, ...innerLines(value, column + 2, shared)];
}

function itemLines(value: Json, column: number, shared: ReadonlyMap<string, Shared>): readonly string[] {
  const head = `${' '.repeat(column)}-`;
  if (!isCollection(value) || isWrittenFlow(value, 'item', column + 2, PLAIN_STYLE)) {
    return [`${head} ${writtenFlow(value, PLAIN_STYLE)}`];
  }
  const [first = '', ...others] = innerLines(value, column + 2, shared);
  return [`${head} ${first.trimStart()}`, ...others];
}

function innerLines(value: JsonCollection, column: number, shared: ReadonlyMap<string, Shared>): readonly string[] {
  if (isList(value)) return value.flatMap((item) => itemLines(item, column, shared));
  return Object.entries(value).flatMap(([name, member]) => memberLines(name, member, column, 'member', shared));
}
