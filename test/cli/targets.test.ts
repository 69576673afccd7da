// Commands for several targets: which are chosen, one answer for all of them, and the worst exit code.

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { targetsSchema } from '../../src/many/schema.ts';
import { systemClock } from '../../src/service/patience/clock.ts';
import { chatform, folder } from './chatform.ts';
import { served } from './served.ts';
import { atTerminal, fakeTerminal } from './terminal.ts';

const MANIFEST = `version: 1
variables:
  shop: { type: string }
  chats: { type: integer }
agents:
  ann@example.com: { name: Ann, max_chats_count: "\${var.chats}" }
groups:
  support: { name: "Support of \${var.shop}", agent_priorities: { ann@example.com: normal } }
`;

const PROJECT = `version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
defaults:
  base_url: "emulator:.chatform/\${target.name}.json"
  ledger: "ledgers/\${target.name}.ndjson"
  labels: { region: "\${row.region}" }
  vars: { shop: "\${row.shop}", chats: "\${row.chats}" }
`;

const ROWS = ['acme,Shop,5,eu', 'bravo,Shop,5,eu', 'carol,Shop,5,us', 'delta,Delta,7,us'];

function agency(rows: readonly string[] = ROWS, project = PROJECT): Promise<string> {
  return folder({
    'chatform.yaml': project,
    'manifest.yaml': MANIFEST,
    'licenses.csv': `name,shop,chats,region\n${rows.map((row) => `${row}\n`).join('')}`,
  });
}

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  targetsSchema,
);

test('the published schema is the one in the code', async () => {
  const text = `${JSON.stringify(targetsSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/targets.schema.json');
});

/** The first column of the table. */
function targetsIn(stdout: string): readonly string[] {
  const lines = stdout.split('\n');
  const head = lines.findIndex((line) => /^target {2}/i.test(line));
  const end = lines.indexOf('', head);
  return lines.slice(head + 1, end).map((line) => line.split(' ')[0] ?? '');
}

test.each([
  [['--all'], ['acme', 'bravo', 'carol', 'delta']],
  [
    ['-t', 'acme', '-t', 'delta'],
    ['acme', 'delta'],
  ],
  [['-t', '*a'], ['delta']],
  [
    ['-t', 'a*', '-t', 'c*'],
    ['acme', 'carol'],
  ],
  [
    ['-l', 'region=eu'],
    ['acme', 'bravo'],
  ],
  [
    ['-l', 'region=eu', '-l', 'region=us'],
    ['acme', 'bravo', 'carol', 'delta'],
  ],
  [['-l', 'region=us', '-t', '*o*'], ['carol']],
] as const)('%s chooses %s', async (flags, expected) => {
  const { code, stdout } = await chatform(['validate', ...flags], { cwd: await agency() });
  expect(targetsIn(stdout)).toEqual(expected);
  expect(code).toBe(0);
});

test('a limit of some versions is an error at its place, and names the targets of these versions', async () => {
  const target = (version: string) => `{ base_url: "emulator:${version}.json", api_version: "${version}" }`;
  const cwd = await folder({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets:
  former: ${target('3.3')}
  stable: ${target('3.6')}
  preview: ${target('3.7')}
`,
    'manifest.yaml': 'version: 1\nagents: { ann@example.com: { name: Ann, max_chats_count: 21 } }\n',
  });
  const { code, stdout, stderr } = await chatform(['validate', '--all'], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^former +1 +valid$/m)]);
  expect(stderr).toContain('manifest.yaml:2:58: error out-of-range: 21 is too large\n');
  expect(stderr).toMatch(/use at most 20, .*\n {2}= only for 2 targets: preview, stable\n/);
});

