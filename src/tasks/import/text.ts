// Entries of one file in; the text that a person would have written out: a line for what fits on one, a line each for what does not. Knows no file
// that is there already.

import { canonicalJson, isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import { SECTIONS } from '../../manifest/sections.ts';
import { escaped } from '../../yaml/substitute.ts';
import { type Collection, isCollection, isTable } from '../edit/brackets.ts';
import { isWrittenFlow, PLAIN_STYLE, writtenFlow, writtenKey, writtenTail } from '../edit/written.ts';
import type { Entry } from './entry.ts';
import { isListed, manifestOf, pathOf } from './manifest-value.ts';

/** What a file says above its sections. */
export interface Heading {
  /** Where editors find the schema of a manifest. */
  readonly schema: string;
  /** One line each. */
  readonly comments: readonly string[];
}

export function fileText(entries: readonly Entry[], { schema, comments }: Heading): string {
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

/** A table that more than one entry has, such as the hours of an office. */
interface Shared {
  readonly table: readonly Json[];
  /** The member that it is of each of them. */
  readonly member: string;
  readonly anchor: string;
}

/** By their canonical text, in the order in which they come. Rules are read one by one, and share nothing. */
function sharedTables(manifest: JsonObject): ReadonlyMap<string, Shared> {
  const counts = new Map<string, number>();
  const found = new Map<string, Omit<Shared, 'anchor'>>();
  const look = (value: Json): void => {
    for (const [member, inner] of Object.entries(isObject(value) ? value : {})) {
      if (!isList(inner) || !isTable(inner)) {
        look(inner);
        continue;
      }
      const text = canonicalJson(inner);
      counts.set(text, (counts.get(text) ?? 0) + 1);
      found.set(text, { table: inner, member });
    }
  };
  look(manifest);
  const often = [...found].filter(([text]) => (counts.get(text) ?? 0) > 1);
  return new Map(often.map(([text, each], index) => [text, { ...each, anchor: `${each.member}-${index + 1}` }]));
}

/** A section that nothing reads but aliases. */
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

/** What each entry lacks, by the path of the entry; of a list, by the key of the item. */
function remarksOf(entries: readonly Entry[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    entries.flatMap((entry) => {
      const at = isListed(entry.kind) ? [...pathOf(entry), entry.key] : pathOf(entry);
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
  const told = (path: readonly string[], column: number): readonly string[] =>
    (remarks.get(JSON.stringify(path)) ?? []).map((line) => ' '.repeat(column) + line);
  if (isList(section)) {
    const items = section.map((item) => {
      const key = isObject(item) ? String(item['key']) : '';
      return [...told([name, key], 2), ...itemLines(item, 2, NOTHING_SHARED)];
    });
    return [`${name}:`, ...items.flat()];
  }
  const inside = (value: Json, path: readonly string[], column: number): readonly string[] =>
    Object.entries(isObject(value) ? value : {}).flatMap(([key, member]) => {
      const at = [...path, key];
      if (at.length <= depth) return [`${' '.repeat(column)}${keyText(key)}:`, ...inside(member, at, column + 2)];
      return [...told(at, column), ...memberLines(key, member, column, 'entry', shared)];
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
  const known = isTable(value) ? shared.get(canonicalJson(value)) : undefined;
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

function innerLines(value: Collection, column: number, shared: ReadonlyMap<string, Shared>): readonly string[] {
  if (isList(value)) return value.flatMap((item) => itemLines(item, column, shared));
  return Object.entries(value).flatMap(([name, member]) => memberLines(name, member, column, 'member', shared));
}
