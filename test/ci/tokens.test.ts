// Attacks on the tokens of a job: an API or a git server that leads elsewhere, and an environment that trusts every certificate.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../src/emulator/index.ts';
import { TLS } from '../certificates/tls.ts';
import { folder, spawned } from '../cli/chatform.ts';
import { bash } from './site.ts';

const IN_CI = fileURLToPath(new URL('../../ci/', import.meta.url));
const TOKEN = 'job-s3cr3t-t0ken';
const HERE = '127.0.0.1';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, HERE, ready));
  closers.push(() => new Promise((done) => server.close(done)));
  return `http://${HERE}:${(server.address() as AddressInfo).port}`;
}

/** A server that leads everything to another one, and what that one was asked. */
async function leading(status: number) {
  const asked: string[] = [];
  const evil = await served((request, response) => {
    asked.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
    response.end('[]');
  });
  const url = await served((request, response) => {
    response.writeHead(status, { location: `${evil}${request.url}` }).end();
  });
  return { url, asked };
}

async function run(script: string, env: Readonly<Record<string, string>>) {
  const cwd = await folder();
  const path = { PATH: process.env['PATH'] ?? '', HOME: cwd, FIND_PAUSE: '1', LEDGER_PAUSE: '0' };
  return bash(script, { cwd, env: { ...path, ...env } });
}

const GITHUB = { GITHUB_REPOSITORY: 'o/r', GITHUB_SHA: 'a'.repeat(40), GITHUB_TOKEN: TOKEN };
/** A run that a person started, as GitHub shows it. */
const RUN = {
  id: 12,
  path: '.github/workflows/plan.yml',
  event: 'workflow_dispatch',
  conclusion: 'success',
  head_repository: { full_name: GITHUB.GITHUB_REPOSITORY },
  head_branch: 'main',
  head_sha: GITHUB.GITHUB_SHA,
};
const GITLAB = { CI_PROJECT_ID: '7', CI_COMMIT_SHA: 'a'.repeat(40), GITLAB_TOKEN: TOKEN };
const FIND = `node "${IN_CI}find.mjs"`;

test.each([
  ['GitHub', `${FIND} plan plan.yml ""`, (url: string) => ({ ...GITHUB, GITHUB_API_URL: url })],
  ['GitLab', `${FIND} gitlab-plans plan into`, (url: string) => ({ ...GITLAB, CI_API_V4_URL: url })],
] as const)('%s: what finds the approved plan follows no redirect', async (_, script, envFor) => {
  const { url, asked } = await leading(307);
  const { code, said } = await run(script, envFor(url));
  expect(asked).toEqual([]);
  expect([code, said]).toEqual([1, expect.stringMatching(/got a redirect \(307\), which is not followed: check/)]);
});

const COMMAND = 'x\n::set-output name=run::666';

test.each([
  ['as a commit', 'plan plan.yml 12', { ...RUN, head_sha: COMMAND }],
  ['as the number of a run', 'plan plan.yml 12', { ...RUN, id: '12\napproved=commit=evil' }],
  [
    'as the run of a snapshot',
    'snapshot snapshot.yml main',
    { workflow_runs: [{ ...RUN, event: 'schedule', id: COMMAND }] },
  ],
])('What a code host answers %s commands no runner, and writes no further output', async (_, what, answer) => {
  const url = await served((_request, response) => response.end(JSON.stringify(answer)));
  const env = {
    ...GITHUB,
    GITHUB_API_URL: url,
    GITHUB_REF_NAME: 'main',
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: 'outputs',
  };
  const { code, said } = await run(`${FIND} ${what}; code=$?; cat outputs 2> /dev/null; exit $code`, env);
  expect(code).toBe(1);
  expect(said.trimEnd().split('\n')).toEqual([expect.stringMatching(/^::error title=chatform::/)]);
});

test('What keeps the ledger follows no redirect of a git server', async () => {
  const { url, asked } = await leading(302);
  const { code, said } = await run(`bash "${IN_CI}ledger.sh" fetch`, {
    LEDGER_URL: `${url}/o/r.git`,
    LEDGER_TOKEN: TOKEN,
    LEDGER_RUN: 'run 1',
  });
  expect(asked).toEqual([]);
  expect([code, said]).toEqual([1, expect.stringContaining('could not be read: check the address')]);
});

/** A server whose certificate no authority signed, and what got as far as a request. */
async function impostor() {
  const asked: string[] = [];
  const handle = async ({ target, header }: { target: string; header: (name: string) => string | null }) => {
    asked.push(`${target} ${header('authorization')}`);
    return { status: 200, headers: {}, body: '[]' };
  };
  const { url, close } = await listen({ handle }, { port: 0, host: HERE, tls: TLS });
  closers.push(close);
  return { url, asked };
}

const UNCHECKED = { NODE_TLS_REJECT_UNAUTHORIZED: '0', GIT_SSL_NO_VERIFY: '1' };

test('No variable of the environment makes a job send its token to a wrong certificate', async () => {
  const { url, asked } = await impostor();
  const find = await run(`${FIND} plan plan.yml ""`, { ...GITHUB, ...UNCHECKED, GITHUB_API_URL: url });
  expect(find.said).toMatch(/^Warning: NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored: .*\n.* got no answer\n$/);
  const ledger = { LEDGER_URL: `${url}/o/r.git`, LEDGER_TOKEN: TOKEN, LEDGER_RUN: 'run 1' };
  const fetched = await run(`bash "${IN_CI}ledger.sh" fetch`, { ...ledger, ...UNCHECKED });
  expect(fetched.code).toBe(1);
  expect(asked).toEqual([]);
});

test('The command line checks certificates whatever the environment says, and says so once', async () => {
  const { url, asked } = await impostor();
  const cwd = await folder({
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets: { here: { base_url: '${url}' } }\n`,
    'manifest.yaml': 'version: 1\n',
  });
  const env = { ...UNCHECKED, CHATFORM_TOKEN: `dal:${TOKEN}` };
  const { code, stderr } = await spawned(['api', 'list_groups'], { cwd, env });
  expect(asked).toEqual([]);
  expect(code).toBe(1);
  expect(stderr).toContain('the certificate is self-signed');
  expect(stderr.match(/NODE_TLS_REJECT_UNAUTHORIZED/g)).toEqual(['NODE_TLS_REJECT_UNAUTHORIZED']);
  expect(stderr).toMatch(/^Warning: NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored: certificates are always checked\./);
});
