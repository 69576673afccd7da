// Routing tests of a manifest: `chatform test`, and what a failed one does to validate, plan and apply.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { openStateFile } from '../../src/emulator/index.ts';
import { testedSchema } from '../../src/planning/routes-schema.ts';
import { callByHand } from '../laws/edits.ts';
import { recordsOf, ruleOrderOf } from '../laws/records.ts';
import { chatform, filesIn, folder, MANIFEST, project, withoutLease } from './chatform.ts';

const RIGHT = `routes:
  - { name: prices, when: { url: "https://shop.example/pricing" }, expect: sales, rule: pricing }
  - { when: { url: "https://shop.example/" }, expect: none }
`;

const WRONG = `routes:
  - { when: { url: "https://shop.example/pricing" }, expect: sales }
  - { name: home, when: { url: "https://shop.example/", country: Poland }, expect: sales }
  - { when: { url: "https://shop.example/pricing" }, expect: none }
`;

function withRoutes(routes: string, ...settings: readonly string[]): { readonly [name: string]: string } {
  return { ...project(...settings), 'manifest.yaml': MANIFEST + routes };
}

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  testedSchema,
);

async function document(cwd: string, ...args: readonly string[]) {
  const { code, stdout } = await chatform(['test', ...args, '--json'], { cwd });
  const shown = JSON.parse(stdout);
  expect(fits(shown) ? [] : fits.errors).toEqual([]);
  return { code, shown };
}

