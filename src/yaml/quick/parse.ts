// The quick parser: several times faster than the thorough one, but only for ordinary files, which have nothing that the two could read
// differently. Gives no diagnostics: a file that needs one is not ordinary.

import {
  type AliasEvent,
  COLLECTION_STYLE,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import type { Json } from '../../base/model.ts';
import { isPlainText } from '../../base/text.ts';
import { unclosedAt } from '../depth.ts';
import { addNode, closeNode, emptyNodes, isWritten, KIND, type Nodes, ONWARD } from './nodes.ts';
import { endOf, isOrdinary, isPlain, keyOf, scalarOf, startOf } from './scalars.ts';
import { columnOf, mayFollow, separationEnd, standsAtColumn, standsUnderComment } from './separation.ts';

export interface Ordinary {
  /** Objects are shared where the file uses aliases: never change one in place. */
  readonly value: Json;
  /** Whether a text in it may have a `${`. */
  readonly templated: boolean;
  /** As `isPlainText` says of the file. */
  readonly plain: boolean;
  readonly nodes: Nodes;
}

/** How many values aliases and merge keys may stand for. A file with more goes to the thorough parser, which may refuse it. */
const VALUES = 1_000_000;

/** The parsers end other names differently. */
const ANCHOR = /^[\w.-]{1,100}$/;

interface Anchored {
  readonly value: Json;
  readonly node: number;
  readonly size: number;
}

interface Reading {
  readonly text: string;
  readonly events: readonly Event[];
  readonly nodes: Nodes;
  /** Null until the value is read to its end. */
  readonly anchors: Map<string, Anchored | null>;
  /** How many anchors were read. */
  anchored: number;
  /** Index of the next event. */
  next: number;
  /** Offset where the text that was read so far ends. */
  at: number;
  /** How many values aliases and merge keys stand for. */
  aliased: number;
  /** How many brackets are open. */
  brackets: number;
}

/** Null for a file that is not ordinary. */
export function parseOrdinary(text: string): Ordinary | null {
  const events = eventsOf(text);
  const [document] = events;
  if (document?.type !== EVENT_ID.DOCUMENT || document.directives.length > 0) return null;
  const nodes = emptyNodes(events.length);
  const at = document.explicitStart ? afterMarker(text) : 0;
  if (at === null) return null;
  const reading: Reading = {
    text,
    events,
    nodes,
    anchors: new Map(),
    anchored: 0,
    next: 1,
    at,
    aliased: 0,
    brackets: 0,
  };
  const value = valueOfNode(reading);
  if (value === undefined || nodes.kinds[0] === KIND.scalar) return null;
  if (events[reading.next]?.type !== EVENT_ID.POP || reading.next + 1 !== events.length) return null;
  if (reading.at !== text.length && !separate(reading, text.length)) return null;
  // Folding lines never brings `$` and `{` together. Only an escape does.
  const templated = text.includes('${') || text.includes('\\');
  return { value, templated, plain: isPlainText(text), nodes };
}

/** Characters that end a line for one parser and not for the other, or that one of them ignores. */
const AMBIGUOUS = ['\t', '\u0085', '\u2028', '\u2029', '\ufeff'];

function hasLoneReturn(text: string): boolean {
  return text.includes('\r') && /\r(?!\n)/.test(text);
}

/** None for a text that this parser does not take for YAML. */
function eventsOf(text: string): readonly Event[] {
  if (AMBIGUOUS.some((character) => text.includes(character)) || hasLoneReturn(text)) return [];
  if (unclosedAt(text) !== null) return [];
  try {
    return parseEvents(text, {});
  } catch {
    return [];
  }
}

/** Where the line of a `---` on its own line ends; null for a `---` elsewhere. */
function afterMarker(text: string): number | null {
  const before = /^(?: *(?:#.*)?\r?\n)*---(?: +#.*)? *\r?\n/.exec(text);
  return before === null ? null : before[0].length;
}

/** Goes on to `to`. Whether there was nothing but separation before it. */
function separate(reading: Reading, to: number): boolean {
  const { text, at, brackets } = reading;
  reading.at = to;
  return at === to ? mayFollow(text, at) : separationEnd(text, at, to, brackets > 0) === to;
}

function valueOfNode(reading: Reading): Json | undefined {
  const event = reading.events[reading.next];
  reading.next += 1;
  switch (event?.type) {
    case EVENT_ID.ALIAS:
      return aliasedValue(reading, event);
    case EVENT_ID.SCALAR:
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      if (event.tagStart >= 0) return undefined;
      return event.anchorStart < 0 ? contentOf(reading, event) : anchoredValue(reading, event);
    default:
      return undefined;
  }
}

type Content = ScalarEvent | MappingEvent | SequenceEvent;

function contentOf(reading: Reading, event: Content): Json | undefined {
  switch (event.type) {
    case EVENT_ID.SCALAR:
      return scalarValue(reading, event);
    case EVENT_ID.MAPPING:
      return mappingValue(reading, event);
    case EVENT_ID.SEQUENCE:
      return listValue(reading, event);
  }
}

function anchoredValue(reading: Reading, event: Content): Json | undefined {
  const name = nameOf(reading, event);
  if (name === null) return undefined;
  const { nodes, aliased } = reading;
  const node = nodes.count;
  reading.anchored += 1;
  reading.anchors.set(name, null);
  const value = contentOf(reading, event);
  if (value === undefined || !isWritten(nodes, node)) return undefined;
  reading.anchors.set(name, { value, node, size: nodes.count - node + reading.aliased - aliased });
  return value;
}

function aliasedValue(reading: Reading, event: AliasEvent): Json | undefined {
  const name = nameOf(reading, event);
  const anchored = name === null ? null : reading.anchors.get(name);
  if (anchored == null) return undefined;
  reading.aliased += anchored.size;
  if (reading.aliased > VALUES) return undefined;
  const node = addNode(reading.nodes, KIND.alias, event.anchorStart - 1, event.anchorEnd);
  reading.nodes.targets.set(node, anchored.node);
  return anchored.value;
}

/** Reads the name of an anchor or alias. */
function nameOf(reading: Reading, { anchorStart, anchorEnd }: Content | AliasEvent): string | null {
  if (!separate(reading, anchorStart - 1)) return null;
  const name = reading.text.slice(anchorStart, anchorEnd);
  reading.at = anchorEnd;
  return ANCHOR.test(name) ? name : null;
}

function scalarValue(reading: Reading, event: ScalarEvent): Json | undefined {
  const { text, nodes } = reading;
  if (event.valueStart < 0) {
    addNode(nodes, KIND.scalar, -1, -1);
    return null;
  }
  const { at, brackets } = reading;
  const start = startOf(text, event, at);
  const end = endOf(event);
  if (!separate(reading, start) || (brackets === 0 && standsUnderComment(text, at, start))) return undefined;
  reading.at = end;
  addNode(nodes, KIND.scalar, start, end);
  if (!isOrdinary(text, start, event)) return undefined;
  const value = getScalarValue(text, event);
  return isPlain(event) ? scalarOf(value) : value;
}

function listValue(reading: Reading, event: SequenceEvent): Json | undefined {
  const { nodes } = reading;
  if (!separate(reading, event.start)) return undefined;
  const isFlow = event.style === COLLECTION_STYLE.FLOW;
  if (isFlow) open(reading);
  const list = addNode(nodes, KIND.list, event.start, ONWARD);
  const items: Json[] = [];
  while (reading.events[reading.next]?.type !== EVENT_ID.POP) {
    const item = nodes.count;
    const value = valueOfNode(reading);
    if (value === undefined || !isWritten(nodes, item)) return undefined;
    items.push(value);
  }
  return closed(reading, list, isFlow ? ']' : null) ? items : undefined;
}

function mappingValue(reading: Reading, event: MappingEvent): Json | undefined {
  const { nodes } = reading;
  if (!separate(reading, event.start)) return undefined;
  const isFlow = event.style === COLLECTION_STYLE.FLOW;
  // A pair among the items of a list, without brackets of its own.
  if (isFlow && reading.text[event.start] !== '{') return undefined;
  if (isFlow) open(reading);
  const map = addNode(nodes, KIND.map, event.start, ONWARD);
  const members: Record<string, Json> = {};
  const merged: Json[] = [];
  let anchored: number | null = null;
  // All keys of a block mapping are in the column of the first one.
  let column = ANY_COLUMN;
  while (reading.events[reading.next]?.type !== EVENT_ID.POP) {
    const name = memberName(reading, column);
    if (name === undefined || (name !== null && Object.hasOwn(members, name))) return undefined;
    if (name === null) anchored ??= reading.anchored;
    const { node, aliased } = { node: nodes.count, aliased: reading.aliased };
    const value = valueOfNode(reading);
    if (value === undefined) return undefined;
    if (name === null && nodes.kinds[node] !== KIND.alias) {
      // What comes through an alias is counted there.
      reading.aliased += nodes.count - node + reading.aliased - aliased;
      if (reading.aliased > VALUES) return undefined;
    }
    if (!isFlow && column === ANY_COLUMN) column = columnOf(reading.text, event.start);
    // The thorough parser reads `<<` after all other members. With an anchor in it or after it, an alias could mean another value there.
    if (anchored !== null && reading.anchored > anchored) return undefined;
    if (name !== null) members[name] = value;
    else merged.push(value);
  }
  if (!closed(reading, map, isFlow ? '}' : null)) return undefined;
  return merged.every((value) => merge(members, value)) ? members : undefined;
}

/** The first key may be in any column. */
const ANY_COLUMN = -1;

/** Null for the merge key. */
function memberName(reading: Reading, column: number): string | null | undefined {
  const { text, events, nodes } = reading;
  const event = events[reading.next];
  if (event?.type !== EVENT_ID.SCALAR || event.tagStart >= 0 || event.anchorStart >= 0) return undefined;
  const name = keyOf(text, event);
  if (name === undefined) return undefined;
  const start = startOf(text, event, reading.at);
  const end = endOf(event);
  if (!separate(reading, start) || (column !== ANY_COLUMN && !standsAtColumn(text, start, column))) return undefined;
  reading.next += 1;
  reading.at = end;
  const key = addNode(nodes, name === null ? KIND.merge : KIND.scalar, start, end);
  if (name !== null && name.length !== end - start) nodes.names.set(key, name);
  return name;
}

/** Adds the members that the mapping itself does not have. False when `<<` brings anything but mappings. */
function merge(members: Record<string, Json>, value: Json): boolean {
  const sources: readonly Json[] = Array.isArray(value) ? value : [value];
  return sources.every((source) => {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) return false;
    for (const [name, member] of Object.entries(source)) if (!Object.hasOwn(members, name)) members[name] = member;
    return true;
  });
}

function open(reading: Reading): void {
  reading.at += 1;
  reading.brackets += 1;
}

/** Leaves a collection; false when its bracket is not the next thing in the text. */
function closed(reading: Reading, node: number, bracket: string | null): boolean {
  const { text, nodes } = reading;
  reading.next += 1;
  closeNode(nodes, node);
  if (bracket === null) return true;
  const at = separationEnd(text, reading.at, text.length, true);
  reading.brackets -= 1;
  reading.at = at + 1;
  nodes.ends[node] = at + 1;
  return text[at] === bracket;
}
