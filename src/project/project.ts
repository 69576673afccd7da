// chatform.yaml in; which manifest goes to which licenses, and how, out: typed, with every path made relative to where the caller stands.
// Checked by the same machinery as manifests. Opens no other file, and knows no credential.

import { byText, isList, isObject } from '../base/json.ts';
import type { Diagnostic, Json, JsonObject } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { SHELF } from '../manifest/sections.ts';
import { type Collector, collector, diagnosticsOf, type Emit } from '../yaml/collector.ts';
import { conform } from '../yaml/conform.ts';
import { disk, type FileSystem } from '../yaml/file-system.ts';
import { blankSource, byPlace, diagnose, type Mark, type Path, type Source } from '../yaml/mark.ts';
import type { Parsed } from '../yaml/parse.ts';
import { readFile } from '../yaml/read.ts';
import { substitute } from '../yaml/substitute.ts';
import { at } from '../yaml/wording.ts';
import { checkDrift, type PlaceAt } from './drift-settings.ts';
import { checkPolicies, policiesOf } from './policies/policies.ts';
import { checkRouting } from './routing-settings.ts';
import { projectSchema } from './schema.ts';
import { credentialPaths, isChannel, withoutPaths } from './secrets-in-text.ts';
import { checkPrune, checkSettings, merged, pathIn, type TargetSettings, targetSettings } from './settings.ts';
import { validator } from './validator.ts';

/** What chatform.yaml says. */
export interface Project {
  readonly file: string;
  /** Files and directories of the manifest. */
  readonly manifest: readonly string[];
  /** Owner clients to look at besides those that the manifest names. */
  readonly clients: readonly string[];
  /** The target of commands that name none; null when there are several and none is the default. */
  readonly defaultTarget: string | null;
  /** Sorted by name. */
  readonly targets: ReadonlyMap<string, TargetSettings>;
}

export interface LoadedProject {
  /** Null as soon as there is one error. */
  readonly project: Project | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Where a member of the file stands, for findings of later stages. */
  readonly markOf: (path: Path) => Mark;
}

/** Everything wrong is found in one run. `env` are the values of `${env.NAME}`. Throws nothing but InternalError. */
export async function loadProject(
  file: string,
  env: { readonly [name: string]: string | undefined },
  io?: FileSystem,
): Promise<LoadedProject> {
  const parsed = await readFile(file, io ?? disk());
  if (!('source' in parsed)) {
    return { project: null, diagnostics: [parsed], markOf: (path) => blankSource(file).mark(path, 'value') };
  }
  const { source } = parsed;
  const credentials = credentialPaths(parsed.value);
  const collected = collector();
  const settings = parsed.whole
    ? checked({ ...parsed, value: withoutPaths(parsed.value, credentials) }, env, collected)
    : {};
  await checkPolicies(settings, collected.emit);
  const hidden = new Set(credentials.map((path) => source.mark(path, 'value').place.line));
  const diagnostics = [
    ...parsed.diagnostics,
    ...credentials.map((path) => credentialRefused(path, source)),
    ...diagnosticsOf(collected, source.mark, parsed.diagnostics),
  ].map((diagnostic) => (hidden.has(diagnostic.place.line) ? { ...diagnostic, excerpt: null } : diagnostic));
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return {
    project: failed ? null : projectOf(file, settings, (path) => source.mark(path, 'value').place),
    diagnostics: diagnostics.sort(byPlace),
    markOf: (path) => source.mark(path, 'value'),
  };
}

function checked(
  { value, templated }: Pick<Parsed, 'value' | 'templated'>,
  env: { readonly [name: string]: string | undefined },
  { emit }: Collector,
): JsonObject {
  const given = isObject(value) ? withoutShelves(value) : (value ?? {});
  const settings = isObject(given) ? substitute({ value: given, templated }, projectSchema, { env }, emit) : {};
  emit(conform(validator, projectSchema, isObject(given) ? settings : given));
  const targets = membersOf(settings['targets']);
  for (const [name, target] of targets) checkSettings(target, settings['defaults'], ['targets', name], emit);
  checkPrune(settings['defaults'], ['defaults'], emit);
  checkDrift(settings['defaults'], ['defaults'], emit);
  checkRouting(settings['defaults'], ['defaults'], emit);
  for (const [name, target] of targets) checkPrune(target, ['targets', name], emit);
  for (const [name, target] of targets) checkDrift(target, ['targets', name], emit);
  for (const [name, target] of targets) checkRouting(target, ['targets', name], emit);
  checkLedgers(targets, settings['defaults'], emit);
  const chosen = settings['default_target'];
  if (typeof chosen === 'string' && targets.length > 0 && !targets.some(([name]) => name === chosen)) {
    const names = targets.map(([name]) => name);
    emit(
      at(['default_target'], 'value', 'unknown-target', `there is no target \`${chosen}\``, rightNames(chosen, names)),
    );
  }
  return settings;
}

/** What is owned on one license says nothing about another: all of it would look deleted there. */
function checkLedgers(targets: readonly (readonly [string, Json])[], defaults: Json | undefined, emit: Emit): void {
  const firsts = new Map<string, { readonly name: string; readonly baseUrl: string }>();
  for (const [name, target] of targets) {
    const own = isObject(target) ? target : {};
    const { ledger, base_url: baseUrl } = merged(target, defaults);
    if (typeof ledger !== 'string' || typeof baseUrl !== 'string') continue;
    const path = pathIn('', ledger);
    const first = firsts.get(path) ?? { name, baseUrl };
    firsts.set(path, first);
    if (first.baseUrl === baseUrl) continue;
    const where: Path = own['ledger'] === undefined ? ['defaults', 'ledger'] : ['targets', name, 'ledger'];
    const message = `target \`${name}\` has the ledger of target \`${first.name}\`, which is another license`;
    emit(at(where, 'value', 'contradiction', message, 'give each license a ledger of its own'));
  }
}

function withoutShelves(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !SHELF.test(name)));
}

function membersOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isObject(value) ? Object.entries(value) : [];
}

function credentialRefused(path: Path, source: Source): Diagnostic {
  return diagnose(source.mark(path, 'key'), {
    code: 'not-allowed',
    message: 'a credential stands in the file, where everybody who can read the project can read it',
    remedy: `revoke it, keep the new one in an environment variable, and name that variable in ${isChannel(path) ? '`url_env` or `secret_env`' : '`token_env`'}`,
  });
}

function projectOf(file: string, settings: JsonObject, placeAt: PlaceAt): Project {
  const targets = membersOf(settings['targets'])
    .map(([name, target]) => {
      const own = targetSettings(name, target, settings['defaults'], file, placeAt);
      return [name, { ...own, policies: [...policiesOf(settings['policies']), ...own.policies] }] as const;
    })
    .sort(([a], [b]) => byText(a, b));
  const chosen = settings['default_target'];
  const only = targets.length === 1 ? (targets[0]?.[0] ?? null) : null;
  return {
    file,
    manifest: textsOf(settings['manifest']).map((path) => pathIn(file, path)),
    clients: textsOf(settings['clients']),
    defaultTarget: typeof chosen === 'string' ? chosen : only,
    targets: new Map(targets),
  };
}

function textsOf(value: Json | undefined): readonly string[] {
  return isList(value) ? value.map(String) : [];
}
