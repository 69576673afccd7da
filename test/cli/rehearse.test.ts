// `plan --rehearse`: the plan is applied to a copy in the same process; nothing outside is written, and what would be refused is told.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chatform, filesIn, folder, project } from './chatform.ts';
import { served, writesOf } from './served.ts';

const ENV = { CHATFORM_TOKEN: 'dal:open-sesame' };

describe('A rehearsal', () => {
  test('applies the plan to a copy, finds nothing left to do, and writes nothing outside', async () => {
    const { emulator, url } = await served({ seed: { agents: [{ id: 'bob@example.com', name: 'Bob' }] } });
    const files = project();
    const cwd = await folder({
      ...files,
      'chatform.yaml': (files['chatform.yaml'] ?? '').replace('emulator:license.json', url),
    });
    const before = await filesIn(cwd);
    const { code, stdout } = await chatform(['plan', '-q', '--rehearse'], { cwd, env: ENV });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Plan: 3 to add/m);
    expect(stdout).toMatch(/^Rehearsed on a copy of the license: \d+ requests, and nothing is left to do\.$/m);
    expect(writesOf(emulator)).toEqual({});
    expect(await filesIn(cwd)).toEqual(before);
  });

  test('is a member of the document, and --detailed-exitcode still tells differences', async () => {
    const cwd = await folder(project());
    const { code, stdout } = await chatform(['plan', '-q', '--rehearse', '--json', '--detailed-exitcode'], { cwd });
    const { rehearsal } = JSON.parse(stdout);
    expect([code, rehearsal]).toEqual([
      2,
      expect.objectContaining({ passed: true, failed: [], left: [], problems: [] }),
    ]);
  });

  test('tells what the service would refuse, and ends with 1', async () => {
    // The target is said to take more rules than it does, so that the planner does not mind.
    const cwd = await folder(project('limits: { access_rules: 500 }'));
    const rules = Array.from(
      { length: 201 },
      (_, index) =>
        `  - { key: r${index}, access: { groups: [sales] }, conditions: { url: { values: [{ value: "/${index}/" }] } } }\n`,
    );
    const groups = 'version: 1\ngroups:\n  sales: { name: Sales }\n';
    await writeFile(join(cwd, 'manifest.yaml'), `${groups}auto_access:\n${rules.join('')}`);
    expect((await chatform(['plan', '-q'], { cwd })).code).toBe(0);
    const { code, stdout } = await chatform(['plan', '-q', '--rehearse'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^The rehearsal on a copy of the license failed:\n {2}create auto_access\/r\d+: refused: .*limit_reached/m,
    );
    expect(stdout).toMatch(/^ {2}still to do afterwards: create auto_access\/r\d+$/m);
    expect(await filesIn(cwd)).not.toHaveProperty('ledger.ndjson');
  });

  test('is not made of a plan that is withheld, and says so', async () => {
    const cwd = await folder(project());
    await chatform(['apply', '--yes', '-q'], { cwd });
    await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\nagents:\n  ann@example.com: { name: Ann }\n');
    const { code, stderr } = await chatform(['plan', '-q', '--rehearse'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining('withheld')]);
  });
});
