// The sources in; a dist that is not older than they are out, before the first test runs: tests of the command line start what people start.

import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs));
}

function builtAt(): number {
  return statSync(join(ROOT, 'dist/cli.cjs'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Called by vitest once, before all test files. */
export function setup(): void {
  const folders = ['src', 'scripts'].map((folder) => newest(join(ROOT, folder)));
  const sources = Math.max(...folders, statSync(join(ROOT, 'package.json')).mtimeMs);
  if (builtAt() >= sources) return;
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
}
