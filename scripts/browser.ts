// A machine in; the path of a Chromium on it, installed from Debian's packages where that can be, or why there is none, out. Nothing is downloaded past
// the package manager. As a program it prints the path: `tsx scripts/browser.ts`.

import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type Browser = { readonly path: string } | { readonly missing: string };

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];

/** Long enough for an ordinary connection; a test that waits for more is better skipped. */
const PATIENCE = 150_000;

/** What is looked at of a machine. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Where programs are, besides PATH. */
  readonly folders: readonly string[];
  readonly isRoot: boolean;
}

const HERE: Machine = { env: process.env, folders: FOLDERS, isRoot: process.getuid?.() === 0 };

export function browser(machine: Machine = HERE): Browser {
  const found = programs(NAMES, machine).find(runs);
  if (found !== undefined) return { path: found };
  const refusal = installed(machine);
  const path = programs(NAMES, machine).find(runs);
  if (path !== undefined) return { path };
  return { missing: `no browser can be installed here: ${refusal ?? 'apt-get installed none that runs'}` };
}

function programs(names: readonly string[], { env, folders }: Machine): readonly string[] {
  const all = new Set([...(env['PATH'] ?? '').split(delimiter), ...folders].filter((folder) => folder !== ''));
  return names.flatMap((name) => [...all].map((folder) => join(folder, name))).filter(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Some systems have a program of that name that only says where to get the real one. */
function runs(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/** Null when it went well. */
function installed(machine: Machine): string | null {
  if (!machine.isRoot) return 'only root can install the package chromium';
  const [apt] = programs(['apt-get'], machine);
  if (apt === undefined) return 'there is no apt-get';
  const run = (...args: readonly string[]): void => {
    execFileSync(apt, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: PATIENCE,
      env: { ...machine.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  };
  try {
    run('update', '--quiet');
    run('install', '--yes', '--quiet', '--no-install-recommends', 'chromium');
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? error.message) : String(error);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = browser();
  if ('missing' in found) {
    console.error(found.missing);
    process.exitCode = 1;
  } else console.log(found.path);
}
