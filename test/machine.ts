// Machines for tests of what is found or installed: a folder with programs, each a line of shell, and an apt-get of our own.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Machine } from '../scripts/packages.ts';

/** A machine with these programs, in a folder that is also its root. */
export function machine(programs: { readonly [name: string]: string }): {
  readonly folder: string;
  readonly as: Machine;
} {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { folder, as: { env: { PATH: '' }, folders: [folder], isRoot: true, root: folder } };
}

/** An apt-get that writes each request into the file `asked`, and runs a line with `$folder` of the machine. */
export function aptGet(line: string): string {
  return `folder=$(/usr/bin/dirname "$0"); echo "$@" >> "$folder/asked"; ${line}`;
}
