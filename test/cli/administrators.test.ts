// People whom the license made administrators by hand, managed and unmanaged: drift warns, a plan names the danger, and --accept declares it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder, project } from './chatform.ts';

const MANIFEST =
  'version: 1\nagents:\n  ann@example.com: { name: Ann }\n  bob@example.com: { name: Bob, role: normal }\n';

async function applied(): Promise<string> {
  const cwd = await folder({ ...project(), 'manifest.yaml': MANIFEST });
  expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

async function byHand(cwd: string, action: string, body: object): Promise<void> {
  const args = ['api', action, '--write', '--yes', '--base-url', 'emulator:license.json', '-d', JSON.stringify(body)];
  expect(await chatform(args, { cwd })).toMatchObject({ code: 0 });
}

test('a managed person without a role who became administrator by hand is a warning in drift and a danger in plan', async () => {
  const cwd = await applied();
  expect(await chatform(['drift'], { cwd })).toMatchObject({ code: 0 });
  await byHand(cwd, 'update_agent', { id: 'ann@example.com', role: 'administrator' });

  const drift = await chatform(['drift', '--json'], { cwd });
  expect([
    drift.code,
    JSON.parse(drift.stdout).items.filter(({ status }: { status: string }) => status === 'drift'),
  ]).toMatchObject([
    2,
    [
      {
        severity: 'warning',
        status: 'drift',
        kind: 'changed',
        address: 'agent/ann@example.com',
        path: ['role'],
        live: 'administrator',
        reason: 'administers the license, and did not at the last apply; no file says so',
        ways_out: ['accept', 'ignore'],
      },
    ],
  ]);
  const plan = await chatform(['plan'], { cwd });
  expect(plan.stdout).toContain(
    'more access: agent/ann@example.com: administers the license, no file says so, and did not at the last apply; an apply accepts it',
  );

  expect(await chatform(['drift', '--accept', 'agent/ann@example.com'], { cwd })).toMatchObject({ code: 0 });
  expect(await readFile(join(cwd, 'manifest.yaml'), 'utf8')).toContain('{ name: Ann, role: administrator }');
  expect(await chatform(['drift'], { cwd })).toMatchObject({ code: 0 });
  expect((await chatform(['plan'], { cwd })).stdout).not.toContain('more access');
});

test('so is a person whom no file declares any more; the next apply records them', async () => {
  const cwd = await applied();
  await byHand(cwd, 'update_agent', { id: 'ann@example.com', role: 'administrator' });
  await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace(/ {2}ann.*\n/, ''));
  const drift = await chatform(['drift', '--json'], { cwd });
  const found = JSON.parse(drift.stdout).items.filter(({ severity }: { severity: string }) => severity === 'warning');
  expect(found).toMatchObject([{ address: 'agent/ann@example.com', path: ['role'], ways_out: ['ignore'] }]);
  const plan = await chatform(['plan'], { cwd });
  expect(plan.stdout).toContain('more access: agent/ann@example.com: administers the license, is not managed');

  expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  expect(await chatform(['drift'], { cwd })).toMatchObject({ code: 0 });
});

test.each(['administrator', 'normal'])('--accept declares a new %s who still waits for approval', async (role) => {
  const cwd = await applied();
  await byHand(cwd, 'create_agent', { id: 'eve@example.com', name: 'Eve', role });
  const accepted = await chatform(['drift', '--accept', 'agent/eve@example.com'], { cwd });
  expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining('1 difference')]);
  expect(await readFile(join(cwd, 'manifest.yaml'), 'utf8')).toContain(
    `eve@example.com: { name: Eve${role === 'normal' ? '' : `, role: ${role}`} }`,
  );
  expect(await chatform(['drift'], { cwd })).toMatchObject({ code: 0 });
});
