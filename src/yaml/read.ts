// Reading YAML files: names of files and directories become parsed files, or diagnostics of what cannot be read.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileKey, type Interruptible, readPipe } from '../base/disk.ts';
import { fitHeapTo } from '../base/heap.ts';
import type { Diagnostic } from '../base/model.ts';
import { outsideOf, slashed } from '../base/repository.ts';
import { utf8In } from '../base/text.ts';
import { diagnose, hidden, type UnplacedDiagnostic } from './diagnostics.ts';
import { type ParsedText, parseYaml } from './parse.ts';
import type { Parsed } from './places.ts';
import { blankSource, type Source } from './places.ts';

/** The disk, as far as reading needs it. Each call rejects with a Node.js error (`code: 'ENOENT'`, ...). */
export interface FileSystem {
  readonly isDirectory: (path: string) => Promise<boolean>;
  /** Names in a directory. */
  readonly list: (path: string) => Promise<readonly string[]>;
  /** The bytes of a file of at most `most` bytes. Reads no further than is needed to know that a file is larger. */
  readonly read: (path: string, most: number) => Promise<Uint8Array | TooLarge>;
  /** Equal for two names of one file. Absent: `fileKey` says it. */
  readonly keyOf?: (path: string) => string;
  /** Whether a file belongs to another project or to the machine, so that no finding may quote it. Absent: none does. */
  readonly isOutside?: (path: string) => boolean;
  /** What `parse` returned for this file the first time, where it is kept. Absent: each file is parsed whenever it is read. */
  readonly once?: (path: string, parse: () => Promise<ReadFile>) => Promise<ReadFile>;
}

/** A parsed file, or why it cannot be read. */
type ReadFile = ParsedText | Diagnostic;

export interface TooLarge {
  /** Null for a pipe, whose size is unknown. */
  readonly size: number | null;
}

/**
 * The real disk. Files are read synchronously: for a few files that takes a tenth of the time. A pipe may wait long, so it is not.
 * @param named - Files that a person named: of others, only those of their projects may be quoted. Without any, all may.
 */
export function disk(named: readonly string[] = [], interruptible: Interruptible = {}): FileSystem {
  return {
    ...(named.length === 0 ? {} : { isOutside: outsideOf(named) }),
    isDirectory: async (path) => statSync(path).isDirectory(),
    list: async (path) => readdirSync(path),
    read: async (path, most) => {
      const status = statSync(path);
      if (!status.isFile()) return (await readPipe(path, most, interruptible)) ?? { size: null };
      return status.size > most ? { size: status.size } : within(readFileSync(path), most);
    },
  };
}

function within(bytes: Uint8Array, most: number): Uint8Array | TooLarge {
  return bytes.length > most ? { size: bytes.length } : bytes;
}

/** The same disk, where each file that `isKept` is read and parsed once. */
export function remembering(system: FileSystem, isKept: (path: string) => boolean): FileSystem {
  const known = new Map<string, Promise<ReadFile>>();
  const once: FileSystem['once'] = (path, parse) => {
    const read = known.get(path) ?? parse();
    if (isKept(path)) known.set(path, read);
    return read;
  };
  return { ...system, once };
}

