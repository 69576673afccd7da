// `chatform drift --accept` as a process: what it makes of the files, what it says, how it ends, and that nothing differs afterwards.

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chatform, folder, project } from './chatform.ts';

const FILES = project('overlays: [prod.yaml]', 'vars: { language: en }');

const MANIFEST = `version: 1
agents:
  # since 2019
  ann@example.com: { name: Ann, job_title: Lead } # ours
groups:
  sales:
    name: Sales
    language_code: en # all of them
  support: { name: Support, language_code: "\${var.language}" }
`;

const OVERLAY = `version: 1
groups:
  sales: { name: 'Sales Department' } # in production
`;

/** What somebody makes of the license, in the application of the service. */
const ELSEWHERE = `version: 1
agents:
  ann@example.com: { name: Ann, job_title: Head }
groups:
  sales: { id: 1, name: Shop, language_code: pl }
  support: { id: 2, name: Support, language_code: en }
`;

/** A project that was applied, and a license that somebody changed since. */
async function drifted(theirs = ELSEWHERE): Promise<string> {
  const cwd = await folder({ ...FILES, 'manifest.yaml': MANIFEST, 'prod.yaml': OVERLAY, 'elsewhere.yaml': theirs });
  expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  const other = ['-f', 'elsewhere.yaml', '--base-url', 'emulator:license.json'];
  expect(await chatform(['apply', '--yes', '--quiet', ...other], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

async function textsIn(cwd: string): Promise<readonly string[]> {
  return Promise.all(['manifest.yaml', 'prod.yaml'].map((file) => readFile(join(cwd, file), 'utf8')));
}

test('One address is taken over where its values stand, the rest after it, and then nothing differs', async () => {
  const cwd = await drifted();
  const ledger = await readFile(join(cwd, 'ledger.ndjson'), 'utf8');
  const one = await chatform(['drift', '--accept', 'group/sales'], { cwd });
  expect([one.code, one.stdout]).toEqual([0, expect.stringContaining('2 differences')]);
  const pl = MANIFEST.replace('code: en #', 'code: pl #');
  const shop = OVERLAY.replace('Sales Department', 'Shop');
  expect(await textsIn(cwd)).toEqual([pl, shop]);
  expect(await chatform(['drift'], { cwd })).toMatchObject({ code: 2 });

  const { code, stdout } = await chatform(['drift', '--accept', '--json'], { cwd });
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      errored: false,
      taken: [{ address: 'agent/ann@example.com', path: ['job_title'], base: 'Lead', live: 'Head' }],
      left: [],
      files: ['manifest.yaml'],
    },
  ]);
  expect(await textsIn(cwd)).toEqual([pl.replace('Lead', 'Head'), shop]);
  expect(await readFile(join(cwd, 'ledger.ndjson'), 'utf8')).toBe(ledger);

  expect(await chatform(['drift'], { cwd })).toMatchObject({ code: 0 });
  expect(await chatform(['plan', '--detailed-exitcode'], { cwd })).toMatchObject({ code: 0 });
});

test('What comes from a variable is left with its reason and its place, and the rest is taken over', async () => {
  const cwd = await drifted(ELSEWHERE.replace('name: Support, language_code: en', 'name: Support, language_code: de'));
  const { code, stdout } = await chatform(['drift', '--accept'], { cwd });
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(
      /group\/support language_code {2}manifest\.yaml:9\n.*\$\{var\.language\}[\s\S]*support: \{ language_code: de \}/,
    ),
  ]);
  const [manifest] = await textsIn(cwd);
  expect(manifest).toBe(MANIFEST.replace('code: en #', 'code: pl #').replace('Lead', 'Head'));
  const left = await chatform(['drift', '--json'], { cwd });
  const items: readonly { readonly status: string; readonly address: string }[] = JSON.parse(left.stdout).items;
  expect(items.filter(({ status }) => status === 'drift')).toMatchObject([{ address: 'group/support' }]);
});

test.each([
  ['the folder of it', '.chatform/over', '.chatform/over/prod.yaml'],
  ['a file in it', '.chatform/over/prod.yaml', '.chatform/over'],
  ['a link to it', '.chatform/over/prod.yaml', 'link.yaml'],
])('An overlay is shared also where another target names %s', async (_, mine, theirs) => {
  const cwd = await drifted();
  const both = await readFile(join(cwd, 'chatform.yaml'), 'utf8');
  await mkdir(join(cwd, '.chatform/over'), { recursive: true });
  await writeFile(join(cwd, '.chatform/over/prod.yaml'), OVERLAY);
  await symlink('.chatform/over/prod.yaml', join(cwd, 'link.yaml'));
  const staging = `  staging: { base_url: "emulator:other.json", ledger: other.ndjson, overlays: [${theirs}] }\n`;
  await writeFile(join(cwd, 'chatform.yaml'), `${both.replace('prod.yaml', mine).trimEnd()}\n${staging}`);
  const refused = await chatform(['drift', '-t', 'here', '--accept'], { cwd });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('here has no overlay of its own')]);
});

test('An address that does not differ is a mistake, the nearest one is named, and nothing is written', async () => {
  const cwd = await drifted();
  const { code, stderr } = await chatform(['drift', '--accept', 'group/sale', 'group/sales'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('did you mean `group/sales`')]);
  expect(await textsIn(cwd)).toEqual([MANIFEST, OVERLAY]);
});

test('With nothing to take over no file is touched', async () => {
  const cwd = await drifted(
    `${MANIFEST.replace('"${var.language}"', 'en').replace('name: Sales', "name: 'Sales Department'")}`,
  );
  const { code, stdout } = await chatform(['drift', '--accept'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining('no file was written')]);
  expect(await textsIn(cwd)).toEqual([MANIFEST, OVERLAY]);
});

test.each(['--watch', '--notify=always'])('--accept does not go with %s', async (flag) => {
  const cwd = await folder(FILES);
  await writeFile(join(cwd, 'prod.yaml'), OVERLAY);
  const { code, stderr } = await chatform(['drift', '--accept', flag], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining(flag.split('=')[0] ?? '')]);
});
