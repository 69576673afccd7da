// Makes one script of the sources, in dist/cli/, and what loads it: dist/cli.cjs for people, and a file for each door of the library. To find,
// read and compile hundreds of small files takes node longer than most commands work, and the code of both is packed once.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { builtIn } from './compiled.ts';
import { keepReached } from './declarations.ts';
import { noticesOf } from './notices.ts';
import { precompiled } from './precompile.ts';

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

/** What the sources call of node:crypto. To load it takes a tenth of `validate`, which calls none of them. */
const CRYPTO = ['createHash', 'createHmac', 'hash', 'randomBytes', 'randomUUID', 'scryptSync', 'timingSafeEqual'];

/** What the sources find out when they run is known at build. */
const knownAtBuild: Plugin = {
  name: 'known at build',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.endsWith('/src/service/websocket.ts')
        ? { path: './cli/websocket.cjs', external: true }
        : { path: `${ROOT}scripts/undici-parts.js` },
    );
    onResolve({ filter: /^node:crypto$/ }, ({ importer }) =>
      importer.startsWith(`${ROOT}src/`) ? { path: 'node:crypto', namespace: 'when called' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'when called' }, ({ path }) => ({
      contents: CRYPTO.map((name) => `export const ${name} = (...given) => require('${path}').${name}(...given);`).join(
        '',
      ),
    }));
    // WebAssembly, a fourteenth of the script as text, which is read with the first request. undici takes it where there is no variant for SIMD: the
    // replies of the service are too short for that.
    onResolve({ filter: /^\.\/cli\/.*\.(?:wasm|js)$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /\/llhttp\/llhttp_simd-wasm\.js$/ }, () => ({ contents: "throw new Error('left out');" }));
    onLoad({ filter: /\/llhttp\/llhttp-wasm\.js$/ }, ({ path }) => {
      const name = `${basename(path, '.js')}.wasm`;
      writeFileSync(`${FOLDER}/${name}`, createRequire(path)(path) as Buffer);
      return { contents: `module.exports = require('node:fs').readFileSync(require.resolve('./cli/${name}'));` };
    });
    // Only projects with their ledgers in a database load pg, and only an emulator that is asked for a WebSocket loads ws.
    onResolve({ filter: /^(pg|ws)$/ }, ({ path }) => ({ path: `./cli/${path}.cjs`, external: true }));
    onLoad({ filter: /\/src\/.+\/validator\.ts$/ }, async ({ path }) => ({
      contents: await precompiled(path, `${ROOT}src/base/formats.ts`),
      resolveDir: dirname(path),
      loader: 'js',
    }));
    onLoad({ filter: /\/commander\/lib\/command\.js$/ }, ({ path }) => ({
      contents: withoutProcesses(path),
    }));
    onLoad({ filter: /\/undici\/lib\/dispatcher\/client\.js$/ }, ({ path }) => ({
      contents: withoutHttp2(path),
    }));
    onLoad({ filter: /\/src\/features\/ui\/read-script\.ts$/ }, () => ({
      contents: `export const pageScript = () => require('node:fs').readFileSync(require.resolve('./cli/page-script.js'), 'utf8');`,
    }));
    onLoad({ filter: /\/src\/features\/init\/read-template\.ts$/ }, () => ({
      contents: `export const readTemplate = (path) => require('node:fs').readFileSync(require.resolve('../ci/' + path), 'utf8');`,
    }));
    onLoad({ filter: /\/src\/base\/version\.ts$/ }, ({ path }) => {
      const { version, engines, repository } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as {
        readonly [name: string]: unknown;
      };
      const packed = `return ${JSON.stringify({ version, engines, repository })};`;
      const contents = readFileSync(path, 'utf8').replace(/return JSON\.parse\(.*;/, packed);
      return { contents: contents.replace("import { readFileSync } from 'node:fs';\n", ''), loader: 'ts' };
    });
  },
};

const inBrowser: Plugin = {
  name: 'in a browser',
  setup({ onResolve }) {
    onResolve({ filter: /^node:url$/ }, () => ({ path: `${ROOT}scripts/url-in-browser.js` }));
  },
};

/** undici's fetch, on which its WebSocket stands, with the dispatcher that it is given. */
const withoutDispatchers: Plugin = {
  name: 'without dispatchers',
  setup({ onLoad }) {
    onLoad({ filter: /\/undici\/lib\/global\.js$/ }, () => ({
      contents: 'exports.getGlobalDispatcher = () => undefined;',
    }));
  },
};

