// The settings of one target and those of all in; one typed value with every default filled in out.

import { dirname, join } from 'node:path';
import { isList, isObject } from '../base/json.ts';
import { type Json, type JsonObject, type KindName, type Policy, VERSIONS, type Version } from '../base/model.ts';
import { isReadable } from '../base/url.ts';
import { KIND_NAMES, KINDS } from '../kinds/index.ts';
import { LIMIT_NAMES, type Limits } from '../kinds/limits.ts';
import type { RoutingSettings } from '../routing/settings.ts';
import type { Emit } from '../yaml/collector.ts';
import type { Path } from '../yaml/mark.ts';
import { at } from '../yaml/wording.ts';
import { type DriftSettings, driftSettings, type PlaceAt } from './drift-settings.ts';
import { delayRange, milliseconds } from './duration.ts';
import { type NotifySettings, notifySettings } from './notify.ts';
import { policiesOf } from './policies/policies.ts';
import { routingSettings } from './routing-settings.ts';

/** Where one-time secrets go. */
export type SecretsPlace =
  | { readonly type: 'file' | 'env-file'; readonly path: string }
  /** `folder`: where it runs. */
  | { readonly type: 'command'; readonly argv: readonly [string, ...string[]]; readonly folder: string };

/** One license, and how it is changed. Times in milliseconds; paths relative to where the caller stands. */
export interface TargetSettings {
  readonly name: string;
  /** An URL, or `emulator:FILE`. */
  readonly baseUrl: string;
  readonly apiVersion: Version;
  /** Name of the environment variable with the access token. */
  readonly tokenEnv: string;
  /** With it, the token is a personal access token and authentication is Basic. */
  readonly accountId: string | null;
  /** Id of the agent whose token it is; null when nobody says. */
  readonly ownAgent: string | null;
  readonly overlays: readonly string[];
  readonly vars: { readonly [name: string]: string };
  readonly ledger: string;
  /** Null when there is no such place. */
  readonly secrets: SecretsPlace | null;
  /** Address globs of what is never deleted. */
  readonly protect: readonly string[];
  /** By kind; a kind that is left out follows its own default. */
  readonly prune: { readonly [kind in KindName]?: 'owned' | 'none' };
  /** Kinds with `prune: all`: whatever is not declared is deleted, ours or not. */
  readonly complete: readonly KindName[];
  readonly maxDeletes: number;
  readonly maxDeletePercent: number;
  readonly acknowledge: readonly string[];
  /** Those of all targets, then its own. */
  readonly policies: readonly Policy[];
  readonly drift: DriftSettings;
  /** Who is told of drift. */
  readonly notify: NotifySettings;
  /** How rules are read, and what is said about them. */
  readonly routing: RoutingSettings;
  /** What the service takes, where this target knows better than the table. */
  readonly limits: Partial<Limits>;
  readonly propagationTimeout: number;
  readonly requestTimeout: number;
  readonly runTimeout: number;
  readonly concurrency: number;
  readonly batchSize: number;
  /** How long readings of the emulator lag; null for a real service. */
  readonly propagationDelay: { readonly from: number; readonly to: number } | null;
  /** The token may travel in the clear to another machine. */
  readonly plainHttp: boolean;
}

export const EMULATOR = 'emulator:';

/** Specification: "Limits", propagation delay of changes. */
const LONGEST_DELAY = 120_000;

/** A path in a file is relative to that file. */
export function pathIn(file: string, path: string): string {
  return path.startsWith('/') ? path : join(dirname(file), path);
}

function isEmulator(baseUrl: Json | undefined): boolean {
  return typeof baseUrl === 'string' && baseUrl.startsWith(EMULATOR);
}

export function merged(target: Json, defaults: Json | undefined): JsonObject {
  return { ...(isObject(defaults) ? defaults : {}), ...(isObject(target) ? target : {}) };
}

/** What is wrong with an address that `isReadable`. */
export const IN_THE_CLEAR = {
  message: 'the token would travel where everybody on the way can read it',
  remedy: 'use https://, or allow it with `plain_http: true` of the target in chatform.yaml',
} as const;

/** Rules beyond the schema. */
export function checkSettings(target: Json, defaults: Json | undefined, path: Path, emit: Emit): void {
  if (!isObject(target)) return;
  const settings = merged(target, defaults);
  const { base_url: baseUrl, propagation_delay: delay, plain_http: plainHttp } = settings;
  const where = (name: string): Path => (target[name] === undefined ? ['defaults', name] : [...path, name]);
  if (baseUrl === undefined) {
    const remedy = 'add an `https://` URL, or `emulator:FILE` for the embedded emulator';
    emit(at(path, 'key', 'missing-field', '`base_url` is missing', remedy));
  }
  if (typeof baseUrl === 'string' && isReadable(baseUrl) && plainHttp !== true) {
    emit(at(where('base_url'), 'value', 'not-allowed', IN_THE_CLEAR.message, IN_THE_CLEAR.remedy));
  }
  if (target['propagation_delay'] !== undefined && baseUrl !== undefined && !isEmulator(baseUrl)) {
    const message = 'only the emulator can be told how long its readings lag';
    emit(at(where('propagation_delay'), 'key', 'exclusive-fields', message, 'remove it, or use `emulator:FILE`'));
  }
  if (typeof delay === 'string' && /\.\./.test(delay) && delayRange(delay) === null) {
    emit(at(where('propagation_delay'), 'value', 'bad-range', 'the least delay is above the largest', 'swap the two'));
  }
  if (typeof delay === 'string' && (delayRange(delay)?.to ?? 0) > LONGEST_DELAY) {
    emit(at(where('propagation_delay'), 'value', 'out-of-range', `\`${delay}\` is too long`, 'at most 120s'));
  }
}

