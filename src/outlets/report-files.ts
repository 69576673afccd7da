// Files that a command writes its result to: checked before it begins, and written after it, each whole or not at all.

import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isTableOf } from '../authoring/tables.ts';
import { diskErrorCode, explained, fileKey, folderRefusal, type Readers, writeWhole } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { Pieces } from '../base/pieces.ts';
import { EMULATOR } from '../project/settings.ts';
import { type Environment, registerFor, type TargetChoice } from '../target/choice.ts';
import { inertPieces } from '../view/plain.ts';
import { pageFile, type ReportWriter, type Writers } from '../view/report.ts';

export interface ReportFile<Outcome = unknown> {
  readonly format: string;
  readonly writer: ReportWriter<Outcome>;
  /** As it was written on the command line. */
  readonly file: string;
  /** Where that leads, past every link. */
  readonly path: string;
  /** Files next to it, by the names of their targets. */
  readonly pages: ReadonlyMap<string, string>;
}

/** The halves of `FORMAT=FILE`, valid or not. */
function halves(value: string): { readonly name: string; readonly file: string | undefined } {
  const equals = value.indexOf('=');
  return equals < 0
    ? { name: value, file: undefined }
    : { name: value.slice(0, equals), file: value.slice(equals + 1) };
}

function parsed<Outcome>(value: string, writers: Writers<Outcome>) {
  const { name: format, file = '' } = halves(value);
  const load = Object.hasOwn(writers, format) ? writers[format] : undefined;
  if (load === undefined) {
    const formats = Object.keys(writers);
    const meant = nearest(format, formats);
    const hint = meant === null ? '' : `did you mean ${meant}? `;
    throw new UsageError(`--report ${value}: there is no format ${format}; ${hint}formats: ${formats.join(', ')}`);
  }
  if (file === '') throw new UsageError(`--report ${value}: the file is missing; write it as ${format}=FILE`);
  if (file === '-')
    throw new UsageError(
      `--report ${value}: a report goes into a file; standard output has what the command itself prints`,
    );
  return { format, file, load };
}

/** A run as far as it names files: what is kept from being replaced by what it writes. */
export interface Keeping {
  readonly choice: Pick<
    TargetChoice,
    'opened' | 'project' | 'ledger' | 'file' | 'varFile' | 'secretsFile' | 'baseUrl'
  > & { readonly sightings?: string | boolean; readonly against?: string };
  readonly environment: Environment;
}

/** Names of files that chatform reads or writes, even where chatform.yaml cannot be read: a slip must not cost a ledger, or make a lease. */
const OURS =
  /\.(ya?ml|ndjson|sightings\.json)$|\.(lease|rescue)\.\d+$|\.reports[/\\][^/\\]+$|[/\\]\.git[/\\]|[/\\]\.chatform[/\\]fleet[/\\][^/\\]+[/\\][^/\\]+$/i;

/** Path of a file that exists, or can be made in its folder. */
async function placeOf(file: string): Promise<string> {
  const found = await orNull(stat(file));
  if (found !== null && !found.isFile()) throw new UsageError(found.isDirectory() ? 'it is a folder' : 'it is no file');
  const path = await pastLinks(file);
  if (path === null) throw new UsageError(`there is no folder ${dirname(file)}`);
  const refusal = await folderRefusal(dirname(path));
  if (refusal !== null) throw new UsageError(`its folder cannot be written: ${refusal}`);
  return path;
}

/** The file itself, past every link; otherwise its place in its folder, and null without a folder. */
async function pastLinks(file: string): Promise<string | null> {
  const path = (await orNull(realpath(file))) ?? resolve(file);
  const folder = await orNull(realpath(dirname(path)));
  return folder === null ? null : join(folder, basename(path));
}

async function orNull<T>(look: Promise<T>): Promise<T | null> {
  return look.catch((error: unknown) => {
    if (diskErrorCode(error) === 'ENOENT') return null;
    throw error;
  });
}

/** How a flag tells the files that it wrote. */
interface OwnFiles {
  readonly begins: RegExp;
  /** Names that they may have although ledgers have them. */
  readonly named?: RegExp;
}

/** What is at a path for the project or the run; null for nothing. */
async function useOf(path: string, { choice, environment }: Keeping, named?: RegExp): Promise<string | null> {
  const register = await registerFor(choice, environment);
  const registered = register.at(path);
  if (registered !== null) return `is ${registered.title}`;
  const { file = [], varFile = [], secretsFile, baseUrl, ledger, sightings, against } = choice;
  const flags = Object.entries({
    '-f': file,
    '--var-file': varFile,
    '--secrets-file': [secretsFile],
    '--base-url': baseUrl?.startsWith(EMULATOR) ? [baseUrl.slice(EMULATOR.length)] : [],
    '--ledger': [ledger],
    '--sightings': [sightings],
    '--against': [against],
  });
  const key = fileKey(path);
  const flag = flags.find(([, files]) => files.some((each) => typeof each === 'string' && fileKey(each) === key))?.[0];
  if (flag !== undefined) return `is what ${flag} names`;
  if (OURS.test(path) && named?.test(path) !== true)
    return 'has the name of a manifest, a ledger or another file of chatform';
  return isTableOf([...register.manifests, ...file], path) ? 'is a table that a manifest names' : null;
}

/**
 * Where a file that a flag names is written, past every link. A blank file, and one that `begins` so, may be replaced.
 * @throws UsageError for a file that could not be written, has another use, or has other content
 */
