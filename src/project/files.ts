// The files that a project names, and what each is for: as far as chatform.yaml can be read, also where it has mistakes. Opens none of them.

import { dirname } from 'node:path';
import { fileKey } from '../base/disk.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject, Place } from '../base/model.ts';
import { type Composed, originOf } from '../manifest/origin.ts';
import { position } from '../yaml/diagnostics.ts';
import type { Path } from '../yaml/places.ts';
import { pathIn } from '../yaml/read.ts';
import { EMULATOR, ledgerPath } from './settings.ts';
import type { SourceRow } from './targets-from.ts';

/** A target with the settings of `defaults`; null as a name for `defaults` itself, where there is no target. */
export interface NamingTarget {
  readonly name: string | null;
  readonly settings: Composed;
  /** A text with the values of the target, where its settings still have their variables. */
  readonly fill?: (text: string) => string;
}

export type FileNoun =
  | 'project'
  | 'manifest'
  | 'table of targets'
  | 'overlay'
  | 'ledger'
  | 'file of secrets'
  | 'license';

export interface NamedFile {
  readonly path: string;
  readonly noun: FileNoun;
  /** Null for what all targets share. */
  readonly target: string | null;
  /** Where chatform.yaml names it, or would. */
  readonly at: Path;
}

/** Files that chatform writes for one target, and that nothing else may be. */
const OWN: readonly FileNoun[] = ['ledger', 'file of secrets', 'license'];

export const isOwn = ({ noun }: NamedFile): boolean => OWN.includes(noun);

/** `file`: chatform.yaml. `settings`: what it says, whether that fits the schema or not. */
export function namedFiles(
  file: string,
  settings: JsonObject,
  targets: readonly NamingTarget[],
  rows: readonly SourceRow[],
): readonly NamedFile[] {
  const shared = (noun: FileNoun, path: string, at: Path): NamedFile => ({ path, noun, target: null, at });
  const { csv } = mapping(settings['targets_from']);
  const tables = typeof csv === 'string' ? [pathIn(file, csv)] : rows.map((row) => row.markAt('name').place.file);
  return [
    shared('project', file, []),
    ...textsIn(settings['manifest']).map(([index, path]) =>
      shared('manifest', pathIn(file, path), ['manifest', index]),
    ),
    ...[...new Set(tables)]
      .filter((path) => path !== file)
      .map((path) => shared('table of targets', path, ['targets_from'])),
    ...targets.flatMap((target) => ofTarget(file, target)),
  ];
}

function ofTarget(
  file: string,
  { name, settings: { value, origin }, fill = (text) => text }: NamingTarget,
): readonly NamedFile[] {
  const { file: secrets, env_file: variables } = mapping(value['secrets']);
  const { base_url: baseUrl, ledger } = value;
  const emulator = typeof baseUrl === 'string' && baseUrl.startsWith(EMULATOR) ? baseUrl.slice(EMULATOR.length) : null;
  const own = (noun: FileNoun, path: Json | undefined, at: Path): readonly NamedFile[] =>
    typeof path === 'string' && path !== ''
      ? [{ path: pathIn(file, fill(path)), noun, target: name, at: originOf(origin, at).path }]
      : [];
  return [
    ...textsIn(value['overlays']).flatMap(([index, path]) => own('overlay', path, ['overlays', index])),
    ...own('ledger', name === null ? ledger : ledgerPath(name, ledger), ['ledger']),
    ...own('file of secrets', secrets, ['secrets', 'file']),
    ...own('file of secrets', variables, ['secrets', 'env_file']),
    ...own('license', emulator, ['base_url']),
  ];
}

/** The name of a file in a sentence. */
export function fileTitle({ noun, target }: Pick<NamedFile, 'noun' | 'target'>): string {
  const of = target === null ? '' : ` of target ${target}`;
  switch (noun) {
    case 'project':
      return 'the file of the project';
    case 'license':
      return `the license of the emulator${of}`;
    default:
      return `the ${noun}${of}`;
  }
}

/** Finds out what the project has a file for, by whatever name the file is reached. */
export interface FileRegister {
  readonly at: (path: string) => RegisteredFile | null;
  /** Files and folders with YAML, which may name further files. */
  readonly manifests: readonly string[];
}

export interface RegisteredFile extends NamedFile {
  /** With the place that names it: `the ledger of target acme (chatform.yaml:7:11)`. */
  readonly title: string;
}

const YAML = /\.ya?ml$/i;

/** A YAML file in a folder of the manifest is part of it. */
export function fileFinder<File extends NamedFile>(files: readonly File[]): (path: string) => File | null {
  let known: Map<string, File> | null = null;
  return (path) => {
    if (known === null) {
      known = new Map();
      for (const file of files) {
        const key = fileKey(file.path);
        if (!known.has(key)) known.set(key, file);
      }
    }
    const found = known.get(fileKey(path)) ?? null;
    if (!YAML.test(path) || (found !== null && !isOwn(found))) return found;
    const folder = known.get(fileKey(dirname(path)));
    return folder?.noun === 'manifest' || folder?.noun === 'overlay' ? folder : found;
  };
}

export function registerOf(files: readonly NamedFile[], placeAt: (path: Path) => Place): FileRegister {
  const find = fileFinder(files);
  return {
    at: (path) => {
      const found = find(path);
      return found === null ? null : { ...found, title: `${fileTitle(found)} (${position(placeAt(found.at))})` };
    },
    manifests: files.flatMap(({ path, noun }) => (noun === 'manifest' || noun === 'overlay' ? [path] : [])),
  };
}

function mapping(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function textsIn(value: Json | undefined): readonly (readonly [number, string])[] {
  return isList(value)
    ? value.flatMap((item, index) => (typeof item === 'string' ? [[index, item] as const] : []))
    : [];
}
