// `npm run test:nodes`: the command line's tests on each Node that we support. The binaries are npm packages, installed in a folder that is removed
// at the end.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VERSIONS = ['20.19', '22', '24', '26'];
const TESTS = ['test/cli', 'test/commands', 'test/package.test.ts'];

const npm = (...args: readonly string[]) =>
  execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });

/** One build serves every Node, but for what V8 has compiled. */
npm('run', '--silent', 'build');
const [digest = ''] = readdirSync(join(ROOT, 'dist/cli')).flatMap(
  (name) => /^command-line-(\w+)\.cjs$/.exec(name)?.[1] ?? [],
);

const folder = mkdtempSync(join(tmpdir(), 'chatform-nodes-'));
const failed: string[] = [];
try {
  for (const version of VERSIONS) {
    const prefix = join(folder, version);
    const name = `node-${process.platform}-${process.arch}`;
    npm('install', '--silent', '--prefix', prefix, '--no-save', `${name}@${version}`);
    const bin = join(prefix, 'node_modules', name, 'bin');
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
    const node = join(bin, 'node');
    console.log(`\nNode ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
    execFileSync(node, ['--import', 'tsx', 'scripts/keep-compiled.ts', digest], { cwd: ROOT, env, stdio: 'ignore' });
    const { status, signal } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...TESTS], {
      cwd: ROOT,
      env,
      stdio: 'inherit',
    });
    if (status !== 0) failed.push(`${version} (${signal ?? `exit code ${status}`})`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (failed.length > 0) {
  console.error(`The tests failed on Node ${failed.join(', ')}.`);
  process.exitCode = 1;
}