test.each([
  [['-t', 'acmee', '-t', 'delta'], 'no target is called acmee; did you mean acme?'],
  [['-t', 'x*'], 'no target is called x*; there are: acme, bravo, carol, delta'],
  [['-l', 'region'], '-l region: write it as NAME=VALUE, such as -l region=eu'],
  [['-l', 'regio=eu'], '-l regio=eu: no target has the label regio; did you mean region?'],
  [['-l', 'region=asia'], '-l region=asia: no target has this value of region; there are: eu, us'],
  [['-l', 'region=us', '-t', 'a*'], 'no target has all of a*, region=us; there are: acme, bravo, carol, delta'],
  [['--all', '-t', 'acme'], '--all takes every target, so it does not go with -t'],
  [['--all', '--base-url', 'emulator:x.json'], '--base-url: only for one target'],
  [['--all', '-f', 'manifest.yaml'], '-f: only for one target'],
  [['--all', '--secrets-file', 'all.json'], '--secrets-file: only for one target'],
])('%s is refused', async (flags, message) => {
  const { code, stdout, stderr } = await chatform(['plan', ...flags], { cwd: await agency() });
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
});

test('an error about a name lists a few of many targets', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => `t${index + 10},T,5,eu`);
  const cwd = await agency(rows);
  const few = 't10, t11, t12, t13, t14, t15, t16, t17 and 12 more';
  const { stderr } = await chatform(['explain', '--url', '/'], { cwd });
  expect(stderr).toContain(`choose one with -t (${few})\n`);
  const wrong = await chatform(['destroy', '-t', 'x', '--yes'], { cwd });
  expect(wrong.stderr).toContain(`there is no target x in chatform.yaml; there are: ${few}\n`);
});

test('one name is one target, with its own answer', async () => {
  const { stdout } = await chatform(['validate', '-t', 'bravo'], { cwd: await agency() });
  expect(stdout).toBe('Valid: 2 resources for target bravo.\n');
});

test('a plan says once what is the same, and what differs in full', async () => {
  const { code, stdout, stderr } = await chatform(['plan', '--all'], { cwd: await agency() });
  expect(stdout).toContain('3 targets with the same result: acme, bravo, carol:\n');
  expect(stdout.match(/\+ agent\/ann@example\.com/g)).toHaveLength(2);
  expect(stdout).toContain('\nTarget delta:\n');
  expect(stdout).toMatch(
    /\nTarget +Add +Change +Destroy +Rerouted +Dangers +Requests +State\nacme +2 +- +- +- +- +2 +changes\n/,
  );
  expect(stdout).toMatch(/\n4 targets: 4 with changes; 8 requests\n$/);
  expect(stderr.split('\n').sort().join('\n')).toContain('acme: changes (2 add)\nbravo: changes (2 add)\n');
  expect(code).toBe(0);
});

test('a mistake of one target is told with its target, and the others are checked', async () => {
  const rows = [...ROWS.slice(0, 3), 'delta,Delta,many,us'];
  const { code, stdout, stderr } = await chatform(['validate', '--all'], { cwd: await agency(rows) });
  expect(stderr).toContain(
    'licenses.csv:5:13: error wrong-type: variable `chats`: expected a whole number, found "many"',
  );
  expect(stderr).toContain('  = only for 1 target: delta\n');
  expect(stderr).toContain('\n1 error\n');
  expect(stdout).toMatch(/\ndelta +- +failed: 1 error\n/);
  expect(stdout).toMatch(/\n4 targets: 3 valid, 1 failed\n$/);
  expect(code).toBe(1);
});

test('a mistake of all targets is told once', async () => {
  const cwd = await agency();
  await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('normal', 'quick'));
  const { stderr } = await chatform(['validate', '--all', '-q'], { cwd });
  expect(stderr.match(/error/g)).toHaveLength(2);
  expect(stderr).not.toContain('only of');
});

