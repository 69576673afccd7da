// Repair of a damaged log: which lines are kept. Damaged lines are moved to another file, and never deleted.

import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explained, syncFolder } from '../base/disk.ts';
import { fileAt, notALog, replaceFile } from './file.ts';
import { isLog, type LogLine, linesOf } from './lines.ts';
import { atOf } from './runs.ts';

export interface Repair {
  /** Lines that are events, in their right order, including those of a newer chatform. */
  readonly kept: readonly LogLine[];
  /** The others; empty when the log can be read as it is. */
  readonly damaged: readonly LogLine[];
}

/** What a repair keeps. Between the marks of a merge, both sides have events, so their lines are sorted by time: the last event counts. */
export function repair(log: Buffer): Repair {
  const lines = linesOf(log);
  if (!lines.some(isDamaged)) return { kept: lines.filter((line) => line.read !== 'torn'), damaged: [] };
  const kept: LogLine[] = [];
  for (let index = 0; index < lines.length; ) {
    const end = isMark(lines[index], '<<<<<<<')
      ? lines.findIndex((line, at) => at > index && isMark(line, '>>>>>>>'))
      : -1;
    const side = lines.slice(index, Math.max(index, end) + 1).filter(isKept);
    for (const line of end === -1 ? side : inTime(side)) kept.push(line);
    index = Math.max(index, end) + 1;
  }
  return { kept, damaged: lines.filter((line) => !isKept(line)) };
}

export function bytesOf(lines: readonly LogLine[]): Buffer {
  return Buffer.concat(lines.flatMap(({ bytes }) => [bytes, Buffer.from('\n')]));
}

function isDamaged({ read }: LogLine): boolean {
  return read === 'damaged';
}

function isKept({ read }: LogLine): boolean {
  return read !== 'damaged' && read !== 'torn';
}

function isMark(line: LogLine | undefined, mark: string): boolean {
  return line?.read === 'damaged' && line.bytes.toString('latin1').startsWith(mark);
}

/** Lines by time, each once: both sides of a merge may have it. */
function inTime(lines: readonly LogLine[]): readonly LogLine[] {
  const once = new Map(lines.map((line) => [line.bytes.toString(), line])).values();
  let last = 0;
  const timed = [...once].map((line) => {
    last = timeOf(line.read) ?? last;
    return { line, at: last };
  });
  return timed.toSorted((one, other) => one.at - other.at).map(({ line }) => line);
}

/** Null for a line of a newer format, which stays behind the one before it. */
function timeOf(read: LogLine['read']): number | null {
  if (typeof read === 'string') return null;
  return Date.parse(atOf(read));
}

/** A repair of a file, which `mend` carries out. */
export interface Inspection extends Repair {
  /** Where the damaged lines go, below those of earlier repairs. */
  readonly aside: string;
  /** @throws UsageError when it cannot be written, or when the log changed since it was read */
  readonly mend: () => Promise<void>;
}

/** @throws UsageError for a file that cannot be read, or is no log at all */
export async function inspect(path: string): Promise<Inspection> {
  const log = await explained(`the ledger ${path}`, 'read', () => fileAt(path));
  if (!isLog(log)) throw notALog(path);
  const found = repair(log);
  const aside = `${path}.damaged`;
  return {
    ...found,
    aside,
    mend: async () => {
      await explained(`the ledger ${aside}`, 'written', () => append(aside, bytesOf(found.damaged)));
      await explained(`the ledger ${path}`, 'written', () => replaceFile(path, log, bytesOf(found.kept)));
    },
  };
}

async function append(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}