/** Said once for each file, wherever the choice stands: among the settings of a target, or those of all. */
export function checkPrune(settings: Json | undefined, path: Path, emit: Emit): void {
  const prune = isObject(settings) ? settings['prune'] : undefined;
  for (const name of completes(prune)) {
    const { incomplete, noun } = KINDS[name];
    if (incomplete === undefined) continue;
    const message = `${noun.many} cannot be pruned with \`all\`: ${incomplete}`;
    emit(at([...path, 'prune', name], 'value', 'not-allowed', message, 'use `owned`, or `none`'));
  }
}

/** Settings that fit the schema; what neither says has its default. `placeAt` answers for paths in the file. */
export function targetSettings(
  name: string,
  target: Json,
  defaults: Json | undefined,
  file: string,
  placeAt: PlaceAt,
): TargetSettings {
  const settings = merged(target, defaults);
  const text = (field: string): string | null => (typeof settings[field] === 'string' ? settings[field] : null);
  const number = (field: string, preset: number): number =>
    typeof settings[field] === 'number' ? settings[field] : preset;
  const texts = (field: string): readonly string[] => (isList(settings[field]) ? settings[field].map(String) : []);
  const time = (field: string, preset: number): number => milliseconds(text(field) ?? '') ?? preset;
  const baseUrl = text('base_url') ?? '';
  return {
    name,
    baseUrl: isEmulator(baseUrl)
      ? EMULATOR + pathIn(file, baseUrl.slice(EMULATOR.length))
      : baseUrl.replace(/\/+$/, ''),
    apiVersion: VERSIONS.find((version) => version === String(settings['api_version'])) ?? '3.6',
    tokenEnv: text('token_env') ?? 'CHATFORM_TOKEN',
    accountId: text('account_id'),
    ownAgent: text('own_agent'),
    overlays: texts('overlays').map((path) => pathIn(file, path)),
    vars: variables(settings['vars']),
    ledger: pathIn(file, text('ledger') ?? `.chatform/${name}.ledger.ndjson`),
    secrets: secretsPlace(settings['secrets'], file),
    protect: texts('protect'),
    prune: prunes(settings['prune']),
    complete: completes(settings['prune']),
    maxDeletes: number('max_deletes', 5),
    maxDeletePercent: number('max_delete_percent', 20),
    acknowledge: texts('acknowledge'),
    policies: isObject(target) ? policiesOf(target['policies']) : [],
    drift: driftSettings(name, target, defaults, placeAt),
    notify: notifySettings(target, defaults),
    routing: routingSettings(target, defaults),
    limits: { ...limits(defaults), ...limits(target) },
    propagationTimeout: time('propagation_timeout', 150_000),
    requestTimeout: time('request_timeout', 30_000),
    runTimeout: time('run_timeout', 3_600_000),
    concurrency: number('concurrency', 10),
    batchSize: number('batch_size', 100),
    propagationDelay: isEmulator(baseUrl) ? (delayRange(text('propagation_delay') ?? '0s') ?? null) : null,
    plainHttp: settings['plain_http'] === true,
  };
}

function secretsPlace(value: Json | undefined, file: string): SecretsPlace | null {
  if (!isObject(value)) return null;
  const { file: path, env_file: envPath, command } = value;
  if (typeof path === 'string') return { type: 'file', path: pathIn(file, path) };
  if (typeof envPath === 'string') return { type: 'env-file', path: pathIn(file, envPath) };
  const [program, ...rest] = isList(command) ? command.map(String) : [];
  return program === undefined ? null : { type: 'command', argv: [program, ...rest], folder: dirname(file) };
}

/** Each limit by itself: a target that knows one more keeps those of all. */
function limits(settings: Json | undefined): Partial<Limits> {
  const own = isObject(settings) ? settings['limits'] : undefined;
  if (!isObject(own)) return {};
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => (typeof own[name] === 'number' ? [[name, own[name]] as const] : [])),
  );
}

function variables(value: Json | undefined): { readonly [name: string]: string } {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

function prunes(value: Json | undefined): TargetSettings['prune'] {
  if (!isObject(value)) return {};
  const chosen = KIND_NAMES.flatMap((kind) => {
    const choice = value[kind];
    return choice === 'owned' || choice === 'none' ? [[kind, choice] as const] : [];
  });
  return Object.fromEntries(chosen);
}

function completes(value: Json | undefined): readonly KindName[] {
  return isObject(value) ? KIND_NAMES.filter((kind) => value[kind] === 'all') : [];
}
