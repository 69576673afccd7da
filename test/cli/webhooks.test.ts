// Webhooks as the person who connects a warehouse meets them: what doctor, plan, drift and apply say.

import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder } from './chatform.ts';

const MANIFEST = `version: 1
webhooks:
  ended:
    owner_client_id: shop
    type: license
    action: chat_deactivated
    url: https://warehouse.example/chats
`;

async function warehouse() {
  const cwd = await folder({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets:
  production: { base_url: "emulator:license.json", ledger: production.ndjson, secrets: { file: secrets.json } }
`,
    'manifest.yaml': MANIFEST,
  });
  const env: { [name: string]: string } = {};
  const run = (...args: readonly string[]) => chatform(args, { cwd, env });
  const register = (url: string) =>
    run(
      ...['api', 'register_webhook', '--write', '-y', '-d'],
      JSON.stringify({ action: 'chat_deactivated', url, secret_key: 'own', owner_client_id: 'shop', type: 'license' }),
    );
  const secrets = async () => JSON.parse(await readFile(join(cwd, 'secrets.json'), 'utf8'));
  const listed = async (): Promise<readonly string[]> =>
    JSON.parse((await run('api', 'list_webhooks', '-d', '{"owner_client_id":"shop"}')).stdout).map(
      ({ id }: { readonly id: string }) => id,
    );
  return { cwd, env, run, register, secrets, listed };
}

test('The doctor lists what is registered, and who has it', async () => {
  const { run, register } = await warehouse();
  await register('https://crm.example/chats');
  expect((await run('apply', '--yes')).code).toBe(0);
  const { stdout } = await run('doctor');
  expect(stdout).toContain(`Registered webhooks, each for every license that has the application of its client:
  chat_deactivated crm.example        shop, unmanaged
  chat_deactivated warehouse.example  shop, webhook/ended
`);
  const { shared } = JSON.parse((await run('doctor', '--json')).stdout);
  expect(shared).toEqual([
    expect.objectContaining({
      name: 'chat_deactivated crm.example',
      client: 'shop',
      address: null,
      writer: 'production',
    }),
    expect.objectContaining({ name: 'chat_deactivated warehouse.example', address: 'webhook/ended' }),
  ]);
});

test('The doctor asks for the webhooks of a client that chatform.yaml names, also where no file has one', async () => {
  const { cwd, run, register } = await warehouse();
  await register('https://crm.example/chats');
  await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\ngroups: { sales: { name: Sales } }\n');
  expect((await run('doctor')).stdout).not.toContain('Registered webhooks');
  await appendFile(join(cwd, 'chatform.yaml'), 'clients: { shop: { webhooks_of: production } }\n');
  const { code, stdout } = await run('doctor');
  expect([code, stdout]).toEqual([0, expect.stringContaining('chat_deactivated crm.example  shop, unmanaged')]);
});

test('A secret that was changed in the environment is a new webhook for plan, drift and doctor alike', async () => {
  const { cwd, env, run } = await warehouse();
  await appendFile(join(cwd, 'manifest.yaml'), '    secret_key: { env: WAREHOUSE_HOOK_SECRET }\n');
  const without = await run('plan');
  expect([without.code, without.stderr]).toEqual([
    0,
    expect.stringContaining('manifest.yaml:8:24: warning missing-variable: `WAREHOUSE_HOOK_SECRET` is not set here'),
  ]);
  env['WAREHOUSE_HOOK_SECRET'] = 'abc';
  expect((await run('plan')).stderr).toContain(
    'manifest.yaml:8:24: warning too-short: the secret in `WAREHOUSE_HOOK_SECRET` has fewer than 16 characters',
  );
  env['WAREHOUSE_HOOK_SECRET'] = 'the-first-secret';
  expect((await run('apply', '--yes')).code).toBe(0);
  expect((await run('doctor')).stdout).toMatch(/plan +0 to add, 0 to change, 0 to destroy/);
  env['WAREHOUSE_HOOK_SECRET'] = 'the-second-secret';
  expect((await run('plan')).stdout).toContain(`-/+ webhook/ended  chat_deactivated warehouse.example, made again
      ~ secret_key: WAREHOUSE_HOOK_SECRET has another secret than the one that was applied
`);
  const drift = await run('drift');
  expect(drift.code).toBe(2);
  expect(drift.stdout).toContain(`    ~ secret_key  manifest.yaml:3
      WAREHOUSE_HOOK_SECRET has another secret than the one that was applied
`);
  expect((await run('doctor')).stdout).toMatch(/plan +1 to add, 0 to change, 1 to destroy/);
  const applied = await run('apply', '--yes');
  expect(applied.stdout).toContain('Apply complete. 1 added, 0 changed, 1 destroyed.');
  expect((await run('drift')).code).toBe(0);
});

test('A fourth webhook of an action is refused, with the three that are there', async () => {
  const { run, register } = await warehouse();
  for (const name of ['one', 'two', 'three']) await register(`https://${name}.example/chats`);
  const { code, stderr } = await run('plan');
  expect(code).toBe(1);
  expect(stderr).toContain('would have 4 webhooks, 3 of them undeclared, and can have 3');
  expect((await run('doctor')).stdout).toContain('chat_deactivated three.example  shop, unmanaged');
});

test('A variable that chatform.yaml names for another secret is no secret of a webhook', async () => {
  const { cwd, run } = await warehouse();
  const project = await readFile(join(cwd, 'chatform.yaml'), 'utf8');
  await writeFile(join(cwd, 'chatform.yaml'), `${project}defaults: { notify: [{ slack: { url_env: SLACK_HOOK } }] }\n`);
  await appendFile(join(cwd, 'manifest.yaml'), '    secret_key: { env: SLACK_HOOK }\n');
  const { code, stderr } = await run('validate');
  expect(code).toBe(1);
  expect(stderr).toContain(
    'manifest.yaml:8:24: error not-allowed: `SLACK_HOOK` holds another secret, because `url_env` in chatform.yaml names it',
  );
});

test('A secret of the environment is rotated by its variable, and `secrets rotate` says so', async () => {
  const { cwd, env, run } = await warehouse();
  await appendFile(join(cwd, 'manifest.yaml'), '    secret_key: { env: WAREHOUSE_HOOK_SECRET }\n');
  env['WAREHOUSE_HOOK_SECRET'] = 'the-first-secret';
  await run('apply', '--yes');
  const { code, stderr } = await run('secrets', 'rotate', 'webhook/ended', '--yes');
  expect(code).toBe(1);
  expect(stderr).toContain(
    'the secret of webhook/ended is one of the environment: set the variable that `secret_key` names to another one',
  );
});

test('A secret that chatform made is rotated by the next apply, which makes the webhook again', async () => {
  const { run, secrets, listed } = await warehouse();
  await run('apply', '--yes');
  const [before, first] = [await secrets(), await listed()];
  const rotated = await run('secrets', 'rotate', 'webhook/*', '--yes');
  expect([rotated.code, rotated.stderr, rotated.stdout]).toEqual([
    0,
    '',
    'webhook/ended: the next apply makes it again with a new secret, which goes to secrets.json\n',
  ]);
  expect((await run('secrets', 'list')).stdout).toMatch(/webhook\/ended .* the next apply makes a new one/);
  expect([await secrets(), await listed()]).toEqual([before, first]);
  const { stdout } = await run('plan');
  expect(stdout).toContain('-/+ webhook/ended  chat_deactivated warehouse.example, made again');
  expect(stdout).toContain(
    'credential: webhook/ended: a new secret is made, and goes to the sink: tell it to what receives the deliveries',
  );
  expect((await run('apply', '--yes')).code).toBe(0);
  const [now, second] = [await secrets(), await listed()];
  expect(Object.keys(now)).toEqual(['webhook/ended']);
  expect(now['webhook/ended'].secret).not.toBe(before['webhook/ended'].secret);
  expect(second).toEqual([now['webhook/ended'].id]);
  expect((await run('plan')).code).toBe(0);
  expect((await run('secrets', 'list')).stdout).toMatch(/webhook\/ended .* in the sink/);
});

test('A webhook that is made again keeps its secret, and the plan names one that is new to its receiver', async () => {
  const { cwd, env, run, secrets } = await warehouse();
  expect((await run('plan')).stdout).toContain('credential: webhook/ended: a secret is made, and goes to the sink');
  await run('apply', '--yes');
  const made = (await secrets())['webhook/ended'].secret;
  await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('/chats', '/ended'));
  expect((await run('plan')).stdout).not.toContain('credential');
  await run('apply', '--yes');
  expect((await secrets())['webhook/ended'].secret).toBe(made);
  await appendFile(join(cwd, 'manifest.yaml'), '    secret_key: { env: WAREHOUSE_HOOK_SECRET }\n');
  env['WAREHOUSE_HOOK_SECRET'] = 'the-first-secret';
  expect((await run('plan')).stdout).toContain(
    'credential: webhook/ended: its secret becomes the one of WAREHOUSE_HOOK_SECRET: tell it to what receives the deliveries',
  );
  await run('apply', '--yes');
  // Nothing uses the one that was made.
  expect(await secrets()).toEqual({});
});

test('The undo of a removed webhook registers it again, with a secret that is kept', async () => {
  const { cwd, run, secrets } = await warehouse();
  await run('apply', '--yes');
  const before = JSON.stringify(await secrets());
  await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\nwebhooks: {}\n');
  const removed = await run('apply', '--yes', '--acknowledge', 'deletes', '--acknowledge', 'empty-manifest');
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('1 destroyed')]);
  expect(await secrets()).toEqual({});
  const undone = await run('undo', '--yes');
  expect([undone.code, undone.stderr, undone.stdout]).toEqual([
    0,
    expect.anything(),
    expect.stringContaining('1 added'),
  ]);
  expect((await run('api', 'list_webhooks', '-d', '{"owner_client_id":"shop"}')).stdout).toContain('warehouse.example');
  expect(JSON.stringify(await secrets())).not.toBe(before);
});
