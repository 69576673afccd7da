// The choice of a target: what a run says about it, and what chatform.yaml says. Opens no file of a manifest.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Interruptible } from '../base/disk.ts';
import { milliseconds } from '../base/duration.ts';
import { UsageError } from '../base/errors.ts';
import type { Diagnostic, Place, Version } from '../base/model.ts';
import { few } from '../base/text.ts';
import { isReadable } from '../base/url.ts';
import type { EnvironmentRule } from '../manifest/environment.ts';
import { type FileNoun, type FileRegister, type NamedFile, registerOf } from '../project/files.ts';
import { type LoadedProject, loadProject } from '../project/project.ts';
import { ACCOUNTS_URL, BASE_URL } from '../project/schema/settings.ts';
import { EMULATOR, IN_THE_CLEAR, type TargetSettings, targetSettings } from '../project/settings.ts';
import { repeated } from '../yaml/diagnostics.ts';
import type { Path, PlaceMark } from '../yaml/places.ts';
import { disk, type FileSystem, remembering } from '../yaml/read.ts';
import type { RunContext } from './context.ts';

/** Which target a run is about, and what the run says instead of chatform.yaml. */
export interface TargetChoice {
  /** Path of the project's file; default `chatform.yaml`. */
  readonly project?: string;
  /** The project, when it was opened before: its file is not read again. */
  readonly opened?: OpenedProject;
  /** A target of the project; default its `default_target`. */
  readonly target?: string;
  /** A ledger in the place of a target, for what reads nothing else: its file, or its place in a database. */
  readonly ledger?: string;
  /** Files and folders of the manifest, instead of the project's. */
  readonly file?: readonly string[];
  readonly baseUrl?: string;
  /** Address of the accounts service. */
  readonly accountsUrl?: string;
  readonly apiVersion?: Version;
  readonly var?: { readonly [name: string]: string };
  /** Files of values of variables. */
  readonly varFile?: readonly string[];
  readonly secretsFile?: string;
  /** A duration, as in chatform.yaml. */
  readonly timeout?: string;
  /** How long to wait for the lease of another run, a duration; default not at all. */
  readonly lockTimeout?: string;
}

export const PROJECT_FILE = 'chatform.yaml';

/** The error of a folder without chatform.yaml. It names the nearest one above, which is never used by itself. `maker`: what writes one. */
export function noProject(file: string, without: string, maker?: string): UsageError {
  const above = file === PROJECT_FILE ? folderAbove() : null;
  if (above === null)
    return new UsageError(
      `there is no ${file} here: ${maker === undefined ? '' : `${maker}, `}\`-C DIR\` names the folder of one, and ${without}`,
    );
  return new UsageError(
    `there is no ${file} here, and the nearest is ${join(above, file)}: run the command there, or begin it with \`chatform -C ${above}\`; ${without}`,
  );
}

/** The nearest folder above that has a chatform.yaml, relative to this one; null where none has. */
function folderAbove(): string | null {
  for (let above = '..'; ; above = join('..', above)) {
    if (existsSync(join(above, PROJECT_FILE))) return above;
    if (resolve(above) === resolve(above, '..')) return null;
  }
}

/** What is known of a target before its manifest is read. */
export interface ProjectFiles {
  readonly settings: TargetSettings | null;
  /** Where chatform.yaml names a file; null for one that it does not name itself. */
  readonly namedAt: (file: string) => PlaceMark | null;
  /** Where the target itself names an address; null for what stands under `defaults`, or nowhere. */
  readonly entryAt: (list: 'acknowledge' | 'protect', index: number) => PlaceMark | null;
  readonly environment?: EnvironmentRule;
  /** Where a member of the target's `vars` is written. */
  readonly varsAt?: (path: Path) => PlaceMark;
  readonly files: readonly string[];
  /** The disk, which knows the files that a person named, as opposed to those that files name. */
  readonly io: FileSystem;
  readonly clients: readonly string[];
  /** What the project of the folder has files for. */
  readonly register: FileRegister;
  /** The other targets, whose manifest has the same files. */
  readonly others: () => readonly TargetSettings[];
  readonly diagnostics: readonly Diagnostic[];
}

