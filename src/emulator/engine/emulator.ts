// Requests come in, responses of the service go out; in between stands one license. Must not know any single action,
// nor where its state is kept. Specification: the whole.

import { configurationKinds } from '../configuration/index.ts';
import type { World } from '../configuration/serve.ts';
import type { ConfigurationSettings, SettingsInput } from '../configuration/settings.ts';
import { configurationSettings } from '../configuration/settings.ts';
import type { Service } from './answer.ts';
import { answer, nowhere } from './answer.ts';
import { createFaults } from './faults.ts';
import type { JournalEntry } from './journal.ts';
import { createJournal } from './journal.ts';
import type { EmulatedLicense } from './license.ts';
import { createIds } from './random.ts';
import type { Scenario } from './scenario.ts';
import { LONGEST_DELAY, longestLag, parseScenario } from './scenario.ts';
import type { SeedOf } from './seed.ts';
import { parseSeed as parseSeedOf, plant } from './seed.ts';
import { composeSettings } from './settings.ts';
import type { StateOf } from './snapshot.ts';
import { parseState, restore, takeSnapshot } from './snapshot.ts';
import { advance } from './table.ts';
import type { WireHandler, WireRequest, WireResponse } from './wire.ts';
import { fetchOf, pathOf, timer } from './wire.ts';

const { complete: completeSettings, parse } = composeSettings([configurationSettings]);
const KINDS = configurationKinds;
export type Seed = SeedOf<(typeof KINDS)[number]>;
export const parseSeed = (json: unknown): Seed => parseSeedOf(KINDS, json) as Seed;
/** A whole license as JSON. */
export type State = StateOf<(typeof KINDS)[number]>;

export const DEFAULT_SETTINGS = completeSettings({}) as ConfigurationSettings;
export const parseSettings = parse as (json: unknown) => SettingsInput;

/** Reads lag behind writes by a fixed time, or by one that is drawn for each read; in ms, 0 to 120,000. */
export type PropagationDelay = number | { readonly from: number; readonly to: number };

export interface EmulatorOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Uniform in [0, 1): draws ids, secrets, the lag of reads and the order of batches. */
  readonly random: () => number;
  /** Waits this many milliseconds, for the faults that take time; default the platform's own timer. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Default 0: reads see every write at once. */
  readonly propagationDelay?: PropagationDelay;
  /** Assumptions to change; the defaults are DEFAULT_SETTINGS. */
  readonly settings?: SettingsInput;
  /** What goes wrong; without it, nothing does. */
  readonly scenario?: Scenario;
  /** What the license begins with; without it, a fresh one. */
  readonly seed?: Seed;
  /** What `snapshot` of an earlier emulator gave; excludes `seed`. */
  readonly state?: State;
  /** Called after every committed write; the response waits for the promise that it returns. */
  readonly onCommit?: (state: () => State) => void | Promise<void>;
}

/** What a license begins with: a description, or the state of another. */
export type Beginning = { readonly seed: Seed } | { readonly state: State };

/** One license of the service. */
export interface Emulator {
  /** Answers any request; rejects only, with the code ECONNRESET, where the scenario resets the connection. */
  readonly handle: WireHandler;
  /** The same for a `Request` of this process. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Requests received since the last reset, by action; a batch counts once, under its own name. */
  readonly stats: () => Readonly<Record<string, number>>;
  /** The latest requests, oldest first. */
  readonly log: () => readonly JournalEntry[];
  readonly resetStats: () => void;
  /** The whole state as JSON, with what is still propagating. */
  readonly snapshot: () => State;
  /** Begins anew: with what the emulator was made with, or with something else. Throws an Error, and changes nothing, when that is wrong. */
  readonly begin: (beginning?: Beginning) => Promise<void>;
  /** The scenario, and how often each of its faults has struck. */
  readonly faults: () => { readonly scenario: Scenario; readonly struck: readonly number[] };
  /** Plays another scenario from its start. Throws an Error when it is wrong. */
  readonly setFaults: (scenario: Scenario) => void;
  /** The emulator's clock: milliseconds since the epoch. */
  readonly now: () => number;
  /** Sets the clock ahead, by milliseconds; what was written before is that much older. */
  readonly advance: (milliseconds: number) => void;
}

function delayRange(delay: PropagationDelay): { readonly from: number; readonly to: number } {
  const range = typeof delay === 'number' ? { from: delay, to: delay } : delay;
  if (!(range.from >= 0 && range.from <= range.to && range.to <= LONGEST_DELAY))
    throw new Error(`propagationDelay must be within 0 and ${LONGEST_DELAY} ms`);
  return range;
}

function given({ seed, state }: EmulatorOptions): Beginning {
  if (seed !== undefined && state !== undefined) throw new Error('give a seed or a state, not both');
  return state === undefined ? { seed: seed ?? {} } : { state };
}

function licenseOf(beginning: Beginning, settings: ConfigurationSettings, window: number): EmulatedLicense {
  return 'state' in beginning
    ? restore(KINDS, parseState(KINDS, beginning.state), window)
    : plant(KINDS, parseSeed(beginning.seed), settings, window);
}

/** Makes a license that answers requests. Throws an Error when the options, the scenario, the seed or the state are wrong. */
export function createEmulator(options: EmulatorOptions): Emulator {
  const settings = completeSettings(options.settings ?? {}) as ConfigurationSettings;
  const { from, to } = delayRange(options.propagationDelay ?? 0);
  const first = given(options);
  let ahead = 0;
  const now = (): number => options.now() + ahead;
  let faults = createFaults(parseScenario(options.scenario ?? { faults: [] }));
  const windowOf = (): number => Math.max(to, longestLag(faults.scenario));
  const started = (beginning: Beginning): EmulatedLicense => {
    const license = licenseOf(beginning, settings, windowOf());
    advance(license.history, Math.floor(now()));
    return license;
  };
  const world: World = {
    license: started(first),
    settings,
    ids: createIds(options.random, () => (world.license.serial += 1)),
    now,
    random: options.random,
    drawLag: () => (from === to ? to : from + Math.floor(options.random() * (to - from + 1))),
    committed: () => options.onCommit?.(snapshot),
  };
  const snapshot = (): State => takeSnapshot(world.license) as State;
  const journal = createJournal();
  const service: Service = {
    world,
    faults: () => faults,
    journal,
    longestLag: windowOf,
    sleep: options.sleep ?? timer,
  };
  const handle: WireHandler = (asked) => answerAt(service, asked);
  return {
    handle,
    fetch: fetchOf(handle, service.sleep),
    stats: journal.counts,
    log: journal.entries,
    resetStats: journal.clear,
    snapshot,
    begin: async (beginning = first) => {
      world.license = started(beginning);
      await world.committed();
    },
    faults: () => ({ scenario: faults.scenario, struck: faults.struck() }),
    setFaults: (scenario) => {
      faults = createFaults(parseScenario(scenario));
      // Reads can only go back as far as the tables remember.
      if (windowOf() > world.license.history.window) world.license = restore(KINDS, snapshot(), windowOf());
    },
    now,
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}

/** Specification: "Endpoints". */
async function answerAt(service: Service, asked: WireRequest): Promise<WireResponse> {
  const [, version = '', api, kind, action = '', ...more] = pathOf(asked).split('/');
  if (api !== 'configuration' || kind !== 'action' || more.length > 0) return nowhere(service);
  return answer(service, asked, version, action);
}
