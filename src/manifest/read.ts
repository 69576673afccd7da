// Names of files and directories in; parsed files, sorted by name, and everything that kept one from being read out.
// The disk is injected. What the files say is not looked at.

import type { Diagnostic } from '../model.ts';
import { blankSource, diagnose } from './mark.ts';
import { type Parsed, parseYaml } from './parse.ts';

/** The disk, as far as reading needs it. Each call rejects with a Node.js error (`code: 'ENOENT'`, ...). */
export interface FileSystem {
  readonly stat: (path: string) => Promise<{ readonly isDirectory: boolean; readonly size: number }>;
  /** Names in a directory. */
  readonly list: (path: string) => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<Uint8Array>;
}

/** The real disk. */
export async function disk(): Promise<FileSystem> {
  const { readdir, readFile, stat } = await import('node:fs/promises');
  return {
    stat: async (path) => {
      const status = await stat(path);
      return { isDirectory: status.isDirectory(), size: status.size };
    },
    list: (path) => readdir(path),
    read: (path) => readFile(path),
  };
}

export interface ReadFiles {
  /** Sorted by file name. */
  readonly files: readonly Parsed[];
  /** Whether every named file is among them, as a whole. */
  readonly whole: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Bytes. A license of the largest size seen takes less than a twentieth. */
const LARGEST = 16 * 1024 * 1024;

const YAML_NAME = /^[^.].*\.ya?ml$/;

/** Directories stand for the `*.yaml` and `*.yml` files in them. A file that is named twice is read once. */
export async function readFiles(paths: readonly string[], system: FileSystem): Promise<ReadFiles> {
  const found: Diagnostic[] = [];
  const names = new Set<string>();
  for (const path of paths) for (const name of await namesOf(path, system, found)) names.add(name);
  const files: Parsed[] = [];
  for (const name of [...names].sort()) {
    const parsed = await readFile(name, system, found);
    if (parsed !== null) files.push(parsed);
  }
  const diagnostics = [...found, ...files.flatMap((file) => file.diagnostics)];
  return { files, whole: found.length === 0 && files.every(({ whole }) => whole), diagnostics };
}

async function namesOf(path: string, system: FileSystem, found: Diagnostic[]): Promise<readonly string[]> {
  try {
    if (!(await system.stat(path)).isDirectory) return [path.replace(/^(\.\/)+(?=.)/, '')];
    const names = (await system.list(path)).filter((name) => YAML_NAME.test(name));
    if (names.length > 0) return names.map((name) => (path === '.' ? name : `${path.replace(/\/+$/, '')}/${name}`));
    found.push(unreadable(path, 'the directory has no YAML file', 'name a file, or a directory with `*.yaml` files'));
  } catch (error) {
    found.push(unreadable(path, `cannot be read: ${reason(error)}`, remedyFor(error)));
  }
  return [];
}

async function readFile(name: string, system: FileSystem, found: Diagnostic[]): Promise<Parsed | null> {
  try {
    const { size } = await system.stat(name);
    if (size > LARGEST) {
      found.push(tooLarge(name, size));
      return null;
    }
    const bytes = await system.read(name);
    if (bytes.length > LARGEST) {
      found.push(tooLarge(name, bytes.length));
      return null;
    }
    return parseYaml(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) {
      found.push(unreadable(name, 'the file is not text in UTF-8', 'save it as UTF-8'));
    } else {
      found.push(unreadable(name, `cannot be read: ${reason(error)}`, remedyFor(error)));
    }
    return null;
  }
}

function tooLarge(name: string, size: number): Diagnostic {
  const megabytes = (size / 1024 / 1024).toFixed(1);
  const message = `the file has ${megabytes} MiB; the largest that is read has ${LARGEST / 1024 / 1024} MiB`;
  return diagnose(blankSource(name).mark([], 'key'), {
    code: 'file-too-large',
    message,
    remedy: 'split it into several files',
  });
}

function unreadable(name: string, message: string, remedy: string | null): Diagnostic {
  return diagnose(blankSource(name).mark([], 'key'), { code: 'file-unreadable', message, remedy });
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function reason(error: unknown): string {
  switch (codeOf(error)) {
    case null:
      throw error;
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a directory';
    default:
      return String(codeOf(error));
  }
}

function remedyFor(error: unknown): string | null {
  return codeOf(error) === 'ENOENT' ? 'check the name, and the directory it is relative to' : null;
}
