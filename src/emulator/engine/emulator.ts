// One license of the service, in this process. Knows no API, and not where its state is kept.

import { STABLE_VERSION } from '../../base/api-versions.ts';
import { answer, contextOf, type PerformedAction, perform, type ServedLicense, settled } from './answer.ts';
import { type EmulatedApi, kindsOf, settingsOf, versionsOf } from './api.ts';
import { type CallbackSender, createCallbacks } from './callbacks.ts';
import { createFaults } from './faults.ts';
import { createJournal, createWebhookJournal, type JournalEntry, type WebhookEntry } from './journal.ts';
import type { EmulatedLicense } from './license.ts';
import { plant, readSeed } from './license.ts';
import { createIds } from './random.ts';
import { createConnections, type RealtimeConnect } from './realtime.ts';
import { LONGEST_DELAY, longestLag, readScenario, type Scenario } from './scenario.ts';
import type { AnyState } from './snapshot.ts';
import { readState, restore, takeSnapshot } from './snapshot.ts';
import { advance, forget } from './table.ts';
import { fetchOf, type Sleep, timer, type WireHandler } from './wire.ts';

/** Reads lag behind writes by a fixed time, or by one that is drawn for each read; in ms, 0 to 120,000. */
export type PropagationDelay = number | { readonly from: number; readonly to: number };

/** Options whose documents are still unchecked; the public door of the emulator types them. */
export interface EngineOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Uniform in [0, 1): draws ids, secrets, the lag of reads and the order of batches. */
  readonly random: () => number;
  /** Waits this many milliseconds, for the faults that take time; default the platform's own timer. */
  readonly sleep?: Sleep;
  /** Sends the requests of the emulator itself, which are callbacks; default the platform's own `fetch`. */
  readonly fetch?: CallbackSender;
  /** Default 0: reads see every write at once. */
  readonly propagationDelay?: PropagationDelay;
  /** Assumptions to change. */
  readonly settings?: object;
  /** What goes wrong; without it, nothing does. */
  readonly scenario?: Scenario;
  /** What the license begins with; without it, a fresh one. */
  readonly seed?: unknown;
  /** What `snapshot` of an earlier emulator returned; excludes `seed`. */
  readonly state?: unknown;
  /** Makes what tells the license from every other; without it, nothing does. */
  readonly identify?: () => string;
  /** Called after every committed write; the response waits for the promise that it returns. */
  onCommit?(state: () => AnyState): void | Promise<void>;
}

/** What a license begins with: a description, or the state of another. */
type AnyBeginning = { readonly seed: unknown } | { readonly state: unknown };

/** Where a license is kept outside this process. */
export interface LicenseStore {
  /** The state that is there, which `readState` gave; left out for a license that begins with a seed. */
  readonly state?: AnyState;
  /** Begins with the first license; returns what saves the one that there is by then. */
  readonly keep: (license: EmulatedLicense) => (present: () => EmulatedLicense) => Promise<void>;
}

