// Makes dist/cli.cjs and the script that it runs, in dist/cli/, from the sources and the compiled validators.
// To find, read and compile hundreds of small files takes node longer than most commands work.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { builtIn } from './compiled.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = `${ROOT}dist/cli`;

/** A file of a library that loads something later, or never. */
function lazily(path: string, loading: string, instead: string): string {
  const source = readFileSync(path, 'utf8');
  if (!source.includes(loading)) throw new Error(`${path} has no \`${loading}\` any more: see scripts/bundle.ts`);
  return source.replace(loading, instead);
}

/** Our commands are not separate programs, and loading what would start those takes a tenth of node's start. */
function withoutProcesses(commander: string): string {
  const source = lazily(commander, "const childProcess = require('node:child_process');", '');
  return source.replaceAll('childProcess.', "require('node:child_process').");
}

/** chatform does not speak HTTP/2, and loading it takes a third of the time that undici takes. */
function withoutHttp2(client: string): string {
  const instead = "const connectH2 = (...given) => require('./client-h2.js')(...given)";
  return lazily(client, "const connectH2 = require('./client-h2.js')", instead);
}

/** What the sources find out when they run is known at build. */
const knownAtBuild: Plugin = {
  name: 'known at build',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: `${ROOT}scripts/undici-parts.js` }));
    onLoad({ filter: /\/src\/.+\/validator\.ts$/ }, ({ path }) => ({
      contents: readFileSync(`${ROOT}dist/${relative(`${ROOT}src`, path).replace(/\.ts$/, '.js')}`, 'utf8'),
      loader: 'js',
    }));
    onLoad({ filter: /\/commander\/lib\/command\.js$/ }, ({ path }) => ({
      contents: withoutProcesses(path),
    }));
    onLoad({ filter: /\/undici\/lib\/dispatcher\/client\.js$/ }, ({ path }) => ({
      contents: withoutHttp2(path),
    }));
    onLoad({ filter: /\/src\/base\/version\.ts$/ }, () => {
      const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { readonly version: string };
      return { contents: `export const packageVersion = () => ${JSON.stringify(version)};`, loader: 'js' };
    });
  },
};

/** As scripts/compiled.ts reads it. esbuild escapes strings, but not regular expressions and tagged templates. */
function inAscii(script: string): string {
  return script.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** dist/cli.cjs loads the command line from the folder next to it. */
const compiledBefore = (digest: string): Plugin => ({
  name: 'compiled before',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/commands\/command-line\.ts$/ }, () => ({
      contents: `import { builtIn, exportsOf, scriptOf } from ${JSON.stringify(`${ROOT}scripts/compiled.ts`)};
        export const commandLine = (argv) =>
          exportsOf(scriptOf(builtIn(__dirname + '/cli', '${digest}')), require).commandLine(argv);`,
      loader: 'js',
    }));
  },
});

const options: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  legalComments: 'linked',
  // Node takes longer to load a module than --version takes as a whole.
  format: 'cjs',
  minify: true,
  logLevel: 'warning',
};

await build({
  ...options,
  entryPoints: ['src/commands/command-line.ts'],
  outfile: `${FOLDER}/command-line.cjs`,
  // A function of what CommonJS gives it, because a script that comes with its compiled part cannot be a module.
  banner: { js: '(function (require, module, exports) {' },
  footer: { js: '})' },
  supported: { 'dynamic-import': false },
  // Looks for its files in its own folder, and is only needed for --log-json.
  external: ['pino'],
  plugins: [knownAtBuild],
});
const script = inAscii(readFileSync(`${FOLDER}/command-line.cjs`, 'utf8'));
const digest = createHash('sha256').update(script).digest('hex').slice(0, 16);
writeFileSync(builtIn(FOLDER, digest).script, script);
rmSync(`${FOLDER}/command-line.cjs`);
// What its commands print matters only when one of them fails.
const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `${ROOT}scripts/keep-compiled.ts`, digest], {
  stdio: ['ignore', 'ignore', 'pipe'],
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`the code cache of the command line cannot be made:\n${stderr}`);
// Last: a dist that has it is complete.
await build({
  ...options,
  entryPoints: ['src/cli.ts'],
  outfile: `${FOLDER}.cjs`,
  plugins: [knownAtBuild, compiledBefore(digest)],
});
