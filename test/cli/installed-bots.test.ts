// The bots of a template that is deleted: they stay and the plan says so, or go with it where the target says so and a person agrees.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder, project } from './chatform.ts';

const GROUP = 'version: 1\ngroups: { sales: { name: Sales } }\n';
const TEMPLATE = `${GROUP}bot_templates: { scout: { name: Scout, owner_client_id: app, affect_existing_installations: true } }\n`;

/** A template that made its bot, and is in no file any more. */
async function gone(...settings: readonly string[]) {
  const cwd = await folder({
    ...project('secrets: { file: secrets.json }', 'max_delete_percent: 100', ...settings),
    'manifest.yaml': TEMPLATE,
    'license.json': JSON.stringify({ installed_clients: ['app'] }),
  });
  const made = await chatform(['apply', '--yes', '-q', '--acknowledge', 'bot_template/scout'], { cwd });
  expect(made).toMatchObject({ code: 0 });
  expect(await botsIn(cwd)).toHaveLength(1);
  await writeFile(join(cwd, 'manifest.yaml'), GROUP);
  return cwd;
}

async function botsIn(cwd: string): Promise<readonly unknown[]> {
  const { tables } = JSON.parse(await readFile(join(cwd, 'license.json'), 'utf8'));
  return tables.bots.filter((row: readonly { readonly value?: unknown }[]) => row.at(-1)?.value !== undefined);
}

test('They stay, and the plan says so', async () => {
  const cwd = await gone();
  const { code, stdout } = await chatform(['apply', '--yes'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ {2}- bot_template\/scout .*bots that it made stay/s)]);
  expect(await botsIn(cwd)).toHaveLength(1);
});

test('They go with it, once that is acknowledged', async () => {
  const cwd = await gone('prune_installed_bots: true');
  const withheld = await chatform(['apply', '--yes'], { cwd });
  expect([withheld.code, withheld.stdout]).toEqual([
    3,
    expect.stringContaining('bots that it made are deleted with it'),
  ]);
  expect(await botsIn(cwd)).toHaveLength(1);
  expect((await chatform(['apply', '--yes', '--acknowledge', 'bot_template/scout'], { cwd })).code).toBe(0);
  expect(await botsIn(cwd)).toHaveLength(0);
  expect((await chatform(['plan', '--detailed-exitcode'], { cwd })).code).toBe(0);
});

test('A plan that was approved without them does not delete them', async () => {
  const cwd = await gone();
  expect((await chatform(['plan', '--out', 'plan.json'], { cwd })).code).toBe(0);
  const yaml = await readFile(join(cwd, 'chatform.yaml'), 'utf8');
  await writeFile(join(cwd, 'chatform.yaml'), `${yaml}    prune_installed_bots: true\n`);
  expect((await chatform(['apply', 'plan.json'], { cwd })).code).toBe(3);
  expect(await botsIn(cwd)).toHaveLength(1);
});

test('An undo of the template leaves them', async () => {
  const cwd = await gone('prune_installed_bots: true');
  const { code } = await chatform(['undo', '--yes', '--acknowledge', 'deletes'], { cwd });
  expect([code, (await botsIn(cwd)).length]).toEqual([0, 1]);
});
