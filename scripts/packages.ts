// Programs of a machine, found or installed from the packages of its system. Nothing is downloaded past the package manager.

import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { alone } from './alone.ts';

/** What is looked at of a machine. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Where programs are, in addition to PATH. In the last `*` of a folder, any text can stand; the highest number comes first. */
  readonly folders: readonly string[];
  readonly isRoot: boolean;
  /** Folder of the system's files. */
  readonly root: string;
}

/** A package of Debian, and files that it reads while it is installed: by path from the root, where the system has none. */
export interface Package {
  readonly name: string;
  readonly files?: { readonly [path: string]: string };
}

/** Long enough for an ordinary connection; a test that waits for more is better skipped. */
const PATIENCE = 150_000;

/** The machine that this process runs on. */
export function thisMachine(folders: readonly string[]): Machine {
  return { env: process.env, folders, isRoot: process.getuid?.() === 0, root: '/' };
}

/** Paths of the programs with these names, in the order of the names and then of the folders. */
export function programs(names: readonly string[], { env, folders }: Machine): readonly string[] {
  const all = [...(env['PATH'] ?? '').split(delimiter), ...folders.flatMap(expanded)];
  const places = [...new Set(all.filter((folder) => folder !== ''))];
  return names.flatMap((name) => places.map((folder) => join(folder, name))).filter(isProgram);
}

function expanded(folder: string): readonly string[] {
  const star = folder.lastIndexOf('*');
  if (star === -1) return [folder];
  const [before, after] = [folder.slice(0, star), folder.slice(star + 1)];
  const parent = dirname(`${before}x`);
  const start = before.endsWith('/') ? '' : basename(before);
  try {
    const names = readdirSync(parent).filter((name) => name.startsWith(start));
    const highest = names.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
    return highest.map((name) => join(parent, `${name}${after}`));
  } catch {
    return [];
  }
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * What `find` finds, if need be after installing a package, or the reason why there is nothing. Of several processes that ask at once, one installs and the
 * others wait for it.
 */
export async function foundOrInstalled<Found extends object>(
  find: (machine: Machine) => Found | undefined,
  { package: wanted, machine }: { readonly package: Package; readonly machine: Machine },
): Promise<Found | { readonly missing: string }> {
  const found = find(machine);
  if (found !== undefined) return found;
  const refused = (why: string) => ({ missing: `${wanted.name} is not on this machine, and ${why}` });
  if (!machine.isRoot) return refused('only root can install its package');
  const [apt] = programs(['apt-get'], machine);
  if (apt === undefined) return refused('there is no apt-get to install its package');
  return alone(`chatform installs with ${apt}`, async () => {
    const meanwhile = find(machine);
    if (meanwhile !== undefined) return meanwhile;
    const error = await installed(apt, wanted, machine);
    if (error !== null) return refused(`its package cannot be installed: ${error}`);
    return find(machine) ?? refused('its package has no program that can be used');
  });
}

/** Debian asks this program before it starts a service. One that a killed process left behind forbids nothing. */
const NO_SERVICES = `#!/bin/sh
# Written by scripts/packages.ts of chatform, which removes it again.
kill -0 ${process.pid} 2> /dev/null && exit 101
exit 0
`;

/** Null when it went well. */
async function installed(apt: string, { name, files }: Package, machine: Machine): Promise<string | null> {
  const env = { ...machine.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' };
  const run = (...args: readonly string[]) =>
    promisify(execFile)(apt, args, { timeout: PATIENCE, maxBuffer: 1 << 26, env });
  const written: string[] = [];
  try {
    for (const [path, text] of Object.entries({ 'usr/sbin/policy-rc.d': NO_SERVICES, ...files }))
      if (await isWritten(join(machine.root, path), text)) written.push(join(machine.root, path));
    await run('update', '--quiet');
    // Another package manager may be at work.
    await run('install', '--yes', '--quiet', '--option=DPkg::Lock::Timeout=100', '--no-install-recommends', name);
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? error.message) : String(error);
  } finally {
    for (const path of written) await rm(path, { force: true });
  }
}

/** False if the system has a file of that name, which stays as it is. */
async function isWritten(path: string, text: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o755 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
