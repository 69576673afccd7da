// A manifest and an overlay for a desired license, in the style of a random author.

import fc from 'fast-check';
import type { Desired, Json, JsonObject, KindName, Spec } from '../../../../src/base/model.ts';
import { KINDS, ORDERED } from '../../../../src/kinds/index.ts';
import { authored, type Choose } from '../../../authoring/edit/authored.ts';

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where an entry stands, with the parts of its key. */
function pathOf(kind: KindName, key: string): readonly string[] {
  const parts = key.split('/');
  const wild = KINDS[kind].at.filter((part) => part === '*').length;
  const keys = [...parts.slice(0, Math.max(0, wild - 1)), parts.slice(Math.max(0, wild - 1)).join('/')];
  return KINDS[kind].at.map((part) => (part === '*' ? (keys.shift() ?? '') : part));
}

function put(holder: JsonObject, [step = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = holder[step];
  if (rest.length > 0) return { ...holder, [step]: put(isMap(inner) ? inner : {}, rest, value) };
  return { ...holder, [step]: isMap(inner) && isMap(value) ? { ...inner, ...value } : value };
}

const keyOf = (reference: string): string => reference.slice(reference.indexOf('/') + 1);

function named(kind: KindName, spec: Spec): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]): [string, Json] => {
      const pointer = KINDS[kind].fields[name]?.references;
      if (pointer === undefined) return [name, value];
      if (pointer.at === 'value') return [name, keyOf(String(value))];
      const inside = (inner: Json | undefined): Json =>
        Array.isArray(inner)
          ? inner.map((item) => keyOf(String(item)))
          : Object.fromEntries(Object.entries(isMap(inner) ? inner : {}).map(([key, item]) => [keyOf(key), item]));
      return [
        name,
        pointer.under !== undefined && isMap(value)
          ? { ...value, [pointer.under]: inside(value[pointer.under]) }
          : inside(value),
      ];
    }),
  );
}

export function manifestValue({ resources, externals, ruleOrder }: Desired): JsonObject {
  let value: JsonObject = { version: 1 };
  for (const { address, kind, id, name } of externals) {
    const external = id === null ? { name: name ?? '' } : { id };
    value = put(value, pathOf(kind, keyOf(address)), { external });
  }
  const rules: Json[] = [];
  for (const { kind, key, spec, id, address } of resources) {
    const entry =
      KINDS[kind].entry === 'value'
        ? (spec['value'] ?? null)
        : { ...(id === null ? {} : { id }), ...named(kind, spec) };
    if (kind === ORDERED.name) rules[ruleOrder.indexOf(address)] = { key, ...(entry as JsonObject) };
    else value = put(value, pathOf(kind, key), entry);
  }
  return rules.length === 0 ? value : { ...value, auto_access: rules };
}

/** Splits a manifest: of some fields the overlay has the last word, and some members stand only below it, and are deleted there. */
export function split(value: JsonObject, choose: Choose): { readonly base: JsonObject; readonly overlay: JsonObject } {
  const base: Record<string, Json> = { version: 1 };
  const overlay: Record<string, Json> = { version: 1 };
  for (const [section, entries] of Object.entries(value)) {
    if (section === 'version') continue;
    if (!isMap(entries)) {
      const [below, over] = splitList(entries, choose);
      base[section] = below;
      if (over !== null) overlay[section] = over;
      continue;
    }
    const low: Record<string, Json> = {};
    const high: Record<string, Json> = {};
    for (const [key, entry] of Object.entries(entries)) {
      if (choose(8) === 0) high[key] = entry;
      else if (!isMap(entry) || 'external' in entry || section.includes('propert')) low[key] = entry;
      else {
        const fields = splitFields(entry, choose);
        low[key] = fields.low;
        if (Object.keys(fields.high).length > 0) high[key] = fields.high;
      }
    }
    base[section] = low;
    if (Object.keys(high).length > 0) overlay[section] = high;
  }
  return { base, overlay };
}

function splitFields(entry: JsonObject, choose: Choose) {
  const low: Record<string, Json> = {};
  const high: Record<string, Json> = {};
  for (const [name, value] of Object.entries(entry)) {
    const how = choose(9);
    if (how === 0) high[name] = value;
    else if (how === 1 && !isMap(value)) {
      low[name] = typeof value === 'number' ? value + 1 : 'another';
      high[name] = value;
    } else if (how === 2 && isMap(value) && name !== 'work_scheduler') {
      low[name] = { ...value, leftover: 'normal' };
      high[name] = { leftover: null };
    } else low[name] = value;
  }
  return { low, high };
}

function splitList(list: Json, choose: Choose): readonly [below: Json, over: Json | null] {
  const items = Array.isArray(list) ? (list as readonly JsonObject[]) : [];
  const how = choose(6);
  if (how === 0) return [[], list];
  if (how === 1 && items.length > 0) {
    const index = choose(items.length);
    const item = items[index] ?? {};
    const other = { ...item, description: 'below' };
    const operation = { op: 'replace', path: `/${String(item['key'])}/description`, value: item['description'] ?? '' };
    if (item['description'] !== undefined) return [items.with(index, other), [operation]];
  }
  if (how === 2 && items.length > 0) {
    const value = items.at(-1) ?? {};
    return [items.slice(0, -1), [{ op: 'add', path: '/-', value }]];
  }
  return [list, null];
}

export function filesOf(value: JsonObject, choose: Choose): { readonly [file: string]: Authored } {
  const { base, overlay } = split(value, choose);
  const anchors = choose(2) === 0;
  return { 'manifest.yaml': authored(base, choose, anchors), 'overlay.yaml': authored(overlay, choose, anchors) };
}

type Authored = ReturnType<typeof authored>;

export const choices = fc.infiniteStream(fc.nat(1_000_000));

export function choosing(stream: IterableIterator<number>): Choose {
  return (below) => (stream.next().value ?? 0) % below;
}