export async function writablePlace(
  flag: string,
  file: string,
  keeping: Keeping,
  { begins, named }: OwnFiles,
): Promise<string> {
  const path = await explained('it', 'written', () => placeOf(file)).catch((error: unknown) => {
    throw error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`) : error;
  });
  const use = await useOf(path, keeping, named);
  if (use !== null) throw new UsageError(`${flag}: it would be replaced, and ${use}; choose another name`);
  const head = await explained(`${flag}: it`, 'read', () => headOf(path));
  if (head.trim() !== '' && !begins.test(head))
    throw new UsageError(
      `${flag}: it would be replaced, and chatform did not write it for this flag; choose another name, or delete it first`,
    );
  return path;
}

/** The first bytes of a file, which say what it is; empty where there is none. */
async function headOf(path: string): Promise<string> {
  const file = await orNull(open(path));
  if (file === null) return '';
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(4096), position: 0 });
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await file.close();
  }
}

/** How what --out saves begins, and what it is. */
const SAVED = {
  plan: /^\{\s*"format_version": ?"[^"]*",\s*"chatform_version": ?"[^"]*",\s*"created_at": ?"[^"]*",\s*"target": ?"(?:[^"\\]|\\.)*",\s*"api_version": ?"[^"]*",\s*"service": ?"[^"]*",\s*"manifest"/,
  snapshot:
    /^\{\s*"format_version": ?"[^"]*",\s*"chatform_version": ?"[^"]*",\s*"created_at": ?"[^"]*",\s*"target": ?"(?:[^"\\]|\\.)*",\s*"api_version": ?"[^"]*",\s*"service": ?"[^"]*",\s*"project_version"/,
} as const;

/**
 * Where --out leads: the file as written, and its path past every link.
 * @throws UsageError as `writablePlace` does
 */
export async function savePlace(
  file: string,
  what: keyof typeof SAVED,
  keeping: Keeping,
): Promise<{ readonly file: string; readonly path: string }> {
  const flag = `--out ${file}`;
  if (file === '-' || file === '')
    throw new UsageError(`${flag}: name the file; standard output has what the command itself prints`);
  return { file, path: await writablePlace(flag, file, keeping, { begins: SAVED[what] }) };
}

/** A file that a flag names; undefined where the flag was not given. */
type NamedFile = readonly [flag: string, file: string | undefined];

/** The files of `--report FORMAT=FILE`. */
export function reportFlags(values: readonly string[] = []): readonly NamedFile[] {
  return values.map((value) => [`--report ${value}`, halves(value).file]);
}

/** Call it before any of them is read or written. @throws UsageError for a file that two flags name */
export async function requireDistinct(named: readonly NamedFile[]): Promise<void> {
  const flags = new Map<string, string>();
  for (const [flag, file] of named) {
    if (file === undefined || file === '') continue;
    const key = fileKey(file);
    const other = flags.get(key);
    if (other !== undefined && other !== flag)
      throw new UsageError(`${flag}: ${other} means that file already; each needs a file of its own`);
    flags.set(key, flag);
  }
}

/**
 * The files of `--report`, with their formats; of those that draw, also the files of `targets` that have a page each.
 * @throws UsageError for a value that means none, or a file that cannot be written
 */
export async function parseReports<Outcome>(
  values: readonly string[],
  writers: Writers<Outcome>,
  keeping: Keeping,
  targets: readonly string[] = [],
): Promise<readonly ReportFile<Outcome>[]> {
  const reports: ReportFile<Outcome>[] = [];
  const taken = new Map<string, string>();
  const take = async (flag: string, what: string, file: string, begins: RegExp): Promise<string> => {
    const path = await writablePlace(flag, file, keeping, { begins });
    const other = taken.get(fileKey(path));
    if (other !== undefined)
      throw new UsageError(`${flag}: ${other} goes into that file already; each report needs a file of its own`);
    taken.set(fileKey(path), what);
    return path;
  };
  for (const { format, file, load } of values.map((value) => parsed(value, writers))) {
    const { report: writer } = await load();
    const flag = `--report ${format}=${file}`;
    const path = await take(flag, format, file, writer.begins);
    const pages = new Map<string, string>();
    for (const target of writer.draws === true ? targets : []) {
      const what = `the page of ${target}`;
      pages.set(target, await take(`${flag}, ${what}`, what, join(dirname(file), pageFile(target)), writer.begins));
    }
    reports.push({ format, writer, file, path, pages });
  }
  return reports;
}

/** A file to write. */
export interface OutputFile {
  /** How errors name it, such as `the report html=plan.html`. */
  readonly name: string;
  readonly path: string;
  readonly text: () => Pieces;
}

export function reportsWith<Outcome>(
  reports: readonly ReportFile<Outcome>[],
  textOf: (report: ReportFile<Outcome>) => Pieces,
): readonly OutputFile[] {
  return reports.map((report) => ({
    name: `the report ${report.format}=${report.file}`,
    path: report.path,
    text: () => textOf(report),
  }));
}

/** Writes the files for these readers, also after one that could not be written. Returns why some could not; null when all could. */
export async function unwritten(files: readonly OutputFile[], readers?: Readers): Promise<string | null> {
  const failures: string[] = [];
  for (const { name, path, text } of files) {
    try {
      await writeWhole(path, inertPieces(text()), readers);
    } catch (error) {
      const code = diskErrorCode(error);
      if (code === null) throw error;
      failures.push(`${name} cannot be written: ${code}`);
    }
  }
  return failures.length === 0 ? null : failures.join('; ');
}
