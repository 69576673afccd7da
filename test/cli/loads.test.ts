// What a command loads: the driver of PostgreSQL and the engine of workers only where a project uses them.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, spawned } from './chatform.ts';

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

const PROJECT = 'version: 1\nmanifest: [manifest.yaml]\ntargets: { shop: { base_url: "emulator:license.json" } }\n';

async function loadedBy(args: readonly string[], settings = ''): Promise<string> {
  const cwd = await folder({
    'chatform.yaml': `${PROJECT}${settings}`,
    'manifest.yaml': 'version: 1\ngroups: { sales: { name: Sales } }\n',
    'hook.cjs': HOOK,
    loaded: '',
  });
  const env = {
    NODE_OPTIONS: `--require=${join(cwd, 'hook.cjs')}`,
    LOADED: join(cwd, 'loaded'),
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
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
