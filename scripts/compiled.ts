// Loader of the built command line, with the code cache of V8. V8 compiles again what it does not take; dist/cli.cjs has a copy of this file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

type CommandLine = typeof import('../src/command-line.ts') & {
  /** What a door of the library exports. */
  readonly door: (name: string) => object;
};

/** The function that scripts/bundle.ts puts around the script. */
type Wrapped = (require: NodeJS.Require, module: { exports: CommandLine }, exports: object) => void;

/** The files of one build. */
export interface Built {
  readonly script: string;
  readonly compiled: string;
}

/**
 * They have the digest of the script in their names, because V8 itself does not tell scripts of the same length apart, such as those of 0.1.0 and
 * 0.1.1: parts of two builds never meet. Nor does it tell machines apart.
 */
export function builtIn(folder: string, digest: string): Built {
  const name = join(folder, `command-line-${digest}`);
  return {
    script: `${name}.cjs`,
    compiled: `${name}-${process.version}-${process.platform}-${process.arch}.v8`,
  };
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

export function scriptOf({ script, compiled }: Built): Script {
  const cachedData = readIfThere(compiled);
  // The build leaves ASCII only, and latin1 needs no decoding.
  return new Script(readFileSync(script, 'latin1'), { filename: script, ...(cachedData && { cachedData }) });
}

export function exportsOf(script: Script, require: NodeJS.Require): CommandLine {
  const wrapped: Wrapped = script.runInThisContext();
  const module = { exports: {} as CommandLine };
  wrapped(require, module, module.exports);
  return module.exports;
}
