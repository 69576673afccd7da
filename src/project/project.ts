// chatform.yaml: which manifest goes to which licenses, and how. Checked like a manifest. Opens no other file, and holds no credential.

import { byText, isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { placeName } from '../ledger/place.ts';
import { type EnvironmentRule, envRefusal, secretRefusal, type VariableRefusal } from '../manifest/environment.ts';
import { type Composed, markOf, originAt, originOf } from '../manifest/origin.ts';
import { SHELF } from '../manifest/sections.ts';
import { substitute } from '../manifest/substitute.ts';
import { conform } from '../yaml/conform.ts';
import { at, collector, diagnosticsOf, type Emit, limitFindings, MOST_FINDINGS, sorted } from '../yaml/diagnostics.ts';
import { blankSource, type Path, type PlaceMark, type Source } from '../yaml/places.ts';
import { disk, type FileSystem, pathIn, readFile } from '../yaml/read.ts';
import { withDefaults } from './defaults.ts';
import { type FileRegister, type NamedFile, namedFiles, registerOf } from './files.ts';
import { checkFleet } from './fleet-check.ts';
import { type FleetSettings, fleetSettings } from './fleet-settings.ts';
import { checkPolicies, policiesOf } from './policies/policies.ts';
import { DEFAULT_PROJECT, projectSchema } from './schema/project.ts';
import { credentialPaths, credentialRefused, secretNames, withoutPaths } from './secrets-in-text.ts';
import { checkSeparate } from './separate.ts';
import { checkSettings, checkTarget, PRESETS, type TargetSettings, targetSettings } from './settings.ts';
import { type SourceRow, targetRows } from './targets-from.ts';
import { filled, type TemplatedTarget, templateIn, writtenOut } from './template.ts';
import { validator } from './validator.ts';

export interface Project {
  readonly file: string;
  /** Files and directories. */
  readonly manifest: readonly string[];
  /** Owner clients to read, in addition to those that the manifest names. */
  readonly clients: readonly string[];
  /** Which environment variables files may read. */
  readonly environment: EnvironmentRule;
  /** The target of commands that name none. Null when there are several targets and none is the default. */
  readonly defaultTarget: string | null;
  /** Sorted by name. */
  readonly targets: ReadonlyMap<string, TargetSettings>;
  /** What the file says of each target, with what it says of all of them: equal for a target that is to be treated the same. */
  readonly written: ReadonlyMap<string, JsonObject>;
  /** `defaults.ledger` where it differs from target to target, as it is written. */
  readonly ledgerTemplate: string | null;
  /** Where ledgers are that no target names; null for files. */
  readonly ledgerStore: LedgerStore | null;
  /** The table of `targets_from`; null without one. */
  readonly table: string | null;
  /** How a run over several of them goes. */
  readonly fleet: FleetSettings;
}

/** A database with ledgers: the variable with its address, and the name of the project in it. */
export interface LedgerStore {
  readonly variable: string;
  readonly project: string;
}

export interface LoadedProject {
  /** Null when there is an error. */
  readonly project: Project | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Where a member of the file is written. */
  readonly markOf: (path: Path) => PlaceMark;
  /** What it has files for, also where it has errors. */
  readonly register: FileRegister;
  /** Its database, also where it has errors; undefined where they hide it. */
  readonly ledgerStore: LedgerStore | null | undefined;
}

/** Every mistake is found in one run. `env` are the values of `${env.NAME}`. Throws nothing but InternalError. */
export async function loadProject(
  file: string,
  env: { readonly [name: string]: string | undefined },
  io: FileSystem = disk([file]),
): Promise<LoadedProject> {
  const parsed = await readFile(file, io);
  if (!('source' in parsed)) {
    const markOf = (path: Path): PlaceMark => blankSource(file).mark(path, 'value');
    const register = registerOf([], (path) => markOf(path).place);
    return { project: null, diagnostics: [parsed], markOf, register, ledgerStore: undefined };
  }
  const { source, templated, whole } = parsed;
  const credentials = credentialPaths(parsed.value);
  const collected = collector(MOST_FINDINGS);
  const { emit } = collected;
  const given = whole ? (withoutPaths(parsed.value, credentials) ?? {}) : {};
  const written = isObject(given) ? withoutShelves(given) : {};
  // Of a file that cannot be parsed to its end, what it names is known as far as it goes.
  const legible = whole ? written : mapping(parsed.value);
  const template = templateIn(written['defaults']);
  const from = await targetRows(legible['targets_from'], parsed, io);
  const named = Object.keys(mapping(written['targets'])).map((name) => ({ name, row: null }));
  const targets: readonly TemplatedTarget[] = [...named, ...from.rows.map((row) => ({ name: row.name, row }))];
  const ofTemplate = [...secretNames(template)].flatMap(([text, setting]) =>
    targets.map((target) => [filled(text, target), setting] as const),
  );
  const secrets = new Map([...secretNames([PRESETS, written]), ...ofTemplate]);
  const environment = { listed: textsOf(written['env']), secrets };
  const refusal = (name: string): VariableRefusal | null => envRefusal(name, environment);
  const shared = substitute({ value: withoutTemplate(written, template), templated }, projectSchema, { env }, emit, {
    refusal,
  });
  const { settings, source: places } = writtenOut(shared, template, targets, { source, env, refusal }, collected);
  checkEnvironment(environment, emit);
  if (whole) checkClients(settings, Object.keys(mapping(settings['targets'])), emit);
  if (whole && isObject(given)) checkTargets(settings, emit);
  if (whole) emit(conform(validator, projectSchema, isObject(given) ? settings : given));
  const files = filesIn(file, whole ? { settings, source: places } : { settings: legible, source }, from.rows);
  check(settings, places, emit, { file, files, env, rows: from.rows, isWhole: from.diagnostics.length === 0 });
  await checkPolicies(settings, emit);
  await checkFleet(settings['fleet'], emit);
  const hidden = new Set(credentials.map((path) => source.mark(path, 'value').place.line));
  const diagnostics = [
    ...parsed.diagnostics,
    ...credentials.map((path) => credentialRefused(path, source.mark(path, 'key'))),
    ...(whole ? from.diagnostics : []),
    ...diagnosticsOf(collected, places.mark, parsed.diagnostics),
  ].map((diagnostic) => (hidden.has(diagnostic.place.line) ? { ...diagnostic, excerpt: null } : diagnostic));
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return {
    project: failed ? null : projectOf(file, { settings, template, source: places }, environment),
    diagnostics: limitFindings(sorted(diagnostics)),
    markOf: (path) => places.mark(path, 'value'),
    register: registerOf(files, (path) => places.mark(path, 'value').place),
    ledgerStore: legibleStore((whole ? settings : legible)['ledger_store'], whole),
  };
}

/** What chatform.yaml names, as far as its mistakes let it be read. */
function filesIn(
  file: string,
  { settings, source }: Pick<WrittenProject, 'settings' | 'source'>,
  rows: readonly SourceRow[],
): readonly NamedFile[] {
  const named = new Set(Object.keys(mapping(settings['targets'])));
  const others = rows.filter(({ name }) => !named.has(name)).map(({ name }) => [name, {}] as const);
  const all = { ...settings, targets: { ...mapping(settings['targets']), ...Object.fromEntries(others) } };
  const { defaults, targets } = layersOf(all, source);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const filling = targets.map((target) => ({
    ...target,
    fill: (text: string): string => filled(text, { name: target.name, row: byName.get(target.name) ?? null }),
  }));
  return namedFiles(file, settings, filling.length > 0 ? filling : [{ name: null, settings: defaults }], rows);
}

/** The settings of one target with those of `defaults`. */
interface TargetLayers {
  readonly name: string;
  /** What the target sets itself. */
  readonly own: JsonObject;
  readonly settings: Composed;
}

function layersOf(settings: JsonObject, source: Source): { defaults: Composed; targets: readonly TargetLayers[] } {
  const defaults = { value: mapping(settings['defaults']), origin: originAt(source, ['defaults']) };
  const targets = Object.entries(mapping(settings['targets'])).flatMap(([name, own]) => {
    const origin = originAt(source, ['targets', name]);
    return isObject(own) ? [{ name, own, settings: withDefaults({ value: own, origin }, defaults) }] : [];
  });
  return { defaults, targets };
}

interface Checked {
  readonly file: string;
  readonly files: readonly NamedFile[];
  readonly env: { readonly [name: string]: string | undefined };
  readonly rows: readonly SourceRow[];
  /** Whether all rows of `targets_from` could be read, so that all names are known. */
  readonly isWhole: boolean;
}

function check(settings: JsonObject, source: Source, emit: Emit, { file, files, env, rows, isWhole }: Checked): void {
  const { defaults, targets } = layersOf(settings, source);
  for (const target of targets) checkTarget(target.own, target.settings, emit);
  checkSettings(defaults, {}, emit);
  for (const target of targets) checkSettings(target.settings, defaults.value, emit);
  const ofRows = new Set(rows.map(({ name }) => name));
  checkSeparate({ file, files, targets, isRow: (name) => ofRows.has(name), env }, emit);
  const chosen = settings['default_target'];
  const names = isObject(settings['targets']) ? Object.keys(settings['targets']) : [];
  if (isWhole && typeof chosen === 'string' && names.length > 0 && !names.includes(chosen)) {
    const message = `there is no target \`${chosen}\``;
    emit(at(['default_target'], 'value', 'unknown-target', message, rightNames(chosen, names)));
  }
}

function checkTargets(settings: JsonObject, emit: Emit): void {
  if (settings['targets'] !== undefined || settings['targets_from'] !== undefined) return;
  const remedy = 'name the licenses under `targets`, or a list of them with `targets_from`';
  emit(at(['targets'], 'key', 'missing-field', '`targets` is missing', remedy));
}

function checkEnvironment({ listed, secrets }: EnvironmentRule, emit: Emit): void {
  for (const [index, name] of (listed ?? []).entries()) {
    const refused = secretRefusal(name, secrets);
    if (refused === null) continue;
    const message = `files may not read \`${name}\`: ${refused.reason}`;
    emit(at(['env', index], 'value', 'not-allowed', message, refused.remedy));
  }
}

/** What is not the same for all targets is checked for each of them. */
function withoutTemplate(written: JsonObject, template: JsonObject): JsonObject {
  if (Object.keys(template).length === 0) return written;
  const plain = Object.entries(mapping(written['defaults'])).filter(([name]) => !Object.hasOwn(template, name));
  return { ...written, defaults: Object.fromEntries(plain) };
}

function mapping(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function withoutShelves(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !SHELF.test(name)));
}

