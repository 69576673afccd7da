// The log of a fleet run in a file, and a file next to it in which a person cancels the run: `<log>.cancel`.

import { isUtf8 } from 'node:buffer';
import { open, readFile, rm } from 'node:fs/promises';
import { diskErrorCode, explained, writeWhole } from '../../base/disk.ts';
import type { Validator } from '../../base/documents.ts';
import { UsageError } from '../../base/errors.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import { fileLog, type LogFormat } from '../../ledger/file.ts';
import { endOfEvents } from '../../ledger/lines.ts';
import type { CancelEvent, FleetEvent, FleetRunEvent } from './events.ts';
import type { FleetStore } from './store.ts';
import * as validators from './validator.ts';

const FORMAT = 1;

/** The lines of the log of a run. */
export const RUN_LOG: LogFormat<FleetEvent> = {
  what: 'the log of the fleet run',
  read: eventsOf,
  write: (event) => JSON.stringify(event),
  notALog,
};

export function fileStore(path: string): FleetStore {
  const { read, append } = fileLog(path, RUN_LOG);
  const marker = `${path}.cancel`;
  return {
    read,
    append,
    cancel: (request) =>
      explained(marker, 'written', () =>
        request === null ? rm(marker, { force: true }) : writeWhole(marker, `${JSON.stringify(request)}\n`),
      ),
    cancelled: () => explained(marker, 'read', () => requestIn(marker)),
  };
}

/** The first line of the log, however long the rest is; null where that is no run, such as in an empty log. */
export async function firstEvent(path: string): Promise<FleetRunEvent | null> {
  const line = await explained(`${RUN_LOG.what} ${path}`, 'read', () => firstLine(path));
  const value = jsonIn(line);
  return isEvent(value) && value.type === 'run' ? value : null;
}

async function firstLine(path: string): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return '';
  try {
    for await (const line of file.readLines({ autoClose: false })) return line;
    return '';
  } finally {
    await file.close();
  }
}

async function requestIn(marker: string): Promise<CancelEvent | null> {
  const text = await readFile(marker, 'utf8').catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const value = jsonIn(text);
  if (validators.cancel(value)) return value;
  throw new UsageError(`${marker} is damaged: delete it, and cancel the run again`);
}

/** Without a last line that was cut while it was written. */
function eventsOf(path: string, log: Buffer): readonly FleetEvent[] {
  const end = endOfEvents(log);
  if (end === null) throw notALog(path);
  const events: FleetEvent[] = [];
  for (let number = 1, start = 0; start < end; number += 1) {
    const next = log.indexOf('\n', start);
    const line = log.subarray(start, next === -1 ? end : Math.min(next, end));
    start += line.length + 1;
    if (line.every((byte) => byte === 0x20 || byte === 0x0d)) continue;
    const value = isUtf8(line) ? jsonIn(line.toString()) : undefined;
    if (!isEvent(value)) throw wrongLine(path, number, value);
    events.push(value);
  }
  return events;
}

/** Looks only at the type that the value says: a validator of any type tries all of them. */
function isEvent(value: Json | undefined): value is FleetEvent & JsonObject {
  const type = isObject(value) ? value['type'] : undefined;
  return typeof type === 'string' && Object.hasOwn(EVENTS, type) && EVENTS[type as FleetEvent['type']](value);
}

const EVENTS: { readonly [type in FleetEvent['type']]: Validator<FleetEvent> } = validators;

function wrongLine(path: string, number: number, value: Json | undefined): UsageError {
  const v = isObject(value) ? value['v'] : undefined;
  return typeof v === 'number' && v > FORMAT
    ? new UsageError(`${path}:${number}: this line was written by a newer chatform: use that version, or a later one`)
    : new UsageError(`${path}:${number}: this line is no event of a fleet run: restore the file, or begin another run`);
}

function notALog(path: string): UsageError {
  return new UsageError(`${path} is no log of a fleet run, and stays unchanged: name another file`);
}
