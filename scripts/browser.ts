// The path of a Chromium on a machine, found or installed from Debian's packages. As a program it prints the path: `tsx scripts/browser.ts`.

import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { foundOrInstalled, type Machine, programs, thisMachine } from './packages.ts';

export type Browser = { readonly path: string } | { readonly missing: string };

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];

export function browser(machine: Machine = thisMachine(FOLDERS)): Promise<Browser> {
  return foundOrInstalled(running, { package: { name: 'chromium' }, machine });
}

function running(machine: Machine): { readonly path: string } | undefined {
  const path = programs(NAMES, machine).find(runs);
  return path === undefined ? undefined : { path };
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = await browser();
  if ('missing' in found) {
    console.error(found.missing);
    process.exitCode = 1;
  } else console.log(found.path);
}