test('a license that cannot be asked is counted apart', async () => {
  const project = PROJECT.replace(
    '"emulator:.chatform/${target.name}.json"',
    '"https://${row.region}.chat.invalid"',
  ).replace('defaults:\n', 'defaults:\n  token_env: "TOKEN_${target.env_name}"\n');
  const { code, stdout } = await chatform(['plan', '--all', '-q'], { cwd: await agency(ROWS, project) });
  expect(stdout).toMatch(
    /\nacme +unreachable: the environment variable TOKEN_ACME is not set: it must hold the access token of target acme\n/,
  );
  expect(stdout).toMatch(/\n4 targets: 4 unreachable\n$/);
  expect(code).toBe(1);
});

test('the document fits its schema, and has each different plan once', async () => {
  const cwd = await agency();
  const { stdout } = await chatform(['plan', '--all', '--json'], { cwd });
  const document = JSON.parse(stdout);
  expect(fits(document), JSON.stringify(fits.errors)).toBe(true);
  expect(document.targets.map(({ target, alike }: { target: string; alike: number }) => [target, alike])).toEqual([
    ['acme', 0],
    ['bravo', 0],
    ['carol', 0],
    ['delta', 1],
  ]);
  expect(document.alike[0].targets).toEqual(['acme', 'bravo', 'carol']);
  expect(document.alike[1].document).toMatchObject({ target: 'delta', summary: { add: 2 } });
  expect(document.summary).toMatchObject({ targets: 4, states: { changes: 4 }, requests: 8 });
});

test('reports have each target', async () => {
  const cwd = await agency([...ROWS.slice(0, 3), 'delta,Delta,many,us']);
  const formats = ['csv', 'junit', 'markdown', 'html', 'json', 'sarif'];
  const { code } = await chatform(
    ['plan', '--all', ...formats.flatMap((each) => ['--report', `${each}=out.${each}`])],
    { cwd },
  );
  expect(code).toBe(1);
  const read = (format: string) => readFile(join(cwd, `out.${format}`), 'utf8');
  expect(await read('csv')).toMatch(
    /^target,problem,action,kind,address,name,field,before,after,reach,danger,file,line\r?\nacme,,create,agent,agent\/ann@example\.com,/,
  );
  expect(await read('junit')).toMatch(/<testsuite name="chatform plan delta" tests="2" failures="1" errors="1"/);
  expect(await read('markdown')).toContain('| acme | 2 | &#45; | &#45; | &#45; | &#45; | 2 | changes |\n');
  expect(await read('html')).toMatch(/<h1>chatform plan: 4 targets/);
  expect(await read('html')).toContain('3 targets with the same result: acme, bravo, carol');
  expect(JSON.parse(await read('json')).targets).toHaveLength(4);
  expect(JSON.parse(await read('sarif')).runs.map(({ results }: { results: unknown[] }) => results.length)).toEqual([
    0, 0, 0, 1,
  ]);
});

test('a quiet command says less on the terminal, and as much in its reports', async () => {
  const cwd = await agency();
  const { stdout } = await chatform(['plan', '--all', '-q', '--report', 'markdown=plan.md'], { cwd });
  expect(stdout).not.toContain('agent/ann@example.com');
  expect(await readFile(join(cwd, 'plan.md'), 'utf8')).toContain('agent/ann@example.com');
});

test('a person is found on every license, or on none', async () => {
  const cwd = await agency();
  await chatform(['apply', '-l', 'region=eu', '-y'], { cwd });
  const { code, stdout } = await chatform(['show', 'agent/ann@example.com', '--all'], { cwd });
  expect(stdout).toMatch(
    /^(?:Target acme|2 targets with the same result: acme, bravo):\n +address +agent\/ann@example\.com\n/m,
  );
  expect(stdout).toMatch(
    /\ncarol +.*absent: agent\/ann@example\.com is declared \(manifest\.yaml:6\), and not on the license/,
  );
  expect(stdout).toContain('4 targets: 2 done, 2 absent;');
  expect(code).toBe(0);
  const none = await chatform(['show', 'agent/bob@example.com', '--all'], { cwd });
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toContain('Error: there is no agent bob@example.com on the license');
});

