// `targets_from:` and `defaults` as a template: right values at their places, and each mistake at its own.

import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/base/model.ts';
import { loadProject } from '../../src/project/project.ts';
import { memoryDisk } from '../manifest/memory-disk.ts';

const HEAD = 'version: 1\nmanifest: [base.yaml]\n';
const TEMPLATE = `defaults:
  base_url: https://api.example.com
  token_env: "TOKEN_\${target.env_name}"
  overlays: ["tenants/\${target.name}.yaml"]
  vars: { region: "\${row.region}", hours: "\${row.hours}" }
`;
const CSV = 'targets_from: { csv: licenses.csv }\n';

function load(
  text: string,
  files: { readonly [name: string]: string | Uint8Array } = {},
  env: { [name: string]: string } = {},
) {
  return loadProject('p/chatform.yaml', env, memoryDisk({ 'p/chatform.yaml': HEAD + text, ...files }));
}

function isOutsideOfP(path: string): boolean {
  return !path.startsWith('p/');
}

function brief({ place: { file, line, column }, message }: Diagnostic): string {
  return `${file}:${line}:${column} ${message}`;
}

async function wrong(text: string, files: { readonly [name: string]: string | Uint8Array } = {}) {
  const { project, diagnostics } = await load(text, files);
  expect(project).toBeNull();
  return diagnostics.map(brief);
}

async function targets(text: string, files: { readonly [name: string]: string | Uint8Array } = {}, env = {}) {
  const { project, diagnostics } = await load(text, files, env);
  expect(diagnostics.map(brief)).toEqual([]);
  if (project === null) throw new Error('there is no project');
  return project.targets;
}

const LICENSES = 'name,region,hours\nacme,eu,09:00\nbravo.shop,us,10:00\n';

