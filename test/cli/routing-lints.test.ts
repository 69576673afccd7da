// Lints of routing as validate and plan tell them: in the files alone, and in what the license will be.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatform, folder, MANIFEST, project } from './chatform.ts';

/** The second rule never decides. */
const SHADOWED = `${MANIFEST}  - key: plans
    access: { groups: [sales] }
    conditions: { url: { values: [{ value: /pricing/eu }] } }
`;

function files(manifest: string, ...settings: readonly string[]): { readonly [name: string]: string } {
  return { ...project(...settings), 'manifest.yaml': manifest };
}

const level = (lint: string, is: string): string => `routing: { lint: { ${lint}: "${is}" } }`;

/** A rule that the license has and nobody declares. */
function stranger(conditions: object): string {
  return JSON.stringify({
    groups: [{ name: 'Night', agent_priorities: {} }],
    auto_access: [{ description: 'made by hand', access: { groups: [1] }, conditions }],
  });
}

const CATCH_ALL = stranger({ url: { values: [{ value: '/' }] } });

async function codes(
  cwd: string,
  command: string,
): Promise<{ readonly code: number | null; readonly found: readonly string[] }> {
  const { code, stdout } = await chatform([command, '--json'], { cwd });
  const shown = JSON.parse(stdout) as { diagnostics: readonly { code: string; severity: string }[] };
  return { code, found: shown.diagnostics.map((each) => `${each.severity} ${each.code}`) };
}

describe.each(['validate', 'plan'])('chatform %s', (command) => {
  test('warns at the place of the rule, and goes on', async () => {
    const cwd = await folder(files(SHADOWED));
    const { code, stderr } = await chatform([command], { cwd });
    expect(stderr).toMatch(
      /^manifest\.yaml:10:5: warning unreachable-rule: auto_access\/plans never decides: auto_access\/pricing matches all its visitors first \(.* by "\/pricing"\)/m,
    );
    expect(code).toBe(0);
  });

  test('stops with 1 when the lint is an error, and sends nothing', async () => {
    const cwd = await folder(files(SHADOWED, level('unreachable-rule', 'error')));
    expect(await codes(cwd, command)).toEqual({ code: 1, found: ['error unreachable-rule'] });
    const applied = await chatform(['apply', '--yes'], { cwd });
    expect(applied.code).toBe(3);
    expect(applied.stdout).not.toContain('Apply complete');
  });

  test('says nothing when the lint is off', async () => {
    const cwd = await folder(files(SHADOWED, level('unreachable-rule', 'off')));
    expect(await codes(cwd, command)).toEqual({ code: 0, found: [] });
  });
});

test('A level that there is not is an error of chatform.yaml, and names those that there are', async () => {
  const cwd = await folder(files(SHADOWED, level('unreachable-rule', 'loud')));
  const { code, stderr } = await chatform(['validate'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/chatform\.yaml:\d+:\d+: error .*loud/);
  expect(stderr).toMatch(/error.*warning.*off/);
});

test('The SARIF file has the lint with its rule, its level and its place', async () => {
  const cwd = await folder(files(SHADOWED));
  await chatform(['validate', '--report', 'sarif=out.sarif'], { cwd });
  const log = JSON.parse(await readFile(join(cwd, 'out.sarif'), 'utf8'));
  expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif') });
  const [run] = log.runs;
  expect(run.results).toMatchObject([
    {
      ruleId: 'unreachable-rule',
      level: 'warning',
      message: { text: expect.stringContaining('auto_access/plans never decides') },
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'manifest.yaml' }, region: { startLine: 10, startColumn: 5 } } },
      ],
    },
  ]);
  const [result] = run.results;
  expect(run.tool.driver.rules[result.ruleIndex]).toMatchObject({ id: 'unreachable-rule' });
});

describe('A rule that nobody declares', () => {
  test('shadows declared ones for plan, which reads the license, and not for validate, which does not', async () => {
    const cwd = await folder({ ...files(MANIFEST), 'license.json': CATCH_ALL });
    expect(await codes(cwd, 'validate')).toEqual({ code: 0, found: [] });
    const { code, stderr } = await chatform(['plan'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(/manifest\.yaml:7:5: warning unreachable-rule: auto_access\/pricing never decides/);
  });

  test('stops an apply where that is an error', async () => {
    const settings = level('unreachable-rule', 'error');
    const cwd = await folder({ ...files(MANIFEST, settings), 'license.json': CATCH_ALL });
    const { code, stderr } = await chatform(['apply', '--yes'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('error unreachable-rule');
  });

  test('that takes only some of the visitors shadows nobody', async () => {
    const some = stranger({ url: { values: [{ value: '/pricing/night' }] } });
    const cwd = await folder({ ...files(MANIFEST), 'license.json': some });
    expect(await codes(cwd, 'plan')).toEqual({ code: 0, found: [] });
  });
});

describe('reorder', () => {
  const groups = ['a', 'b', 'c', 'd'];
  /** Rules that share visitors: two texts are in one URL. */
  const listed = (order: string): string =>
    `version: 1
agents:
  ann@example.com: { name: Ann }
groups:
${groups.map((name) => `  ${name}: { name: ${name}, agent_priorities: { ann@example.com: first } }\n`).join('')}auto_access:
${[...order].map((name) => `  - { key: ${name}, access: { groups: [${name}] }, conditions: { url: { values: [{ value: /${name} }] } } }\n`).join('')}`;

  async function planned(from: string, to: string, reorder: string) {
    const cwd = await folder(files(listed(from), `routing: { reorder: ${reorder} }`));
    expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
    await writeFile(join(cwd, 'manifest.yaml'), listed(to));
    const plan = JSON.parse((await chatform(['plan', '--json'], { cwd })).stdout);
    const applied = await chatform(['apply', '--yes'], { cwd });
    const after = await chatform(['plan', '--detailed-exitcode', '-q'], { cwd });
    return { routing: plan.routing, total: plan.requests.total, codes: [applied.code, after.code] };
  }

  test.each(['minimal', 'safe'])(
    '%s leads to the list that is declared, without exposure where that costs nothing',
    async (how) => {
      const done = await planned('abcd', 'dcba', how);
      expect(done).toMatchObject({ routing: { way: 'safe', exposed: [], longer: null }, total: 3, codes: [0, 0] });
    },
  );
});
