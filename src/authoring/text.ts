// The text of a new manifest file, as a person would write it: one line for what fits on one line.

import { Document, isMap, isSeq, type Node, YAMLMap } from 'yaml';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { entryPath, isListed, SECTIONS, SHARED } from '../manifest/sections.ts';
import { escaped } from '../manifest/substitute.ts';
import { type Path, pathText } from '../yaml/places.ts';
import { keyText } from '../yaml/thorough/places.ts';
import { type ImportEntry, manifestOf } from './entry.ts';
import { pairOf, writerIn } from './nodes.ts';
import { PLAIN_STYLE } from './style.ts';

/** The lines above the sections. */
export interface Heading {
  /** Where editors find the schema of a manifest. */
  readonly schema: string;
  /** One line each. */
  readonly comments: readonly string[];
}

/** Members of a section that are nodes at a time: a node has many times the size of what it says. */
const AT_A_TIME = 100;

export function fileText(entries: readonly ImportEntry[], schedules: JsonObject, heading: Heading): string {
  const { schema, comments } = heading;
  const named = Object.keys(schedules).length === 0 ? {} : { schedules };
  const manifest: JsonObject = { ...manifestOf(entries), ...named };
  const remarks = remarksOf(entries);
  const writer = writerIn(PLAIN_STYLE);
  const textOf = (name: string, part: Json, above: string | null): string => {
    const value = escaped(part);
    const pair = pairOf(name, value, [], PLAIN_STYLE);
    pair.key.commentBefore = above;
    decorate(pair.value, value, [name], remarks);
    const root = new YAMLMap<Node, Node>();
    root.items.push(pair);
    return writer.document(new Document(root));
  };
  const lines = [` yaml-language-server: $schema=${schema}`, ...comments.map(comment)];
  const texts = [...SHARED, ...SECTIONS].flatMap(({ name }): readonly string[] => {
    const section = manifest[name];
    if (section === undefined) return [];
    const parts = partsOf(section).map((part) => textOf(name, part, null));
    // The name of the section stands above its first part.
    return [parts.map((text, index) => (index === 0 ? text : text.slice(text.indexOf('\n') + 1))).join('')];
  });
  return [textOf('version', manifest['version'] ?? 1, lines.join('\n')), ...texts].join('\n');
}

/** A section as several with some of its members each; one without members as it is. */
function partsOf(section: Json): readonly Json[] {
  const members: readonly unknown[] = isList(section) ? section : Object.entries(section ?? {});
  const count = Math.max(1, Math.ceil(members.length / AT_A_TIME));
  return Array.from({ length: count }, (_, nth) => {
    const some = members.slice(nth * AT_A_TIME, (nth + 1) * AT_A_TIME);
    return isList(section)
      ? (some as readonly Json[])
      : Object.fromEntries(some as readonly (readonly [string, Json])[]);
  });
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

/** Adds comments to the nodes of a value. */
function decorate(node: Node | null, value: Json, path: Path, remarks: ReadonlyMap<string, string>): void {
  if (isList(value) && isSeq(node)) {
    for (const [index, item] of value.entries()) {
      const remark = isObject(item) ? remarks.get(pathText([...path, String(item['key'])])) : undefined;
      if (remark !== undefined) Object.assign(node.items[index] ?? {}, { commentBefore: remark });
    }
    return;
  }
  for (const pair of pairsOf(node)) {
    const name = keyText(pair.key) ?? '';
    const at = [...path, name];
    const inner = isObject(value) ? (value[name] ?? null) : null;
    const remark = remarks.get(pathText(at));
    if (remark !== undefined) pair.key.commentBefore = remark;
    decorate(pair.value, inner, at, remarks);
  }
}

function pairsOf(node: Node | null): YAMLMap<Node, Node>['items'] {
  return isMap<Node, Node>(node) ? node.items : [];
}
