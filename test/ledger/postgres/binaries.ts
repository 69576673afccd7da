// The programs of a PostgreSQL server on this machine: found, or installed from Debian's packages.

import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foundOrInstalled, isProgram, type Machine, programs, thisMachine } from '../../../scripts/packages.ts';

export interface Binaries {
  /** Folder of `postgres`, `initdb` and `pg_ctl`. */
  readonly bin: string;
  /** As `postgres --version` says it. */
  readonly version: string;
}

const FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
];

const OLDEST = 13;

const PACKAGE = {
  name: 'postgresql',
  // Otherwise the package makes a cluster of its own.
  files: { 'etc/postgresql-common/createcluster.conf': 'create_main_cluster = false\n' },
};

type Found = Binaries | { readonly missing: string };

let here: Promise<Found> | undefined;

/**
 * The first that is new enough: on PATH, where pg_config says, and then the newest in the folders where systems put them. This machine is searched
 * once.
 */
export function postgresBinaries(machine?: Machine): Promise<Found> {
  if (machine !== undefined) return foundOn(machine);
  here ??= foundOn(thisMachine(FOLDERS));
  return here;
}

function foundOn(machine: Machine): Promise<Found> {
  return foundOrInstalled(newEnough, { package: PACKAGE, machine });
}

function newEnough(machine: Machine): Binaries | undefined {
  const onPath = programs(['postgres'], { ...machine, folders: [] });
  const configured = programs(['pg_config'], machine).map((path) => join(output(path, '--bindir'), 'postgres'));
  for (const path of new Set([...onPath, ...configured, ...programs(['postgres'], machine)].filter(isProgram))) {
    // The other programs are next to the real one, not next to a link to it.
    const bin = dirname(realpathSync(path));
    if (!['postgres', 'initdb', 'pg_ctl'].every((name) => isProgram(join(bin, name)))) continue;
    const version = output(join(bin, 'postgres'), '--version');
    const [, major] = /\(PostgreSQL\) (\d+)/.exec(version) ?? [];
    if (Number(major) >= OLDEST) return { bin, version };
  }
  return undefined;
}

/** Empty for a program that fails. */
function output(path: string, option: string): string {
  try {
    return execFileSync(path, [option], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}
