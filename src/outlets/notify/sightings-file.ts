// What looks remember, in a JSON file beside the ledger: a path in, what was seen and who was told of it out, and back. A file that cannot be used costs
// the memory, and never the look.

import { readFile } from 'node:fs/promises';
import { diskErrorCode, explained, writeWhole } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { type Json, type JsonObject, SEVERITIES } from '../../base/model.ts';
import { STATUSES } from '../../project/drift-settings.ts';
import type { DriftNote } from '../../tasks/drift/report.ts';
import type { Sighting, Sightings } from '../../tasks/drift/sightings.ts';
import type { Told, ToldItem } from './transition.ts';

export interface Memory {
  readonly sightings: Sightings;
  /** By channel: what it was last told. */
  readonly told: ReadonlyMap<string, Told>;
}

export interface SightingsFile {
  /** Never rejects: what cannot be read is a note, and nothing is remembered then. */
  readonly recall: () => Promise<Memory & { readonly note: DriftNote | null }>;
  /** After `recall`. Keeps nothing where the file is not ours to write. @throws UsageError when it cannot be written */
  readonly keep: (memory: Memory) => Promise<void>;
}

const FORMAT = 1;

const NOTHING: Memory = { sightings: new Map(), told: new Map() };

/** For whoever cannot write, or does not want to: each look is the first. */
export const noSightings: SightingsFile = {
  recall: async () => ({ ...NOTHING, note: null }),
  keep: async () => {},
};

/** `path` without its ending, with another: beside the ledger, by its name. */
export function besideLedger(ledger: string): string {
  return `${ledger.replace(/(\.ledger)?\.ndjson$/, '')}.sightings.json`;
}

export function sightingsFile(path: string, target: string): SightingsFile {
  let mayWrite = true;
  const lost = (message: string): Memory & { readonly note: DriftNote } => ({
    ...NOTHING,
    note: { kind: 'sightings-lost', message: `the sightings ${path} ${message}`, source: null },
  });
  const begun = 'since when each difference is there, and who was told, begins anew';

  async function recall() {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      const code = diskErrorCode(error);
      if (code === null) throw error;
      return code === 'ENOENT' ? { ...NOTHING, note: null } : lost(`cannot be read (${code}): ${begun}`);
    }
    const json = parsed(text);
    const version = Number.parseInt(String(json?.['format_version']), 10);
    const owner = json?.['target'];
    mayWrite = !(version > FORMAT) && (typeof owner !== 'string' || owner === target);
    if (version > FORMAT) return lost(`are those of a newer chatform: they are left alone, and nothing is remembered`);
    if (!mayWrite) return lost(`are those of target ${owner}: they are left alone, and nothing is remembered`);
    const memory = json === null ? null : memoryOf(json);
    return memory === null ? lost(`are damaged: ${begun}`) : { ...memory, note: null };
  }

  return {
    recall,
    keep: async (memory) => {
      if (!mayWrite) return;
      await explained(`the sightings ${path}`, 'written', () => writeWhole(path, textOf(target, memory)));
    },
  };
}

export interface SightingsChoice {
  /** A file, or false for none. */
  readonly sightings?: string | boolean;
}

/** Where sightings are, or would be. */
export function sightingsPath({ sightings }: SightingsChoice, { ledger }: { readonly ledger: string }): string {
  return typeof sightings === 'string' ? sightings : besideLedger(ledger);
}

/** @throws UsageError for a file without a name */
export function chosenSightings(
  flags: SightingsChoice,
  settings: { readonly ledger: string; readonly name: string },
): SightingsFile {
  if (flags.sightings === false) return noSightings;
  if (flags.sightings === '') throw new UsageError('--sightings needs the name of a file');
  return sightingsFile(sightingsPath(flags, settings), settings.name);
}

function textOf(target: string, { sightings, told }: Memory): string {
  const document = {
    format_version: `${FORMAT}.0`,
    target,
    sightings: Object.fromEntries(sightings),
    told: Object.fromEntries(
      [...told].map(([channel, known]) => [channel, { ...known, items: Object.fromEntries(known.items) }]),
    ),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

function parsed(text: string): JsonObject | null {
  try {
    const json: Json = JSON.parse(text);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

/** Null as soon as anything is not as it was written: half a memory would tell what is not so. */
function memoryOf({ sightings, told }: JsonObject): Memory | null {
  const seen = mapOf(sightings, sightingOf);
  const known = mapOf(told, toldOf);
  return seen === null || known === null ? null : { sightings: seen, told: known };
}

function mapOf<T>(json: Json | undefined, read: (member: JsonObject) => T | null): ReadonlyMap<string, T> | null {
  if (!isObject(json)) return null;
  const members = new Map<string, T>();
  for (const [name, member] of Object.entries(json)) {
    const known = isObject(member) ? read(member) : null;
    if (known === null) return null;
    members.set(name, known);
  }
  return members;
}

function sightingOf(json: JsonObject): Sighting | null {
  const { address, first_seen, last_seen, seen_count, returned, closed_at } = json;
  const status = STATUSES.find((name) => name === json['status']);
  if (typeof address !== 'string' || status === undefined || !isCount(seen_count) || !isCount(returned)) return null;
  if (!isTime(first_seen) || !isTime(last_seen) || !(closed_at === null || isTime(closed_at))) return null;
  return { address, status, first_seen, last_seen, seen_count, returned, closed_at };
}

function toldOf({ at, state, items }: JsonObject): Told | null {
  const known = mapOf(items, toldItemOf);
  if (!isTime(at) || known === null) return null;
  return state === 'in-sync' || state === 'drifted' || state === 'failed' ? { at, state, items: known } : null;
}

function toldItemOf(json: JsonObject): ToldItem | null {
  const severity = SEVERITIES.find((name) => name === json['severity']);
  const { returned } = json;
  return severity === undefined || !isCount(returned) ? null : { severity, returned };
}

function isTime(json: Json | undefined): json is string {
  return typeof json === 'string' && !Number.isNaN(Date.parse(json));
}

function isCount(json: Json | undefined): json is number {
  return Number.isInteger(json) && Number(json) >= 0;
}
