// Former targets, by the ledgers that they left: named once in a run, and never changed.

import { expect, test } from 'vitest';
import { chatform, filesIn, folder } from './chatform.ts';

const LEDGERS = '"ledgers/${target.name}.ndjson"';

const project = (ledger: string, more = ''): string => `version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
defaults:
  base_url: "emulator:.chatform/\${target.name}.json"
${ledger === '' ? '' : `  ledger: ${ledger}\n`}${more}`;

const FILES: { readonly [name: string]: string } = {
  'chatform.yaml': project(LEDGERS),
  'manifest.yaml': 'version: 1\ngroups: { sales: { name: Sales } }\n',
  'licenses.csv': 'name\nacme\nbravo\n',
  'ledgers/acme.ndjson': '',
  'ledgers/carol.ndjson': '',
  'ledgers/delta.ndjson': '',
  'ledgers/echo.ndjson.lease.1': '',
  'ledgers/echo.ndjson.rescue.1': '',
  'ledgers/.ndjson': '',
  'ledgers/read me.ndjson': '',
};

async function run(files: { readonly [name: string]: string }, ...args: readonly string[]) {
  const cwd = await folder(files);
  const ran = await chatform([...args, '--json', '-q'], { cwd });
  return { ...ran, cwd, orphaned: JSON.parse(ran.stdout).orphaned };
}

test('a ledger that no target has is that of a former target', async () => {
  const { orphaned, stderr, code } = await run(FILES, 'validate', '--all');
  expect(orphaned).toEqual(['carol', 'delta']);
  expect(
    stderr,
  ).toBe(`chatform.yaml:6:11: warning orphaned-target: 2 targets are orphaned: carol, delta; chatform.yaml no longer has them, and license and ledger stay as they are
6 |   ledger: "ledgers/\${target.name}.ndjson"
  |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = help: restore the row; or, once the license is closed, delete its ledger, which \`chatform ledger show --ledger FILE\` shows

1 warning
`);
  expect(code).toBe(0);
});

test('a plan and a drift check name it, and an apply touches neither', async () => {
  for (const command of ['plan', 'drift'])
    expect(await run(FILES, command, '--all')).toMatchObject({ orphaned: ['carol', 'delta'] });
  const { cwd, code } = await run(FILES, 'apply', '--all', '--yes');
  expect(code).toBe(0);
  expect(await filesIn(cwd)).toMatchObject({ 'ledgers/carol.ndjson': '', 'ledgers/delta.ndjson': '' });
});

test.each<[string, { readonly [name: string]: string }, readonly string[]]>([
  ['some targets only', {}, ['-t', 'acme', '-t', 'bravo']],
  ['the usual place', { 'chatform.yaml': project('') }, ['--all']],
  ['a ledger in a folder for each', { 'chatform.yaml': project('"ledgers/${target.name}/x.ndjson"') }, ['--all']],
  [
    'a ledger by a column',
    {
      'chatform.yaml': project('"ledgers/${target.name}-${row.zone}.ndjson"'),
      'licenses.csv': 'name,zone\nacme,eu\n',
    },
    ['--all'],
  ],
  [
    'one target with a ledger elsewhere',
    { 'chatform.yaml': project(LEDGERS, 'targets: { own: { ledger: own/own.ndjson } }\n') },
    ['--all'],
  ],
  [
    'one target with a ledger of another name',
    { 'chatform.yaml': project(LEDGERS, 'targets: { own: { ledger: ledgers/ours.ndjson } }\n') },
    ['--all'],
  ],
])('nothing is concluded from %s', async (_, files, flags) => {
  expect(await run({ ...FILES, ...files }, 'validate', ...flags)).toMatchObject({ orphaned: [], stderr: '', code: 0 });
});