/** The same disk with these texts in place of its files, or in addition to them. */
export function withTexts(system: FileSystem, texts: ReadonlyMap<string, string>): FileSystem {
  const names = (folder: string): readonly string[] => {
    const prefix = folder === '.' ? '' : `${folder}/`;
    const inside = [...texts.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
    return inside.filter((name) => !name.includes('/'));
  };
  const { isOutside, keyOf } = system;
  return {
    ...(keyOf === undefined ? {} : { keyOf }),
    ...(isOutside === undefined ? {} : { isOutside: (path: string) => !texts.has(path) && isOutside(path) }),
    isDirectory: async (path) => {
      if (texts.has(path)) return false;
      return names(path).length > 0 || system.isDirectory(path);
    },
    list: async (path) => {
      const added = names(path);
      const listed = await system.list(path).catch((error: unknown) => {
        if (added.length > 0) return [];
        throw error;
      });
      return [...new Set([...listed, ...added])];
    },
    read: async (path, most) => {
      const text = texts.get(path);
      return text === undefined ? system.read(path, most) : within(Buffer.from(text), most);
    },
  };
}

export interface ReadFiles {
  /** Sorted by file name. */
  readonly files: readonly Parsed[];
  /** Whether every named file was read and parsed to its end. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const MIB = 1024 * 1024;

/** Bytes. The files of the largest license seen so far have less than a twentieth of it. */
const LARGEST = 16 * MIB;

/** A path in a file is relative to that file. */
export function pathIn(file: string, path: string): string {
  return isAbsolute(path) ? path : slashed(join(dirname(file), path));
}

export const YAML_NAME = /^[^.].*\.ya?ml$/;

/** The remedy for a file that is not there. */
export const CHECK_NAME = 'check its name, and the directory that the name is relative to';

/** `ifAbsent`: the remedy where one is not there. A directory stands for the `*.yaml` and `*.yml` files in it. A file that is named twice, however it is spelled, is read once. */
export async function readFiles(
  paths: readonly string[],
  system: FileSystem,
  ifAbsent: string = CHECK_NAME,
): Promise<ReadFiles> {
  const { keyOf = fileKey } = system;
  const found: Diagnostic[] = [];
  const names = new Map<string, string>();
  for (const path of paths)
    for (const name of await namesOf(path, system, (reason, at) => found.push(refused(at, reason)), ifAbsent)) {
      const key = keyOf(name);
      if (!names.has(key)) names.set(key, name);
    }
  const files: Parsed[] = [];
  for (const name of [...names.values()].sort()) {
    const read = await readFile(name, system);
    if ('source' in read) files.push(read);
    else found.push(read);
  }
  const diagnostics = [...found, ...files.flatMap((file) => file.diagnostics)];
  return { files, whole: found.length === 0 && files.every(({ whole }) => whole), diagnostics };
}

async function namesOf(
  given: string,
  system: FileSystem,
  refuse: (reason: UnplacedDiagnostic, path: string) => void,
  ifAbsent: string,
): Promise<readonly string[]> {
  const path = given.replace(/^(\.\/+)+(?=.)/, '').replace(/(?<=.)\/+$/, '');
  try {
    if (!(await system.isDirectory(path))) return [path];
    const names = (await system.list(path)).filter((name) => YAML_NAME.test(name));
    if (names.length > 0) return names.map((name) => (path === '.' ? name : `${path}/${name}`));
    refuse(unreadable('the directory has no YAML file', 'name a directory with `*.yaml` files'), path);
  } catch (error) {
    refuse(reasonOf(error, ifAbsent), path);
  }
  return [];
}

export async function readFile(name: string, system: FileSystem): Promise<ReadFile> {
  const parse = () => parseFile(name, system);
  return system.once === undefined ? parse() : system.once(name, parse);
}

/** Characters that an agent has in a file, about. */
const OF_AN_OBJECT = 800;

async function parseFile(name: string, system: FileSystem): Promise<ReadFile> {
  const text = await readText(name, system);
  if (typeof text !== 'string') return text;
  fitHeapTo(text.length / OF_AN_OBJECT);
  const parsed = await parseYaml(name, text);
  return system.isOutside?.(name) === true ? withoutText(parsed) : parsed;
}

/** The text of a file, or why it cannot be read. */
export async function readText(name: string, system: FileSystem): Promise<string | Diagnostic> {
  const bytes = await readBytes(name, system);
  if (!(bytes instanceof Uint8Array)) return bytes;
  return utf8In(bytes) ?? refused(name, unreadable('the file is not text in UTF-8', 'save it as UTF-8'));
}

/** The bytes of a file, or why it cannot be read. */
export async function readBytes(name: string, system: FileSystem): Promise<Uint8Array | Diagnostic> {
  try {
    const bytes = await system.read(name, LARGEST);
    return 'size' in bytes ? refused(name, tooLarge(bytes.size)) : bytes;
  } catch (error) {
    return refused(name, reasonOf(error));
  }
}

/** The file with its values and places; no finding about it quotes it. */
function withoutText({ source, diagnostics, ...parsed }: ParsedText): ParsedText {
  const mark: Source['mark'] = (path, part) => ({
    place: source.mark(path, part).place,
    excerpt: null,
    isHidden: true,
  });
  return { ...parsed, source: { ...source, mark }, diagnostics: diagnostics.map(hidden) };
}

function refused(name: string, reason: UnplacedDiagnostic): Diagnostic {
  return diagnose(blankSource(name).mark([], 'key'), reason);
}

function tooLarge(size: number | null): UnplacedDiagnostic {
  const has = size === null ? 'more' : `${(size / MIB).toFixed(1)} MiB`;
  const message = `the file has ${has}; at most ${LARGEST / MIB} MiB are read`;
  return { code: 'file-too-large', message, remedy: 'split it into several files' };
}

function unreadable(message: string, remedy: string | null): UnplacedDiagnostic {
  return { code: 'file-unreadable', message, remedy };
}

/** What the operating system says. Any other error is a defect of chatform, and is thrown again. */
function reasonOf(error: unknown, ifAbsent = CHECK_NAME): UnplacedDiagnostic {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case null:
      throw error;
    case 'ENOENT':
      return unreadable('the file does not exist', ifAbsent);
    case 'EACCES':
    case 'EPERM':
      return unreadable('the file may not be read', 'check its permissions');
    case 'EISDIR':
      return unreadable('it is a directory', 'name a file');
    default:
      return unreadable(`the file cannot be read: ${String(code)}`, null);
  }
}
