// The settings of one target, typed, with every default filled in.

import { dirname } from 'node:path';
import { STABLE_VERSION } from '../base/api-versions.ts';
import { DURATION, delayRange, durationMistake, milliseconds } from '../base/duration.ts';
import { isList, isObject } from '../base/json.ts';
import {
  CUSTOMER_VERSIONS,
  type CustomerVersion,
  type Json,
  type JsonObject,
  type KindName,
  type Policy,
  REPORTS_VERSIONS,
  type ReportsVersion,
  VERSIONS,
  type Version,
} from '../base/model.ts';
import { miswritten, plainly } from '../base/person.ts';
import { isReadable } from '../base/url.ts';
import { isPersonal, KIND_NAMES, KINDS } from '../kinds/index.ts';
import { type KindLimits, LIMIT_NAMES } from '../kinds/limits.ts';
import { splitName } from '../kinds/namespaced.ts';
import { type Composed, originOf } from '../manifest/origin.ts';
import type { RoutingSettings } from '../routing/settings.ts';
import { at, type Emit } from '../yaml/diagnostics.ts';
import { blankSource, type Path, type PlaceMark } from '../yaml/places.ts';
import { pathIn } from '../yaml/read.ts';
import { checkDrift, type DriftSettings, driftSettings } from './drift-settings.ts';
import { checkNotify, type NotifySettings, notifySettings } from './notify-settings.ts';
import { policiesOf } from './policies/policies.ts';
import { checkRouting, routingSettings } from './routing-settings.ts';
import { CHAT_MARK, SETTINGS } from './schema/settings.ts';

/** Where one-time secrets go. */
export type SecretsPlace =
  | { readonly type: 'file' | 'env-file'; readonly path: string }
  /** `folder`: working directory of the command. */
  | { readonly type: 'command'; readonly argv: readonly [string, ...string[]]; readonly folder: string };

/** The property by which a thread shows that it was rehearsed: `<namespace>/<name>`. */
export interface ChatMark {
  readonly property: string;
  readonly value: string;
}

/** One license, and how it is changed. Times in milliseconds; paths relative to the working directory. */
export interface TargetSettings {
  readonly name: string;
  /** A URL, or `emulator:FILE`. */
  readonly baseUrl: string;
  readonly apiVersion: Version;
  /** Name of the environment variable with the access token. */
  readonly tokenEnv: string;
  /** With it, the token is a personal access token and authentication is Basic. */
  readonly accountId: string | null;
  /** Id of the agent whose token it is; null when unknown. */
  readonly ownAgent: string | null;
  /** Whether the token can approve agents. */
  readonly mayApprove: boolean;
  readonly customerApiVersion: CustomerVersion;
  /** Name of the environment variable with the token of a customer. */
  readonly customerTokenEnv: string;
  /** Client whose customer looks at the license where there is no token of a customer; null when there is none. */
  readonly customerClient: string | null;
  /** Address of the accounts service; null when it is not set. */
  readonly accountsUrl: string | null;
  readonly reportsApiVersion: ReportsVersion;
  /** Name of the environment variable with the token of the Reports API; null for that of the Configuration API. */
  readonly reportsTokenEnv: string | null;
  /** How late a chat may show in the reports. */
  readonly reportsLag: number;
  readonly chatMark: ChatMark;
  /** Digits; null when it is not set. */
  readonly licenseId: string | null;
  readonly organizationId: string | null;
  readonly overlays: readonly string[];
  readonly vars: JsonObject;
  /** By name. */
  readonly labels: ReadonlyMap<string, string>;
  /** Path of a file, or a place in a database (ledger/place.ts). */
  readonly ledger: string;
  /** Path after which the target's other local files are named: that of the ledger, if it is a file. */
  readonly localPath: string;
  /** Path of the ledger, if it is a file and the target names none. */
  readonly defaultLedger: string;
  readonly secrets: SecretsPlace | null;
  /** Address globs of objects that are never deleted. */
  readonly protect: readonly string[];
  /** By kind. A kind that is left out has its own default. */
  readonly prune: { readonly [kind in KindName]?: 'owned' | 'none' };
  /** Kinds with `prune: all`: every undeclared object is deleted, owned or not. */
  readonly complete: readonly KindName[];
  /** Whether a template is deleted with the bots that it made, on every license. */
  readonly pruneInstalledBots: boolean;
  readonly maxDeletes: number;
  readonly maxDeletePercent: number;
  readonly acknowledge: readonly string[];
  /** Those of all targets, then those of this one. */
  readonly policies: readonly Policy[];
  /** Owner client -> the target that writes its webhooks. */
  readonly webhooksOf: ReadonlyMap<string, string>;
  /** The project has other targets also, so a client that `webhooksOf` lacks would be written by each of them. */
  readonly hasSiblings: boolean;
  readonly drift: DriftSettings;
  /** Channels, and what each is told. */
  readonly notify: NotifySettings;
  /** How rules are read and linted. */
  readonly routing: RoutingSettings;
  /** Limits of this license that differ from the documented ones. */
  readonly limits: Partial<KindLimits>;
  readonly propagationTimeout: number;
  readonly requestTimeout: number;
  readonly runTimeout: number;
  readonly lockTimeout: number;
  readonly concurrency: number;
  readonly batchSize: number;
  /** Delay of the emulator's readings; null for a real service. */
  readonly propagationDelay: { readonly from: number; readonly to: number } | null;
  /** Whether the token may be sent over http:// to another machine. */
  readonly plainHttp: boolean;
}

