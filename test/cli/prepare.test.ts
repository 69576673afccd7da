// What the flags make of the settings of a target, before anything is sent.

import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { type Choice, prepare } from '../../src/run/prepare.ts';
import { folder, project } from './chatform.ts';
import { fakeTerminal } from './terminal.ts';

const HERE = fileURLToPath(new URL('../..', import.meta.url));

async function settingsWith(choice: Choice, ...settings: readonly string[]) {
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
