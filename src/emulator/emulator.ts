// Requests come in, responses of the service go out; in between stands one license. Must not know any single action,
// nor where its state is kept. Specification: the whole.

import { Hono } from 'hono';
import type { World } from './configuration/serve.ts';
import { serve } from './configuration/serve.ts';
import { createIds } from './ids.ts';
import type { License } from './license.ts';
import { plant } from './plant.ts';
import type { Refusal } from './refusal.ts';
import { envelope, isRefusal, refusal } from './refusal.ts';
import { respond } from './respond.ts';
import type { Seed } from './seed.ts';
import { parseSeed } from './seed.ts';
import type { Settings, SettingsInput } from './settings.ts';
import { completeSettings } from './settings.ts';
import type { State } from './snapshot.ts';
import { parseState, restore, takeSnapshot } from './snapshot.ts';
import { advance } from './table.ts';
import { isVersion } from './version.ts';

/** Propagation takes "at most 2 minutes", in ms. Specification: "What the service does". */
const LONGEST_DELAY = 120_000;

/** Reads lag behind writes by a fixed time, or by one that is drawn for each read; in ms, 0 to 120,000. */
export type PropagationDelay = number | { readonly from: number; readonly to: number };

export interface EmulatorOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Uniform in [0, 1): draws ids, secrets, the lag of reads and the order of batches. */
  readonly random: () => number;
  /** Default 0: reads see every write at once. */
  readonly propagationDelay?: PropagationDelay;
  /** Assumptions to change; the defaults are DEFAULT_SETTINGS. */
  readonly settings?: SettingsInput;
  /** What the license begins with; without it, a fresh one. */
  readonly seed?: Seed;
  /** What `snapshot` of an earlier emulator gave; excludes `seed`. */
  readonly state?: State;
  /** Called after every committed write; the response waits for the promise that it returns. */
  readonly onCommit?: (state: () => State) => void | Promise<void>;
}

/** One license of the service. */
export interface Emulator {
  /** Answers any request; never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Requests received since the last reset, by action; a batch counts once, under its own name. */
  readonly stats: () => Readonly<Record<string, number>>;
  readonly resetStats: () => void;
  /** The whole state as JSON, with what is still propagating. */
  readonly snapshot: () => State;
}

function delayRange(delay: PropagationDelay): { readonly from: number; readonly to: number } {
  const range = typeof delay === 'number' ? { from: delay, to: delay } : delay;
  if (!(range.from >= 0 && range.from <= range.to && range.to <= LONGEST_DELAY))
    throw new Error(`propagationDelay must be within 0 and ${LONGEST_DELAY} ms`);
  return range;
}

function beginning({ seed, state }: EmulatorOptions, settings: Settings, window: number): License {
  if (seed !== undefined && state !== undefined) throw new Error('give a seed or a state, not both');
  return state === undefined ? plant(parseSeed(seed ?? {}), settings, window) : restore(parseState(state), window);
}

/** Makes a license that answers requests. Throws an Error when the options, the seed or the state are wrong. */
export function createEmulator(options: EmulatorOptions): Emulator {
  const settings = completeSettings(options.settings ?? {});
  const { from, to } = delayRange(options.propagationDelay ?? 0);
  const license = beginning(options, settings, to);
  advance(license.history, Math.floor(options.now()));
  const { counters } = license;
  const world: World = {
    license,
    settings,
    ids: createIds(options.random, () => (counters.serial += 1)),
    now: options.now,
    random: options.random,
    drawLag: () => (from === to ? to : from + Math.floor(options.random() * (to - from + 1))),
    received: new Map(),
    committed: () => options.onCommit?.(snapshot),
  };
  const snapshot = (): State => takeSnapshot(license);
  const app = createApp(world, to);
  return {
    fetch: async (request) => app.fetch(request),
    stats: () => Object.fromEntries(world.received),
    resetStats: () => world.received.clear(),
    snapshot,
  };
}

function createApp(world: World, longestDelay: number): Hono {
  const app = new Hono();
  const base = { 'content-type': 'application/json', 'x-emulator-propagation-delay': String(longestDelay) };
  const headers = (version: string): Record<string, string> => {
    const stage = isVersion(version) ? world.settings.lifecycle[version] : null;
    return stage === null ? base : { ...base, [stage.header]: stage.date };
  };
  const refused = (error: Refusal, version: string): Response => {
    const status = error.reason.status ?? world.settings.statuses[error.reason.type];
    return respond(JSON.stringify(envelope(error)), status, headers(version));
  };
  app.all('/:version/configuration/action/:action', async (context) => {
    const { version, action } = context.req.param();
    try {
      const { value, empty } = await serve(world, context.req.raw, version, action);
      const body = empty && world.settings.emptyReply === 'zero-bytes' ? null : JSON.stringify(value);
      return respond(body, 200, headers(version.slice(1)));
    } catch (error) {
      return refused(isRefusal(error) ? error : broken(error), version.slice(1));
    }
  });
  app.notFound(() => refused(refusal({ type: 'not_found' }, 'there is nothing at this path'), ''));
  return app;
}

/** What is no refusal is our own defect, or a state file that could not be written. */
function broken(error: unknown): Refusal {
  return refusal({ type: 'internal' }, error instanceof Error ? error.message : String(error));
}
