// What drift checks remember, as JSON: in a file, or in the database of the ledger. A place that cannot be used costs the memory, and never the check.

import { UsageError } from '../../../base/errors.ts';
import { isObject, jsonIn } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/model.ts';
import { type SightingsPlace, sightingsFile } from '../../../ledger/sightings-file.ts';
import type { TargetSettings } from '../../../project/settings.ts';
import type { RunContext } from '../../../target/context.ts';
import { sightingsAt } from '../../../target/stores.ts';
import type { DriftNote } from '../schema.ts';
import type { Sightings } from '../sightings.ts';
import type { ChannelState } from './transition.ts';
import { memory } from './validator.ts';

export interface Memory {
  readonly sightings: Sightings;
  /** By channel: what it was last told. */
  readonly told: ReadonlyMap<string, ChannelState>;
}

export interface SightingsStore {
  /** Never rejects: what cannot be read is a note, and nothing is remembered then. */
  readonly recall: () => Promise<Memory & { readonly note: DriftNote | null }>;
  /** After `recall`. Keeps nothing over those of another target, of a newer version or with another content. @throws UsageError when it cannot be written */
  readonly keep: (memory: Memory) => Promise<void>;
}

const FORMAT = 1;

const NOTHING: Memory = { sightings: new Map(), told: new Map() };

/** For a check that cannot remember, or must not: each one is the first. */
export const noSightings: SightingsStore = {
  recall: async () => ({ ...NOTHING, note: null }),
  keep: async () => {},
};

export function sightingsIn(place: SightingsPlace, target: string): SightingsStore {
  let mayWrite = true;
  const lost = (message: string): Memory & { readonly note: DriftNote } => ({
    ...NOTHING,
    note: { kind: 'sightings-lost', message: `the sightings ${place.name} ${message}`, source: null },
  });
  const begun = 'every difference counts as first seen now, and channels are told again';
  const unchanged = 'they are not changed, and nothing is remembered';

  async function recall() {
    const kept = await place.read();
    if ('problem' in kept) {
      mayWrite = kept.isReplaceable;
      return lost(`${kept.problem}: ${mayWrite ? begun : 'nothing is read, and nothing is remembered'}`);
    }
    const { text } = kept;
    if (text === null) return { ...NOTHING, note: null };
    const found = jsonIn(text);
    const json = isObject(found) ? found : null;
    const version = Number.parseInt(String(json?.['format_version']), 10);
    const owner = json?.['target'];
    mayWrite = isOurs(text) && !(version > FORMAT) && (typeof owner !== 'string' || owner === target);
    if (!isOurs(text)) return lost(`hold something else: ${unchanged}`);
    if (version > FORMAT) return lost(`are of a newer chatform: ${unchanged}`);
    if (!mayWrite) return lost(`are of target ${owner}: ${unchanged}`);
    const remembered = memoryOf(json);
    return remembered === null ? lost(`are damaged: ${begun}`) : { ...remembered, note: null };
  }

  return {
    recall,
    keep: async (remembered) => {
      if (mayWrite) await place.write(textOf(target, remembered));
    },
  };
}

export interface SightingsChoice {
  /** A file, or false for none. */
  readonly sightings?: string | boolean;
}

/** @throws UsageError for a file without a name */
export function chosenSightings(
  { sightings }: SightingsChoice,
  settings: Pick<TargetSettings, 'name' | 'ledger' | 'localPath'>,
  context: RunContext,
): SightingsStore {
  if (sightings === false) return noSightings;
  if (sightings === '') throw new UsageError('--sightings needs the name of a file');
  const place = typeof sightings === 'string' ? sightingsFile(sightings) : sightingsAt(settings, context);
  return sightingsIn(place, settings.name);
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
  return {
    sightings: mapOf(json.sightings, ({ address, first_seen, closed_at }) => ({ address, first_seen, closed_at })),
    told: mapOf(json.told, ({ at, state, items }) => ({
      at,
      state,
      items: mapOf(items, ({ severity }) => ({ severity })),
    })),
  };
}

function mapOf<T, U>(members: { readonly [name: string]: T }, read: (member: T) => U): ReadonlyMap<string, U> {
  return new Map(Object.entries(members).map(([name, member]) => [name, read(member)]));
}