export const EMULATOR = 'emulator:';

/** Specification: "Limits", propagation delay of changes. */
const LONGEST_DELAY = 120_000;

/** Defaults of settings, from the schema. */
export const PRESETS: JsonObject = Object.fromEntries(
  Object.entries(SETTINGS).flatMap(([name, { default: preset }]) => (preset === undefined ? [] : [[name, preset]])),
);

/** Settings that are a duration. */
const DURATIONS = Object.keys(SETTINGS).filter((name) => SETTINGS[name]?.['pattern'] === DURATION);

/** Reports a duration at this path that cannot be meant. */
export function checkDuration(value: Json | undefined, path: Path, emit: Emit, canBeZero = true): void {
  const wrong = durationMistake(value, { canBeZero });
  if (wrong !== null) emit(at(path, 'value', 'out-of-range', wrong.message, wrong.remedy));
}

/** Path of the ledger of a target, before it is in any folder. */
export function ledgerPath(target: string, given: Json | undefined): string {
  return typeof given === 'string' ? given : `.chatform/${target}.ledger.ndjson`;
}

function isEmulator(baseUrl: Json | undefined): boolean {
  return typeof baseUrl === 'string' && baseUrl.startsWith(EMULATOR);
}

/** What is wrong with an address that `isReadable`. */
export const IN_THE_CLEAR = {
  message: 'the token would be sent where every machine on the way can read it',
  remedy: 'use https://, or allow it with `plain_http: true` of the target in chatform.yaml',
} as const;

/** Rules beyond the schema for one target. `own`: what it sets itself. */
export function checkTarget(own: JsonObject, { value: settings, origin }: Composed, emit: Emit): void {
  const { base_url: baseUrl, accounts_url: accountsUrl, propagation_delay: delay, plain_http: plainHttp } = settings;
  const pathOf = (name: string): Path => originOf(origin, [name]).path;
  if (baseUrl === undefined) {
    const remedy = 'add an `https://` URL, or `emulator:FILE` for the embedded emulator';
    emit(at(origin.path, 'key', 'missing-field', '`base_url` is missing', remedy));
  }
  for (const [name, url] of Object.entries({ base_url: baseUrl, accounts_url: accountsUrl })) {
    if (typeof url === 'string' && isReadable(url) && plainHttp !== true)
      emit(at(pathOf(name), 'value', 'not-allowed', IN_THE_CLEAR.message, IN_THE_CLEAR.remedy));
  }
  const delayPath = pathOf('propagation_delay');
  if (own['propagation_delay'] !== undefined && baseUrl !== undefined && !isEmulator(baseUrl)) {
    const message = 'only the emulator has a delay that can be set';
    emit(at(delayPath, 'key', 'exclusive-fields', message, 'remove it, or use `emulator:FILE`'));
  }
  if (typeof delay !== 'string') return;
  if (/\.\./.test(delay) && delayRange(delay) === null) {
    emit(at(delayPath, 'value', 'bad-range', 'the least delay is above the largest', 'swap the two'));
  }
  if ((delayRange(delay)?.to ?? 0) > LONGEST_DELAY) {
    emit(at(delayPath, 'value', 'out-of-range', `\`${delay}\` is too long`, 'use at most 120s'));
  }
}