export type Environment = Pick<RunContext, 'env' | 'clock'> & Interruptible;

/** A target without chatform.yaml: `-f FILE... --base-url URL`. */
async function fromFlags(
  choice: TargetChoice,
  files: readonly string[],
  environment: Environment,
): Promise<ProjectFiles> {
  if (choice.target !== undefined)
    throw new UsageError('-t names a target of chatform.yaml, so it does not go with -f');
  if (choice.baseUrl === undefined) throw new UsageError('-f needs --base-url: an https:// URL, or emulator:FILE');
  return {
    settings: targetSettings('default', { base_url: choice.baseUrl }, PROJECT_FILE),
    namedAt: () => null,
    entryAt: () => null,
    files,
    io: disk([...files, ...(choice.varFile ?? [])], environment),
    clients: [],
    register: await registerFor(choice, environment),
    others: () => [],
    diagnostics: [],
  };
}

const NOTHING = {
  settings: null,
  namedAt: () => null,
  entryAt: () => null,
  files: [],
  clients: [],
  others: () => [],
};

/** A project that is opened once, for any number of its targets. */
export interface OpenedProject extends LoadedProject {
  /** Path of the project's file. */
  readonly file: string;
  /** The disk. It keeps what several targets read, and nothing that only one of them reads. */
  readonly io: FileSystem;
}

/** @throws UsageError where there is no such file */
export async function openProjectFile(
  choice: Pick<TargetChoice, 'project' | 'varFile'>,
  environment: Pick<Environment, 'env' | 'signal'>,
): Promise<OpenedProject> {
  const loaded = await projectFile(choice, environment);
  return withDisk(loaded, diskOf(loaded.file, choice, environment));
}

/** The project of this folder with the files of another disk. A file that is not there is an error in `diagnostics`. */
export async function openProjectOn(system: FileSystem, { env }: Pick<Environment, 'env'>): Promise<OpenedProject> {
  return withDisk({ file: PROJECT_FILE, ...(await loadProject(PROJECT_FILE, env, system)) }, system);
}

function withDisk(loaded: Omit<OpenedProject, 'io'>, system: FileSystem): OpenedProject {
  const named = [...(loaded.project?.targets.values() ?? [])].flatMap(({ overlays }) => [
    ...new Set(overlays.map(plainPath)),
  ]);
  const shared = new Set(repeated(named, (path) => path).map(({ item }) => item));
  const own = new Set(named.filter((path) => !shared.has(path)));
  const isOwn = (path: string): boolean => own.has(path) || own.has(dirname(path));
  return { ...loaded, io: remembering(system, (path) => !isOwn(path)) };
}

/** The project in a run with files of values that a person named, so that findings may quote them. */
export function namingFiles(opened: OpenedProject, { varFile }: Pick<TargetChoice, 'varFile'>): OpenedProject {
  if (varFile === undefined) return opened;
  const { isDirectory, list, read, once, ...quoting } = diskOf(opened.file, { varFile });
  return { ...opened, io: { ...opened.io, ...quoting } };
}

function diskOf(
  file: string,
  { varFile = [] }: Pick<TargetChoice, 'varFile'>,
  interruptible: Interruptible = {},
): FileSystem {
  return disk([file, ...varFile], interruptible);
}

async function projectFile(
  choice: Pick<TargetChoice, 'project'>,
  { env, ...interruptible }: Pick<Environment, 'env' | 'signal'>,
): Promise<Omit<OpenedProject, 'io'>> {
  const file = choice.project ?? PROJECT_FILE;
  if (!existsSync(file)) throw noProject(file, '`-f FILE --base-url URL` does without', '`chatform init` writes one');
  return { file, ...(await loadProject(file, env, disk([file], interruptible))) };
}

/** What the project of this folder has files for, whether this run is about one of its targets or not. */
export async function registerFor(
  { opened, project: file = PROJECT_FILE }: Pick<TargetChoice, 'opened' | 'project'>,
  { env }: Pick<Environment, 'env'>,
): Promise<FileRegister> {
  return (
    opened?.register ?? (existsSync(file) ? (await loadProject(file, env)).register : registerOf([], () => NOWHERE))
  );
}

