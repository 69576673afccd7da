// Nothing in, a folder with the scripts of the bench as JavaScript out, so that node runs them as it runs chatform: without a loader.

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = new URL('../', import.meta.url);
/** Where imports still find the packages. */
const BUILT = fileURLToPath(new URL('node_modules/.cache/chatform-bench', ROOT));

export async function buildScripts(): Promise<string> {
  await build({
    entryPoints: ['floor', 'by-hand'].map((name) => fileURLToPath(new URL(`bench/scripts/${name}.ts`, ROOT))),
    outdir: BUILT,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return BUILT;
}