/** Rules beyond the schema for settings of a target or of `defaults`, which have none to inherit. */
export function checkSettings({ value: settings, origin }: Composed, inherited: JsonObject, emit: Emit): void {
  const { prune, drift, notify, routing } = settings;
  // Without any time for it, no request and no run would ever succeed.
  for (const name of DURATIONS)
    checkDuration(settings[name], originOf(origin, [name]).path, emit, !/^(request|run)_/.test(name));
  for (const name of completes(prune)) {
    const { incomplete, noun } = KINDS[name];
    if (incomplete === undefined) continue;
    const message = `${noun.many} cannot be pruned with \`all\`: ${incomplete}`;
    emit(at(originOf(origin, ['prune', name]).path, 'value', 'not-allowed', message, 'use `owned` or `none`'));
  }
  checkDrift(mapping(drift), (path) => originOf(origin, ['drift', ...path]).path, emit);
  checkNotify(notify, inherited['notify'], originOf(origin, ['notify']).path, emit);
  checkRouting(mapping(routing), (path) => originOf(origin, ['routing', ...path]).path, emit);
  for (const [path, email] of peopleIn(settings)) {
    const wrong = miswritten(email);
    if (wrong === null) continue;
    const message = `\`${email}\` is no plain e-mail address: ${wrong.why}`;
    emit(at(originOf(origin, path).path, 'value', 'bad-format', message, plainly(wrong)));
  }
}

/** The addresses of people in settings, without their kind. */
function peopleIn(
  value: Json,
  path: readonly (string | number)[] = [],
): readonly (readonly [path: Path, email: string])[] {
  if (isList(value)) return value.flatMap((item, index) => peopleIn(item, [...path, index]));
  if (isObject(value)) return Object.entries(value).flatMap(([name, member]) => peopleIn(member, [...path, name]));
  const [list, last] = [path[0], path.at(-1)];
  if (typeof value !== 'string') return [];
  if (last === 'own_agent') return [[path, value]];
  const isAddress = last === 'address' || list === 'protect' || list === 'acknowledge';
  return isAddress && isPersonal(value) ? [[path, splitName(value)[1]]] : [];
}

