// Files that a command writes its result to: checked before it begins, and written after it, each whole or not at all.

import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { diskErrorCode, explained, folderRefusal, type Readers, writeWhole } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { EMULATOR, type TargetSettings } from '../project/settings.ts';
import { inert } from '../render/plain.ts';
import { type SightingsChoice, sightingsFileOf } from './notify/sightings-store.ts';

export interface ReportFile<F extends string> {
  readonly format: F;
  /** As it was written on the command line. */
  readonly file: string;
  /** Where that leads, past every link. */
  readonly path: string;
}

/** The halves of `FORMAT=FILE`, valid or not. */
function halves(value: string): { readonly name: string; readonly file: string | undefined } {
  const equals = value.indexOf('=');
  return equals < 0
    ? { name: value, file: undefined }
    : { name: value.slice(0, equals), file: value.slice(equals + 1) };
}

function parsed<F extends string>(value: string, formats: readonly F[]): Omit<ReportFile<F>, 'path'> {
  const { name, file = '' } = halves(value);
  const format = formats.find((known) => known === name);
  if (format === undefined) {
    const meant = nearest(name, formats);
    const hint = meant === null ? '' : `did you mean ${meant}? `;
    throw new UsageError(`--report ${value}: there is no format ${name}; ${hint}formats: ${formats.join(', ')}`);
  }
  if (file === '') throw new UsageError(`--report ${value}: the file is missing; write it as ${format}=FILE`);
  if (file === '-')
    throw new UsageError(
      `--report ${value}: a report goes into a file; standard output has what the command itself prints`,
    );
  return { format, file };
}

/** Names of files that chatform reads, even where chatform.yaml cannot be read: a slip must not cost a ledger. */
const OURS = /\.(ya?ml|ndjson|sightings\.json)$/i;

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

/** Whether a file has the name of a file that chatform reads. */
function isOwned(path: string): boolean {
  return OURS.test(path);
}

/**
 * Where a file that a flag names is written, past every link. `kept` are files that must stay.
 * @throws UsageError for a file that could not be written, or would replace a file that is read
 */
export async function writablePlace(flag: string, file: string, kept: readonly string[]): Promise<string> {
  const path = await replaceable(flag, file, kept);
  if (isOwned(path))
    throw new UsageError(
      `${flag}: it would be replaced, and has the name of a manifest, a ledger or sightings; choose another name`,
    );
  return path;
}

/** The same for any name: the caller checks it. */
export async function replaceable(flag: string, file: string, kept: readonly string[]): Promise<string> {
  const path = await explained('it', 'written', () => placeOf(file)).catch((error: unknown) => {
    throw error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`) : error;
  });
  const own = (await Promise.all(kept.map(placesOf))).flat();
  if ((await placesOf(path)).some((place) => own.includes(place)))
    throw new UsageError(`${flag}: it would be replaced, and the target keeps something in it; choose another name`);
  return path;
}

/** How the content that --out saves begins. */
const SAVED = /^\{\s*"format_version"/;

/**
 * Where --out leads: the file as written, and its path past every link.
 * @throws UsageError as `writablePlace` does, and for a file whose content that flag did not write
 */
export async function savePlace(
  file: string,
  kept: readonly string[],
): Promise<{ readonly file: string; readonly path: string }> {
  const flag = `--out ${file}`;
  if (file === '-' || file === '')
    throw new UsageError(`${flag}: name the file; standard output has what the command itself prints`);
  const path = await writablePlace(flag, file, kept);
  const before = await explained(`${flag}: it`, 'read', async () => (await orNull(readFile(path, 'utf8'))) ?? '');
  if (before.trim() !== '' && !SAVED.test(before))
    throw new UsageError(
      `${flag}: it would be replaced, and chatform did not write it; choose another name, or delete it first`,
    );
  return { file, path };
}

/** A file that a flag names; undefined where the flag was not given. */
type NamedFile = readonly [flag: string, file: string | undefined];

/** The files of `--report FORMAT=FILE`. */
export function reportFlags(values: readonly string[] = []): readonly NamedFile[] {
  return values.map((value) => [`--report ${value}`, halves(value).file]);
}

/** Call it before any of them is read or written. @throws UsageError for a file that two flags name */
export async function requireDistinct(named: readonly NamedFile[]): Promise<void> {
  const places = new Map<string, string>();
  for (const [flag, file] of named) {
    if (file === undefined || file === '') continue;
    for (const place of await placesOf(file)) {
      const other = places.get(place);
      if (other !== undefined && other !== flag)
        throw new UsageError(`${flag}: ${other} means that file already; each needs a file of its own`);
      places.set(place, flag);
    }
  }
}

/** Its path past every link, and its device and number: the same file may have other paths. */
async function placesOf(file: string): Promise<readonly string[]> {
  const path = await pastLinks(file).catch(() => null);
  const found = await stat(file).catch(() => null);
  return [...(path === null ? [] : [path]), ...(found === null ? [] : [`${found.dev} ${found.ino}`])];
}

/** The files of `--report`, with their formats. @throws UsageError for a value that means none, or a file that cannot be written */
export async function parseReports<F extends string>(
  values: readonly string[],
  formats: readonly F[],
  kept: readonly string[] = [],
): Promise<readonly ReportFile<F>[]> {
  const reports: ReportFile<F>[] = [];
  for (const { format, file } of values.map((value) => parsed(value, formats))) {
    const path = await writablePlace(`--report ${format}=${file}`, file, kept);
    const other = reports.find((report) => report.path === path);
    if (other !== undefined)
      throw new UsageError(
        `--report ${format}=${file}: ${other.format} goes into that file already; each report needs a file of its own`,
      );
    reports.push({ format, file, path });
  }
  return reports;
}

/** A file to write. */
export interface OutputFile {
  /** How errors name it, such as `the report html=plan.html`. */
  readonly name: string;
  readonly path: string;
  readonly text: () => string;
}

export function reportsWith<F extends string>(
  reports: readonly ReportFile<F>[],
  textOf: (format: F) => string,
): readonly OutputFile[] {
  return reports.map(({ format, file, path }) => ({
    name: `the report ${format}=${file}`,
    path,
    text: () => textOf(format),
  }));
}

/** Writes the files for these readers, also after one that could not be written. Returns why some could not; null when all could. */
export async function unwritten(files: readonly OutputFile[], readers?: Readers): Promise<string | null> {
  const failures: string[] = [];
  for (const { name, path, text } of files) {
    try {
      await writeWhole(path, inert(text()), readers);
    } catch (error) {
      const code = diskErrorCode(error);
      if (code === null) throw error;
      failures.push(`${name} cannot be written: ${code}`);
    }
  }
  return failures.length === 0 ? null : failures.join('; ');
}

export function keptFiles(
  settings: Pick<TargetSettings, 'localPath' | 'baseUrl' | 'secrets' | 'overlays'>,
  choice: SightingsChoice = {},
): readonly string[] {
  const { localPath, baseUrl, secrets, overlays } = settings;
  const state = baseUrl.startsWith(EMULATOR) ? [baseUrl.slice(EMULATOR.length)] : [];
  const sink = secrets === null || secrets.type === 'command' ? [] : [secrets.path];
  return [localPath, sightingsFileOf(choice, settings), ...state, ...sink, ...overlays];
}
