// What `npm pack` makes: small, whole, and at work in a folder that knows no checkout.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tries } from './tries.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { dependencies, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly repository: { readonly url: string };
};

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** A folder in which the package is installed. */
const app = mkdtempSync(join(tmpdir(), 'chatform-package-'));
const installed = join(app, 'node_modules/chatform');
let packed: Packed;

beforeAll(() => {
  const made = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', app], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  [packed] = JSON.parse(made) as [Packed];
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(app, packed.filename), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(app, 'node_modules', name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(app, 'node_modules', name));
  }
});
afterAll(() => {
  rmSync(app, { recursive: true });
});

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8', env: { PATH: process.env['PATH'] } });

const command = (...args: readonly string[]): string => run(join(installed, 'dist/cli.cjs'), ...args);

test('It has less than a megabyte, and no tests, source maps or code caches', () => {
  expect(packed.size).toBeLessThan(1_000_000);
  expect(packed.files.filter(({ path }) => /\.(map|v8|test\.\w+)$|^(test|src)\//.test(path))).toEqual([]);
});

test('A newcomer begins a project and applies it', () => {
  command('init');
  expect(command('validate')).toContain('Valid: 6 resources');
  expect(command('apply', '--yes')).toContain('Apply complete. 6 added');
  expect(command('plan')).toContain('No changes.');
});

test('Each door of the library opens, with its types', () => {
  writeFileSync(
    join(app, 'doors.ts'),
    `import { openProject } from 'chatform';
import { createServiceClient } from 'chatform/client';
import { createEmulator } from 'chatform/emulator';
import * as parts from 'chatform/parts';
const named: string[] = [openProject, createServiceClient, createEmulator].map(({ name }) => typeof name);
console.log(named.length, Object.keys(parts).length > 50);
`,
  );
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }');
  const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
  // The declarations themselves are checked with all tries: that takes as long as ten other tests.
  const isDeep = tries(1, 0) === 1;
  const roots = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--skipLibCheck', String(!isDeep)];
  run(join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...roots, 'doors.ts');
  expect(run('doors.js')).toBe('3 true\n');
});

test('Each link of its README leads to a file that is packed, or to the repository', () => {
  const address = repository.url.replace(/^git\+|\.git$/g, '');
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const links = Array.from(readme.matchAll(/\]\(([^)#]+)/g), ([, link = '']) => link);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !link.startsWith(address) && !existsSync(join(installed, link)))).toEqual([]);
});
