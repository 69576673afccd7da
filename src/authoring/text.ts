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

export function fileText(entries: readonly ImportEntry[], schedules: JsonObject, heading: Heading): string {
  const { schema, comments } = heading;
  const named = Object.keys(schedules).length === 0 ? {} : { schedules };
  const manifest = escaped({ ...manifestOf(entries), ...named }) as JsonObject;
  const root = new YAMLMap<Node, Node>();
  const add = (name: string, value: Json): YAMLMap<Node, Node>['items'][number] => {
    const pair = pairOf(name, value, [], PLAIN_STYLE);
    pair.key.spaceBefore = root.items.length > 0;
    root.items.push(pair);
    return pair;
  };
  const lines = [` yaml-language-server: $schema=${schema}`, ...comments.map(comment)];
  add('version', manifest['version'] ?? 1).key.commentBefore = lines.join('\n');
  const remarks = remarksOf(entries);
  for (const { name } of [...SHARED, ...SECTIONS]) {
    const section = manifest[name];
    if (section !== undefined) decorate(add(name, section).value, section, [name], remarks);
  }
  return writerIn(PLAIN_STYLE).document(new Document(root));
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
