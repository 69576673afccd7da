// The stage of the version in use: the first plan tells it, and later runs only an end that is near.

import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { SettingsInput } from '../../src/emulator/index.ts';
import { chatform, folder } from './chatform.ts';
import { served } from './served.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const env = { CHATFORM_TOKEN: 'test-token' };

const HERE = fileURLToPath(new URL('../..', import.meta.url));

function files(url: string, version = '3.6'): { readonly [name: string]: string } {
  return {
    'manifest.yaml': 'version: 1\nagents: { ann@example.com: { name: Ann } }\n',
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here: { base_url: ${url}, ledger: ledger.ndjson, api_version: "${version}" }\n`,
  };
}

async function told(lifecycle: SettingsInput['lifecycle'] & object, version = '3.6'): Promise<readonly string[]> {
  const { url } = await served({ settings: { lifecycle } });
  const cwd = await folder(files(url, version));
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await chatform(args, { cwd, env });
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
    return Array.from(stderr.matchAll(/.*[Vv]ersion 3.*/g), ([line]) => line).join('\n');
  };
  return [await run('plan'), await run('apply', '--yes'), await run('plan'), await run('drift')];
}

test('A stage that ends much later is told until the first apply', async () => {
  const warning = 'Warning: version 3.6 of the Configuration API is a legacy version; this stage ends on 2999-12-31';
  expect(await told({ '3.6': { header: 'Legacy', date: '2999-12-31' } })).toEqual([warning, warning, '', '']);
});

test('A stage that has ended is told by every run, once', async () => {
  const warning = 'Warning: version 3.6 of the Configuration API is deprecated; this stage ended on 2020-01-31';
  expect(await told({ '3.6': { header: 'Deprecation', date: '2020-01-31' } })).toEqual(Array(4).fill(warning));
});

test('That a version is stable is told to a person at a terminal, until the first apply, and not in a log', async () => {
  expect(await told({ '3.6': null })).toEqual(['', '', '', '']);
  const { url } = await served();
  process.chdir(await folder(files(url)));
  onTestFinished(() => process.chdir(HERE));
  const at = async (...args: readonly string[]): Promise<string> => {
    const said: string[] = [];
    const err = (text: string) => said.push(text);
    const code = await atTerminal(args, { ...fakeTerminal(null, env).terminal, out: () => {}, err, status: () => {} });
    expect([args, code, said]).toEqual([args, 0, expect.any(Array)]);
    return said.filter((line) => line.includes('ersion 3')).join('');
  };
  const line = 'Version 3.6 of the Configuration API is the stable version: the service announces no end.\n';
  expect([await at('plan', '--quiet'), await at('plan'), await at('apply', '--yes'), await at('plan')]).toEqual([
    '',
    line,
    line,
    '',
  ]);
});

test('A preview, and an older version without a header, are told until the first apply', async () => {
  const preview = 'Warning: version 3.7 of the Configuration API is a preview: the service may change it';
  expect(await told({}, '3.7')).toEqual([preview, preview, '', '']);
  const older =
    'Warning: version 3.3 of the Configuration API is older than the stable version, and the service does not say when it ends';
  expect(await told({ '3.3': null }, '3.3')).toEqual([older, older, '', '']);
});

test('Targets of one command tell the same stage once', async () => {
  const { url } = await served({ settings: { lifecycle: { '3.6': { header: 'Legacy', date: '2999-12-31' } } } });
  const target = (name: string): string =>
    `  ${name}: { base_url: ${url}, token_env: TOKEN_OF_${name.toUpperCase()}, ledger: ${name}.ndjson }`;
  const cwd = await folder({
    'manifest.yaml': 'version: 1\nagents: { ann@example.com: { name: Ann } }\n',
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n${target('one')}\n${target('two')}\n`,
  });
  const { code, stderr } = await chatform(['plan', '--all'], {
    cwd,
    env: { TOKEN_OF_ONE: 'one', TOKEN_OF_TWO: 'two' },
  });
  expect([code, stderr.match(/is a legacy version/g)?.length, stderr]).toEqual([0, 1, expect.any(String)]);
});

test('Of the Reports API, a report tells only an end that is near', async () => {
  const line = async (date: string): Promise<string> => {
    const { url } = await served({ settings: { lifecycle: { 'reports/3.4': { header: 'Deprecation', date } } } });
    const cwd = await folder({
      'manifest.yaml': 'version: 1\n',
      'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here: { base_url: ${url}, reports_api_version: "3.4" }\n`,
    });
    const { code, stderr } = await chatform(['report', 'total_chats'], { cwd, env });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return /.*version 3\.4.*/.exec(stderr)?.[0] ?? '';
  };
  expect([await line('2999-12-31'), await line('2020-01-31')]).toEqual([
    '',
    'Warning: version 3.4 of the Reports API is deprecated; this stage ended on 2020-01-31',
  ]);
});
