// The emulator as everyone else sees it. It stands alone: nothing in this folder imports anything of ours from outside of it.
export type { Identity } from './certificate.ts';
export { createIdentity } from './certificate.ts';
export { withControl } from './control.ts';
export type { Beginning, Emulator, EmulatorOptions, PropagationDelay } from './emulator.ts';
export { createEmulator } from './emulator.ts';
export type { Entry } from './journal.ts';
export type { Listening, ListenOptions } from './listen.ts';
export { listen } from './listen.ts';
export type { Answer, Asked, Handler } from './message.ts';
export { parseSettings } from './parse-settings.ts';
export type { Fault, Scenario } from './scenario.ts';
export { parseScenario } from './scenario.ts';
export type { Seed } from './seed.ts';
export { parseSeed } from './seed.ts';
export type { Limits, Settings, SettingsInput } from './settings.ts';
export { DEFAULT_SETTINGS } from './settings.ts';
export type { State } from './snapshot.ts';
export { openStateFile } from './state-file.ts';
