// The public door of the emulator: the engine with its APIs. Of the rest of the project, this folder imports `base/` alone.

import { accountsApi } from './accounts/index.ts';
import { agentApi } from './agent/index.ts';
import { configurationApi } from './configuration/index.ts';
import type { CustomerCaller } from './customer/action.ts';
import { customerApi } from './customer/index.ts';
import { realtimeApi } from './customer/realtime.ts';
import type { EmulatedCustomerVersion } from './customer/settings.ts';
import { fileApi } from './customer/upload.ts';
import { kindsOf, settingsOf, versionsOf } from './engine/api.ts';
import type { EngineEmulator, EngineOptions } from './engine/emulator.ts';
import { createLicenseEmulator } from './engine/emulator.ts';
import type { SeedOf } from './engine/license.ts';
import { readSeed, seedSchema } from './engine/license.ts';
import type { Scenario } from './engine/scenario.ts';
import { readScenario } from './engine/scenario.ts';
import type { EngineSettings, engineSettings, SettingsInputOf, SettingsOf } from './engine/settings.ts';
import type { Intersection } from './engine/shape.ts';
import type { StateOf } from './engine/snapshot.ts';
import { openLicenseFile } from './engine/state-file.ts';
import { reportsApi } from './reports/index.ts';
import { type Traffic, type TrafficPeriod, type TrafficReply, trafficKind } from './traffic/index.ts';

export { withControl } from './engine/control.ts';
export type { PropagationDelay } from './engine/emulator.ts';
export type { JournalEntry, WebhookEntry } from './engine/journal.ts';
export type { Listening, ListenOptions } from './engine/listen.ts';
export { CONTROL_OPEN, listen } from './engine/listen.ts';
export type { RealtimeConnect, RealtimeConnection, RealtimePeer } from './engine/realtime.ts';
export type { Fault, Scenario } from './engine/scenario.ts';
export type { WireHandler, WireRequest, WireResponse } from './engine/wire.ts';
export type { Traffic, TrafficMistake, TrafficPeriod, TrafficReply } from './traffic/index.ts';
export { mistakesIn, parseTraffic, TRAFFIC_SCHEMA } from './traffic/index.ts';

/** What plays visitors stands on the customers' API, and is no API. */
const playedApi = { ...customerApi, kinds: [...customerApi.kinds, trafficKind] as const };

/** One line for each API. */
const APIS = [configurationApi, agentApi, playedApi, realtimeApi, fileApi, accountsApi, reportsApi];

type SomeApi = (typeof APIS)[number];
type SomeKind = SomeApi['kinds'][number];

type SettingValues = EngineSettings & Intersection<SettingsOf<SomeApi['settings']>>;
/** How one license behaves where the specifications do not say. */
export interface Settings extends SettingValues {}
/** Settings to change. What is left out keeps its default, and so does each limit, status and version by itself. */
export type SettingsInput = SettingsInputOf<typeof engineSettings> & Intersection<SettingsInputOf<SomeApi['settings']>>;

/** A license described by a person, in the specifications' own field names; everything is optional. See docs/reference/emulator.md. */
export type Seed = SeedOf<SomeKind>;
/** A whole license as JSON. */
type EmulatorState = StateOf<SomeKind>;

export type { EmulatorState as State };
/** What a license begins with: a description, or the state of another. */
export type Beginning = { readonly seed: Seed } | { readonly state: EmulatorState };

export interface EmulatorOptions extends EngineOptions {
  /** Assumptions to change; the defaults are DEFAULT_SETTINGS. */
  readonly settings?: SettingsInput;
  readonly seed?: Seed;
  readonly state?: EmulatorState;
  onCommit?(state: () => EmulatorState): void | Promise<void>;
}

/** An action of the Customer Chat Web API that a program performs as a customer. */
export interface PerformedCustomerAction {
  readonly path: `/v${EmulatedCustomerVersion}/customer/action/${string}`;
  readonly caller: CustomerCaller;
  readonly body: object;
}

/** One license of the service. */
export interface Emulator extends EngineEmulator {
  perform(action: PerformedCustomerAction): Promise<object>;
  readonly snapshot: () => EmulatorState;
  begin(beginning?: Beginning): Promise<void>;
  setFaults(scenario: Scenario): void;
  /** Plays visitors, as the control `traffic` does. Rejects with an Error for traffic that is wrong. */
  play(traffic: Traffic | TrafficPeriod): Promise<TrafficReply>;
}

const settings = settingsOf(APIS);

export const DEFAULT_SETTINGS = settings.complete({}) as Settings;

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export const parseSettings = (json: unknown): SettingsInput => settings.parse(json) as SettingsInput;

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export const parseSeed = (json: unknown): Seed => readSeed(kindsOf(APIS), json) as Seed;

/** JSON Schemas of the two documents that describe a license and how it behaves. */
export const SEED_SCHEMA = seedSchema(kindsOf(APIS));
export const SETTINGS_SCHEMA = settings.schema;

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export const parseScenario = (json: unknown): Scenario => readScenario(versionsOf(APIS), json);

function playable(emulator: EngineEmulator): Emulator {
  return { ...emulator, play: (traffic: object) => emulator.control('traffic', traffic) } as Emulator;
}

/** Makes a license that answers requests. Throws an Error when an option or one of the documents is wrong. */
export const createEmulator = (options: EmulatorOptions): Emulator => playable(createLicenseEmulator(APIS, options));

/**
 * An emulator whose license is in a file: one that an emulator saved, a state as `snapshot` returns it, or a seed to begin with. Without a file
 * it begins as `options` say. Rejects with an Error, and leaves the file unchanged, when it holds none of these.
 */
export const openStateFile = async (path: string, options: Omit<EmulatorOptions, 'state'>): Promise<Emulator> =>
  playable(await openLicenseFile(APIS, path, options));
