// The public door of the emulator: the engine with its APIs. No file of this folder imports the rest of the project.

import { accountsApi } from './accounts/index.ts';
import { configurationApi } from './configuration/index.ts';
import { customerApi } from './customer/index.ts';
import { fileApi } from './customer/upload.ts';
import { kindsOf, versionsOf } from './engine/api.ts';
import type { EngineEmulator, EngineOptions } from './engine/emulator.ts';
import { createLicenseEmulator } from './engine/emulator.ts';
import type { SeedOf } from './engine/license.ts';
import { readSeed, seedSchema } from './engine/license.ts';
import type { Scenario } from './engine/scenario.ts';
import { readScenario } from './engine/scenario.ts';
import type { EngineSettings, engineSettings, SettingsInputOf, SettingsOf } from './engine/settings.ts';
import { composeSettings } from './engine/settings.ts';
import type { Intersection } from './engine/shape.ts';
import type { SnapshotOptions, StateOf } from './engine/snapshot.ts';
import { openLicenseFile } from './engine/state-file.ts';
import { reportsApi } from './reports/index.ts';

export type { Identity } from './engine/certificate.ts';
export { createIdentity } from './engine/certificate.ts';
export { withControl } from './engine/control.ts';
export type { PropagationDelay } from './engine/emulator.ts';
export type { JournalEntry } from './engine/journal.ts';
export type { Listening, ListenOptions } from './engine/listen.ts';
export { listen } from './engine/listen.ts';
export type { Fault, Scenario } from './engine/scenario.ts';
export type { SnapshotOptions } from './engine/snapshot.ts';
export type { WireHandler, WireRequest, WireResponse } from './engine/wire.ts';

/** One line for each API. */
const APIS = [configurationApi, customerApi, fileApi, accountsApi, reportsApi];

type SomeApi = (typeof APIS)[number];
type SomeKind = SomeApi['kinds'][number];

type SettingValues = EngineSettings & Intersection<SettingsOf<SomeApi['settings']>>;
/** How one license behaves where the specifications do not say. */
export interface Settings extends SettingValues {}
/** Settings to change. What is left out keeps its default, and so does each limit, status and version by itself. */
export type SettingsInput = SettingsInputOf<typeof engineSettings> & Intersection<SettingsInputOf<SomeApi['settings']>>;

/** A license described by a person, in the specifications' own field names; everything is optional. See docs/emulator.md. */
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
  onCommit?(state: (options?: SnapshotOptions) => EmulatorState): void | Promise<void>;
}

/** One license of the service. */
export interface Emulator extends EngineEmulator {
  readonly snapshot: (options?: SnapshotOptions) => EmulatorState;
  begin(beginning?: Beginning): Promise<void>;
  setFaults(scenario: Scenario): void;
}

const settings = composeSettings(APIS.map((api) => api.settings));

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

/** Makes a license that answers requests. Throws an Error when an option or one of the documents is wrong. */
export const createEmulator = (options: EmulatorOptions): Emulator => createLicenseEmulator(APIS, options) as Emulator;

/**
 * An emulator whose license is in a JSON file: a state as `snapshot` returns it, or a seed to begin with. Without a file it begins as
 * `options` say. Rejects with an Error, and leaves the file unchanged, when it holds neither.
 */
export const openStateFile = async (path: string, options: Omit<EmulatorOptions, 'state'>): Promise<Emulator> =>
  (await openLicenseFile(APIS, path, options)) as Emulator;