interface WrittenProject {
  readonly settings: JsonObject;
  readonly template: JsonObject;
  readonly source: Source;
}

function projectOf(
  file: string,
  { settings, template, source }: WrittenProject,
  environment: EnvironmentRule,
): Project {
  const common = policiesOf(settings['policies']);
  const store = ledgerStore(settings['ledger_store']);
  const layers = layersOf(settings, source).targets;
  const webhooksOf = webhookTargets(settings['clients']);
  const targets = layers
    .map(({ name, settings: { value, origin } }) => {
      const own = targetSettings(name, value, file, {
        markAt: (path) => markOf(origin, path, 'value'),
        isOwn: (path) => layers.length === 1 || originOf(origin, path).path[0] === 'targets',
      });
      const ledger = store === null || value['ledger'] !== undefined ? own.ledger : placeName({ ...store, name });
      const hasSiblings = layers.length > 1;
      return [name, { ...own, ledger, policies: [...common, ...own.policies], webhooksOf, hasSiblings }] as const;
    })
    .sort(([a], [b]) => byText(a, b));
  const { manifest = [], clients = {}, env = [], policies = [] } = settings;
  const { ledger } = template;
  const { csv } = mapping(settings['targets_from']);
  const chosen = settings['default_target'];
  const only = targets.length === 1 ? (targets[0]?.[0] ?? null) : null;
  return {
    file,
    manifest: textsOf(settings['manifest']).map((path) => pathIn(file, path)),
    clients: Object.keys(mapping(settings['clients'])),
    environment,
    defaultTarget: typeof chosen === 'string' ? chosen : only,
    targets: new Map(targets),
    written: new Map(
      layers.map(({ name, settings: { value } }) => [name, { settings: value, manifest, clients, env, policies }]),
    ),
    ledgerTemplate: typeof ledger === 'string' ? ledger : null,
    ledgerStore: store,
    table: typeof csv === 'string' ? pathIn(file, csv) : null,
    fleet: fleetSettings(settings['fleet'], (path) => source.mark(['fleet', ...path], 'value').place),
  };
}

