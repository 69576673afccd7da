// A machine in; the path of a Chromium on it, installed from Debian's packages where that can be, or why there is none, out. Nothing is downloaded past
// the package manager. As a program it prints the path: `tsx scripts/browser.ts`.

import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export type Browser = { readonly path: string } | { readonly missing: string };

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];

/** Long enough for an ordinary connection; a test that waits for more is better skipped. */
const PATIENCE = 150_000;

export function browser(env: NodeJS.ProcessEnv = process.env): Browser {
  const found = whereIs(NAMES, env);
  if (found !== null) return { path: found };
  const refusal = installed(env);
  const path = whereIs(NAMES, env);
  if (path !== null) return { path };
  return { missing: `no browser can be installed here: ${refusal ?? 'apt-get installed none'}` };
}

function whereIs(names: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const folders = new Set([...(env['PATH'] ?? '').split(delimiter), ...FOLDERS].filter((folder) => folder !== ''));
  const paths = names.flatMap((name) => [...folders].map((folder) => join(folder, name)));
  return paths.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Null when it went well. */
function installed(env: NodeJS.ProcessEnv): string | null {
  if (process.getuid?.() !== 0) return 'only root can install the package chromium';
  const apt = whereIs(['apt-get'], env);
  if (apt === null) return 'there is no apt-get';
  const run = (...args: readonly string[]): void => {
    execFileSync(apt, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: PATIENCE,
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
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