const NOWHERE: Place = { file: PROJECT_FILE, line: 1, column: 1, length: 1 };

/** What chatform.yaml says about the target that is meant. */
export async function fromProject(choice: TargetChoice, context: Environment): Promise<ProjectFiles> {
  const { file, project, diagnostics, markOf, register } = choice.opened ?? (await projectFile(choice, context));
  const io = choice.opened?.io ?? diskOf(file, choice, context);
  if (project === null) return { ...NOTHING, io, register, diagnostics };
  const names = (): string => few([...project.targets.keys()]);
  const name = choice.target ?? project.defaultTarget;
  if (name === null)
    throw new UsageError(`${file} has several targets and no default_target: choose one with -t (${names()})`);
  const settings = project.targets.get(name);
  if (settings === undefined) throw new UsageError(`there is no target ${name} in ${file}; there are: ${names()}`);
  if (choice.baseUrl === undefined) requireListed(settings, file, context);
  const places = new Map<string, PlaceMark>([
    ...settings.overlays.map((file, index) => [plainPath(file), markOf(['targets', name, 'overlays', index])] as const),
    ...project.manifest.map((file, index) => [plainPath(file), markOf(['manifest', index])] as const),
  ]);
  const namedAt = (file: string): PlaceMark | null => places.get(plainPath(file)) ?? null;
  const ownMark = (path: Path): PlaceMark | null => {
    const mark = markOf(['targets', name, ...path]);
    // A member that is not there is marked where its target begins.
    const { line, column } = markOf(['targets', name]).place;
    return mark.place.line === line && mark.place.column === column ? null : mark;
  };
  const entryAt: ProjectFiles['entryAt'] = (list, index) => ownMark([list, index]);
  const isOwnVars = ownMark(['vars']) !== null;
  const { manifest, clients, environment } = project;
  const varsAt = (path: Path): PlaceMark =>
    markOf([...(isOwnVars ? ['targets', name] : ['defaults']), 'vars', ...path]);
  const others = () => [...project.targets.values()].filter((other) => other !== settings);
  const marks = { namedAt, entryAt, varsAt };
  return { settings, environment, ...marks, files: manifest, io, clients, register, others, diagnostics };
}

/** A job says where its tokens may go, because a branch says what is in the file. @throws UsageError for another address */
function requireListed({ name, baseUrl, accountsUrl }: TargetSettings, file: string, { env }: Environment): void {
  const listed = (env['CHATFORM_BASE_URLS'] ?? '').split(/\s+/).filter((url) => url !== '');
  const isListed = (url: string): boolean => listed.some((each) => each.replace(/\/+$/, '') === url);
  const other = [baseUrl, ...(accountsUrl === null ? [] : [accountsUrl])].find((url) => !isListed(url));
  if (listed.length > 0 && other !== undefined)
    throw new UsageError(
      `target ${name} has the address ${other}, which is not in CHATFORM_BASE_URLS: correct ${file}, or add it there`,
    );
}

function plainPath(path: string): string {
  return path.replace(/\/+$/, '');
}

/**
 * The settings, with what this run says instead.
 * @throws UsageError for an address that the token would travel to in the clear, and for a file that the project has another use for
 */
export function overridden(settings: TargetSettings, register: FileRegister, choice: TargetChoice): TargetSettings {
  for (const [flag, url] of Object.entries({ '--base-url': choice.baseUrl, '--accounts-url': choice.accountsUrl }))
    if (url !== undefined && isReadable(url) && !settings.plainHttp)
      throw new UsageError(`${flag}: ${IN_THE_CLEAR.message}; ${IN_THE_CLEAR.remedy}`);
  const { secretsFile, baseUrl } = choice;
  // A run without a target may be about any license.
  const own = (noun: FileNoun) => (named: NamedFile) =>
    named.noun === noun && (named.target === settings.name || (noun === 'license' && choice.file !== undefined));
  requireFree(`--secrets-file ${secretsFile}`, secretsFile, register, own('file of secrets'));
  if (baseUrl?.startsWith(EMULATOR))
    requireFree(`--base-url ${baseUrl}`, baseUrl.slice(EMULATOR.length), register, own('license'));
  return {
    ...settings,
    baseUrl: baseUrl ?? settings.baseUrl,
    // Both addresses get the token, so a run that does not take the one from the file does not take the other from it.
    accountsUrl: choice.accountsUrl ?? (choice.baseUrl === undefined ? settings.accountsUrl : null),
    propagationDelay: lagAt(choice.baseUrl, settings),
    apiVersion: choice.apiVersion ?? settings.apiVersion,
    secrets: secretsFile === undefined ? settings.secrets : { type: 'file', path: secretsFile },
    runTimeout: milliseconds(choice.timeout ?? '') ?? settings.runTimeout,
    lockTimeout: milliseconds(choice.lockTimeout ?? '') ?? settings.lockTimeout,
  };
}

