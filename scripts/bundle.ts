// Makes the scripts in dist/cli/ of the sources, and what loads them: dist/cli.cjs for people, and a file for each door of the library. To find,
// read and compile hundreds of small files takes node longer than most commands work, and the code of both is packed once.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';
import { builtIn } from './compiled.ts';
import { keepReached } from './declarations.ts';
import { knownAtBuild } from './known-at-build.ts';
import { noticesOf } from './notices.ts';
import { patches } from './patches.ts';
import { type Scripts, split } from './split.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}dist`;
const FOLDER = `${DIST}/cli`;

/** What is in each script: these files, and what they import. `import()` of a file in another script loads that. A module is in one script only. */
const SCRIPTS: Scripts = {
  first: {
    core: [
      'src/command-line.ts',
      'src/command/events-file.ts',
      'src/command/operate.ts',
      ...['validate', 'plan', 'apply', 'drift'].flatMap((name) => [
        `src/features/${name}/command.ts`,
        `src/features/${name}/operation.ts`,
      ]),
      ...['follow', 'waiting', 'watching'].map((name) => `src/features/apply/${name}.ts`),
      'src/service/http.ts',
    ],
    commands: ['src/features/*/command.ts', 'src/features/apply/destroy-command.ts'],
  },
  apart: {
    emulator: ['src/emulator/', 'src/features/emulate/', 'node_modules/ws/'],
    pages: ['src/features/ui/', 'src/view/writers/html.ts'],
    policies: ['src/project/policies/', 'node_modules/@marcbachmann/cel-js/'],
    postgres: ['node_modules/pg/'],
    sockets: ['src/service/realtime.ts', 'src/service/websocket.ts'],
  },
  last: 'more',
};

/** The doors of the library: a file of dist for each, and the source that says what it exports. */
const DOORS = { index: 'index', client: 'client', parts: 'parts', 'emulator/index': 'emulator' };

const INPUT: InputOptions = {
  cwd: ROOT,
  platform: 'node',
  transform: {
    target: 'node20.19',
    // ws would look for addons in the packages of the user.
    define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
  },
  treeshake: { propertyReadSideEffects: false },
  // DBOS is an optional peer, which is where the user installed it. pg can do without an addon, and sockets of Cloudflare.
  preserveEntrySignatures: 'allow-extension',
  external: ['@dbos-inc/dbos-sdk', 'pg-native', 'pg-cloudflare'],
  checks: { ineffectiveDynamicImport: false },
  // The engine would compile every module with its script, and the code cache would have them all.
  optimization: { pifeForModuleWrappers: false },
};
const OUTPUT: OutputOptions = { format: 'cjs', minify: process.env['BUILD_READABLE'] !== '1', comments: false };

mkdirSync(FOLDER, { recursive: true });
const doors = Object.entries(DOORS).map(([file, name]) => [`door-${name}`, `src/${file}.ts`]);
const { scripts, digest, files } = await split(
  { 'command-line': 'src/command-line.ts', ...(Object.fromEntries(doors) as { readonly [name: string]: string }) },
  SCRIPTS,
  { ...INPUT, plugins: [patches(FOLDER), knownAtBuild] },
  OUTPUT,
);
for (const [name, script] of scripts) writeFileSync(builtIn(FOLDER, name, digest).script, script);

/** Makes one file of dist of one source. */
async function single(
  input: string,
  file: string,
  more: InputOptions,
  output: OutputOptions,
): Promise<readonly string[]> {
  const bundle = await rolldown({ ...INPUT, input, ...more });
  const made = await bundle.write({ ...OUTPUT, ...output, file: `${DIST}/${file}`, codeSplitting: false });
  return made.output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
}

/** What the script of this build with a name exports. */
const exportsOf = (name: string, work: string): string =>
  `scriptsOf(require('node:path').join(__dirname, 'cli'), '${digest}', require, ${work}).exportsOf(${name})`;

/** What dist/cli.cjs and dist/library.cjs load: the scripts. */
const loader: Plugin = {
  name: 'loader',
  load: (path) => {
    const begins = `import { scriptsOf, workOf } from ${JSON.stringify(`${ROOT}scripts/compiled.ts`)};`;
    if (path === `${ROOT}src/command-line.ts`)
      return `${begins} export const commandLine = (argv) => ${exportsOf("'command-line'", 'workOf(argv)')}.commandLine(argv);`;
    if (path !== `${ROOT}src/library.ts`) return null;
    return `import { nodeMistake } from './base/version.ts'; ${begins}
      const mistake = nodeMistake(); if (mistake !== null) throw new Error(mistake);
      module.exports = (name) => ${exportsOf("'door-' + name", "'all'")};`;
  },
  resolveId: (id) => (id === 'library' ? `${ROOT}src/library.ts` : null),
};

// The script of the page of a license.
const ofPage = await single(
  'src/features/ui/in-browser/script.ts',
  'cli/page-script.js',
  {
    platform: 'browser',
    transform: { target: 'es2022' },
    resolve: { alias: { 'node:url': `${ROOT}scripts/url-in-browser.js` } },
  },
  { format: 'iife' },
);
writeFileSync(`${DIST}/THIRD-PARTY-NOTICES.txt`, noticesOf([...files, ...ofPage]));
// What its commands print matters only when one of them fails.
const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `${ROOT}scripts/keep-compiled.ts`, digest], {
  stdio: ['ignore', 'ignore', 'pipe'],
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`the code cache of the command line cannot be made:\n${stderr}`);
const FOR_EVERY_NODE = { transform: { target: 'es2015' }, plugins: [loader, knownAtBuild] };
await single('library', 'library.cjs', FOR_EVERY_NODE, {});
const doorOf: (name: string) => object = createRequire(import.meta.url)(`${DIST}/library.cjs`);
for (const [file, name] of Object.entries(DOORS)) {
  const library = `${'../'.repeat(file.split('/').length - 1) || './'}library.cjs`;
  const names = Object.keys(doorOf(name)).sort();
  writeFileSync(
    `${DIST}/${file}.js`,
    `import door from '${library}';\nexport const { ${names.join(', ')} } = door('${name}');\n`,
  );
}
keepReached(
  DIST,
  Object.keys(DOORS).map((file) => `${DIST}/${file}.d.ts`),
);
// Last: a dist that has it is complete. A release runs it as it is, where npm does not make it a program.
await single('src/cli.ts', 'cli.cjs', FOR_EVERY_NODE, {});
chmodSync(`${DIST}/cli.cjs`, 0o755);
