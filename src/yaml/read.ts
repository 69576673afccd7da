// Names of files and directories in; parsed files, sorted by name, and everything that kept one from being read out.
// What the files say is not looked at.

import type { Diagnostic } from '../base/model.ts';
import type { FileSystem } from './file-system.ts';
import { blankSource, diagnose, type Finding } from './mark.ts';
import { type Parsed, parseYaml } from './parse.ts';

export interface ReadFiles {
  /** Sorted by file name. */
  readonly files: readonly Parsed[];
  /** Whether every named file is among them, as a whole. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const MIB = 1024 * 1024;

/** Bytes. A license of the largest size seen takes less than a twentieth. */
const LARGEST = 16 * MIB;

const YAML_NAME = /^[^.].*\.ya?ml$/;

/** Directories stand for the `*.yaml` and `*.yml` files in them. A file that is named twice is read once. */
export async function readFiles(paths: readonly string[], system: FileSystem): Promise<ReadFiles> {
  const found: Diagnostic[] = [];
  const names = new Set<string>();
  for (const path of paths) for (const name of await namesOf(path, system, found)) names.add(name);
  const files: Parsed[] = [];
  for (const name of [...names].sort()) {
    const read = await readFile(name, system);
    if ('source' in read) files.push(read);
    else found.push(read);
  }
  const diagnostics = [...found, ...files.flatMap((file) => file.diagnostics)];
  return { files, whole: found.length === 0 && files.every(({ whole }) => whole), diagnostics };
}

async function namesOf(given: string, system: FileSystem, found: Diagnostic[]): Promise<readonly string[]> {
  const path = given.replace(/^(\.\/+)+(?=.)/, '').replace(/(?<=.)\/+$/, '');
  try {
    if (!(await system.isDirectory(path))) return [path];
    const names = (await system.list(path)).filter((name) => YAML_NAME.test(name));
    if (names.length > 0) return names.map((name) => (path === '.' ? name : `${path}/${name}`));
    found.push(refused(path, unreadable('the directory has no YAML file', 'name one that has `*.yaml` files')));
  } catch (error) {
    found.push(refused(path, reasonOf(error)));
  }
  return [];
}

/** One file, or why it cannot be read. */
export async function readFile(name: string, system: FileSystem): Promise<Parsed | Diagnostic> {
  try {
    const bytes = await system.read(name, LARGEST);
    if ('size' in bytes) return refused(name, tooLarge(bytes.size));
    const text = decoded(bytes);
    if (text === null) return refused(name, unreadable('the file is not text in UTF-8', 'save it as UTF-8'));
    return await parseYaml(name, text);
  } catch (error) {
    return refused(name, reasonOf(error));
  }
}

/** Null for other encodings; UTF-16 can be told by its zero bytes. */
function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function refused(name: string, finding: Finding): Diagnostic {
  return diagnose(blankSource(name).mark([], 'key'), finding);
}

function tooLarge(size: number | null): Finding {
  const has = size === null ? 'more' : `${(size / MIB).toFixed(1)} MiB`;
  const message = `the file has ${has}; at most ${LARGEST / MIB} MiB are read`;
  return { code: 'file-too-large', message, remedy: 'split it into several files' };
}

function unreadable(message: string, remedy: string | null): Finding {
  return { code: 'file-unreadable', message, remedy };
}

/** What the operating system says; anything else is a defect of ours, and thrown on. */
function reasonOf(error: unknown): Finding {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case null:
      throw error;
    case 'ENOENT':
      return unreadable('there is no such file', 'check the name, and the directory it is relative to');
    case 'EACCES':
    case 'EPERM':
      return unreadable('the file may not be read', 'check its permissions');
    case 'EISDIR':
      return unreadable('it is a directory', 'name a file');
    default:
      return unreadable(`the file cannot be read: ${String(code)}`, null);
  }
}