/** A file that a flag names is one that the project has another use for, unless that `isMeant`. @throws UsageError for one */
export function requireFree(
  flag: string,
  path: string | undefined,
  register: FileRegister,
  isMeant: (named: NamedFile) => boolean = () => false,
): void {
  const named = path === undefined ? null : register.at(path);
  if (named === null || isMeant(named)) return;
  throw new UsageError(`${flag}: it is ${named.title}; name another file`);
}

/** Only an emulator states how long its readings lag; a service that replaces it by --base-url does not. */
function lagAt(baseUrl: string | undefined, { propagationDelay }: TargetSettings): TargetSettings['propagationDelay'] {
  if (baseUrl === undefined) return propagationDelay;
  return baseUrl.startsWith(EMULATOR) ? (propagationDelay ?? { from: 0, to: 0 }) : null;
}

/** The settings of the target, for a command that needs no manifest. */
export async function prepareTarget(
  choice: TargetChoice,
  environment: Environment,
): Promise<Pick<ProjectFiles, 'settings' | 'clients' | 'diagnostics'>> {
  const { settings, clients, register, diagnostics } = await sourcesOf(choice, environment);
  return { settings: settings === null ? null : overridden(settings, register, choice), clients, diagnostics };
}

/** The same before the work begins, which meets an error in the files itself and says it: null then. */
export async function readableSettings(choice: TargetChoice, environment: Environment): Promise<TargetSettings | null> {
  try {
    return (await prepareTarget(choice, environment)).settings;
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** The choice of a command that needs no manifest: with an address, it does not need chatform.yaml either. */
export function bareChoice(choice: TargetChoice): TargetChoice {
  const { baseUrl, target, file } = choice;
  const isBare = baseUrl !== undefined && target === undefined && file === undefined && !existsSync(PROJECT_FILE);
  return isBare ? { ...choice, file: [] } : choice;
}

/**
 * The settings of a target for a command that needs neither a manifest nor, with an address, chatform.yaml.
 * @throws UsageError for a chatform.yaml with errors
 */
export async function prepareBare(
  { target, baseUrl, accountsUrl, timeout }: Pick<TargetChoice, 'target' | 'baseUrl' | 'accountsUrl' | 'timeout'>,
  environment: Environment,
): Promise<Pick<ProjectFiles, 'diagnostics'> & { readonly settings: TargetSettings; readonly isBare: boolean }> {
  const wanted = bareChoice({
    ...(target === undefined ? {} : { target }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(accountsUrl === undefined ? {} : { accountsUrl }),
    ...(timeout === undefined ? {} : { timeout }),
  });
  const { settings, diagnostics } = await prepareTarget(wanted, environment);
  if (settings === null) throw new UsageError('the files have errors', diagnostics);
  return { settings, isBare: wanted.file !== undefined, diagnostics };
}

export async function sourcesOf(choice: TargetChoice, environment: Environment): Promise<ProjectFiles> {
  if (choice.baseUrl !== undefined && !new RegExp(BASE_URL, 'u').test(choice.baseUrl))
    throw new UsageError('--base-url is an https:// URL without a user name, or emulator:FILE');
  if (choice.accountsUrl !== undefined && !new RegExp(ACCOUNTS_URL, 'u').test(choice.accountsUrl))
    throw new UsageError('--accounts-url is an https:// URL without a user name');
  return choice.file === undefined ? fromProject(choice, environment) : fromFlags(choice, choice.file, environment);
}
