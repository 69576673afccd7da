// What the flags make of the settings of a target, before anything is sent.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { TargetChoice } from '../../src/target/choice.ts';
import { prepare } from '../../src/target/prepare.ts';
import { chatform, folder, project } from './chatform.ts';
import { fakeTerminal } from './terminal.ts';

const HERE = fileURLToPath(new URL('../..', import.meta.url));

async function settingsWith(choice: TargetChoice, ...settings: readonly string[]) {
  process.chdir(await folder(project(...settings)));
  onTestFinished(() => process.chdir(HERE));
  return (await prepare(choice, fakeTerminal(null).terminal)).settings;
}

test('A service in place of an emulator is not believed to lag as little as the emulator', async () => {
  const delay = { from: 0, to: 5000 };
  const lag = async (baseUrl: string | undefined, ...settings: readonly string[]) =>
    (await settingsWith(baseUrl === undefined ? {} : { baseUrl }, ...settings))?.propagationDelay;
  expect(await lag(undefined)).toEqual({ from: 0, to: 0 });
  expect(await lag('https://api.example.com')).toBe(null);
  expect(await lag('https://api.example.com', 'propagation_delay: 0s..5s')).toBe(null);
  expect(await lag('emulator:other.json', 'propagation_delay: 0s..5s')).toEqual(delay);
});

test('An address that a flag names sends no token in the clear either, unless the target says that it is meant', async () => {
  const far = { baseUrl: 'http://chat.test' };
  await expect(settingsWith(far)).rejects.toThrow(/--base-url: .*use https:\/\/.*plain_http: true/);
  await expect(settingsWith({ ...far, file: ['manifest.yaml'] })).rejects.toThrow('plain_http');
  expect((await settingsWith(far, 'plain_http: true'))?.baseUrl).toBe('http://chat.test');
  expect((await settingsWith({ baseUrl: 'http://127.0.0.1:1' }))?.baseUrl).toBe('http://127.0.0.1:1');
});

test('In a subfolder of a project, its chatform.yaml is named and not used', async () => {
  const root = await folder({ ...project(), 'manifest/teams/sales.yaml': '' });
  const said = async (cwd: string, ...args: readonly string[]) => (await chatform(args, { cwd })).stderr;
  const above = join('..', '..');
  const help = `there is no chatform.yaml here, and the nearest is ${join(above, 'chatform.yaml')}: run the command there, or begin it with \`chatform -C ${above}\`; `;
  for (const command of ['plan', 'drift', 'validate', 'show'])
    expect([command, await said(join(root, 'manifest/teams'), command)]).toEqual([
      command,
      `Error: ${help}\`-f FILE --base-url URL\` does without\n`,
    ]);
  expect(await said(join(root, 'manifest/teams'), 'ledger', 'show')).toBe(
    `Error: ${help}\`--ledger FILE\` does without\n`,
  );
  expect(await said(await folder(), 'plan')).toContain(
    '`chatform init` writes one, `-C DIR` names the folder of one, and',
  );
});
