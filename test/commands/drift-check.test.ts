// One look: its notes, and why it failed, in one line that says enough without stderr.

import { afterEach, expect, test } from 'vitest';
import { checkFiles } from '../../src/commands/drift-check.ts';
import { folder } from '../cli/chatform.ts';
import { fakeTerminal } from '../cli/terminal.ts';

const home = process.cwd();
afterEach(() => process.chdir(home));

test('A ledger that is new, or lost, is noted: without it the side that changed is unknown', async () => {
  process.chdir(
    await folder({
      'chatform.yaml':
        'version: 1\nmanifest: [manifest.yaml]\ntargets: { here: { base_url: "emulator:license.json" } }\n',
      'manifest.yaml': 'version: 1\ngroups: { general: { id: 0, name: General } }\n',
    }),
  );
  const { look } = await checkFiles({ sightings: false }, fakeTerminal(null).terminal);
  expect(look).toMatchObject({ outcome: 'seen', report: { in_sync: true, notes: [{ kind: 'ledger-new' }] } });
});

async function failure(manifest: string, url: string): Promise<string> {
  process.chdir(
    await folder({
      'chatform.yaml': `version: 1\nmanifest: [manifest.yaml]\ntargets: { here: { base_url: "${url}", token_env: TOKEN } }\n`,
      'manifest.yaml': manifest,
    }),
  );
  const { terminal } = fakeTerminal(null, { TOKEN: 'any' });
  const { look } = await checkFiles({ sightings: false }, terminal);
  if (look.outcome !== 'failed') throw new Error('the look did not fail');
  return look.message;
}

test('Files with errors are told with the place of the first', async () => {
  const message = await failure('version: 1\ngroups:\n  a: { nam: A }\n  b: { nam: B }\n', 'emulator:license.json');
  expect(message).toMatch(/^the files have errors: manifest\.yaml:3, unknown-field, and \d more$/);
});

test('What would help is in the same line', async () => {
  const message = await failure('version: 1\ngroups: { a: { name: A } }\n', 'http://127.0.0.1:9');
  expect(message).toMatch(/; check base_url/);
  expect(message).not.toContain('\n');
});
