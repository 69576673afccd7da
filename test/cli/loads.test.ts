// What a command loads: one script, and the driver of PostgreSQL and the engine of workers only where a project uses them.

import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folder, spawned } from './chatform.ts';
import { served } from './served.ts';

/** Writes the ids of all modules that a process asks for, and the files that it reads. */
const HOOK = `
const Module = require('node:module');
const fs = require('node:fs');
const { appendFileSync, readFileSync } = fs;
fs.readFileSync = function (file, ...rest) {
  appendFileSync(process.env.LOADED, file + '\\n');
  return readFileSync.call(this, file, ...rest);
};
const load = Module._load;
Module._load = function (id, ...rest) {
  appendFileSync(process.env.LOADED, id + '\\n');
  return load.call(this, id, ...rest);
};
`;

async function loadedBy(args: readonly string[], settings = '', url = 'emulator:license.json'): Promise<string> {
  const cwd = await folder({
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets: { shop: { base_url: "${url}" } }\n${settings}`,
    'manifest.yaml': 'version: 1\ngroups: { sales: { name: Sales } }\n',
    'hook.cjs': HOOK,
    loaded: '',
  });
  const env = {
    NODE_OPTIONS: `--require=${join(cwd, 'hook.cjs')}`,
    LOADED: join(cwd, 'loaded'),
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
    CHATFORM_TOKEN: 'any',
  };
  await spawned(args, { cwd, env });
  return readFile(join(cwd, 'loaded'), 'utf8');
}

const DRIVER = /\/cli\/postgres-\w+\.cjs$/m;
const ENGINE = /dbos/;

test.each([[['apply', '--yes']], [['apply', '--all', '--yes']], [['plan', '--all']], [['drift']], [['--version']]])(
  '%s of a project with its ledger in a file loads neither',
  async (args) => {
    const loaded = await loadedBy(args);
    expect(loaded).not.toBe('');
    expect(loaded).not.toMatch(DRIVER);
    expect(loaded).not.toMatch(ENGINE);
  },
);

test('an apply of a project with its ledger in a database loads the driver alone', async () => {
  const loaded = await loadedBy(['apply', '--yes'], 'ledger_store: { postgres_env: DATABASE_URL }\n');
  expect(loaded).toMatch(DRIVER);
  expect(loaded).not.toMatch(ENGINE);
});

/** Of dist/cli, without the exports of the command line and what calls modules, which are a kilobyte. */
const scriptsIn = (loaded: string): readonly string[] =>
  [...new Set(loaded.match(/(?<=\/dist\/cli\/)[a-z]+(?=-\w+\.cjs$)/gm))].filter((name) => name !== 'runtime');

test.each([[['validate']], [['plan']], [['apply', '--yes']], [['drift']]])('%s loads one script', async (args) => {
  const { url } = await served();
  expect(scriptsIn(await loadedBy(args, '', url))).toEqual(['core']);
});

test('A help loads the flags of all commands, and nothing that they do', async () => {
  expect(scriptsIn(await loadedBy(['--help']))).toEqual(['core', 'commands']);
});

/** Bytes. 900 kB are wanted: what is left are messages and schemas, and parts of a plan that only some licenses need. */
const LARGEST = 1_360_000;

test('That script has at most 1,360 kB', () => {
  const folderOfScripts = fileURLToPath(new URL('../../dist/cli', import.meta.url));
  const sizes = readdirSync(folderOfScripts).flatMap((file) =>
    /^core-\w+\.cjs$/.test(file) ? [statSync(join(folderOfScripts, file)).size] : [],
  );
  expect(sizes).toHaveLength(1);
  expect(sizes[0]).toBeLessThan(LARGEST);
});