describe('a target of each row', () => {
  test.each([
    ['a table', CSV, { 'p/licenses.csv': LICENSES }],
    ['a table with a byte order mark and quotes', CSV, { 'p/licenses.csv': `\uFEFF${LICENSES.replace('eu', '"eu"')}` }],
    [
      'a list',
      'targets_from:\n  list:\n    - { name: acme, region: eu, hours: "09:00" }\n    - { name: bravo.shop, region: us, hours: "10:00" }\n',
      {},
    ],
    [
      'files',
      'targets_from: { directory: "tenants/*/tenant.yaml" }\n',
      {
        'p/tenants/b/tenant.yaml': 'name: bravo.shop\nregion: us\nhours: "10:00"\n',
        'p/tenants/a/tenant.yaml': 'name: acme\nregion: eu\nhours: "09:00"\n',
        'p/tenants/a/notes.txt': 'no target',
        'p/tenants/README.md': 'no folder',
      },
    ],
  ])('comes from %s', async (_, from, files) => {
    const found = await targets(from + TEMPLATE, files);
    expect([...found.keys()]).toEqual(['acme', 'bravo.shop']);
    expect(found.get('bravo.shop')).toMatchObject({
      name: 'bravo.shop',
      baseUrl: 'https://api.example.com',
      tokenEnv: 'TOKEN_BRAVO_SHOP',
      overlays: ['p/tenants/bravo.shop.yaml'],
      vars: { region: 'us', hours: '10:00' },
      ledger: 'p/.chatform/bravo.shop.ledger.ndjson',
    });
  });

  test('stands beside the targets of the file, which fill the template too', async () => {
    const found = await targets(`${CSV}${TEMPLATE}targets:\n  odd: { vars: { region: none }, license_id: 7 }\n`, {
      'p/licenses.csv': LICENSES,
    });
    expect([...found.keys()]).toEqual(['acme', 'bravo.shop', 'odd']);
    expect(found.get('odd')).toMatchObject({
      tokenEnv: 'TOKEN_ODD',
      overlays: ['p/tenants/odd.yaml'],
      vars: { region: 'none' },
    });
  });

  test('has labels of its own, and those of the template that it does not set', async () => {
    const template =
      'defaults:\n  base_url: "https://api.example.com/${target.name}"\n  labels: { ring: "${row.ring}", region: "eu/${row.region}", tier: "" }\n';
    const odd = 'targets: { odd: { labels: { ring: last, region: none, odd: "1.0" } } }\n';
    const found = await targets(CSV + template + odd, { 'p/licenses.csv': 'name,ring,region\nacme,canary,pl\n' });
    const labelsOf = (name: string) => Object.fromEntries(found.get(name)?.labels ?? []);
    expect(labelsOf('acme')).toEqual({ ring: 'canary', region: 'eu/pl', tier: '' });
    expect(labelsOf('odd')).toEqual({ ring: 'last', region: 'none', tier: '', odd: '1.0' });
    const files = { 'p/licenses.csv': 'name,ring,region\nacme,"a b",pl\n' };
    expect(await wrong(CSV + template + odd.replace('ring: last', 'ring: "x y"'), files)).toEqual([
      'p/chatform.yaml:7:35 "x y" does not have the right form',
      'p/licenses.csv:2:6 "a b" does not have the right form',
    ]);
    expect(await wrong(CSV + template + odd.replace('ring: last, ', ''), files)).toEqual([
      'p/chatform.yaml:6:20 `${row.ring}` has no value',
      'p/licenses.csv:2:6 "a b" does not have the right form',
    ]);
  });

  test.each([
    [
      'a table',
      CSV,
      { 'p/licenses.csv': 'name,code,version,batch,flag\n acme , 00123 ,"1.10",1e3,TRUE\n,,,,\n, ,"",,\n' },
    ],
    [
      'a list',
      'targets_from: { list: [{ name: acme, code: &code 00123, version: 1.10, batch: 1e3, flag: TRUE, same: *code }] }\n',
      {},
    ],
    [
      'a list with tags',
      'targets_from: { list: [{ name: acme, code: 00123, version: !!float 1.10, batch: !!str 1e3, flag: !!bool TRUE }] }\n',
      {},
    ],
    [
      'files',
      'targets_from: { directory: "t/*.yaml" }\n',
      { 'p/t/a.yaml': 'name: acme\ncode: 00123\nversion: 1.10\nbatch: 1e3\nflag: TRUE\n' },
    ],
    [
      'files outside of the project',
      'targets_from: { directory: "../t/*.yaml" }\n',
      { 't/a.yaml': 'name: acme\ncode: 00123\nversion: 1.10\nbatch: 1e3\nflag: TRUE\n' },
    ],
  ])('keeps its digits, from %s', async (_, from, files) => {
    const template =
      'defaults: { base_url: https://api.example.com, may_approve: "${row.flag}", vars: { all: "${row.code} ${row.version} ${row.batch}" } }\n';
    const io = { ...memoryDisk({ 'p/chatform.yaml': HEAD + from + template, ...files }), isOutside: isOutsideOfP };
    const { project, diagnostics } = await loadProject('p/chatform.yaml', {}, io);
    expect(diagnostics.map(brief)).toEqual([]);
    expect(project?.targets.get('acme')).toMatchObject({ vars: { all: '00123 1.10 1e3' }, mayApprove: true });
  });

  test('can be called like something that every object of JavaScript has', async () => {
    const found = await targets(
      `targets_from: { list: [{ name: constructor, region: eu, hours: "9" }, { name: toString, region: us, hours: "8" }] }\n${TEMPLATE}targets: { valueOf: { vars: { region: none } } }\n`,
    );
    expect([...found.keys()]).toEqual(['constructor', 'toString', 'valueOf']);
    expect(found.get('constructor')).toMatchObject({ tokenEnv: 'TOKEN_CONSTRUCTOR', vars: { region: 'eu' } });
    expect(
      await wrong(`${CSV}defaults: { base_url: "https://x", vars: { a: "\${row.constructor}" } }\n`, {
        'p/licenses.csv': 'name\ntoString\n',
      }),
    ).toEqual(['p/chatform.yaml:4:48 `${row.constructor}` has no value']);
  });

  test('gets numbers and flags where a setting wants them', async () => {
    const found = await targets(
      `${CSV}defaults: { base_url: https://api.example.com, license_id: "\${row.id}", may_approve: "\${row.approves}" }\n`,
      { 'p/licenses.csv': 'name,id,approves\nacme,17,true\n' },
    );
    expect(found.get('acme')).toMatchObject({ licenseId: '17', mayApprove: true });
  });

  test('reads variables of the environment, but never one that another target names as its token', async () => {
    const text = `${CSV}defaults: { base_url: "https://\${env.CHATFORM_VAR_HOST}/\${target.name}", token_env: "KEY_\${target.env_name}" }\n`;
    const files = { 'p/licenses.csv': 'name\nacme\n' };
    const found = await targets(text, files, { CHATFORM_VAR_HOST: 'api.example.com' });
    expect(found.get('acme')?.baseUrl).toBe('https://api.example.com/acme');
    const stolen = `env: [KEY_ACME]\n${text.replace('CHATFORM_VAR_HOST', 'KEY_ACME')}`;
    const { diagnostics } = await load(stolen, files, { KEY_ACME: 'x' });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'files may not read `KEY_ACME`: it holds a secret, because `token_env` names it',
      '`${env.KEY_ACME}` may not be read: it holds a secret, because `token_env` names it',
    ]);
  });
});

