// Preparation of a run: the files of the target that is chosen, and every finding about them. Sends no request.

import { UsageError } from '../base/errors.ts';
import type { Desired, Diagnostic, DiagnosticCode } from '../base/model.ts';
import { rightNames } from '../base/nearest.ts';
import { dayOf } from '../base/week.ts';
import { type LoadedManifest, loadManifest, type ManifestInput } from '../manifest/load.ts';
import type { FileLint, FileLintId } from '../manifest/near-keys.ts';
import { excepts, strayExceptions } from '../project/lint-exceptions.ts';
import type { TargetSettings } from '../project/settings.ts';
import { limitFindings, namedHere } from '../yaml/diagnostics.ts';
import { disagreementsWithWriters } from './agreement.ts';
import { type Environment, overridden, type ProjectFiles, sourcesOf, type TargetChoice } from './choice.ts';

/** Which files are read, and for when. */
export interface FilesChoice extends TargetChoice {
  /** The day whose hours are desired, where hours depend on the date, YYYY-MM-DD; default today. */
  readonly date?: string;
  /** The instant or the day that is asked about instead, by the zone of the project; empty for now. */
  readonly when?: (zone: string) => Pick<ManifestInput, 'now' | 'day'>;
  /** Remove what is owned, as if the manifest declared nothing; the files are not read. */
  readonly destroys?: { readonly adopted: boolean };
}

/** What the files say about one target. */
export interface Prepared {
  readonly settings: TargetSettings;
  /** Null as soon as there is one error. */
  readonly desired: Desired | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly moved: LoadedManifest['moved'];
  /** The routing tests of the manifest. */
  readonly routes: LoadedManifest['routes'];
  readonly markOf: LoadedManifest['markOf'];
  readonly shiftMarkOf: LoadedManifest['shiftMarkOf'];
  readonly entryAt: ProjectFiles['entryAt'];
  readonly others: ProjectFiles['others'];
}

/** The same without an error: everything is declared. */
export type Declared = Prepared & { readonly desired: Desired };

/** The same, and how it was read. */
export interface PreparedFiles extends Prepared {
  readonly manifest: ManifestInput;
  /** The files and folders that make up the manifest, whether they exist or not. */
  readonly named: readonly string[];
  readonly variables: LoadedManifest['variables'];
  readonly values: LoadedManifest['values'];
}

export type DeclaredFiles = PreparedFiles & Declared;

/** chatform.yaml has errors, so there is not even a target. */
export interface NoTarget {
  readonly settings: null;
  readonly desired: null;
  readonly diagnostics: readonly Diagnostic[];
}

/** For a file that cannot be read, the finding with the place in chatform.yaml that names it. */
function withNamer(diagnostic: Diagnostic, namedAt: ProjectFiles['namedAt']): Diagnostic {
  const mark = diagnostic.code.startsWith('file-') ? namedAt(diagnostic.place.file) : null;
  return mark === null ? diagnostic : namedHere(diagnostic, mark);
}

/** Refuses variables that no file uses or declares: a misspelt name would silently leave the value of chatform.yaml in force. */
function refuseUnused(given: { readonly [name: string]: string }, used: ReadonlySet<string>): void {
  const names = [...used].flatMap((name) => (name.startsWith('var.') ? [name.slice('var.'.length)] : []));
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const others = names.length === 0 ? 'they have no variables' : rightNames(name, names);
    throw new UsageError(`--var ${name}: none of the files has \${var.${name}}; ${others}`);
  }
}

/** @throws UsageError for a text that is no day of the calendar */
function dayMeant(flag: string, text: string): number {
  const day = dayOf(text);
  if (day === null) throw new UsageError(`${flag} ${text} is not a day: write one such as 2026-12-24`);
  return day;
}

/** What is over on another day says nothing about the files of today. */
const OF_TODAY: ReadonlySet<DiagnosticCode> = new Set<FileLintId>(['past-exception', 'expired']);

function fileLint(lint: FileLintId, settings: TargetSettings): FileLint {
  const isExcepted = excepts(settings);
  return { level: settings.routing.lint[lint], isExcepted: (address) => isExcepted(lint, [address]) };
}

/**
 * Reads the files of a target. `readable` says which of them exist; all of them have to, unless the command makes them.
 * @throws UsageError for a choice that contradicts itself or names what does not exist
 */
export async function prepare(
  choice: FilesChoice,
  environment: Environment,
  readable: (files: readonly string[]) => Promise<readonly string[]> = async (files) => files,
): Promise<PreparedFiles | NoTarget> {
  const sources = await sourcesOf(choice, environment);
  if (sources.settings === null) return { settings: null, desired: null, diagnostics: sources.diagnostics };
  const settings = overridden(sources.settings, sources.register, choice);
  const declares = choice.destroys === undefined;
  const asked = choice.when?.(settings.routing.timezone) ?? {};
  const input = {
    files: declares ? await readable(sources.files) : [],
    io: sources.io,
    overlays: declares ? settings.overlays : [],
    vars: settings.vars,
    ...(sources.varsAt === undefined ? {} : { varsAt: sources.varsAt }),
    ...(sources.environment === undefined ? {} : { environment: sources.environment }),
    varFiles: choice.varFile ?? [],
    flags: choice.var ?? {},
    env: environment.env,
    version: settings.apiVersion,
    credential: settings.accountId === null ? 'bearer' : 'basic',
    limits: settings.limits,
    clients: sources.clients,
    isContested: (client) => settings.hasSiblings && !settings.webhooksOf.has(client),
    complete: declares ? settings.complete : [],
    lintOf: (lint) => fileLint(lint, settings),
    now: environment.clock.now(),
    zone: settings.routing.timezone,
    ...asked,
    ...(choice.date === undefined ? {} : { day: dayMeant('--date', choice.date) }),
  } satisfies ManifestInput;
  const manifest = await loadManifest(input);
  refuseUnused(choice.var ?? {}, manifest.variables);
  const differing = await disagreementsWithWriters(manifest, settings, sources.others(), input);
  const { moved, routes, markOf, shiftMarkOf, variables, values } = manifest;
  const desired = differing.length > 0 ? null : manifest.desired;
  const isNow = Object.keys(asked).length === 0;
  const found = manifest.diagnostics
    .filter(({ code, severity }) => isNow || severity === 'error' || !OF_TODAY.has(code))
    .map((diagnostic) => withNamer(diagnostic, sources.namedAt));
  const stray = desired === null || !declares ? [] : strayExceptions(settings, desired);
  const diagnostics = limitFindings([...sources.diagnostics, ...stray, ...found, ...differing]);
  const { entryAt, files: named, others } = sources;
  const read = { manifest: input, named, others, variables, values };
  return { settings, desired, diagnostics, moved, routes, markOf, shiftMarkOf, entryAt, ...read };
}

/** Everything that the files declare. @throws UsageError with every finding when they have an error */
export async function prepareDeclared(
  choice: FilesChoice,
  environment: Environment,
  readable?: (files: readonly string[]) => Promise<readonly string[]>,
): Promise<DeclaredFiles> {
  return declaredIn(await prepare(choice, environment, readable));
}

/** The same of files that were read. @throws UsageError with every finding when they have an error */
export function declaredIn(prepared: PreparedFiles | NoTarget): DeclaredFiles {
  const { settings, desired } = prepared;
  if (settings === null || desired === null) throw new UsageError('the files have errors', prepared.diagnostics);
  return { ...prepared, desired };
}
