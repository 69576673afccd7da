// The lines of a log: events as text.

import { isUtf8 } from 'node:buffer';
import type { Validator } from '../base/documents.ts';
import { isObject } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject } from '../base/model.ts';
import { isAddress, kindOf } from '../kinds/index.ts';
import type { LedgerEvent } from './events.ts';
import * as validators from './validator.ts';

/** The version of the format that is written here. */
const FORMAT = 1;

/** Why an object is not an event: it is damaged, or its format is newer than this program. */
type NoEvent = 'damaged' | 'newer';

export interface LogLine {
  /** One-based. */
  readonly number: number;
  /** Without the line end. */
  readonly bytes: Buffer;
  /** `torn`: a last line that was cut while it was written. */
  readonly read: LedgerEvent | NoEvent | 'torn';
}

/** The line of an event, without its end. */
export function writeEvent(event: LedgerEvent): string {
  return JSON.stringify(event.type === 'unknown' ? event.event : event);
}

type KnownType = Exclude<LedgerEvent['type'], 'unknown'>;
type KnownEvent = Exclude<LedgerEvent, { readonly type: 'unknown' }>;

const { later, stamped, lease: _, ...known } = validators;
const KNOWN: { readonly [type in KnownType]: Validator<KnownEvent> } = known;

/** The event that a value is. The same object, so unknown members are kept when a log is copied. */
function readEvent(value: Json): LedgerEvent | NoEvent {
  if (!isObject(value) || !Number.isInteger(value['v'])) return 'damaged';
  if (value['v'] !== FORMAT) return Number(value['v']) > FORMAT ? 'newer' : 'damaged';
  const type = value['type'];
  const validate = typeof type === 'string' && Object.hasOwn(KNOWN, type) ? KNOWN[type as KnownType] : null;
  if (validate?.(value) === true) return agrees(value) ? withKnownAddresses(value) : 'damaged';
  if (!stamped(value) || (validate !== null && !isOfLaterVersion(value))) return 'damaged';
  return { type: 'unknown', event: value };
}

/** What a schema cannot say: all addresses of one event are of one kind. */
function agrees(event: KnownEvent): boolean {
  switch (event.type) {
    case 'intent':
      return kindOf(event.address) === event.kind;
    case 'moved':
      return kindOf(event.from) === kindOf(event.to);
    case 'order':
      return event.order.every((address) => isAddress(address) && kindOf(address) === event.kind);
    default:
      return true;
  }
}

/** A run may be unsure about kinds that only a newer version knows. */
function withKnownAddresses(event: KnownEvent): KnownEvent {
  if (event.type !== 'run' || event.unsure?.every(isAddress) !== false) return event;
  return { ...event, unsure: event.unsure.filter(isAddress) };
}

/** Whether an event of a known type has an unknown kind or word. An event of an unknown kind may have another shape. */
function isOfLaterVersion(event: JsonObject): boolean {
  const { type, address, from, to } = event;
  const addresses = type === 'moved' ? [from, to] : ADDRESSED.includes(String(type)) ? [address] : [];
  if (addresses.length > 0 && addresses.every(looksLikeAddress) && !addresses.every(isAddress)) return true;
  return later(event) && (event.type !== 'intent' || agrees(event));
}

const ADDRESSED: readonly string[] = [
  'bound',
  'applied',
  'forgotten',
  'intent',
  'before',
  'remaking',
  'secret',
  'token',
];

/** Perhaps of a kind that only a newer version knows. */
function looksLikeAddress(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[a-z_]+\/./s.test(value);
}

/** Bytes that become text at a time, so that a long log is never one text. */
const PIECE = 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Where the first line begins: some editors put a byte order mark before it. */
function startOf(log: Buffer): number {
  return log.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
}