test('drift of all has the worst exit code', async () => {
  const cwd = await agency();
  await chatform(['apply', '--all', '-y'], { cwd });
  const inSync = await chatform(['drift', '--all'], { cwd });
  expect(inSync).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Target +Differences/) });
  const details = await chatform(['drift', '--all', '--details'], { cwd });
  expect(details.stdout).toMatch(/Waiting for approval:/);
  await rm(join(cwd, '.chatform', 'carol.json'));
  const { code, stdout } = await chatform(['drift', '--all'], { cwd });
  expect(stdout).toMatch(/\ncarol +\d+ +\d+ +drift\n/);
  expect(stdout).toMatch(/^Target carol:\n/);
  const quiet = await chatform(['drift', '--all', '-q'], { cwd });
  expect(quiet).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^Target .*\n4 targets: 3 in sync, 1 drift; 8 requests\n$/s),
  });
  const { alike } = JSON.parse((await chatform(['drift', '--all', '-q', '--json'], { cwd })).stdout);
  expect(alike).toMatchObject([{ targets: ['carol'], document: { in_sync: false } }]);
  expect(code).toBe(2);
});

test('saved plans have one digest, and a folder with anything else is refused', async () => {
  const cwd = await agency();
  const { stdout } = await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  const digest = /; digest ([0-9a-f]{64})\n/.exec(stdout)?.[1];
  expect((await readdir(join(cwd, 'plans'))).sort()).toEqual(['acme.json', 'bravo.json', 'carol.json', 'delta.json']);
  const again = await chatform(['plan', '--all', '--out', 'plans', '-q'], { cwd });
  expect(again.stdout).toContain(`digest ${digest}`);
  const fewer = await chatform(['plan', '-l', 'region=eu', '--out', 'plans'], { cwd });
  expect(fewer.stderr).toContain('--out plans: the folder also has carol.json, delta.json, and is applied as a whole');
  const wrong = await chatform(['apply', 'plans', '--approved', `digest=${'0'.repeat(64)}`], { cwd });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`plans has the digest ${digest}`) });
  const right = await chatform(['apply', 'plans', '--approved', `digest=${digest}`], { cwd });
  expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining('4 targets: 4 applied;') });
  expect(await chatform(['plan', '--all', '-q'], { cwd })).toMatchObject({
    stdout: expect.stringContaining('4 targets: 4 in sync\n'),
  });
});

test('many targets that need nothing are counted, and the others listed', async () => {
  const cwd = await agency(Array.from({ length: 12 }, (_, index) => `shop${index + 10},Shop,5,eu`));
  const { stdout } = await chatform(['validate', '--all'], { cwd });
  expect(stdout).toBe('12 targets: 12 valid\n');
  await chatform(['apply', '--all', '-y', '-q'], { cwd });
  const table = await readFile(join(cwd, 'licenses.csv'), 'utf8');
  await writeFile(join(cwd, 'licenses.csv'), table.replace('shop15,Shop,5', 'shop15,Shop,6'));
  const plan = await chatform(['plan', '--all'], { cwd });
  expect(targetsIn(plan.stdout)).toEqual(['shop15']);
  expect(plan.stdout).toContain('\n\nNot listed: 11 in sync.\n\n12 targets: 11 in sync, 1 with changes; 1 request\n');
});

test('of many plans that differ in values only, one is shown for all; with details each', async () => {
  const cwd = await agency([
    'acme,Acme,5,eu',
    ...Array.from({ length: 6 }, (_, index) => `shop${index},Shop ${index},5,eu`),
  ]);
  const { stdout } = await chatform(['plan', '--all'], { cwd });
  expect(stdout).toMatch(
    /^Target acme:\n {2}6 more make the same changes with other values: shop0, shop1, shop2, shop3, shop4, shop5; --details shows each\n\n/,
  );
  expect(stdout.match(/\+ group\/support/g)).toHaveLength(1);
  const all = await chatform(['plan', '--all', '--details'], { cwd });
  expect(all.stdout.match(/\+ group\/support/g)).toHaveLength(7);
  await chatform(['apply', '-t', 'shop3', '-y', '-q'], { cwd });
  await writeFile(
    join(cwd, 'manifest.yaml'),
    MANIFEST.replace('\ngroups:', '\n  bob@example.com: { name: Bob }\ngroups:'),
  );
  const apart = await chatform(['plan', '--all'], { cwd });
  expect(apart.stdout).toContain('\n  5 more make');
  expect(apart.stdout).toContain('Target shop3:\n');
});

