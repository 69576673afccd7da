// The stage of the version in use: the first plan tells it, and later runs only an end that is near.

import { expect, test } from 'vitest';
import type { SettingsInput } from '../../src/emulator/index.ts';
import { chatform, folder } from './chatform.ts';
import { served } from './served.ts';

const env = { CHATFORM_TOKEN: 'test-token' };

async function told(lifecycle: SettingsInput['lifecycle'] & object): Promise<readonly string[]> {
  const { url } = await served({ settings: { lifecycle } });
  const cwd = await folder({
    'manifest.yaml': 'version: 1\nagents: { ann@example.com: { name: Ann } }\n',
    'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets:\n  here: { base_url: ${url}, ledger: ledger.ndjson }\n`,
  });
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stderr } = await chatform(args, { cwd, env });
    expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
    return Array.from(stderr.matchAll(/Warning: version .*/g), ([line]) => line).join('\n');
  };
  return [await run('plan'), await run('apply', '--yes'), await run('plan'), await run('drift')];
}

test('A stage that ends much later is told until the first apply', async () => {
  const warning = 'Warning: version 3.6 of the Configuration API is a legacy version; this stage ends on 2999-12-31';
  expect(await told({ '3.6': { header: 'Legacy', date: '2999-12-31' } })).toEqual([warning, warning, '', '']);
});

test('A stage that has ended is told by every run, once', async () => {
  const warning = 'Warning: version 3.6 of the Configuration API is deprecated; this stage ends on 2020-01-31';
  expect(await told({ '3.6': { header: 'Deprecation', date: '2020-01-31' } })).toEqual(Array(4).fill(warning));
});

test('Of the stable version, without a header, nothing is told', async () => {
  expect(await told({ '3.6': null })).toEqual(['', '', '', '']);
});
