// A repository with a project in it, its host, its license and the programs of a runner, all on this machine. Must not know which host's jobs run on it.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { CLI, folder } from '../cli/chatform.ts';
import { residentProgram } from '../cli/resident.ts';
import { served } from '../cli/served.ts';
import { type Fake, TOKEN } from '../outlets/hosts/fake.ts';

export interface Ran {
  readonly code: number | null;
  readonly said: string;
}

export interface Site {
  readonly fake: Fake;
  readonly token: string;
  readonly emulator: Emulator;
  /** Where the license is. */
  readonly service: string;
  /** What a runner fetched of the action's repository, as far as its steps need it. */
  readonly action: string;
  /** What git calls the host; the repository is `o/r`. */
  readonly server: string;
  /** The bare repository. */
  readonly remote: string;
  /** What every script finds in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Where a program of the runner is. */
  readonly program: (name: string) => string;
  /** A new folder. */
  readonly room: (name: string) => string;
  /** Where a run keeps an artifact. */
  readonly artifact: (run: number, name: string) => string;
  /** Commits files on top of a commit, or of the beginning, and says which commit that is. */
  readonly commit: (files: Readonly<Record<string, string>>, parents?: readonly string[]) => string;
  /** A file of the branch of ledgers; null when it has none of that name. */
  readonly kept: (file: string) => string | null;
}

/** One that may only read, for whatever plans, and one for the apply. */
export const TOKENS = { read: 'read-only', write: 'read-and-write' };

const SCOPES = ['accounts--all', 'agents--all', 'groups--all', 'access_rules'];

export const SEED = {
  tokens: [
    { token: TOKENS.read, scopes: SCOPES.map((scope) => `${scope}:ro`) },
    { token: TOKENS.write, scopes: [...SCOPES.map((scope) => `${scope}:rw`), 'accounts--all:rc'] },
    { token: 'by-hand', scopes: SCOPES.map((scope) => `${scope}:rw`) },
  ],
};

export const LEDGERS = 'chatform-ledger';

/** What a version of the service answers at an address that is on the network. */
export const PROJECT = (url: string): string => `version: 1
manifest: [manifest.yaml]
targets:
  production:
    base_url: "${url}"
    ledger: ledger/production.ndjson
    propagation_timeout: 5s
    request_timeout: 2s
`;

export const manifest = (...groups: readonly string[]): string =>
  `version: 1\ngroups: { ${groups.map((name) => `${name.toLowerCase()}: { name: ${name} }`).join(', ')} }\n`;

const GIT_ENV = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LANG: 'C.UTF-8' };

export function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...GIT_ENV },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** As a runner runs a script: it ends with the first command that fails. */
export function bash(
  text: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ran> {
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', text], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}

/** A server of somebody else, for as long as the test takes; its address. */
export async function listening(answer: (url: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer(({ url = '' }, response) => answer(url, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const BUILT = `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`;

/** npm installs nothing, and builds what was built here; nothing leaves the machine. */
const PROGRAMS = {
  npx: '#!/bin/sh\nexec "$@"\n',
  npm: `#!/bin/bash
[ "$1" = run ] || exit 0
mkdir -p dist && cp "$(dirname "$0")/chatform" dist/cli.cjs
`,
};

/** Commits exactly these files, in one process of git. Returns the commit. */
function imported(remote: string, files: Readonly<Record<string, string>>, parents: readonly string[]): string {
  const dataOf = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const stream = [
    `commit refs/made\nmark :1\ncommitter t <t@example.com> ${Math.floor(Date.now() / 1_000)} +0000\n${dataOf('c')}`,
    ...parents.map((parent, nth) => `${nth === 0 ? 'from' : 'merge'} ${parent}\n`),
    'deleteall\n',
    ...Object.entries(files).map(([name, text]) => `M 100644 inline ${name}\n${dataOf(text)}`),
    'get-mark :1\n',
  ];
  // Each commit begins a branch of its own.
  const flags = ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--force'];
  const env = { PATH: process.env['PATH'], ...GIT_ENV };
  return execFileSync('git', flags, { cwd: remote, input: stream.join(''), encoding: 'utf8', env }).trim();
}

/** @param isBuilt - Whether the scripts start dist/cli.cjs; otherwise their commands run in this process. */
export async function site(host: () => Promise<Fake>, { isBuilt = false } = {}): Promise<Site> {
  const root = await folder();
  const at = (name: string): string => join(root, name);
  const fake = await host();
  const { emulator, url } = await served({ seed: SEED });
  mkdirSync(at('bin'));
  const programs = { chatform: isBuilt ? BUILT : await residentProgram(), ...PROGRAMS };
  for (const [name, text] of Object.entries(programs)) writeFileSync(at(`bin/${name}`), text, { mode: 0o755 });
  mkdirSync(at('action'));
  cpSync(new URL('../../ci', import.meta.url), at('action/ci'), { recursive: true });
  const remote = at('o/r.git');
  git(root, 'init', '--quiet', '--bare', remote);
  git(remote, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const room = (name: string): string => mkdtempSync(at(`${name}-`));
  const commit: Site['commit'] = (files, parents = []) => imported(remote, files, parents);
  git(remote, 'update-ref', `refs/heads/${LEDGERS}`, commit({}));
  return {
    fake,
    token: TOKEN,
    emulator,
    service: url,
    action: at('action'),
    server: `file://${root}`,
    remote,
    env: {
      ...GIT_ENV,
      PATH: `${at('bin')}:${process.env['PATH']}`,
      HOME: at('home'),
      LEDGER_PAUSE: '0',
      FIND_PAUSE: '1',
    },
    program: (name) => at(`bin/${name}`),
    room,
    artifact: (run, name) => {
      const path = at(`artifacts/${run}/${name}`);
      mkdirSync(path, { recursive: true });
      return path;
    },
    commit: (files, parents) => commit({ 'chatform.yaml': PROJECT(url), ...files }, parents),
    kept: (file) => {
      try {
        return git(remote, 'show', `refs/heads/${LEDGERS}:${file}`);
      } catch {
        return null;
      }
    },
  };
}