function mapping(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Where the settings of a target are written. */
export interface WrittenSettings {
  readonly markAt: (path: Path) => PlaceMark;
  /** Whether no other target shares the member. */
  readonly isOwn: (path: Path) => boolean;
}

function unwritten(file: string): WrittenSettings {
  return { markAt: (path) => blankSource(file).mark(path, 'value'), isOwn: () => true };
}

/** From settings that fit the schema, with those of `defaults`. */
export function targetSettings(
  name: string,
  given: JsonObject,
  file: string,
  { markAt, isOwn }: WrittenSettings = unwritten(file),
): TargetSettings {
  const settings: JsonObject = { ...PRESETS, ...given };
  const text = (field: string): string | null => (typeof settings[field] === 'string' ? settings[field] : null);
  const texts = (field: string): readonly string[] => (isList(settings[field]) ? settings[field].map(String) : []);
  const time = (field: string): number => milliseconds(text(field) ?? '') ?? 0;
  const baseUrl = text('base_url') ?? '';
  const drift = mapping(settings['drift']);
  const defaultLedger = pathIn(file, ledgerPath(name, undefined));
  const named = text('ledger');
  const ledgerFile = named === null ? defaultLedger : pathIn(file, named);
  const apiVersion = VERSIONS.find((version) => version === String(settings['api_version'])) ?? STABLE_VERSION;
  return {
    name,
    baseUrl: isEmulator(baseUrl)
      ? EMULATOR + pathIn(file, baseUrl.slice(EMULATOR.length))
      : baseUrl.replace(/\/+$/, ''),
    apiVersion,
    tokenEnv: text('token_env') ?? '',
    accountId: text('account_id'),
    ownAgent: text('own_agent'),
    mayApprove: settings['may_approve'] === true,
    customerApiVersion:
      CUSTOMER_VERSIONS.find((version) => version === String(settings['customer_api_version'])) ?? STABLE_VERSION,
    customerTokenEnv: text('customer_token_env') ?? '',
    customerClient: textIn(mapping(settings['customer']), 'client_id'),
    accountsUrl: text('accounts_url')?.replace(/\/+$/, '') ?? null,
    reportsApiVersion:
      REPORTS_VERSIONS.find((version) => version === String(settings['reports_api_version'])) ?? STABLE_VERSION,
    reportsTokenEnv: text('reports_token_env'),
    reportsLag: time('reports_lag'),
    chatMark: chatMark(mapping(settings['chat_mark'])),
    licenseId: settings['license_id'] === undefined ? null : String(settings['license_id']),
    organizationId: text('organization_id'),
    overlays: texts('overlays').map((path) => pathIn(file, path)),
    vars: mapping(settings['vars']),
    labels: new Map(Object.entries(mapping(settings['labels'])).map(([name, value]) => [name, String(value)])),
    ledger: ledgerFile,
    localPath: ledgerFile,
    defaultLedger,
    secrets: secretsPlace(settings['secrets'], file),
    protect: texts('protect'),
    prune: prunes(settings['prune']),
    complete: completes(settings['prune']),
    pruneInstalledBots: settings['prune_installed_bots'] === true,
    maxDeletes: Number(settings['max_deletes']),
    maxDeletePercent: Number(settings['max_delete_percent']),
    acknowledge: texts('acknowledge'),
    policies: policiesOf(settings['policies']),
    webhooksOf: new Map(),
    hasSiblings: false,
    drift: driftSettings(drift, (path) => markAt(['drift', ...path]).place),
    notify: notifySettings(settings['notify'], drift, text('page_url')),
    routing: routingSettings(mapping(settings['routing']), (path) =>
      isOwn(['routing', ...path]) ? markAt(['routing', ...path]) : null,
    ),
    limits: limitsIn(mapping(settings['limits'])),
    propagationTimeout: time('propagation_timeout'),
    requestTimeout: time('request_timeout'),
    runTimeout: time('run_timeout'),
    lockTimeout: time('lock_timeout'),
    concurrency: Number(settings['concurrency']),
    batchSize: Number(settings['batch_size']),
    propagationDelay: isEmulator(baseUrl) ? delayRange(text('propagation_delay') ?? '') : null,
    plainHttp: settings['plain_http'] === true,
  };
}

function textIn(value: JsonObject, member: string): string | null {
  const found = value[member];
  return typeof found === 'string' ? found : null;
}

function chatMark(value: JsonObject): ChatMark {
  return {
    property: textIn(value, 'property') ?? CHAT_MARK.property,
    value: textIn(value, 'value') ?? CHAT_MARK.value,
  };
}

function secretsPlace(value: Json | undefined, file: string): SecretsPlace | null {
  const { file: path, env_file: envPath, command } = mapping(value);
  if (typeof path === 'string') return { type: 'file', path: pathIn(file, path) };
  if (typeof envPath === 'string') return { type: 'env-file', path: pathIn(file, envPath) };
  const [program, ...rest] = isList(command) ? command.map(String) : [];
  return program === undefined ? null : { type: 'command', argv: [program, ...rest], folder: dirname(file) };
}

function limitsIn(value: JsonObject): Partial<KindLimits> {
  const given = LIMIT_NAMES.flatMap((name) => (typeof value[name] === 'number' ? [[name, value[name]] as const] : []));
  return Object.fromEntries(given);
}

function prunes(value: Json | undefined): TargetSettings['prune'] {
  const chosen = KIND_NAMES.flatMap((kind) => {
    const choice = mapping(value)[kind];
    return choice === 'owned' || choice === 'none' ? [[kind, choice] as const] : [];
  });
  return Object.fromEntries(chosen);
}

function completes(value: Json | undefined): readonly KindName[] {
  return KIND_NAMES.filter((kind) => mapping(value)[kind] === 'all');
}