export interface EngineEmulator {
  /** Answers any request; rejects only, with the code ECONNRESET, where the scenario resets the connection. */
  readonly handle: WireHandler;
  /** Opens a connection of the real-time interface. */
  readonly connect: RealtimeConnect;
  /** The same as `handle` for a `Request` of this process. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Performs an action without a request: for a caller whom no credential proves, without faults and the journal. Rejects with an Error,
   * and changes nothing, when that is wrong.
   */
  perform(action: PerformedAction): Promise<object>;
  /** Requests received since the last reset, by action; a batch counts once, under its own name. */
  readonly stats: () => Readonly<Record<string, number>>;
  /** The latest requests, oldest first. */
  readonly log: () => readonly JournalEntry[];
  /**
   * The latest webhooks that the service would have sent since the last reset, oldest first; without those of traffic. In the form of a
   * version, by default the stable one. Throws an Error where no API has that version.
   */
  readonly webhooks: (version?: string) => readonly WebhookEntry[];
  readonly resetStats: () => void;
  /** The whole state as JSON, with every version that still propagates. */
  readonly snapshot: () => AnyState;
  /** Begins again, as at the start or with something else. Rejects with an Error, and changes nothing, when that is wrong. */
  begin(beginning?: AnyBeginning): Promise<void>;
  /** The scenario, and how often each of its faults has struck. */
  readonly faults: () => { readonly scenario: Scenario; readonly struck: readonly number[] };
  /** Plays another scenario from its start. Throws an Error when it is wrong. */
  setFaults(scenario: unknown): void;
  /** The setting `limits.bodyBytes`. */
  readonly bodyLimit: number;
  /** The paths of the control API that the kinds of the license add, by what they do. */
  readonly controls: ReadonlyMap<string, 'read' | 'write'>;
  /** Does what a control asks. Rejects with an Error, and changes nothing, when that is wrong. */
  control(name: string, body: unknown): Promise<object>;
  /** Does everything that is due by now. */
  readonly settle: () => Promise<void>;
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

function beginningOf({ seed, state }: EngineOptions): AnyBeginning {
  if (seed !== undefined && state !== undefined) throw new Error('give a seed or a state, not both');
  return state === undefined ? { seed: seed ?? {} } : { state };
}

function webhooksIn(
  apis: readonly EmulatedApi[],
  all: readonly WebhookEntry[],
  version: string,
): readonly WebhookEntry[] {
  const api = apis.find(({ webhookIn }) => webhookIn !== undefined);
  if (api?.versions.includes(version) !== true)
    throw new Error(`no webhooks have the version ${version}; one is ${api?.versions.join(', ')}`);
  return all.flatMap((webhook) => api.webhookIn?.(webhook, version) ?? []);
}

/** Makes a license that answers requests to these APIs. Throws an Error when an option or a document is wrong. */
export function createLicenseEmulator(
  apis: readonly EmulatedApi[],
  options: EngineOptions,
  store?: LicenseStore,
): EngineEmulator {
  const kinds = kindsOf(apis);
  const settings = settingsOf(apis).complete(options.settings ?? {});
  const { from, to } = delayRange(options.propagationDelay ?? 0);
  const first = store?.state === undefined ? beginningOf(options) : { checked: store.state };
  let ahead = 0;
  const now = (): number => options.now() + ahead;
  const faultsOf = (scenario: unknown) => createFaults(readScenario(versionsOf(apis), scenario));
  const windowOf = (scenario: Scenario): number => Math.max(to, longestLag(scenario));
  const started = (beginning: AnyBeginning | { readonly checked: AnyState }, window: number): EmulatedLicense => {
    if (!('seed' in beginning)) {
      const state = 'checked' in beginning ? beginning.checked : readState(kinds, beginning.state);
      const license = restore(kinds, state, window);
      // A clock that was set ahead goes on from where it stood.
      ahead = Math.max(ahead, license.history.now - options.now());
      advance(license.history, Math.floor(now()));
      return license;
    }
    const license = plant(kinds, readSeed(kinds, beginning.seed), settings, window);
    advance(license.history, Math.floor(now()));
    forget(license.history);
    return license;
  };
  const faults = faultsOf(options.scenario ?? { faults: [] });
  const journal = createJournal();
  const served: ServedLicense = {
    license: started(first, windowOf(faults.scenario)),
    faults,
    apis,
    settings,
    journal,
    webhooks: createWebhookJournal(),
    skipTo: (at) => {
      ahead = Math.max(ahead, at - options.now());
    },
    callBack: createCallbacks(options.fetch ?? ((request) => fetch(request)), journal, now),
    ids: createIds(options.random, () => (served.license.serial += 1)),
    now,
    random: options.random,
    sleep: options.sleep ?? timer,
    propagation: to,
    drawLag: () => (from === to ? to : from + Math.floor(options.random() * (to - from + 1))),
    longestLag: () => windowOf(served.faults.scenario),
    committed: () => {
      served.license.identity ??= options.identify?.();
      if (save === undefined) return options.onCommit?.(snapshot);
      return save(() => served.license).then(() => options.onCommit?.(snapshot));
    },
  };
  const save = store?.keep(served.license);
  const snapshot: EngineEmulator['snapshot'] = () => takeSnapshot(served.license);
  const handle: WireHandler = (request) => answer(served, request);
  const controls = new Map(kinds.flatMap(({ controls = [] }) => controls.map((one) => [one.name, one] as const)));
  return {
    handle,
    connect: createConnections(served),
    fetch: fetchOf(handle, served.sleep),
    perform: (action) => perform(served, action),
    stats: served.journal.counts,
    log: served.journal.entries,
    webhooks: (version = STABLE_VERSION) => webhooksIn(apis, served.webhooks.entries(), version),
    resetStats: () => {
      served.journal.clear();
      served.webhooks.clear();
    },
    snapshot,
    begin: async (beginning) => {
      const { identity } = served.license;
      served.license = started(beginning ?? first, served.longestLag());
      served.license.identity ??= identity;
      await served.committed();
    },
    faults: () => ({ scenario: served.faults.scenario, struck: served.faults.struck() }),
    setFaults: (scenario) => {
      served.faults = faultsOf(scenario);
      // Reads can only go back as far as the tables remember.
      const { history } = served.license;
      history.window = Math.max(history.window, served.longestLag());
    },
    bodyLimit: settings.limits.bodyBytes,
    controls: new Map(Array.from(controls, ([name, { effect }]) => [name, effect])),
    control: (name, body) =>
      settled(served, () => {
        const found = controls.get(name);
        if (found === undefined) throw new Error(`there is no control ${name}`);
        return found.run(body, contextOf(served)) ?? {};
      }),
    settle: () => settled(served, () => {}),
    now,
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}
