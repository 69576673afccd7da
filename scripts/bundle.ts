// The sources of the command line, and the validators that scripts/precompile.ts made, in; dist/cli.js and its parts in dist/cli/ out. To find, read and compile hundreds of small files takes node
// longer than most commands work: in a bundle a command loads a few, and none that it does not use.

import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Our commands are no programs of their own, and to load what would start those takes a tenth of the time in which node starts. */
function withoutProcesses(commander: string): string {
  const loading = "const childProcess = require('node:child_process');";
  if (!commander.includes(loading))
    throw new Error('commander loads child processes in another way now: see scripts/bundle.ts');
  return commander.replace(loading, '').replaceAll('childProcess.', "require('node:child_process').");
}

/** What the sources find out when they run is known here. */
const knownAtBuild: Plugin = {
  name: 'known at build',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: `${ROOT}scripts/undici-parts.js` }));
    onLoad({ filter: /\/src\/(manifest|project)\/validator\.ts$/ }, ({ path }) => ({
      contents: readFileSync(`${ROOT}dist/${basename(dirname(path))}/validator.js`, 'utf8'),
      loader: 'js',
    }));
    onLoad({ filter: /\/commander\/lib\/command\.js$/ }, ({ path }) => ({
      contents: withoutProcesses(readFileSync(path, 'utf8')),
    }));
    onLoad({ filter: /\/src\/version\.ts$/ }, () => {
      const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { readonly version: string };
      return { contents: `export const packageVersion = () => ${JSON.stringify(version)};`, loader: 'js' };
    });
  },
};

rmSync(`${ROOT}dist/cli`, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/cli.ts'],
  outdir: 'dist',
  chunkNames: 'cli/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'linked',
  minify: true,
  // Libraries in CommonJS ask for node's own modules by `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  // Looks for files of its own beside itself, and is only asked for with --log-json.
  external: ['pino'],
  plugins: [knownAtBuild],
  logLevel: 'warning',
});
