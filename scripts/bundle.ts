// The sources of the command line, and the validators that scripts/precompile.ts made, in; dist/cli.cjs and the script that it runs, in dist/cli/,
// out. To find, read and compile hundreds of small files takes node longer than most commands work.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
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

/** Our commands are no programs of their own, and to load what would start those takes a tenth of the time in which node starts. */
function withoutProcesses(commander: string): string {
  const source = lazily(commander, "const childProcess = require('node:child_process');", '');
  return source.replaceAll('childProcess.', "require('node:child_process').");
}

/** HTTP/2 is not spoken, and to load what would speak it takes a third of the time that undici takes. */
function withoutHttp2(client: string): string {
  const instead = "const connectH2 = (...given) => require('./client-h2.js')(...given)";
  return lazily(client, "const connectH2 = require('./client-h2.js')", instead);
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

/** As scripts/compiled.ts reads it. esbuild escapes strings only, not what stands in regular expressions and in templates that have a tag. */
function inAscii(script: string): string {
  return script.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** dist/cli.cjs takes the command line as it is beside it. */
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
  // Modules take node longer to begin with than all of --version.
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
  // Looks for files of its own beside itself, and is only asked for with --log-json.
  external: ['pino'],
  plugins: [knownAtBuild],
});
const script = inAscii(readFileSync(`${FOLDER}/command-line.cjs`, 'utf8'));
const digest = createHash('sha256').update(script).digest('hex').slice(0, 16);
writeFileSync(builtIn(FOLDER, digest).script, script);
rmSync(`${FOLDER}/command-line.cjs`);
// What its commands print interests nobody, unless one of them fails.
const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `${ROOT}scripts/keep-compiled.ts`, digest], {
  stdio: ['ignore', 'ignore', 'pipe'],
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`what V8 compiles of the command line cannot be kept:\n${stderr}`);
// Last, so that a dist with it is a whole one.
await build({
  ...options,
  entryPoints: ['src/cli.ts'],
  outfile: `${FOLDER}.cjs`,
  plugins: [knownAtBuild, compiledBefore(digest)],
});
