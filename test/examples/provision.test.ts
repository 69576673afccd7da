// examples/provision as a process with the built library: sign-ups, refused names, and drift over all licenses.

import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { chatform, folder } from '../cli/chatform.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

interface Service {
  readonly cwd: string;
  readonly process: ChildProcess;
  readonly errors: () => string;
  readonly signUp: (body: unknown) => Promise<readonly [status: number, answer: unknown]>;
  readonly drift: () => Promise<readonly [status: number, answer: unknown]>;
}

async function service(): Promise<Service> {
  const root = await folder();
  const cwd = join(root, 'provision');
  await cp(join(CHECKOUT, 'examples/provision'), cwd, { recursive: true });
  await mkdir(join(root, 'node_modules'));
  await symlink(CHECKOUT, join(root, 'node_modules/chatform'));
  const child = spawn(process.execPath, ['service.mjs'], {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('close', () => reject(new Error(errors)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const said = /^Listening on (\S+)$/m.exec(text)?.[1];
      if (said !== undefined) resolve(said);
    });
  });
  const asked = async (path: string, init?: RequestInit): Promise<readonly [number, unknown]> => {
    const response = await fetch(`${url}${path}`, init);
    return [response.status, await response.json()];
  };
  return {
    cwd,
    process: child,
    errors: () => errors,
    signUp: (body) =>
      asked('/tenants', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    drift: () => asked('/drift'),
  };
}

test('A sign-up makes a license ready, the same one again changes nothing, and drift shows what is not applied', async () => {
  const { cwd, signUp, drift, errors, process: child } = await service();
  const bravo = { name: 'bravo', shop: "Bravo & Sons' Café" };
  expect(await signUp(bravo)).toEqual([201, { name: 'bravo', outcome: 'done' }]);
  expect(await drift()).toEqual([
    200,
    [
      { target: 'acme', in_sync: false },
      { target: 'bravo', in_sync: true },
    ],
  ]);
  expect(await signUp(bravo)).toEqual([201, { name: 'bravo', outcome: 'done' }]);
  expect(await signUp({ ...bravo, shop: 'Other' })).toEqual([409, { error: 'bravo is taken' }]);
  const ledger = await readFile(join(cwd, 'ledgers/bravo.ndjson'), 'utf8');
  expect(ledger.match(/"type":"intent"/g)?.length).toBeGreaterThan(0);
  const shown = await chatform(['show', 'group/support', '-t', 'bravo'], { cwd });
  expect(shown.stdout).toContain("Support of Bravo & Sons' Café");
  expect(await readdir(join(cwd, 'tenants/bravo'))).toEqual(['tenant.yaml']);
  expect(errors()).toBe('');
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  expect(await closed).toBe(0);
});

test('Sign-ups at the same time are each made ready', async () => {
  const { cwd, signUp, errors } = await service();
  const names = Array.from({ length: 6 }, (_, nth) => `shop-${nth}`);
  const answers = await Promise.all(names.map((name) => signUp({ name, shop: name })));
  expect(answers).toEqual(names.map((name) => [201, { name, outcome: 'done' }]));
  expect((await readdir(join(cwd, 'ledgers'))).filter((file) => file.endsWith('.ndjson'))).toHaveLength(names.length);
  expect(errors()).toBe('');
});

test('A name or a value that is none writes nothing and breaks no other license', async () => {
  const { cwd, signUp, drift } = await service();
  const names = [
    '..',
    '../../evil',
    'a/b',
    'a\\b',
    'Acme',
    'a.b',
    '',
    '-a',
    'a'.repeat(41),
    'a\n',
    '*',
    7,
    null,
    ['a'],
  ];
  for (const name of names) expect((await signUp({ name, shop: 'Evil' }))[0], JSON.stringify(name)).toBe(400);
  const shops = ['${env.HOME}', 'a\nname: b', '', 'x'.repeat(81), 7, null, '\u202e'];
  for (const shop of shops) expect((await signUp({ name: 'evil', shop }))[0], JSON.stringify(shop)).toBe(400);
  for (const body of ['', '[', 'null', '"text"', `{"name":"${'a'.repeat(20_000)}"}`])
    expect((await signUp(body))[0], body.slice(0, 20)).toBe(400);
  expect(await readdir(join(cwd, 'tenants'))).toEqual(['acme']);
  expect(await readdir(join(cwd, '..'))).toEqual(['node_modules', 'provision']);
  expect((await drift())[0]).toBe(200);
});

test('A customer learns nothing of mistakes in the files, and the same request goes on once they are mended', async () => {
  const { cwd, signUp, errors } = await service();
  const manifest = join(cwd, 'manifest.yaml');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace('groups:\n', 'grups:\n'));
  const request = { name: 'bravo', shop: 'Bravo' };
  expect(await signUp(request)).toEqual([503, { error: 'not ready: send the same request again later' }]);
  expect(errors()).toContain('grups');
  await writeFile(manifest, text);
  expect(await signUp(request)).toEqual([201, { name: 'bravo', outcome: 'done' }]);
});
