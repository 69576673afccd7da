// The sightings file: what drift checks remember, as JSON next to the ledger. A file that cannot be used costs the memory,
// and never the check.

import { readFile } from 'node:fs/promises';
import { diskErrorCode, explained, statOrNull, writeWhole } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { isObject, jsonIn } from '../../base/json.ts';
import type { JsonObject } from '../../base/model.ts';
import type { DriftNote, Sighting } from '../../tasks/drift/report.ts';
import type { Sightings } from '../../tasks/drift/sightings.ts';
import type { ChannelState } from './transition.ts';
import { memory } from './validator.ts';

export interface Memory {
  readonly sightings: Sightings;
  /** By channel: what it was last told. */
  readonly told: ReadonlyMap<string, ChannelState>;
}

export interface SightingsFile {
  /** Never rejects: what cannot be read is a note, and nothing is remembered then. */
  readonly recall: () => Promise<Memory & { readonly note: DriftNote | null }>;
  /** After `recall`. Keeps nothing in a file of another target, of a newer version or with another content. @throws UsageError when it cannot be written */
  readonly keep: (memory: Memory) => Promise<void>;
}

const FORMAT = 1;

const NOTHING: Memory = { sightings: new Map(), told: new Map() };

/** For a check that cannot remember, or must not: each one is the first. */
export const noSightings: SightingsFile = {
  recall: async () => ({ ...NOTHING, note: null }),
  keep: async () => {},
};

/** Next to the ledger, and named after it. */
export function besideLedger(ledger: string): string {
  return `${ledger.replace(/(\.ledger)?\.ndjson$/, '')}.sightings.json`;
}

export function sightingsFile(path: string, target: string): SightingsFile {
  let mayWrite = true;
  const lost = (message: string): Memory & { readonly note: DriftNote } => ({
    ...NOTHING,
    note: { kind: 'sightings-lost', message: `the sightings ${path} ${message}`, source: null },
  });
  const begun = 'every difference counts as first seen now, and channels are told again';

  async function recall() {
    let text: string;
    try {
      const found = await statOrNull(path);
      // Reading a pipe or a device may never end.
      if (found?.isFile() === false && !found.isDirectory()) {
        mayWrite = false;
        return lost('are no file: nothing is read, and nothing is remembered');
      }
      text = await readFile(path, 'utf8');
    } catch (error) {
      const code = diskErrorCode(error);
      if (code === null) throw error;
      return code === 'ENOENT' ? { ...NOTHING, note: null } : lost(`cannot be read (${code}): ${begun}`);
    }
    const found = jsonIn(text);
    const json = isObject(found) ? found : null;
    const version = Number.parseInt(String(json?.['format_version']), 10);
    const owner = json?.['target'];
    mayWrite = isOurs(text) && !(version > FORMAT) && (typeof owner !== 'string' || owner === target);
    if (!isOurs(text)) return lost('hold something else: the file is not changed, and nothing is remembered');
    if (version > FORMAT) return lost('are of a newer chatform: the file is not changed, and nothing is remembered');
    if (!mayWrite) return lost(`are of target ${owner}: the file is not changed, and nothing is remembered`);
    const remembered = memoryOf(json);
    return remembered === null ? lost(`are damaged: ${begun}`) : { ...remembered, note: null };
  }

  return {
    recall,
    keep: async (remembered) => {
      if (!mayWrite) return;
      await explained(`the sightings ${path}`, 'written', () => writeWhole(path, textOf(target, remembered)));
    },
  };
}

export interface SightingsChoice {
  /** A file, or false for none. */
  readonly sightings?: string | boolean;
}

/** Where sightings are, or would be. */
export function sightingsPath({ sightings }: SightingsChoice, { beside }: { readonly beside: string }): string {
  return typeof sightings === 'string' ? sightings : besideLedger(beside);
}

/** @throws UsageError for a file without a name */
export function chosenSightings(
  flags: SightingsChoice,
  settings: { readonly beside: string; readonly name: string },
): SightingsFile {
  if (flags.sightings === false) return noSightings;
  if (flags.sightings === '') throw new UsageError('--sightings needs the name of a file');
  return sightingsFile(sightingsPath(flags, settings), settings.name);
}

/** Whether a text is blank or sightings, perhaps damaged ones. Anything else in the file is kept. */
function isOurs(text: string): boolean {
  return text.trim() === '' || (text.includes('"format_version"') && text.includes('"sightings"'));
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

/** Null as soon as one member is not as it was written: half a memory would report what is not true. */
function memoryOf(json: JsonObject | null): Memory | null {
  if (!memory(json)) return null;
  const sightings = mapOf(
    json.sightings,
    ({ address, status, first_seen, last_seen, seen_count, returned, closed_at }): Sighting => ({
      address,
      status,
      first_seen,
      last_seen,
      seen_count,
      returned,
      closed_at,
    }),
  );
  const told = mapOf(
    json.told,
    ({ at, state, items }): ChannelState => ({
      at,
      state,
      items: mapOf(items, ({ severity, returned }) => ({ severity, returned })),
    }),
  );
  return { sightings, told };
}

function mapOf<T, U>(members: { readonly [name: string]: T }, read: (member: T) => U): ReadonlyMap<string, U> {
  return new Map(Object.entries(members).map(([name, member]) => [name, read(member)]));
}