test('The published schema is the one in the code', async () => {
  const text = `${JSON.stringify(testedSchema, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schemas/test.schema.json');
});

describe('chatform test', () => {
  test('lists every test with the groups that were reached, and asks nobody', async () => {
    const cwd = await folder(withRoutes(RIGHT));
    const before = await filesIn(cwd);
    const { code, stdout, stderr } = await chatform(['test'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^passed {2}manifest\.yaml:11 {2}prices +group\/sales by auto_access\/pricing$/m);
    expect(stdout).toMatch(/^passed {2}manifest\.yaml:12 {2}https:\/\/shop\.example\/ +no rule$/m);
    expect(stdout).toContain('2 passed, 0 failed, on the rules of the files, target here.');
    expect(await filesIn(cwd)).toEqual(before);
  });

  test('ends with 1 when one fails, and says at its place which rule decides', async () => {
    const { code, stdout, stderr } = await chatform(['test'], { cwd: await folder(withRoutes(WRONG)) });
    expect(code).toBe(1);
    expect(stdout).toContain('1 passed, 2 failed');
    expect(stderr).toContain(
      'manifest.yaml:12:84: error route-failed: home: https://shop.example/ from Poland reaches no group, but `group/sales` is expected',
    );
    expect(stderr).toMatch(
      /manifest\.yaml:13:62: error route-failed: .* reaches `group\/sales` by rule `auto_access\/pricing`, but no rule may match/,
    );
    expect(stderr).toContain('`auto_access/pricing` decides: manifest.yaml:7:5');
    expect(stderr).toContain('run `chatform explain --url https://shop.example/ --country Poland` to see why');
  });

  test('suggests the visitor with the custom variables of the test', async () => {
    const routes = `routes:
  - { when: { url: "https://shop.example/", variables: { tier: gold, plan name: a b } }, expect: sales }
`;
    const { stderr } = await chatform(['test'], { cwd: await folder(withRoutes(routes)) });
    expect(stderr).toContain(
      "run `chatform explain --url https://shop.example/ --variable tier=gold --variable 'plan name=a b'` to see why",
    );
  });

  test('names the target where the project has several', async () => {
    const cwd = await folder({
      ...withRoutes(WRONG),
      'chatform.yaml': `version: 1
manifest: [manifest.yaml]
default_target: here
targets: { here: { base_url: "emulator:a.json" }, there: { base_url: "emulator:b.json" } }
`,
    });
    const there = await chatform(['test', '-t', 'there'], { cwd });
    expect(there.stderr).toContain(
      'run `chatform explain -t there --url https://shop.example/ --country Poland` to see',
    );
    const all = await chatform(['validate', '--all'], { cwd });
    expect(all.stderr.match(/error route-failed: home/g)).toHaveLength(1);
    expect(all.stderr).toContain('run `chatform explain -t here --url');
  });

  test('prints a document that fits its schema', async () => {
    const right = await document(await folder(withRoutes(RIGHT)));
    expect(right).toMatchObject({
      code: 0,
      shown: { errored: false, on: 'files', requests_sent: {}, diagnostics: [] },
    });
    const { code, shown } = await document(await folder(withRoutes(WRONG)));
    expect(code).toBe(1);
    expect(shown).toMatchObject({ errored: true, target: 'here', summary: { passed: 1, failed: 2, open: 0 } });
    expect(shown.tests[1]).toMatchObject({
      name: 'home',
      when: { url: 'https://shop.example/', country: 'Poland' },
      source: { file: 'manifest.yaml', line: 12 },
      expected: ['group/sales'],
      got: [],
      decided_by: null,
      outcome: 'failed',
    });
    expect(shown.diagnostics.map(({ code: each }: { code: string }) => each)).toEqual(['route-failed', 'route-failed']);
  });

  test('says when there is nothing to test', async () => {
    const { code, stdout } = await chatform(['test'], { cwd: await folder(project()) });
    expect([code, stdout]).toEqual([0, expect.stringContaining('no routing tests')]);
  });

  test('follows what the project says of rules', async () => {
    const rules = `  - key: all
    access: { groups: [support] }
    conditions: { url: { values: [{ value: https }] } }
`;
    const manifest = MANIFEST.replace('groups:\n', 'groups:\n  support: { name: Support }\n') + rules;
    const routes = 'routes: [{ when: { url: "https://shop.example/pricing" }, expect: support }]\n';
    const files = (setting: string) => ({ ...project(setting), 'manifest.yaml': manifest + routes });
    const first = await chatform(['test'], { cwd: await folder(files('routing: { decides: first }')) });
    const last = await chatform(['test'], { cwd: await folder(files('routing: { decides: last }')) });
    expect([first.code, last.code]).toEqual([1, 0]);
  });

  test('runs the tests that an overlay adds for its target', async () => {
    const files = {
      ...withRoutes(RIGHT, 'overlays: [over.yaml]', 'vars: { shop: shop.example }'),
      'over.yaml':
        'routes:\n  - { op: add, path: /-, value: { when: { url: "https://${var.shop}/x" }, expect: sales } }\n',
    };
    const { code, stderr } = await chatform(['test'], { cwd: await folder(files) });
    expect(code).toBe(1);
    expect(stderr).toContain('over.yaml:2:83: error route-failed: https://shop.example/x reaches no group');
  });

  test('writes reports for a pipeline', async () => {
    const cwd = await folder(withRoutes(WRONG));
    const reports = ['--report', 'junit=routes.xml', '--report', 'sarif=routes.sarif', '--report', 'json=routes.json'];
    const { code } = await chatform(['test', '-q', ...reports], { cwd });
    expect(code).toBe(1);
    const junit = await readFile(join(cwd, 'routes.xml'), 'utf8');
    expect(junit).toContain('<testsuite name="chatform test here files" tests="4" failures="2" errors="0" skipped="0"');
    expect(junit.match(/<failure /g)).toHaveLength(2);
    expect(junit).toContain('file="manifest.yaml" line="13"');
    const { runs } = JSON.parse(await readFile(join(cwd, 'routes.sarif'), 'utf8'));
    expect(
      runs[0].results.map(({ ruleId, locations }: { ruleId: string; locations: readonly unknown[] }) => [
        ruleId,
        locations[0],
      ]),
    ).toEqual([
      [
        'route-failed',
        {
          physicalLocation: {
            artifactLocation: { uri: 'manifest.yaml', uriBaseId: '%SRCROOT%' },
            region: { startLine: 12, startColumn: 84 },
          },
        },
      ],
      [
        'route-failed',
        {
          physicalLocation: {
            artifactLocation: { uri: 'manifest.yaml', uriBaseId: '%SRCROOT%' },
            region: { startLine: 13, startColumn: 62 },
          },
        },
      ],
    ]);
    expect(JSON.parse(await readFile(join(cwd, 'routes.json'), 'utf8'))).toMatchObject({ summary: { failed: 2 } });
    const bad = await chatform(['test', '--report', 'svg=x'], { cwd });
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('formats: text, json, html')]);
  });
});

describe('On the license', () => {
  test.each(['3.6', '3.3'])('the rules that it has are asked, with two requests, in version %s', async (version) => {
    const files = withRoutes(RIGHT, `api_version: "${version}"`);
    const manifest = String(files['manifest.yaml']).replace('first', 'normal');
    const cwd = await folder({ ...files, 'manifest.yaml': manifest });
    const before = await document(cwd, '--on', 'live');
    expect([before.code, before.shown.summary]).toEqual([1, { passed: 1, failed: 1, open: 0 }]);
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const { code, shown } = await document(cwd, '--on', 'live');
    expect([code, shown.summary]).toEqual([0, { passed: 2, failed: 0, open: 0 }]);
    expect(shown).toMatchObject({ on: 'live', requests_sent: { list_groups: 1, list_auto_accesses: 1 } });
    expect(shown.tests[0]).toMatchObject({ decided_by: 'auto_access/pricing', got: ['group/sales'] });
  });

  test('a rule and a group that nobody declares are named so that a person finds them', async () => {
    const license = {
      groups: [{ name: 'Night shift' }],
      auto_access: [{ access: { groups: [1] }, conditions: { domain: { values: [{ value: 'shop.example' }] } } }],
    };
    const cwd = await folder({ ...withRoutes(RIGHT), 'license.json': JSON.stringify(license) });
    const { code, shown } = await document(cwd, '--on', 'live');
    expect(code).toBe(1);
    expect(shown.tests[0].got).toEqual(['group 1 "Night shift"']);
    const id = shown.tests[0].decided_by;
    expect(shown.diagnostics).toHaveLength(1);
    expect(shown.diagnostics[0].message).toContain(`no file has the rule "shop.example to Night shift" (${id})`);
    expect(shown.diagnostics[0].remedy).toContain(`drift --accept auto_access/${id}`);
  });
});

