// The command line as it was built, and what V8 has compiled of it before, in; the functions it exports out. What V8 does not take it compiles
// again. A copy of this is in dist/cli.js.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

type CommandLine = typeof import('../src/command-line.ts');

/** The function that scripts/bundle.ts puts around the script. */
type Wrapped = (require: NodeJS.Require, module: { exports: CommandLine }, exports: object) => void;

/**
 * Where the compiled part is kept, for this script and this version of node on this sort of machine: V8 itself tells neither machines apart nor
 * scripts of the same length, such as those of 0.1.0 and 0.1.1.
 */
export function keptIn(folder: URL, source = readFileSync(scriptFile(folder))): URL {
  const digest = createHash('sha1').update(source).digest('hex');
  return new URL(`command-line-${digest}-${process.version}-${process.platform}-${process.arch}.v8`, folder);
}

function scriptFile(folder: URL): URL {
  return new URL('command-line.cjs', folder);
}

function readIfThere(file: URL): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

export function scriptIn(folder: URL): Script {
  const source = readFileSync(scriptFile(folder));
  const cachedData = readIfThere(keptIn(folder, source));
  // The build leaves ASCII only, and latin1 needs no decoding.
  return new Script(source.toString('latin1'), {
    filename: fileURLToPath(scriptFile(folder)),
    ...(cachedData && { cachedData }),
  });
}

export function exportsOf(folder: URL, script = scriptIn(folder)): CommandLine {
  const wrapped: Wrapped = script.runInThisContext();
  const module = { exports: {} as CommandLine };
  wrapped(createRequire(scriptFile(folder)), module, module.exports);
  return module.exports;
}
