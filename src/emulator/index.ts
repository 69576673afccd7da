// The emulator as everyone else sees it. It stands alone: nothing in this folder imports anything of ours from outside of it.

export type { ConfigurationSettings as Settings, SettingsInput } from './configuration/settings.ts';
export type { Identity } from './engine/certificate.ts';
export { createIdentity } from './engine/certificate.ts';
export { withControl } from './engine/control.ts';
export type { Beginning, Emulator, EmulatorOptions, PropagationDelay, Seed, State } from './engine/emulator.ts';
export { createEmulator, DEFAULT_SETTINGS, parseSeed, parseSettings } from './engine/emulator.ts';
export type { JournalEntry } from './engine/journal.ts';
export type { Listening, ListenOptions } from './engine/listen.ts';
export { listen } from './engine/listen.ts';
export type { Fault, Scenario } from './engine/scenario.ts';
export { parseScenario } from './engine/scenario.ts';
export { openStateFile } from './engine/state-file.ts';
export type { WireHandler, WireRequest, WireResponse } from './engine/wire.ts';