describe('A failed test stops what would bring its rules to the license', () => {
  test.each([['validate'], ['plan'], ['apply', '--yes']])('%s', async (...args) => {
    const cwd = await folder(withRoutes(WRONG));
    const before = await filesIn(cwd);
    const { code, stdout, stderr } = await chatform(args, { cwd });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('2 errors');
    expect(stderr).toContain('manifest.yaml:12:84: error route-failed');
    expect(await filesIn(cwd)).toEqual(before);
  });

  test('and is in the document', async () => {
    const { code, stdout } = await chatform(['plan', '--json'], { cwd: await folder(withRoutes(WRONG)) });
    expect(code).toBe(1);
    const { errored, diagnostics } = JSON.parse(stdout);
    expect([errored, diagnostics.map((each: { code: string }) => each.code)]).toEqual([
      true,
      ['route-failed', 'route-failed'],
    ]);
  });
});

describe('A rule that leaves its conditions to the license', () => {
  const bound = (id: string, expected: string) => `version: 1
groups: { sales: { name: Sales } }
auto_access: [{ key: pricing, id: ${id}, access: { groups: [sales] } }]
routes: [{ when: { url: "https://shop.example/pricing" }, expect: ${expected} }]
`;

  async function adopted(expected: string) {
    const license = {
      auto_access: [{ access: { groups: [0] }, conditions: { url: { values: [{ value: '/pricing' }] } } }],
    };
    const cwd = await folder({ ...project(), 'license.json': JSON.stringify(license) });
    const { stdout } = await chatform(['show', 'auto_access', '--json'], { cwd });
    await writeFile(join(cwd, 'manifest.yaml'), bound(JSON.parse(stdout).resources[0].id, expected));
    return cwd;
  }

  test('keeps its tests open, until a plan has read them', async () => {
    const cwd = await adopted('sales');
    const valid = await chatform(['validate'], { cwd });
    expect([valid.code, valid.stderr]).toEqual([
      0,
      expect.stringContaining('warning route-failed: 1 routing test depends'),
    ]);
    const { code, shown } = await document(cwd);
    expect([code, shown.tests[0]]).toMatchObject([1, { outcome: 'open', depends_on: 'auto_access/pricing' }]);
    const planned = await chatform(['plan'], { cwd });
    expect([planned.code, planned.stderr]).toEqual([0, '']);
  });

  test('stops the plan that has read them, when they fail', async () => {
    const cwd = await adopted('none');
    const before = withoutLease(await filesIn(cwd));
    const { code, stdout, stderr } = await chatform(['plan'], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining('routing: route-failed at manifest.yaml:4')]);
    expect(stdout).toContain('~ auto_access/pricing');
    expect(stderr).toContain('error route-failed');
    expect((await chatform(['apply', '--yes'], { cwd })).code).toBe(3);
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
  });
});