/** Owner client -> the target that writes its webhooks. */
function webhookTargets(clients: Json | undefined): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(mapping(clients)).flatMap(([client, about]) => {
      const { webhooks_of: target } = mapping(about);
      return typeof target === 'string' ? [[client, target] as const] : [];
    }),
  );
}

/** A target that is not there would leave the webhooks of a client to nobody. */
function checkClients(settings: JsonObject, names: readonly string[], emit: Emit): void {
  for (const [client, target] of webhookTargets(settings['clients'])) {
    if (names.includes(target)) continue;
    const message = `there is no target \`${target}\``;
    emit(at(['clients', client, 'webhooks_of'], 'value', 'unknown-target', message, rightNames(target, names)));
  }
}

function ledgerStore(value: Json | undefined): LedgerStore | null {
  const { postgres_env: variable, project = DEFAULT_PROJECT } = mapping(value);
  return typeof variable === 'string' && typeof project === 'string' ? { variable, project } : null;
}

/** Undefined where it is not known: a mistake is in it, or in front of it. */
function legibleStore(value: Json | undefined, whole: boolean): LedgerStore | null | undefined {
  const store = ledgerStore(value);
  if (store === null) return whole && value === undefined ? null : undefined;
  return Object.values(store).some((text) => text.includes('${')) ? undefined : store;
}

function textsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.map(String) : [];
}
