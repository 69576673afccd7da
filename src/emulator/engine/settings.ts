// Settings, which are assumptions where the specifications are silent: how an API declares its own, and those of every API.

import { type ErrorType, refuse, STATUSES, validating } from './refusal.ts';
import { bool, checked, closed, int, isObject, type JsonReader, oneOf, optional, quoted, text } from './shape.ts';

/** One assumption. */
export interface SettingDefinition<T> {
  readonly standard: T;
  /** Returns undefined for a setting that is left out. */
  readonly read: JsonReader<T | undefined>;
}

/** Settings by name, or groups of them, of which each member can be changed by itself. */
export interface SettingDefinitions {
  readonly [name: string]: SettingDefinition<unknown> | SettingDefinitions;
}

/** The values of declared settings. */
export type SettingsOf<D> = D extends SettingDefinition<infer T> ? T : { readonly [N in keyof D]: SettingsOf<D[N]> };

/** Settings to change. What is left out keeps its default. */
export type SettingsInputOf<D> =
  D extends SettingDefinition<infer T> ? T : { readonly [N in keyof D]?: SettingsInputOf<D[N]> };

export function setting<T>(standard: T, read: JsonReader<T>): SettingDefinition<T> {
  return { standard, read: optional(read) };
}

/** A setting that can be `null`. */
export function nullable<T>(standard: T | null, read: JsonReader<T>): SettingDefinition<T | null> {
  return { standard, read: (value, path) => (value === null || value === undefined ? value : read(value, path)) };
}

/** One of several words; the first is the default unless another is named. */
export function choice<const T extends string>(
  allowed: readonly [T, ...T[]],
  standard: T = allowed[0],
): SettingDefinition<T> {
  return setting(standard, oneOf(allowed));
}

export const flag = (standard: boolean): SettingDefinition<boolean> => setting(standard, bool);

/** The most of something. -1 is unlimited. */
export const limit = (standard: number): SettingDefinition<number> => setting(standard, int(-1));

const date = checked(text, (given, path) => {
  if (!/^\d{4}-\d\d-\d\d$/.test(given) || Number.isNaN(Date.parse(given)))
    refuse('validation', `${quoted(path)} must be a date in YYYY-MM-DD format`);
});
const readStage = closed({ header: oneOf(['Legacy', 'Deprecation']), date });
type Stage = ReturnType<typeof readStage>;

/** Lifecycle header of a version and its date (YYYY-MM-DD); null for no header. */
export const stage = (standard: Stage | null): SettingDefinition<Stage | null> => nullable(standard, readStage);

const mapValues = <T, U>(from: { readonly [name: string]: T }, make: (value: T, name: string) => U) =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, make(value, name)]));

/** The settings of every API. */
export const engineSettings = {
  limits: {
    /** Largest body in bytes: not stated. */
    bodyBytes: limit(10 * 1024 * 1024),
  },
  /** HTTP status of each error type. */
  statuses: mapValues(STATUSES, (status) => setting(status, int(400, 599))) as {
    readonly [type in ErrorType]: SettingDefinition<number>;
  },
  /** Reply of a method without response payload: `{}`, or nothing as the specification says. */
  emptyReply: choice(['object', 'zero-bytes']),
  /** Whether a body needs `Content-Type: application/json`. */
  requireContentType: flag(true),
  /** Data center of the license; null accepts any `X-Region`, or none. */
  region: nullable<'dal' | 'fra'>(null, oneOf(['dal', 'fra'])),
  /** Answer to an action that only another version has. */
  actionOfOtherVersion: choice(['not_found', 'unsupported_version']),
  /** Every request of a license whose subscription ended is refused with `license_expired`. */
  licenseExpired: flag(false),
  /** Whether a write may refer to an object just created, or only to one that a read would show. Deletes are always possible. */
  references: choice(['latest', 'propagated']),
} satisfies SettingDefinitions;

export type EngineSettings = SettingsOf<typeof engineSettings> & {
  /** By version, after the prefix of its API; each API declares its own. */
  readonly lifecycle: { readonly [versionKey: string]: Stage | null };
};

type SettingOrGroup = SettingDefinitions[string];

const isSetting = (declared: SettingOrGroup): declared is SettingDefinition<unknown> =>
  typeof declared['read'] === 'function';

/** All declarations as one: groups of one name are one group. */
function merge(all: readonly SettingDefinitions[]): SettingDefinitions {
  const found: { [name: string]: SettingOrGroup } = {};
  for (const declarations of all)
    for (const [name, declared] of Object.entries(declarations))
      found[name] = isSetting(declared) ? declared : { ...found[name], ...declared };
  return found;
}

function readerOf(declared: SettingOrGroup): JsonReader<unknown> {
  return isSetting(declared) ? declared.read : optional(closed(mapValues(declared, readerOf)));
}

function complete(declared: SettingOrGroup, input: unknown): unknown {
  if (isSetting(declared)) return input === undefined ? declared.standard : input;
  return mapValues(declared, (member, name) => complete(member, isObject(input) ? input[name] : undefined));
}

/** What the settings of some APIs are completed and read with. */
export function composeSettings(all: readonly SettingDefinitions[]) {
  const declarations = merge([engineSettings, ...all]);
  const read = readerOf(declarations);
  return {
    /** Settings with the defaults of those that are left out. */
    complete: (input: object) => complete(declarations, input) as EngineSettings,
    /** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
    parse: (json: unknown): unknown =>
      validating('valid settings', () =>
        isObject(json) ? read(json, '') : refuse('validation', 'they must be an object'),
      ),
  };
}