describe('A rule that was made by hand', () => {
  /** The manifest is applied, and then a rule takes all its visitors, or those that no other rule takes. */
  async function withPromo(place: 'first' | 'last', ...settings: readonly string[]) {
    const cwd = await folder(withRoutes(RIGHT, ...settings));
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    const emulator = await openStateFile(join(cwd, 'license.json'), { now: Date.now, random: Math.random });
    const promo = {
      access: { groups: [0] },
      description: 'Promo',
      conditions: { domain: { values: [{ value: 'shop.example' }] } },
      ...(place === 'last' ? {} : { next_id: ruleOrderOf(recordsOf(emulator))[0] ?? '' }),
    };
    expect(await callByHand(emulator, 'add_auto_access', promo)).toBe(true);
    return { cwd, manifest: (await filesIn(cwd))['manifest.yaml'] ?? '' };
  }

  test('stops no plan of anything else: what fails now also is a warning, with the name of the rule and the ways out', async () => {
    const { cwd, manifest } = await withPromo('first');
    await writeFile(join(cwd, 'manifest.yaml'), manifest.replace('{ name: Ann }', '{ name: Ann, job_title: Boss }'));
    const planned = await chatform(['plan', '--only', 'agent/ann@example.com'], { cwd });
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('~ agent/ann@example.com')]);
    expect(planned.stderr).toMatch(
      /manifest\.yaml:11:\d+: warning route-failed: no file has the rule "Promo" \(\w+\), which fails \d routing tests?: prices.*; it is so before this plan as well/,
    );
    expect(planned.stderr).toMatch(
      /to keep it, write the entry that `chatform drift --accept auto_access\/\w+` prints below .*; to remove it, delete it in the application of the service, or set `prune: \{ auto_access: all \}`/,
    );
    const applied = await chatform(['apply', '--yes', '--only', 'agent/ann@example.com'], { cwd });
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('1 changed')]);
  });

  test('is not accepted at its place, where it fails the test, and its entry is printed with the place', async () => {
    const { cwd, manifest } = await withPromo('first');
    const { code, stdout } = await chatform(['drift', '--accept', 'auto_access/*'], { cwd });
    expect(code).toBe(2);
    expect(stdout).toMatch(/`validate` would find an error: prices: .* reaches .* by rule `auto_access\/promo`/);
    expect(stdout).toMatch(/To write by hand:\n {2}auto_access\/\w+, before manifest\.yaml:\d+:\n\n {2}auto_access:\n/);
    expect(stdout).toContain('- key: promo\n      description: Promo\n');
    expect((await filesIn(cwd))['manifest.yaml']).toBe(manifest);
    // Below the rule of the test it is right.
    const [, entry = ''] = /\n {2}auto_access:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    const lines = entry.replaceAll(/^ {4}/gm, '  ');
    const below = manifest.replace(/\n(?=routes:)/, `\n${lines}\n`).replace(/ +- \{ when:.*expect: none \}\n/, '');
    await writeFile(join(cwd, 'manifest.yaml'), below);
    expect((await chatform(['validate'], { cwd })).stderr).not.toContain('error');
  });

  test('may break a test together with a plan: that plan is shown, and not applied', async () => {
    const { cwd, manifest } = await withPromo('last', 'max_delete_percent: 100');
    const moved = manifest
      .replace('key: pricing', 'key: all')
      .replace('/pricing }] } }', '/ }] } }')
      .replace(', rule: pricing', '');
    const tests = 'routes: [{ when: { url: "https://shop.example/pricing" }, expect: sales }]\n';
    await writeFile(join(cwd, 'manifest.yaml'), moved.slice(0, moved.indexOf('routes:')) + tests);
    const before = withoutLease(await filesIn(cwd));
    const planned = await chatform(['plan'], { cwd });
    expect([planned.code, planned.stdout]).toEqual([1, expect.stringContaining('+ auto_access/all')]);
    expect(planned.stdout).toMatch(/routing: route-failed at manifest\.yaml:10 is an error after this plan/);
    expect(planned.stderr).toMatch(/manifest\.yaml:10:\d+: error route-failed: no file has the rule "Promo"/);
    const document = await chatform(['plan', '--json'], { cwd });
    expect(JSON.parse(document.stdout)).toMatchObject({
      errored: true,
      withheld: [{ guard: 'routing', addresses: [] }],
    });
    const applied = await chatform(['apply', '--yes', '--acknowledge', 'deletes'], { cwd });
    expect([applied.code, applied.stdout]).toEqual([3, expect.stringContaining('+ auto_access/all')]);
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
    await chatform(['plan', '--out', 'plan.json'], { cwd });
    expect((await chatform(['apply', 'plan.json'], { cwd })).code).toBe(3);
  });

  test('is the same for a lint that is an error: what is there before the plan stops no plan', async () => {
    const { cwd, manifest } = await withPromo('first');
    const rules = manifest.slice(0, manifest.indexOf('routes:'));
    const narrow = '/pricing }] }, domain: { values: [{ value: shop.example }]';
    await writeFile(join(cwd, 'manifest.yaml'), rules.replace('/pricing }]', narrow));
    const { 'chatform.yaml': text = '' } = await filesIn(cwd);
    const settings = (level: string) => `${text.trimEnd()}\n    routing: { lint: { unreachable-rule: ${level} } }\n`;
    await writeFile(join(cwd, 'chatform.yaml'), settings('error'));
    const brought = await chatform(['plan'], { cwd });
    expect([brought.code, brought.stderr]).toEqual([1, expect.stringContaining('error unreachable-rule')]);
    expect(brought.stdout).toMatch(/~ auto_access\/pricing[\s\S]*routing: unreachable-rule at manifest\.yaml/);
    await writeFile(join(cwd, 'chatform.yaml'), settings('warning'));
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    await writeFile(join(cwd, 'chatform.yaml'), settings('error'));
    const standing = await chatform(['plan', '--details'], { cwd });
    expect([standing.code, standing.stderr]).toEqual([0, expect.stringContaining('warning unreachable-rule')]);
  });
});
