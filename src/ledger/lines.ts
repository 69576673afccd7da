// The bytes of a log in; each of its lines with what it is out: an event, or why it is none. It must not know where the bytes come from.

import { isUtf8 } from 'node:buffer';
import type { Diagnostic, Json } from '../base/model.ts';
import type { LedgerEvent } from './events.ts';
import { type NoEvent, readEvent } from './read-event.ts';

export interface LogLine {
  /** One-based. */
  readonly number: number;
  /** As it stands, without its end. */
  readonly bytes: Buffer;
  /** `torn`: a last line that was cut while it was written. */
  readonly read: LedgerEvent | NoEvent | 'torn';
}

/** How many bytes become text at a time: the text of a long log need not be there as a whole. */
const PIECE = 1024 * 1024;

/** The events of a log that has nothing else in it, in a fraction of the time that `linesOf` takes; null when it has. */
export function soundEvents(log: Buffer): readonly LedgerEvent[] | null {
  const events: LedgerEvent[] = [];
  for (let start = 0; start < log.length; ) {
    const last = log.length - start > PIECE ? log.indexOf('\n', start + PIECE) : -1;
    const end = last === -1 ? log.length : last + 1;
    const piece = log.subarray(start, end);
    if (!isUtf8(piece) || !takeEvents(piece.toString(), events)) return null;
    start = end;
  }
  return events;
}

/** Whether all lines are events. */
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
  for (let number = 1, start = 0; start < log.length; number += 1) {
    const end = log.indexOf('\n', start);
    const bytes = log.subarray(start, end === -1 ? log.length : end);
    const value = isBlank(bytes) ? 'blank' : parse(bytes);
    start += bytes.length + 1;
    if (value === 'blank') continue;
    // No beginning of an object is an object: what lacks only its end is whole.
    if (value === 'not-json') lines.push({ number, bytes, read: end === -1 ? 'torn' : 'damaged' });
    else lines.push({ number, bytes, read: readEvent(value.json) });
  }
  return lines;
}

/** What is wrong with a line that is no event. */
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

/** Where the torn last line begins, or the log ends. */
export function endOfEvents(log: Buffer): number {
  const last = log.lastIndexOf('\n') + 1;
  const rest = log.subarray(last);
  return !isBlank(rest) && parse(rest) === 'not-json' ? last : log.length;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** Read leniently, other bytes would come to stand for those that were lost. */
function parse(bytes: Buffer): { readonly json: Json } | 'not-json' {
  if (!isUtf8(bytes)) return 'not-json';
  try {
    return { json: JSON.parse(bytes.toString()) };
  } catch {
    return 'not-json';
  }
}
