// What two targets must not share, however it is spelled: each is refused at its place, with the places of both targets.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadProject } from '../../src/project/project.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chatform-separate-'));
  await mkdir(join(folder, 'manifest'));
  await writeFile(join(folder, 'manifest/groups.yaml'), 'version: 1\n');
  await symlink('.', join(folder, 'here'));
  return () => rm(folder, { recursive: true, force: true });
});

/** `line:column message <- line:column of each target` of each finding; `FOLDER` stands for the folder. */
async function found(targets: string, env: { readonly [name: string]: string } = {}): Promise<readonly string[]> {
  const file = join(folder, 'chatform.yaml');
  await writeFile(file, `version: 1\nmanifest: [manifest]\n${targets.replaceAll('FOLDER', folder)}\n`);
  const { diagnostics } = await loadProject(file, env);
  return diagnostics.map(
    ({ place: { line, column }, message, related }) =>
      `${line}:${column} ${message} <- ${related.map(({ place }) => `${place.line}:${place.column}`).join(' ')}`,
  );
}

const two = (one: string, other: string): string => `targets:\n  a: { ${one} }\n  b: { ${other} }`;

const OWN = ['base_url: "emulator:a.json"', 'base_url: "emulator:b.json"'] as const;

test.each([
  ['relative and absolute', 's.json', 'FOLDER/s.json'],
  ['through a link', 's.json', 'here/s.json'],
  ['through a link that is written out', 'manifest/../s.json', 'FOLDER/here/./s.json'],
])('a file of secrets, %s', async (_, one, other) => {
  for (const [own, others] of [
    ['file', 'file'],
    ['file', 'env_file'],
  ])
    expect(
      await found(two(`${OWN[0]}, secrets: { ${own}: "${one}" }`, `${OWN[1]}, secrets: { ${others}: "${other}" }`)),
    ).toEqual([
      expect.stringMatching(
        /^5:\d+ target `b` has the file of secrets of target `a`, which is another license <- 5:3 4:3$/,
      ),
    ]);
});

test('a ledger by another name, also the one that a target has unasked', async () => {
  expect(await found(two(OWN[0], `${OWN[1]}, ledger: here/.chatform/a.ledger.ndjson`))).toEqual([
    '5:45 target `b` has the ledger of target `a`, which is another license <- 5:3 4:3',
  ]);
});

describe('A file that chatform writes is nothing else', () => {
  test.each([
    ['secrets: { env_file: here/chatform.yaml }', 'the file of secrets of target b is also the file of the project'],
    ['secrets: { file: ./manifest/groups.yaml }', 'the file of secrets of target b is also the manifest'],
    ['secrets: { env_file: manifest/later.yaml }', 'the file of secrets of target b is also the manifest'],
    [
      'overlays: [o.txt], secrets: { file: here/o.txt }',
      'the file of secrets of target b is also the overlay of target b',
    ],
    ['ledger: l, secrets: { env_file: ./l }', 'the file of secrets of target b is also the ledger of target b'],
    [
      'secrets: { env_file: .chatform/a.ledger.ndjson }',
      'the file of secrets of target b is also the ledger of target a',
    ],
    ['secrets: { file: b.json }', 'the license of the emulator of target b is also the file of secrets of target b'],
    ['ledger: here/a.json', 'the ledger of target b is also the license of the emulator of target a'],
    ['ledger: b.json', 'the license of the emulator of target b is also the ledger of target b'],
  ])('%s', async (setting, message) => {
    const [finding, ...others] = await found(two(OWN[0], `${OWN[1]}, ${setting}`));
    expect(others).toEqual([]);
    expect(finding).toMatch(/^5:\d+ /);
    expect(finding).toContain(message);
  });

  test('a table of targets', async () => {
    await writeFile(join(folder, 'l.csv'), 'name\nacme\n');
    const [finding] = await found(
      'targets_from: { csv: l.csv }\ndefaults: { base_url: "emulator:${target.name}.json", secrets: { env_file: here/l.csv } }',
    );
    expect(finding).toContain('the file of secrets of target acme is also the table of targets');
  });
});

describe('One license is one target', () => {
  const https = (url: string, more = ''): string => `base_url: "${url}"${more}`;
  test.each([
    ['the file of an emulator, absolute', 'base_url: "emulator:l.json"', 'base_url: "emulator:FOLDER/here/l.json"', {}],
    ['capitals of the host', https('https://api.example.com'), https('https://API.Example.com'), {}],
    ['the default port', https('https://api.example.com'), https('https://api.example.com:443/'), {}],
    ['slashes', https('https://api.example.com/x'), https('https://api.example.com//x//'), {}],
    ['a dot after the host', https('https://api.example.com'), https('https://api.example.com.'), {}],
    ['a data centre', https('https://api.example.com'), https('https://api-fra.example.com'), {}],
    ['names of this machine', https('http://localhost:8080'), https('http://127.0.0.1:8080/'), {}],
    [
      'an unset and a written variable',
      https('https://x.test'),
      https('https://x.test', ', token_env: CHATFORM_TOKEN'),
      {},
    ],
    [
      'one token in two variables',
      https('https://x.test', ', token_env: A'),
      https('https://x.test/', ', token_env: B'),
      { A: 'secret-token', B: 'secret-token' },
    ],
    [
      'one number',
      https('https://x.test', ', token_env: A, license_id: 7'),
      https('https://y.test', ', token_env: B, license_id: "7"'),
      {},
    ],
  ])('%s', async (_, one, other, env) => {
    const all = await found(two(one, other), env);
    expect(all).toEqual([expect.stringMatching(/^5:\d+ target `b` is the license of target `a`: .* <- 5:3 4:3$/)]);
    expect(JSON.stringify(all)).not.toContain('secret-token');
  });

  test.each([
    ['other tokens', https('https://x.test', ', token_env: A'), https('https://x.test', ', token_env: B')],
    ['other paths', https('https://x.test/a'), https('https://x.test/b')],
    ['other ports', https('http://127.0.0.1:1'), https('http://127.0.0.1:2')],
    ['other files', 'base_url: "emulator:a.json"', 'base_url: "emulator:here/A.json"'],
  ])('but not %s', async (_, one, other) => {
    expect(await found(two(one, other))).toEqual([]);
  });

  test.each([
    ['a table', 'csv: l.csv'],
    ['files', 'directory: "t/*.yaml"'],
    ['a list', 'list: [{ name: acme, at: here }, { name: bravo, at: . }]'],
  ])('also of rows in %s', async (_, from) => {
    await mkdir(join(folder, 't'));
    await writeFile(join(folder, 'l.csv'), 'name,at\nacme,here\nbravo,.\n');
    await writeFile(join(folder, 't/a.yaml'), 'name: acme\nat: here\n');
    await writeFile(join(folder, 't/b.yaml'), 'name: bravo\nat: .\n');
    const rows = `targets_from: { ${from} }\ndefaults: { base_url: "emulator:\${row.at}/l.json" }`;
    expect(await found(rows)).toEqual([
      expect.stringContaining('target `bravo` is the license of target `acme`: its `base_url` is the same file'),
    ]);
    expect(
      await found(
        `${rows.replace('/l.json', '/${target.name}.json')}\ntargets: { odd: { base_url: "emulator:here/acme.json" } }`,
      ),
    ).toEqual([expect.stringMatching(/target `(odd|acme)` is the license of target `(acme|odd)`/)]);
  });
});
