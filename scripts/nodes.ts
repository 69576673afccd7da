// `npm run test:nodes`: the command line's tests on each Node that we support. The binaries are npm packages, installed in a folder that goes
// again.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VERSIONS = ['20.19', '22', '24', '26'];
const TESTS = ['test/cli', 'test/commands', 'test/package.test.ts'];

const folder = mkdtempSync(join(tmpdir(), 'chatform-nodes-'));
const failed: string[] = [];
try {
  for (const version of VERSIONS) {
    const prefix = join(folder, version);
    const name = `node-${process.platform}-${process.arch}`;
    execFileSync('npm', ['install', '--prefix', prefix, '--no-save', `${name}@${version}`], { stdio: 'ignore' });
    const bin = join(prefix, 'node_modules', name, 'bin');
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
    const node = join(bin, 'node');
    console.log(`\nNode ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
    // The build keeps what V8 has compiled for the Node that builds.
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, env, stdio: 'inherit' });
    const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run', ...TESTS], {
      cwd: ROOT,
      env,
      stdio: 'inherit',
    });
    if (status !== 0) failed.push(version);
  }
} finally {
  rmSync(folder, { recursive: true });
}
if (failed.length > 0) {
  console.error(`The tests failed on Node ${failed.join(', ')}.`);
  process.exitCode = 1;
}