describe('a mistake', () => {
  test.each([
    ['a table that is not there', undefined, ['p/chatform.yaml:3:22 p/licenses.csv: the file does not exist']],
    ['no row', 'name,region,hours\n', ['p/chatform.yaml:3:22 p/licenses.csv has no row, so there is no target']],
    ['a name twice', `${LICENSES}acme,us,\n`, ['p/licenses.csv:4:1 two targets are called `acme`']],
    ['no name', `${LICENSES},us,11:00\n`, ['p/licenses.csv:4:1 the target has no name']],
    ['a wrong name', `${LICENSES}a b,us,11:00\n`, ['p/licenses.csv:4:1 `a b` is not the name of a target']],
    ['no column of names', 'nam,region,hours\nacme,eu,1\n', ['p/licenses.csv:1:1 there is no column `name`']],
    ['a short row', `${LICENSES}charlie,us\n`, ['p/licenses.csv:4:1 this row has 2 of 3 values']],
    ['a variable', `${LICENSES}charlie,\${env.X},1\n`, ['p/licenses.csv:4:9 a row has no variables']],
  ])('in a table: %s', async (_, table, expected) => {
    expect(await wrong(CSV + TEMPLATE, table === undefined ? {} : { 'p/licenses.csv': table })).toEqual(expected);
  });

  test('in a table makes no other target an unknown one', async () => {
    const text = `${CSV}default_target: acme\n${TEMPLATE}targets:\n  odd: { vars: {} }\n`;
    expect(await wrong(text, { 'p/licenses.csv': 'name\nacme,1\n' })).toEqual([
      'p/licenses.csv:2:1 this row has 2 values for 1 column',
    ]);
  });

  test('in a table is never a credential that the finding shows', async () => {
    const { diagnostics } = await load(CSV + TEMPLATE, { 'p/licenses.csv': `${LICENSES}charlie,dal:abcdef123,1\n` });
    expect(diagnostics.map(brief)).toEqual([
      'p/licenses.csv:4:9 a credential is in this file, where everyone with access to the project can read it',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain('abcdef123');
  });

  test('in a value of a row is at the row, and says where the template is', async () => {
    const text = `${CSV}defaults:\n  base_url: "\${row.url}"\n`;
    const { diagnostics } = await load(text, {
      'p/licenses.csv': 'name,url\nacme,https://a.example.com\nbravo,ftp://b\n',
    });
    expect(diagnostics.map(brief)).toEqual(['p/licenses.csv:3:7 "ftp://b" does not have the right form']);
    expect(diagnostics[0]?.related).toEqual([
      { place: { file: 'p/chatform.yaml', line: 5, column: 13, length: 12 }, message: 'through `${row.url}`' },
    ]);
  });

  test('in the template is one, however many targets there are', async () => {
    const files = { 'p/licenses.csv': LICENSES };
    expect(await wrong(`${CSV}${TEMPLATE.replace('row.region', 'row.regoin')}`, files)).toEqual([
      'p/chatform.yaml:8:20 `${row.regoin}` has no value',
    ]);
    expect(await wrong(`${CSV}defaults: { token_env: "T_\${target.env_name}" }\n`, files)).toEqual([
      'p/chatform.yaml:3:1 `base_url` is missing',
    ]);
  });

  test('is a file without a name, and one that is no mapping of values', async () => {
    const from = 'targets_from: { directory: "tenants/*.yaml" }\n';
    expect(
      await wrong(from + TEMPLATE, {
        'p/tenants/a.yaml': 'region: eu\n',
        'p/tenants/b.yaml': 'name: b\nregion: [eu]\n',
        'p/tenants/c.yaml': 'name: "\n',
      }),
    ).toEqual([
      'p/tenants/a.yaml:1:1 the target has no `name`',
      'p/tenants/b.yaml:2:9 `region` is not a text, a number or a flag',
      expect.stringContaining('p/tenants/c.yaml:'),
    ]);
    expect(await wrong(from + TEMPLATE)).toEqual([
      'p/chatform.yaml:3:28 no file matches p/tenants/*.yaml, so there is no target',
    ]);
  });

  test.each([
    ['neither `targets` nor `targets_from`', TEMPLATE.replaceAll(/\$\{[^}]*\}/g, 'x'), '`targets` is missing'],
    ['two sources', 'targets_from: { csv: a.csv, directory: "*.yaml" }\n', 'cannot be combined'],
    ['a target in both', `${CSV}${TEMPLATE}targets:\n  acme: { vars: {} }\n`, 'also in `targets_from`'],
    [
      'two names for one variable',
      `${CSV}${TEMPLATE}targets:\n  bravo-shop: { vars: {} }\n`,
      'have the same `${target.env_name}`, BRAVO_SHOP',
    ],
    ['a row for a target without one', `${CSV}${TEMPLATE}targets:\n  odd: {}\n`, '`${row.region}` has no value'],
    ['a list of rules', `${CSV}defaults: { drift: { fail_on: "\${row.hours}" } }\n`, 'is the same for all targets'],
  ])('is %s', async (_, text, message) => {
    const found = await wrong(text, { 'p/licenses.csv': LICENSES });
    expect(found.filter((each) => each.includes(message))).not.toEqual([]);
  });
});

test('A table of targets has another separator and another encoding, as each table', async () => {
  const table = Buffer.from('name;region;hours\nacme;Köln;9\n', 'latin1');
  const text = `targets_from: { csv: licenses.csv, encoding: windows-1252, separator: ";" }\n${TEMPLATE}`;
  const found = await targets(text, { 'p/licenses.csv': table });
  expect(found.get('acme')?.vars).toEqual({ region: 'Köln', hours: '9' });
  expect(await wrong(CSV + TEMPLATE, { 'p/licenses.csv': table })).toEqual([
    'p/licenses.csv:2:7 the file is not text in UTF-8',
  ]);
});

describe('what each license has for itself', () => {
  const ONE = 'targets_from: { list: [{ name: acme }, { name: bravo }] }\ndefaults:\n  ';
  const OWN = 'base_url: "emulator:${target.name}.json"';
  test.each([
    [
      'a file of secrets: that of the second license would replace the first',
      `${ONE}${OWN}\n  secrets: { file: all.json }\n`,
      'p/chatform.yaml:6:20 target `bravo` has the file of secrets of target `acme`, which is another license',
    ],
    [
      'a file of secrets as variables',
      `${ONE}${OWN}\n  secrets: { env_file: .env }\n`,
      'p/chatform.yaml:6:24 target `bravo` has the file of secrets of target `acme`, which is another license',
    ],
    [
      'a ledger, also with one address',
      `${ONE}base_url: https://api.example.com\n  token_env: "T_\${target.env_name}"\n  ledger: all.ndjson\n`,
      'p/chatform.yaml:7:11 target `bravo` has the ledger of target `acme`, which is another license',
    ],
    [
      'an address with a token',
      `${ONE}base_url: https://api.example.com\n`,
      'p/chatform.yaml:5:13 target `bravo` is the license of target `acme`: it has the same `base_url` and `token_env`',
    ],
    [
      'the file of an emulator',
      `${ONE}base_url: emulator:one.json\n  token_env: "T_\${target.env_name}"\n`,
      'p/chatform.yaml:5:13 target `bravo` is the license of target `acme`: its `base_url` is the same file',
    ],
  ])('is %s', async (_, text, message) => {
    expect(await wrong(text)).toEqual([message]);
  });

  test('is a ledger and a file of secrets also for two entries, with one address or two', async () => {
    const shared = 'ledger: l.ndjson, secrets: { file: s.json }';
    const two = (second: string) =>
      `targets:\n  a: { base_url: https://api.example.com, ${shared} }\n  b: { base_url: ${second}, ${shared} }\n`;
    expect(await wrong(two('https://api.example.com, token_env: READ'))).toHaveLength(2);
    expect(await wrong(two('https://other.example.com'))).toHaveLength(2);
  });
});
