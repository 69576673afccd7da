// Writes the code caches of the scripts in dist/cli/ that have the given digest: what V8 compiles of them while they do the work of the demo. Every
// later process begins with that. Works in a folder of its own, on an emulator of its own.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { listen, openStateFile } from '../src/emulator/index.ts';
import { builtIn, scriptsOf, type Work } from './compiled.ts';

const [digest = ''] = process.argv.slice(2);
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const FOLDER = join(DIST, 'cli');
const EXAMPLE = new URL('../examples/support-team/', import.meta.url);
const DEMO = new URL('../demo/', import.meta.url);
const work = mkdtempSync(join(tmpdir(), 'chatform-build-'));

/** What people wait for. Each function that is kept is loaded whether it is called or not, so no more than that. */
const COMMANDS: readonly (readonly [work: Work, readonly string[]])[] = [
  ['brief', ['--help']],
  ['brief', ['validate']],
  ['all', ['plan']],
  ['all', ['apply', '--yes']],
  ['all', ['drift']],
];

for (const name of ['manifest', 'overlays']) cpSync(new URL(name, EXAMPLE), join(work, name), { recursive: true });
cpSync(new URL('license.json', DEMO), join(work, 'license.json'));
const emulator = await openStateFile(join(work, 'license.json'), { now: Date.now, random: Math.random });
const { url, close } = await listen(emulator, { port: 0, host: '127.0.0.1' });
const project = readFileSync(new URL('chatform.yaml', DEMO), 'utf8')
  .replaceAll('../examples/support-team/', '')
  .replace(/base_url: .*/, `base_url: ${url}`)
  .replace(/propagation_delay: .*/, '');
writeFileSync(join(work, 'chatform.yaml'), project);

process.chdir(work);
process.env['CHATFORM_TOKEN'] = 'any';
// No proxy of whoever builds leads to this emulator.
process.env['no_proxy'] = '127.0.0.1';
// V8 forgets what has not run for a while. It also takes nothing that was kept under other flags, so this one is taken back in time.
setFlagsFromString('--no-flush-bytecode');
// The scripts are loaded by files of dist.
const { exportsOf, loaded } = scriptsOf(FOLDER, digest, createRequire(DIST));
const { commandLine } = exportsOf('command-line') as typeof import('../src/command-line.ts');
for (const [work, args] of COMMANDS) {
  const code = await commandLine(args);
  if (code !== 0 && code !== 2) throw new Error(`chatform ${args.join(' ')} ended with ${code}`);
  setFlagsFromString('--flush-bytecode');
  for (const [name, script] of loaded)
    writeFileSync(builtIn(FOLDER, name, digest, work).compiled, script.createCachedData());
  setFlagsFromString('--no-flush-bytecode');
}
setFlagsFromString('--flush-bytecode');
await close();
rmSync(work, { recursive: true });
