// The public door of the emulator: the engine with its APIs. Nothing in this folder imports a file of the project from outside of it.

import { configurationApi } from './configuration/index.ts';
import { kindsOf, versionsOf } from './engine/api.ts';
import type { EngineEmulator, EngineOptions } from './engine/emulator.ts';
import { createLicenseEmulator } from './engine/emulator.ts';
import type { Scenario } from './engine/scenario.ts';
import * as scenarios from './engine/scenario.ts';
import type { SeedOf } from './engine/seed.ts';
import * as seeds from './engine/seed.ts';
import type { EngineSettings, engineSettings, SettingsInputOf, SettingsOf } from './engine/settings.ts';
import { composeSettings } from './engine/settings.ts';
import type { Intersection } from './engine/shape.ts';
import type { StateOf } from './engine/snapshot.ts';
import { openLicenseFile } from './engine/state-file.ts';

export type { Identity } from './engine/certificate.ts';
export { createIdentity } from './engine/certificate.ts';
export { withControl } from './engine/control.ts';
export type { PropagationDelay } from './engine/emulator.ts';
export type { JournalEntry } from './engine/journal.ts';
export type { Listening, ListenOptions } from './engine/listen.ts';
export { listen } from './engine/listen.ts';
export type { Fault, Scenario } from './engine/scenario.ts';
export type { WireHandler, WireRequest, WireResponse } from './engine/wire.ts';

/** One line for each API. */
const APIS = [configurationApi];

type SomeApi = (typeof APIS)[number];
type SomeKind = SomeApi['kinds'][number];

type SettingValues = EngineSettings & Intersection<SettingsOf<SomeApi['settings']>>;
/** How one license behaves where the specifications do not say. */
export interface Settings extends SettingValues {}
/** Settings to change. What is left out keeps its default, and so does each limit, status and version by itself. */
export type SettingsInput = SettingsInputOf<typeof engineSettings> & Intersection<SettingsInputOf<SomeApi['settings']>>;

/** A license described by people, in the specifications' own field names; everything is optional. docs/emulator.md describes it. */
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

/** One license of the service. */
export interface Emulator extends EngineEmulator {
  readonly snapshot: () => EmulatorState;
  begin(beginning?: Beginning): Promise<void>;
  setFaults(scenario: Scenario): void;
}

const settings = composeSettings(APIS.map((api) => api.settings));

export const DEFAULT_SETTINGS = settings.complete({}) as Settings;

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export const parseSettings = (json: unknown): SettingsInput => settings.parse(json) as SettingsInput;

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export const parseSeed = (json: unknown): Seed => seeds.parseSeed(kindsOf(APIS), json) as Seed;

/** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
export const parseScenario = (json: unknown): Scenario => scenarios.parseScenario(versionsOf(APIS), json);

/** Makes a license that answers requests. Throws an Error when the options, the scenario, the seed or the state are wrong. */
export const createEmulator = (options: EmulatorOptions): Emulator => createLicenseEmulator(APIS, options) as Emulator;

/**
 * An emulator whose state is a JSON file: as `snapshot` gives it, or a seed (which has no `format` member) to begin with. Without a file
 * it begins as `options` say. Rejects with an Error, and leaves the file unchanged, when it holds neither.
 */
export const openStateFile = async (path: string, options: Omit<EmulatorOptions, 'state'>): Promise<Emulator> =>
  (await openLicenseFile(APIS, path, options)) as Emulator;
