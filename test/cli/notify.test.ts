// What channels are told of plans and runs: one message for a run, only where a channel asks for it, and never a failure of what was done.

import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { notificationSchema } from '../../src/features/drift/notify/schema.ts';
import { chatform, folder } from './chatform.ts';

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  notificationSchema,
);

/** Of a document, and of a message of Slack. */
interface Told {
  readonly command: string;
  readonly state: string;
  readonly run: string;
  readonly targets: readonly { readonly target: string; readonly lines: readonly string[] }[];
  readonly text: string;
  readonly blocks: readonly object[];
}

interface Arrived {
  readonly path: string;
  readonly signature: unknown;
  readonly json: Told;
}

async function receiver(status = 200) {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const signature = request.headers['x-chatform-signature'];
    arrived.push({ path: request.url ?? '', signature, json: JSON.parse(body) as Told });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { arrived, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const SUPPORT = 'version: 1\ngroups: { support: { name: Support } }\n';
const MORE = 'version: 1\ngroups: { support: { name: Support }, sales: { name: Sales }, shop: { name: Shop } }\n';
const NONE = 'version: 1\n';
const BOTH = (about: string) =>
  `notify: [{ webhook: { url_env: HOOK_URL, secret_env: HOOK_SECRET, about: ${about} } }, { slack: { url_env: SLACK_URL, about: ${about} } }]`;

async function projectOf(settings: string, targets = ['production'], status = 200) {
  const { arrived, url } = await receiver(status);
  const rows = targets.map((name) => `  ${name}: { base_url: "emulator:.chatform/${name}.json" }\n`).join('');
  const cwd = await folder({
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ndefaults:\n  page_url: "https://desk.example.com/\${target.name}.html"\n  ${settings}\ntargets:\n${rows}`,
    'manifest.yaml': SUPPORT,
  });
  const env = {
    CHATFORM_TOKEN: 'dal:hush-hush-hush',
    HOOK_URL: `${url}/hook`,
    HOOK_SECRET: 'sixteen characters',
    SLACK_URL: `${url}/slack`,
  };
  return {
    arrived,
    run: (args: readonly string[], more: { readonly [name: string]: string } = {}) =>
      chatform(args, { cwd, env: { ...env, ...more } }),
    files: (text: string) => writeFile(join(cwd, 'manifest.yaml'), text),
    on: (path: string) => arrived.filter((each) => each.path === path).map(({ json }) => json),
  };
}

const JOB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_TRIGGERING_ACTOR: 'bob',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/desk',
  GITHUB_RUN_ID: '7',
};

test('An apply tells the channels that ask for it who did it, why, how much, and where to read on', async () => {
  const { run, arrived, on } = await projectOf(BOTH('[apply]'));
  expect(await run(['apply', '--yes', '--reason', 'DESK-7 <!channel>'], JOB)).toMatchObject({
    code: 0,
  });
  expect(arrived.map(({ path }) => path).toSorted()).toEqual(['/hook', '/slack']);
  expect(arrived.find(({ path }) => path === '/hook')?.signature).toMatch(/^sha256=/);
  const told = on('/hook')[0];
  expect(fits(told) ? [] : fits.errors).toEqual([]);
  expect(told).toMatchObject({
    ...{ about: 'apply', command: 'apply', state: 'applied', run: null, reason: 'DESK-7 <!channel>', omitted: 0 },
    by: { actor: 'bob', job: 'https://github.com/acme/desk/actions/runs/7' },
    targets: [
      {
        ...{ target: 'production', state: 'applied', lines: [] },
        sentence: 'production was changed: 1 added',
        page: 'https://desk.example.com/production.html',
      },
    ],
  });
  const slack = on('/slack')[0];
  expect(slack?.text).toContain('*chatform: production was changed: 1 added*');
  const text = JSON.stringify(slack?.blocks);
  expect(text).toContain('<https://desk.example.com/production.html|page of the license>');
  expect(text).toContain('by `bob`: `DESK-7 &lt;!channel&gt;` · <https://github.com/acme/desk/actions/runs/7|job>');
  // Nothing is left to do, so there is nothing to tell.
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
  expect(arrived).toHaveLength(2);
});

test('An apply that is withheld, and one that fails, are told with the reason', async () => {
  const { run, files, on } = await projectOf(`max_deletes: 0\n  ${BOTH('[apply]')}`);
  await run(['apply', '--yes']);
  await files(NONE);
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 3 });
  await files('version: 1\ngroups: 7\n');
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 1 });
  const [, withheld, failed] = on('/hook');
  expect(withheld).toMatchObject({
    state: 'withheld',
    targets: [{ sentence: expect.stringContaining('not changed') }],
  });
  expect(withheld?.targets[0]?.lines.join()).toContain('delete');
  expect(failed).toMatchObject({ state: 'failed', targets: [{ sentence: 'production could not be changed' }] });
  expect(failed?.targets[0]?.lines.join()).toContain('manifest.yaml:2');
});

test('A run over many is one message, the worst first; an undo of it is another', async () => {
  const { run, on } = await projectOf(BOTH('[apply]'), ['a', 'b', 'c']);
  expect(await run(['apply', '--all', '--yes'])).toMatchObject({ code: 0 });
  const [told, ...others] = on('/hook');
  expect(others).toEqual([]);
  expect(fits(told) ? [] : fits.errors).toEqual([]);
  expect(told?.run).toMatch(/^[0-9a-f-]{36}$/);
  expect(told?.targets.map(({ target }) => target)).toEqual(['a', 'b', 'c']);
  expect(on('/slack')[0]?.text).toContain('apply of 3 licenses: 3 applied');
  expect(await run(['undo', '--all', '--yes', '--acknowledge', 'deletes'])).toMatchObject({ code: 0 });
  expect(on('/hook').map(({ command, state }) => [command, state])).toEqual([
    ['apply', 'applied'],
    ['undo', 'applied'],
  ]);
});

test('A plan tells of what withholds it and of dangers, once for many targets, and only where a channel asks', async () => {
  const { run, files, on } = await projectOf(
    `max_deletes: 1\n  max_delete_percent: 100\n  acknowledge: [group/sales]\n  ${BOTH('[plan]')}`,
    ['a', 'b'],
  );
  await files(MORE);
  await run(['apply', '--all', '--yes']);
  await files(MORE.replace(', sales: { name: Sales }', ''));
  expect(on('/hook')).toEqual([]);
  expect(await run(['plan', '-t', 'a'])).toMatchObject({ code: 0 });
  expect(on('/hook')).toMatchObject([
    { about: 'plan', state: 'changes', targets: [{ sentence: 'a has a plan with 1 danger' }] },
  ]);
  expect(on('/hook')[0]?.targets[0]?.lines.join()).toContain('Sales is destroyed');
  await files(NONE);
  await run(['plan', '--all']);
  const last = on('/hook').at(-1);
  expect(fits(last) ? [] : fits.errors).toEqual([]);
  expect(last).toMatchObject({ state: 'withheld', targets: [{ target: 'a' }, { target: 'b' }] });
  expect(on('/hook')).toHaveLength(2);
});

test('A channel that does not ask is told of no run', async () => {
  const { run, arrived } = await projectOf('notify: [{ slack: { url_env: SLACK_URL } }]');
  expect(await run(['apply', '--yes'])).toMatchObject({ code: 0 });
  expect(arrived).toEqual([]);
});

test('A channel that cannot be told is a warning, and the apply is done', async () => {
  const broken = await projectOf(BOTH('[apply]'), ['production'], 404);
  const { code, stderr } = await broken.run(['apply', '--yes']);
  expect(code).toBe(0);
  expect(stderr).toContain('Warning: slack:SLACK_URL: could not be told: it answered 404');
  expect(stderr).not.toContain('127.0.0.1');
  const many = await projectOf(BOTH('[apply]'), ['a', 'b'], 404);
  const ran = await many.run(['apply', '--all', '--yes'], { HOOK_SECRET: 'short' });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('HOOK_SECRET must hold a secret of at least 16 characters');
});
