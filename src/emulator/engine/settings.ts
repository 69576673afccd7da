// Settings, which are assumptions where the specifications are silent: how an API declares its own, and those of every API.

import { isObject } from '../../base/json.ts';
import { oncePer } from '../../base/once-per.ts';
import { type ErrorType, refuse, STATUSES, validating } from './refusal.ts';
import type { JsonReader } from './shape.ts';
import { bool, checked, closed, described, int, oneOf, optional, quoted, string, text } from './shape.ts';

/** Member of a document that names its JSON Schema, for editors. */
export const schemaAddress = {
  $schema: described({ description: 'Where this schema is; not read.' }, optional(string)),
};

/** One assumption. */
export interface SettingDefinition<T> {
  readonly standard: T;
  /** What it decides. */
  readonly about?: string;
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
  const reader = (value: unknown, path: string) => (value === null || value === undefined ? value : read(value, path));
  const schema = { anyOf: [read.schema ?? {}, { type: 'null' }] };
  return { standard, read: Object.assign(reader, { schema, isOptional: true }) };
}

/** The same setting, with what it decides. */
export const about = <T>(decides: string, declared: SettingDefinition<T>): SettingDefinition<T> => ({
  ...declared,
  about: decides,
});

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

/** What precedes the colon of a token. today/customer.md, "Regions": not one of two. */
const PREFIX = '^[a-z]+(?:-[a-z]+)?$';
const region = checked(described({ pattern: PREFIX }, text), (given, path) => {
  if (!new RegExp(PREFIX).test(given)) refuse('validation', `${quoted(path)} must be letters, such as dal or fra-a`);
});

/** The settings of every API. */
export const engineSettings = {
  limits: {
    bodyBytes: about('Largest body in bytes; a larger one is refused with 413', limit(10 * 1024 * 1024)),
  },
  /** HTTP status of each error type. */
  statuses: mapValues(STATUSES, (status) => about('HTTP status of the error', setting(status, int(400, 599)))) as {
    readonly [type in ErrorType]: SettingDefinition<number>;
  },
  emptyReply: about(
    'A method without response payload answers `{}`, because official clients need it, or nothing, as the specification says',
    choice(['object', 'zero-bytes']),
  ),
  requireContentType: about('Whether a body needs `Content-Type: application/json`', flag(true)),
  region: about(
    'Data centre of the license; requests with another `X-Region` (none means `dal`) get `misdirected_request`. `null` accepts all',
    nullable<string>(null, region),
  ),
  actionOfOtherVersion: about(
    'Answer to an action that only the other version has',
    choice(['not_found', 'unsupported_version']),
  ),
  licenseExpired: about('Every request gets `license_expired`', flag(false)),
  references: about(
    'What a write may refer to or change: every existing object, or only those that a read would show at that moment; otherwise the error is that of a missing object. Deleting an object is always possible',
    choice(['latest', 'propagated']),
  ),
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
  if (!isSetting(declared)) return optional(closed(mapValues(declared, readerOf)));
  const { about: description = '', standard } = declared;
  return described({ description, default: standard }, declared.read);
}

/** A group of which nothing is changed: one object for all licenses. */
const unchanged: (group: SettingDefinitions) => object = oncePer((group) =>
  mapValues(group, (member) => complete(member, undefined)),
);

function complete(declared: SettingOrGroup, input: unknown): unknown {
  if (isSetting(declared)) return input === undefined ? declared.standard : input;
  return isObject(input) ? mapValues(declared, (member, name) => complete(member, input[name])) : unchanged(declared);
}

const withoutAddress = ({ $schema: _, ...settings }: { readonly $schema?: string }): object => settings;

/** What the settings of some APIs are completed and read with. */
export function composeSettings(all: readonly SettingDefinitions[]) {
  const declarations = merge([engineSettings, ...all]);
  const read = closed({ ...schemaAddress, ...mapValues(declarations, readerOf) });
  return {
    schema: read.schema ?? {},
    /** Settings with the defaults of those that are left out. */
    complete: (input: object) => complete(declarations, input) as EngineSettings,
    /** Checks parsed JSON; throws an Error that names the member which is wrong or not known. */
    parse: (json: unknown): unknown =>
      validating('valid settings', () =>
        isObject(json) ? withoutAddress(read(json, '')) : refuse('validation', 'they must be an object'),
      ),
  };
}