/** As scripts/compiled.ts reads it. esbuild escapes strings, but not regular expressions and tagged templates. */
function inAscii(script: string): string {
  return script.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The doors of the library: a file of dist for each, and the source that says what it exports. */
const DOORS = { index: 'index', client: 'client', parts: 'parts', 'emulator/index': 'emulator' };

/** What the script exports: the command line, and the doors, each made when it is first opened. */
const WHOLE = `
  export { commandLine } from './src/command-line.ts';
  const DOORS = { ${Object.entries(DOORS).map(([file, name]) => `${name}: () => require('./src/${file}.ts')`)} };
  export const door = (name) => DOORS[name]();`;

const LOADER = `import { builtIn, exportsOf, scriptOf } from ${JSON.stringify(`${ROOT}scripts/compiled.ts`)};`;

/** What the script of this build exports, for code in dist that begins with LOADER. */
const loaded = (digest: string): string => `exportsOf(scriptOf(builtIn(__dirname + '/cli', '${digest}')), require)`;

/** dist/cli.cjs loads the command line from the folder next to it. */
const compiledBefore = (digest: string): Plugin => ({
  name: 'compiled before',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/command-line\.ts$/ }, () => ({
      contents: `${LOADER} export const commandLine = (argv) => ${loaded(digest)}.commandLine(argv);`,
      loader: 'js',
    }));
  },
});

const options: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  legalComments: 'external',
  // Node takes longer to load a module than --version takes as a whole.
  format: 'cjs',
  minify: true,
  logLevel: 'warning',
  // An optional peer, which is where the user installed it.
  external: ['@dbos-inc/dbos-sdk'],
};

mkdirSync(FOLDER, { recursive: true });
const { metafile } = await build({
  ...options,
  metafile: true,
  stdin: { contents: WHOLE, resolveDir: ROOT },
  outfile: `${FOLDER}/command-line.cjs`,
  // A function of what CommonJS gives it, because a script that comes with its compiled part cannot be a module.
  banner: { js: '(function (require, module, exports) {' },
  footer: { js: '})' },
  supported: { 'dynamic-import': false },
  plugins: [knownAtBuild],
});
/** Makes a script of its own for a package that few commands load. Returns the files that it is made of. */
async function apart(name: string, more: BuildOptions, entry = name): Promise<readonly string[]> {
  const outfile = `${FOLDER}/${name}.cjs`;
  const { metafile } = await build({
    ...options,
    ...more,
    metafile: true,
    legalComments: 'eof',
    entryPoints: [entry],
    outfile,
  });
  return Object.keys(metafile.inputs);
}
// The script of the page of a license.
const { metafile: ofPage } = await build({
  ...options,
  metafile: true,
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  legalComments: 'none',
  plugins: [inBrowser],
  entryPoints: ['src/features/ui/in-browser/script.ts'],
  outfile: `${FOLDER}/page-script.js`,
});
// What pg can do without: an addon, and sockets of Cloudflare.
const ofPg = await apart('pg', { external: ['pg-native', 'pg-cloudflare', 'cloudflare:sockets'] });
// And ws: addons, which it would look for in the packages of the user.
const WITHOUT_ADDONS = { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' };
const ofWs = await apart('ws', { define: WITHOUT_ADDONS });
// The WebSocket of undici, which gets what carries it: nothing makes a dispatcher of its own.
const ofWebSocket = await apart(
  'websocket',
  { plugins: [withoutDispatchers] },
  'undici/lib/web/websocket/websocket.js',
);
const script = inAscii(readFileSync(`${FOLDER}/command-line.cjs`, 'utf8'));
const digest = createHash('sha256').update(script).digest('hex').slice(0, 16);
writeFileSync(builtIn(FOLDER, digest).script, script);
rmSync(`${FOLDER}/command-line.cjs`);
const comments = `${FOLDER}/command-line.cjs.LEGAL.txt`;
writeFileSync(
  `${ROOT}dist/THIRD-PARTY-NOTICES.txt`,
  noticesOf(
    ROOT,
    [...Object.keys(metafile.inputs), ...ofPg, ...ofWs, ...ofWebSocket, ...Object.keys(ofPage.inputs)],
    readFileSync(comments, 'utf8'),
  ),
);
rmSync(comments);
// What its commands print matters only when one of them fails.
const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `${ROOT}scripts/keep-compiled.ts`, digest], {
  stdio: ['ignore', 'ignore', 'pipe'],
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`the code cache of the command line cannot be made:\n${stderr}`);
await build({
  ...options,
  target: 'es2015',
  stdin: {
    contents: `import { nodeMistake } from './src/base/version.ts';
      ${LOADER} const mistake = nodeMistake(); if (mistake !== null) throw new Error(mistake);
      const { door } = ${loaded(digest)}; module.exports = door;`,
    resolveDir: ROOT,
  },
  plugins: [knownAtBuild],
  outfile: `${ROOT}dist/library.cjs`,
});
const doorOf: (name: string) => object = createRequire(import.meta.url)(`${ROOT}dist/library.cjs`);
for (const [file, name] of Object.entries(DOORS)) {
  const library = `${'../'.repeat(file.split('/').length - 1) || './'}library.cjs`;
  const names = Object.keys(doorOf(name)).sort();
  writeFileSync(
    `${ROOT}dist/${file}.js`,
    `import door from '${library}';\nexport const { ${names.join(', ')} } = door('${name}');\n`,
  );
}
keepReached(
  `${ROOT}dist`,
  Object.keys(DOORS).map((file) => `${ROOT}dist/${file}.d.ts`),
);
// Last: a dist that has it is complete.
await build({
  ...options,
  entryPoints: ['src/cli.ts'],
  target: 'es2015',
  outfile: `${FOLDER}.cjs`,
  plugins: [knownAtBuild, compiledBefore(digest)],
});
