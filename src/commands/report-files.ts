// `--report FORMAT=FILE` in, files with what a command found out: looked at before it begins, so that nothing is done in vain, and
// written after it, each complete or not at all. It must not know what a report says.

import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { diskErrorCode, explained, folderRefusal, writeWhole } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { EMULATOR, type TargetSettings } from '../project/settings.ts';
import { type SightingsFlags, sightingsPath } from './drift/sightings-file.ts';
import { messageOf, showError } from './report.ts';
import type { Terminal } from './terminal.ts';

export interface ReportFile<F extends string> {
  readonly format: F;
  /** As it was written on the command line. */
  readonly file: string;
  /** Where that leads, past every link. */
  readonly path: string;
}

/** `FORMAT=FILE`, whatever is wrong with either. */
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

/** What chatform reads has names like these, also where chatform.yaml cannot be read; a slip of the pen must not cost a ledger. */
const OURS = /\.(ya?ml|ndjson|sightings\.json)$/i;

/** Where a target keeps what a report must not replace. */
export function filesOf(
  settings: Pick<TargetSettings, 'ledger' | 'baseUrl' | 'secrets' | 'overlays'>,
  flags: SightingsFlags,
): readonly string[] {
  const { ledger, baseUrl, secrets, overlays } = settings;
  const state = baseUrl.startsWith(EMULATOR) ? [baseUrl.slice(EMULATOR.length)] : [];
  const sink = secrets === null || secrets.type === 'command' ? [] : [secrets.path];
  return [ledger, sightingsPath(flags, settings), ...state, ...sink, ...overlays];
}

/** A file that has to be one, or to have a folder to be made in. */
async function placeOf(file: string): Promise<string> {
  const found = await orNull(stat(file));
  if (found !== null && !found.isFile()) throw new UsageError(found.isDirectory() ? 'it is a folder' : 'it is no file');
  const path = await pastLinks(file);
  if (path === null) throw new UsageError(`there is no folder ${dirname(file)}`);
  const refusal = await folderRefusal(dirname(path));
  if (refusal !== null) throw new UsageError(`its folder cannot be written: ${refusal}`);
  return path;
}

/** The file itself, where there is one or a link leads to one; otherwise its place in its folder, and null without that. */
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

/** Whether a file has a name such as chatform gives to what it reads. */
export function isOwned(path: string): boolean {
  return OURS.test(path);
}

/**
 * Where a file that a flag names is written, past every link. `kept` are files that must stay as they are.
 * @throws UsageError for what could not be written in the end, or would replace what is read
 */
export async function writablePlace(flag: string, file: string, kept: readonly string[]): Promise<string> {
  const path = await replaceable(flag, file, kept);
  if (isOwned(path))
    throw new UsageError(
      `${flag}: it would be replaced, and has the name of a manifest, a ledger or sightings; choose another name`,
    );
  return path;
}

/** The same, whatever name it has: whoever asks looks at that. */
export async function replaceable(flag: string, file: string, kept: readonly string[]): Promise<string> {
  const path = await explained('it', 'written', () => placeOf(file)).catch((error: unknown) => {
    throw error instanceof UsageError ? new UsageError(`${flag}: ${error.message}`) : error;
  });
  // What cannot be looked at cannot be replaced either.
  const own = (await Promise.all(kept.map(placesOf))).flat();
  if ((await placesOf(path)).some((place) => own.includes(place)))
    throw new UsageError(`${flag}: it would be replaced, and the target keeps something in it; choose another name`);
  return path;
}

/** A file that a flag names; undefined where the flag was not given. */
type NamedFile = readonly [flag: string, file: string | undefined];

/** The files of `--report FORMAT=FILE`, as far as that is what was written. */
export function reportFlags(values: readonly string[] = []): readonly NamedFile[] {
  return values.map((value) => [`--report ${value}`, halves(value).file]);
}

/** Before any of them is read or written. @throws UsageError for a file that is named twice, by whatever way */
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

/** Its path past every link, and the file itself, which may have other paths; what cannot be looked at is refused when it is used. */
async function placesOf(file: string): Promise<readonly string[]> {
  const path = await pastLinks(file).catch(() => null);
  const found = await stat(file).catch(() => null);
  return [...(path === null ? [] : [path]), ...(found === null ? [] : [`${found.dev} ${found.ino}`])];
}

/** `kept` are files that must stay as they are. @throws UsageError for what could not be written in the end */
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

/**
 * Writes all of them, whatever the outcome was.
 * @throws UsageError that names those that could not be written, after the others were
 */
export async function writeReports<F extends string>(
  reports: readonly ReportFile<F>[],
  textOf: (format: F) => string,
): Promise<void> {
  const failures: string[] = [];
  for (const { format, file, path } of reports) {
    try {
      await writeWhole(path, textOf(format));
    } catch (error) {
      const code = diskErrorCode(error);
      if (code === null) throw error;
      failures.push(`the report ${format}=${file} cannot be written: ${code}`);
    }
  }
  if (failures.length > 0) throw new UsageError(failures.join('; '));
}

/** Writes all of them; whether that went well. What cannot be written is told, and keeps nothing else from being done. */
export async function areWritten<F extends string>(
  reports: readonly ReportFile<F>[],
  textOf: (format: F) => string,
  terminal: Terminal,
): Promise<boolean> {
  try {
    await writeReports(reports, textOf);
    return true;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    showError(messageOf(error), terminal);
    return false;
  }
}