/** The events of a log; null when a line is no event. Much faster than `linesOf`. */
export function soundEvents(log: Buffer): readonly LedgerEvent[] | null {
  const events: LedgerEvent[] = [];
  for (let start = startOf(log); start < log.length; ) {
    const last = log.length - start > PIECE ? log.indexOf('\n', start + PIECE) : -1;
    const end = last === -1 ? log.length : last + 1;
    const piece = log.subarray(start, end);
    if (!isUtf8(piece) || !takeEvents(piece.toString(), events)) return null;
    start = end;
  }
  return events;
}

/** Adds the event of each line. @returns whether all lines are events */
function takeEvents(text: string, events: LedgerEvent[]): boolean {
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, end);
    start = end + 1;
    if (/^[ \t\r]*$/.test(line)) continue;
    const event = eventIn(line);
    if (event === null) return false;
    events.push(event);
  }
  return true;
}

function eventIn(line: string): LedgerEvent | null {
  try {
    const read = readEvent(JSON.parse(line));
    return typeof read === 'object' ? read : null;
  } catch {
    return null;
  }
}

/** Empty lines are left out. */
export function linesOf(log: Buffer): readonly LogLine[] {
  const lines: LogLine[] = [];
  for (let number = 1, start = startOf(log); start < log.length; number += 1) {
    const end = log.indexOf('\n', start);
    const bytes = log.subarray(start, end === -1 ? log.length : end);
    const value = isBlank(bytes) ? 'blank' : parse(bytes);
    start += bytes.length + 1;
    if (value === 'blank') continue;
    // The beginning of an object is no object, so a line that lacks only its end is complete.
    if (value === 'not-json')
      lines.push({ number, bytes, read: end === -1 && isTorn(log, bytes) ? 'torn' : 'damaged' });
    else lines.push({ number, bytes, read: readEvent(value.json) });
  }
  return lines;
}

/** Says what is wrong with a line that is no event. */
export function findingOf(path: string, { number, bytes, read }: LogLine): Diagnostic {
  const text = bytes.toString();
  const isNewer = read === 'newer';
  return {
    code: 'file-unreadable',
    severity: 'error',
    place: { file: path, line: number, column: 1, length: text.length },
    message: `line ${number} of the ledger ${isNewer ? 'was written by a newer chatform' : 'is not an event'}`,
    remedy: isNewer
      ? 'use that version, or a later one'
      : 'restore the file from its last good copy, or see what `chatform ledger repair` would keep of it',
    excerpt: text.slice(0, 200),
    related: [],
  };
}

/** Offset at which the torn last line begins, or the log ends; null when the last line is no event that was cut. */
export function endOfEvents(log: Buffer): number | null {
  const last = Math.max(log.lastIndexOf('\n') + 1, startOf(log));
  const rest = log.subarray(last);
  if (isBlank(rest) || parse(rest) !== 'not-json') return log.length;
  return isTorn(log, rest) ? last : null;
}

/** How the line of every event begins. */
const BEGINNING = Buffer.from('{"v":');

/** Whether a last line without an end is what a crash leaves of an event: its beginning, or zeros where it was to be. */
function isTorn(log: Buffer, last: Buffer): boolean {
  if (beginsAsEvent(last)) return true;
  return beginsAsEvent(log.subarray(startOf(log))) && last.every((byte) => byte === 0);
}

/** As far as there are bytes. */
function beginsAsEvent(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, BEGINNING.length);
  return bytes.subarray(0, length).equals(BEGINNING.subarray(0, length));
}

/** Whether a file is a log, perhaps a damaged one: it is blank, or one of its lines begins as an event does. */
export function isLog(log: Buffer): boolean {
  const lines = linesOf(log);
  return lines.length === 0 || lines.some(({ bytes, read }) => typeof read === 'object' || beginsAsEvent(bytes));
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** Bytes that are no UTF-8 are refused: a lenient reading would replace them. */
function parse(bytes: Buffer): { readonly json: Json } | 'not-json' {
  if (!isUtf8(bytes)) return 'not-json';
  try {
    return { json: JSON.parse(bytes.toString()) };
  } catch {
    return 'not-json';
  }
}
