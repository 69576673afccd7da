// The text of a new manifest file, as a person would write it: one line for what fits on one line, shared tables as YAML anchors.

import { Alias, Document, isMap, isSeq, type Node, YAMLMap } from 'yaml';
import { canonicalJson, isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { entryPath, isListed, SECTIONS } from '../manifest/sections.ts';
import { escaped } from '../manifest/substitute.ts';
import { type Path, pathText } from '../yaml/places.ts';
import { keyText } from '../yaml/thorough/places.ts';
import { type ImportEntry, manifestOf } from './entry.ts';
import { pairOf, writerIn } from './nodes.ts';
import { isTable, type JsonCollection, PLAIN_STYLE } from './style.ts';

/** The lines above the sections. */
export interface Heading {
  /** Where editors find the schema of a manifest. */
  readonly schema: string;
  /** One line each. */
  readonly comments: readonly string[];
}

export function fileText(entries: readonly ImportEntry[], { schema, comments }: Heading): string {
  const manifest = escaped(manifestOf(entries)) as JsonObject;
  const shared = sharedTables(manifest);
  const root = new YAMLMap<Node, Node>();
  const add = (name: string, value: Json): YAMLMap<Node, Node>['items'][number] => {
    const pair = pairOf(name, value, [], PLAIN_STYLE);
    pair.key.spaceBefore = root.items.length > 0;
    root.items.push(pair);
    return pair;
  };
  const heading = [` yaml-language-server: $schema=${schema}`, ...comments.map(comment)];
  add('version', manifest['version'] ?? 1).key.commentBefore = heading.join('\n');
  for (const [name, tables] of Object.entries(shelvesOf(shared))) {
    const { value } = add(name, tables);
    for (const { key, value: table } of pairsOf(value)) Object.assign(table ?? {}, { anchor: keyText(key) });
  }
  const remarks = remarksOf(entries);
  for (const { name } of SECTIONS) {
    const section = manifest[name];
    if (section !== undefined) decorate(add(name, section).value, section, [name], { remarks, shared });
  }
  return writerIn(PLAIN_STYLE).document(new Document(root));
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
function shelvesOf(shared: ReadonlyMap<string, Shared>): { readonly [member: string]: JsonObject } {
  const shelves: Record<string, Record<string, Json>> = {};
  for (const { member, anchor, table } of shared.values()) {
    const name = `x-${member}s`;
    shelves[name] = { ...shelves[name], [anchor]: table };
  }
  return shelves;
}

/** Comments about fields that were left out, by the path of the entry; for an item of a list, with its key. */
function remarksOf(entries: readonly ImportEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap((entry) => {
      const at = isListed(entry.kind) ? [...entryPath(entry), entry.key] : entryPath(entry);
      const lines = entry.omitted.map(({ field, reason }) => comment(`without ${field}: ${reason}`));
      return lines.length === 0 ? [] : [[pathText(at), lines.join('\n')] as const];
    }),
  );
}

/** The YAML library writes the `#`. */
function comment(text: string): string {
  return ` ${text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')}`;
}

interface Decorations {
  readonly remarks: ReturnType<typeof remarksOf>;
  readonly shared: ReadonlyMap<string, Shared>;
}

/** Adds comments to the nodes of a value, and puts aliases in the place of shared tables. */
function decorate(node: Node | null, value: Json, path: Path, all: Decorations): void {
  if (isList(value) && isSeq(node)) {
    for (const [index, item] of value.entries()) {
      const remark = isObject(item) ? all.remarks.get(pathText([...path, String(item['key'])])) : undefined;
      if (remark !== undefined) Object.assign(node.items[index] ?? {}, { commentBefore: remark });
    }
    return;
  }
  for (const pair of pairsOf(node)) {
    const name = keyText(pair.key) ?? '';
    const at = [...path, name];
    const inner = isObject(value) ? (value[name] ?? null) : null;
    const remark = all.remarks.get(pathText(at));
    if (remark !== undefined) pair.key.commentBefore = remark;
    const known = isList(inner) && isTable(inner) ? all.shared.get(textOf(inner)) : undefined;
    if (known === undefined) decorate(pair.value, inner, at, all);
    else pair.value = new Alias(known.anchor);
  }
}

function pairsOf(node: Node | null): YAMLMap<Node, Node>['items'] {
  return isMap<Node, Node>(node) ? node.items : [];
}
