// Writes the code cache of the script in dist/cli/ that has the given digest: what V8 compiles of it while it does the work of the demo. Every later
// process begins with that. Works in a folder of its own, on an emulator of its own.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Script } from 'node:vm';
import { listen, openStateFile } from '../src/emulator/index.ts';
import { builtIn, exportsOf, scriptOf } from './compiled.ts';

const [digest = ''] = process.argv.slice(2);
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const BUILT = builtIn(join(DIST, 'cli'), digest);
// The script is loaded by files of that folder.
const REQUIRE = createRequire(DIST);
const EXAMPLE = new URL('../examples/support-team/', import.meta.url);
const DEMO = new URL('../demo/', import.meta.url);
const work = mkdtempSync(join(tmpdir(), 'chatform-build-'));

/** What people wait for. Each function that is kept is loaded whether it is called or not, so no more than that. */
const COMMANDS: readonly (readonly string[])[] = [['--help'], ['validate'], ['plan'], ['apply', '--yes']];

async function run(script: Script, args: readonly string[]): Promise<void> {
  const code = await exportsOf(script, REQUIRE).commandLine(args);
  if (code !== 0) throw new Error(`chatform ${args.join(' ')} ended with ${code}`);
}

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
const script = scriptOf(BUILT);
for (const args of COMMANDS) await run(script, args);
setFlagsFromString('--flush-bytecode');
writeFileSync(BUILT.compiled, script.createCachedData());
await close();
rmSync(work, { recursive: true });