test('what is said of equal plans is true of each', async () => {
  const { stdout } = await chatform(['plan', '--all'], { cwd: await agency() });
  expect(stdout).not.toMatch(/ on acme\.|Unmanaged|to apply/);
});

test.each([
  [5, '\nType apply to change 5 targets: shop10, shop11, shop12, shop13, shop14: '],
  [6, '\nType apply to change 6 targets: '],
])('the question about %s targets fits a line', async (count, question) => {
  const cwd = await agency(Array.from({ length: count }, (_, index) => `shop${index + 10},Shop,5,eu`));
  const { terminal, asked } = fakeTerminal('no');
  const home = process.cwd();
  const code = await atTerminal(['-C', cwd, 'apply', '--all'], { ...terminal, clock: systemClock });
  process.chdir(home);
  expect({ code, asked }).toEqual({ code: 1, asked: [question] });
});

test('an empty cell is no value, so the default of its variable holds', async () => {
  const cwd = await agency(['acme,Shop,,eu', 'bravo,Shop,7,eu']);
  await writeFile(join(cwd, 'manifest.yaml'), MANIFEST.replace('type: integer', 'type: integer, default: 3'));
  const { code, stdout } = await chatform(['plan', '--all'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('Ann, 3 chats');
  expect(stdout).toContain('Ann, 7 chats');
});

test('Webhooks of a client need the one target that writes them, where the project has several', async () => {
  const webhook = 'owner_client_id: shop, type: license, action: chat_deactivated, url: https://hooks.example/ended';
  const cwd = await folder({
    'chatform.yaml': PROJECT,
    'manifest.yaml': `${MANIFEST}webhooks:\n  ended: { ${webhook} }\n`,
    'licenses.csv': 'name,shop,chats,region\nacme,Shop,5,eu\nbravo,Shop,5,eu\n',
  });
  const refused = await chatform(['validate', '--all'], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr + refused.stdout).toContain(
    'manifest.yaml:10:3: error contradiction: each target of the project would write the webhooks of `shop`, which are on all its licenses',
  );
  expect(refused.stderr + refused.stdout).toContain('`clients: { shop: { webhooks_of: TARGET } }` in chatform.yaml');
  await writeFile(join(cwd, 'chatform.yaml'), `${PROJECT}clients: { shop: { webhooks_of: acme } }\n`);
  expect((await chatform(['validate', '--all'], { cwd })).code).toBe(0);
});

test('A webhook that an overlay or a value of one target changes contradicts the target that writes it', async () => {
  const cwd = await folder({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
clients: { shop: { webhooks_of: acme } }
defaults: { vars: { host: hooks.example } }
targets:
  acme: { base_url: "emulator:acme.json", ledger: acme.ndjson }
  bravo: { base_url: "emulator:bravo.json", ledger: bravo.ndjson, overlays: [bravo.yaml] }
  carol: { base_url: "emulator:carol.json", ledger: carol.ndjson, vars: { host: other.example } }
`,
    'manifest.yaml': `version: 1
variables:
  host: { type: string }
webhooks:
  ended:
    owner_client_id: shop
    type: license
    action: chat_deactivated
    url: "https://\${var.host}/ended"
    filters: { source_type: [system, my_client] }
`,
    'bravo.yaml': `version: 1
webhooks:
  ended: { description: Ended chats, filters: { source_type: [my_client, system] } }
  begun: { owner_client_id: shop, type: license, action: incoming_chat, url: "https://hooks.example/begun" }
`,
  });
  const validated = async (target: string) => {
    const { code, stdout, stderr } = await chatform(['validate', '-t', target], { cwd });
    return { code, said: (stdout + stderr).split('\n').filter((line) => line.includes('contradiction')) };
  };
  const says = 'target `acme` writes the webhooks of `shop`, and';
  expect(await validated('acme')).toEqual({ code: 0, said: [] });
  expect(await validated('bravo')).toEqual({
    code: 1,
    said: [
      `bravo.yaml:3:25: error contradiction: ${says} declares another \`description\` of this webhook`,
      `bravo.yaml:4:3: error contradiction: ${says} does not declare this webhook`,
    ],
  });
  expect(await validated('carol')).toEqual({
    code: 1,
    said: [`manifest.yaml:9:10: error contradiction: ${says} declares another \`url\` of this webhook`],
  });
  const refused = await chatform(['plan', '--all'], { cwd });
  expect(refused.stdout + refused.stderr).toContain('declares another `url` of this webhook');
});

test('Thirty licenses of one client read its webhooks once, and its writer once more', async () => {
  const { emulator, url } = await served();
  const names = Array.from({ length: 30 }, (_, index) => `shop${index + 10}`);
  const cwd = await folder({
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
targets_from: { csv: licenses.csv }
clients: { shop: { webhooks_of: shop39 } }
defaults: { base_url: "${url}", token_env: "TOKEN_\${target.env_name}", ledger: "ledgers/\${target.name}.ndjson" }
`,
    'manifest.yaml': `version: 1
webhooks:
  ended: { owner_client_id: shop, type: license, action: chat_deactivated, url: "https://hooks.example/ended" }
`,
    'licenses.csv': `name\n${names.join('\n')}\n`,
  });
  const env = Object.fromEntries(names.map((name) => [`TOKEN_${name.toUpperCase()}`, `token-of-${name}`]));
  const { code, stdout } = await chatform(['plan', '--all'], { cwd, env });
  expect(code).toBe(0);
  expect(stdout).toContain('30 targets: 29 in sync, 1 withheld');
  // The writer's own reading, and one for the 29 others.
  expect(emulator.stats()['list_webhooks']).toBe(2);
});

test('Where a job lists its addresses, a target with another base_url or accounts_url is an error, and is sent no token', async () => {
  const { emulator, url } = await served();
  const { emulator: thief, url: elsewhere } = await served();
  const project = (more: string) => `version: 1
manifest: [manifest.yaml]
defaults: { ledger: "ledgers/\${target.name}.ndjson" }
targets:
  acme: { base_url: "${url}" }
  bravo: { token_env: TOKEN_B, base_url: "${more}
`;
  const cwd = await folder({
    'chatform.yaml': project(`${elsewhere}" }`),
    'manifest.yaml': 'version: 1\ngroups: { a: { name: A } }\n',
  });
  const env = { CHATFORM_TOKEN: 'dal:a', TOKEN_B: 'dal:b', CHATFORM_BASE_URLS: `https://api.example.com\n ${url}/ ` };
  const plan = await chatform(['plan', '--all'], { cwd, env });
  expect([plan.code, plan.stderr]).toEqual([
    1,
    expect.stringContaining(`target bravo has the address ${elsewhere}, which is not in CHATFORM_BASE_URLS: correct`),
  ]);
  expect(plan.stdout).toContain('1 failed');
  await writeFile(join(cwd, 'chatform.yaml'), project(`${url}", accounts_url: "${elsewhere}" }`));
  expect((await chatform(['plan', '-t', 'bravo'], { cwd, env })).stderr).toContain(`has the address ${elsewhere},`);
  expect((await chatform(['plan', '-t', 'acme'], { cwd, env })).code).toBe(0);
  expect(thief.stats()).toEqual({});
  expect(emulator.stats()).not.toEqual({});
});
