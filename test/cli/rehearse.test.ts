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
    const cwd = await folder(project());
    // The planner accepts values of what no file defines: another team may define it.
    const manifest = 'version: 1\nlicense_properties: { c1: { tier: gold } }\n';
    await writeFile(join(cwd, 'manifest.yaml'), manifest);
    expect((await chatform(['plan', '-q'], { cwd })).code).toBe(0);
    const { code, stdout } = await chatform(['plan', '-q', '--rehearse'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^The rehearsal on a copy of the license failed:\n {2}\w+ license_property\/c1\/tier: refused: /m,
    );
    expect(stdout).toMatch(/^ {2}still to do afterwards: \w+ license_property\/c1\/tier$/m);
    expect(await filesIn(cwd)).not.toHaveProperty('ledger.ndjson');
  });

  test('takes what the target says the service takes, and is sent with the kind of token that the target has', async () => {
    const lines = ['api_version: "3.3"', 'account_id: acc-1', 'limits: { access_rules: 500, bot_chats: 600 }'];
    const cwd = await folder(project(...lines, 'secrets: { file: secrets.json }'));
    const rules = Array.from(
      { length: 201 },
      (_, index) =>
        `  - { key: r${index}, access: { groups: [sales] }, conditions: { url: { values: [{ value: "/${index}/" }] } } }\n`,
    );
    const bots = 'bots: { b: { name: B, owner_client_id: c1, default_group_priority: first, max_chats_count: 600 } }';
    const people =
      'agents: { a@b.example: { name: A } }\ngroups: { sales: { name: Sales, agent_priorities: { a@b.example: normal } } }';
    const manifest = `version: 1\n${people}\n${bots}\nauto_access:\n${rules.join('')}`;
    await writeFile(join(cwd, 'manifest.yaml'), manifest);
    const { code, stdout } = await chatform(['plan', '-q', '--rehearse'], { cwd, env: ENV });
    expect([code, stdout]).toEqual([0, expect.stringContaining(', and nothing is left to do.\n')]);
  });

  test('is not made of a plan that is withheld, which is shown, saved and reported all the same', async () => {
    const cwd = await folder(project());
    await chatform(['apply', '--yes', '-q'], { cwd });
    await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\nagents:\n  ann@example.com: { name: Ann }\n');
    const alone = await chatform(['plan', '-q'], { cwd });
    const more = ['--out', 'p.json', '--report', 'markdown=p.md', '--events', 'e.ndjson'];
    const { code, stdout, stderr } = await chatform(['plan', '-q', '--rehearse', ...more], { cwd });
    expect([code, stderr]).toEqual([3, alone.stderr]);
    expect(alone.stdout).toMatch(/withheld/i);
    expect(stdout.replace('Not rehearsed: the plan is withheld, so an apply would not start either.\n\n', '')).toBe(
      alone.stdout,
    );
    expect(stdout).toContain('\nNot rehearsed: ');
    const files = await filesIn(cwd);
    expect(files['p.md']).toMatch(/^### Plan of .*: withheld/);
    expect(files['p.json']).toBeDefined();
    const last = JSON.parse((files['e.ndjson'] ?? '').trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ type: 'rehearsal', outcome: 'withheld', passed: false });
  });
});
