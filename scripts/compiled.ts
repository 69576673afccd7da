// Loader of the built scripts, with the code cache of V8. V8 compiles again what it does not take; dist/cli.cjs has a copy of this file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** The function that scripts/bundle.ts puts around each script. */
type Wrapped = (require: NodeJS.Require, module: { exports: object }, exports: object) => void;

/** The files of one script. */
export interface Built {
  readonly script: string;
  readonly compiled: string;
}

/**
 * They have the digest of the build in their names, because V8 itself does not tell scripts of the same length apart, such as those of 0.1.0 and
 * 0.1.1: parts of two builds never meet. Nor does it tell machines apart.
 */
export function builtIn(folder: string, name: string, digest: string, work: Work = 'all'): Built {
  const path = join(folder, `${name}-${digest}`);
  return {
    script: `${path}.cjs`,
    compiled: `${path}-${process.version}-${process.platform}-${process.arch}-${work}.v8`,
  };
}

/** What V8 compiled for: `brief` is a help, or a check of files, which needs a third of what a plan needs. */
export type Work = 'brief' | 'all';

const BRIEF = ['--help', '-h', 'help', 'validate', 'init', 'complete', 'completion'];

export function workOf(argv: readonly string[]): Work {
  return argv.some((word) => BRIEF.includes(word)) ? 'brief' : 'all';
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

/** The scripts of one build. */
export interface Scripts {
  /** What a script exports; the first call loads it. */
  readonly exportsOf: (name: string) => object;
  readonly loaded: ReadonlyMap<string, Script>;
}

export function scriptsOf(folder: string, digest: string, require: NodeJS.Require, work: Work = 'all'): Scripts {
  const loaded = new Map<string, Script>();
  const modules = new Map<string, { exports: object }>();
  const exportsOf = (name: string): object => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const script = scriptOf(builtIn(folder, name, digest, work));
    loaded.set(name, script);
    const wrapped: Wrapped = script.runInThisContext();
    wrapped(requireIn, module, module.exports);
    return module.exports;
  };
  // A script requires another one by its name, and everything else as a file in dist does.
  const required = (id: string): unknown => {
    const name = /^\.\/([\w-]+)\.cjs$/.exec(id)?.[1];
    return name === undefined ? require(id) : exportsOf(name);
  };
  const requireIn = Object.assign(required, { resolve: require.resolve }) as NodeJS.Require;
  return { exportsOf, loaded };
}
