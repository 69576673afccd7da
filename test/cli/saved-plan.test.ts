// What was approved is what happens: `plan --out`, `show FILE` and `apply FILE`, with a license that moves between them.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERSIONS, type Version } from '../../src/base/model.ts';
import { callByHand } from '../laws/edits.ts';
import { chatform, filesIn, folder, project, type Ran, withoutLease } from './chatform.ts';
import { served, writesOf } from './served.ts';

const BEFORE = `version: 1
agents: { ann@example.com: { name: Ann }, bob@example.com: { name: Bob } }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: normal } }
  old: { name: Old, agent_priorities: { ann@example.com: normal } }
  vip: { name: Vip, agent_priorities: { ann@example.com: normal } }
auto_access:
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
  - { key: demo, access: { groups: [sales] }, conditions: { url: { values: [{ value: /demo }] } } }
`;

const AFTER = `version: 1
agents: { ann@example.com: { name: Ann }, bob@example.com: { name: Bob }, cleo@example.com: { name: Cleo } }
groups:
  sales: { name: Sales team, agent_priorities: { ann@example.com: normal, cleo@example.com: normal } }
  vip: { name: Vip, agent_priorities: { ann@example.com: normal } }
auto_access:
  - { key: demo, access: { groups: [sales] }, conditions: { url: { values: [{ value: /demo }] } } }
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
`;

const ALL = ['accounts--all:rc', 'agents--all:rw', 'groups--all:rw', 'access_rules:rw', 'greetings:rw'];
const SEED = {
  tokens: [
    { token: 'whole', scopes: ALL },
    { token: 'by-hand', scopes: ALL },
    { token: 'half', scopes: [...ALL.slice(0, 2), 'groups--all:ro', 'access_rules:ro'] },
  ],
};

/** A license on which the first manifest was applied, and a folder with the plan of the second one. */
async function planned(version: Version, ...flags: readonly string[]) {
  const { emulator, url } = await served({ seed: SEED });
  const cwd = await folder({ ...project('max_deletes: 1', 'max_delete_percent: 100'), 'manifest.yaml': BEFORE });
  const target = ['--base-url', url, '--api-version', version];
  const run = (args: readonly string[], token = 'whole', env = {}): Promise<Ran> =>
    chatform([...args, ...target], { cwd, env: { CHATFORM_TOKEN: token, ...env } });
  expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
  const declare = (text: string): Promise<void> => writeFile(join(cwd, 'manifest.yaml'), text);
  await declare(AFTER);
  const plan = await run(['plan', '--out', 'plan.json', ...flags]);
  emulator.resetStats();
  return { emulator, cwd, run, declare, plan };
}

describe.each(VERSIONS)('Version %s', (version) => {
  test('what was approved is applied without a question, and then there is nothing left to do', async () => {
    const { run, plan, emulator, cwd } = await planned(version);
    expect([plan.code, plan.stderr]).toEqual([0, expect.stringMatching(/Saved as plan\.json; digest [0-9a-f]{8}\./)]);
    const planFile = (await filesIn(cwd))['plan.json'] ?? '';
    const applied = await run(['apply', 'plan.json']);
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('1 added, 2 changed, 1 destroyed')]);
    expect(writesOf(emulator)).toEqual(JSON.parse(planFile).plan.requests.by_action);
    const again = await run(['apply', 'plan.json']);
    expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^Target here .*\n\nNo changes\. .*\n$/)]);
  });

  test('live changed between approve and apply: exit 5, nothing written, the difference named', async () => {
    const { run, emulator, cwd } = await planned(version);
    await callByHand(emulator, 'update_group', {
      id: 2,
      name: 'Sales of Ann',
      agent_priorities: { 'bob@example.com': 'normal' },
    });
    await callByHand(emulator, 'create_group', { name: 'Walk-ins', agent_priorities: { 'ann@example.com': 'normal' } });
    emulator.resetStats();
    const before = withoutLease(await filesIn(cwd));
    const { code, stdout, stderr } = await run(['apply', 'plan.json']);
    expect(code).toBe(5);
    expect(stderr).not.toContain('no longer matches');
    expect(stdout).toMatch(/^Nothing was changed: plan\.json no longer matches: \d effects? of the current plan/m);
    expect(stdout).toMatch(
      /^Not approved:\n {2}~ agent\/ann@example\.com in group\/sales: "normal"\n {2}~ agent\/bob@example\.com in group\/sales: no longer\n/m,
    );
    expect(stdout).toMatch(/^ {2}group\/sales \(group\/2\): changed$/m);
    expect(stdout).toMatch(/^ {2}group\/4: appeared$/m);
    expect(stdout).toContain('chatform plan --out plan.json');
    expect(writesOf(emulator)).toEqual({});
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
    const document = JSON.parse((await run(['apply', 'plan.json', '--json'])).stdout);
    expect(document).toMatchObject({
      errored: true,
      approved: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      mismatch: {
        unapproved: [
          { now: { effect: 'edge', ends: ['agent/ann@example.com', 'group/sales'], value: 'normal' }, approved: [] },
          { now: { effect: 'edge', ends: ['agent/bob@example.com', 'group/sales'], value: null }, approved: [] },
        ],
        manifest_changed: false,
      },
    });
  });

  test('the approved plan half applied, run again: the rest is applied', async () => {
    const { run, emulator } = await planned(version);
    const half = await run(['apply', 'plan.json'], 'half');
    expect([half.code, half.stdout]).toEqual([6, expect.stringContaining('group/sales: failed')]);
    expect(writesOf(emulator)).toMatchObject({ update_group: 1 });
    const rest = await run(['apply', 'plan.json']);
    expect([rest.code, rest.stdout]).toEqual([0, expect.stringContaining('Apply complete.')]);
    expect(rest.stdout).not.toContain('+ agent/cleo@example.com');
    expect((await run(['plan', '--detailed-exitcode'])).code).toBe(0);
  });

  test('a new unmanaged rule that routes no visitor otherwise is no obstacle', async () => {
    const { run, emulator } = await planned(version);
    await callByHand(emulator, 'add_auto_access', {
      access: { groups: [0] },
      conditions: { url: { values: [{ value: '/demo/all' }] } },
    });
    const { code, stdout } = await run(['apply', 'plan.json']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Apply complete.')]);
  });

  test('another order of the rules, or a rule among them, was not approved', async () => {
    const { run, emulator } = await planned(version);
    await callByHand(emulator, 'add_auto_access', {
      access: { groups: [0] },
      conditions: { url: { values: [{ value: '/promo' }] } },
    });
    emulator.resetStats();
    const { code, stdout } = await run(['apply', 'plan.json']);
    expect([code, writesOf(emulator)]).toEqual([5, {}]);
    expect(stdout).toMatch(
      /order of auto_access: approved auto_access\/demo, auto_access\/pricing, now .*[0-9a-f]{32}/,
    );
  });
});

test('A plan of another target, version or service is named as such, and nothing is asked', async () => {
  const cwd = await folder({
    ...project(),
    'chatform.yaml': `version: 1
manifest: [manifest.yaml]
default_target: here
targets:
  here: { base_url: "emulator:license.json", ledger: ledger.ndjson }
  there: { base_url: "emulator:other.json", ledger: other.ndjson }
`,
  });
  await chatform(['plan', '-t', 'there', '--out', 'plan.json'], { cwd });
  const before = await filesIn(cwd);
  const cases = [
    [['-t', 'here'], /plan\.json is a plan of target there, and this is here/],
    [['--api-version', '3.3'], /for version 3\.6 of the service, and this is 3\.3/],
    [['--base-url', 'emulator:third.json'], /plan of there at another base_url/],
  ] as const;
  for (const [flags, message] of cases) {
    const { code, stdout, stderr } = await chatform(['apply', 'plan.json', '--json', ...flags], { cwd });
    expect([code, stderr]).toEqual([5, expect.stringMatching(message)]);
    expect(JSON.parse(stdout)).toMatchObject({ errored: true, message: expect.stringMatching(message) });
  }
  expect(await filesIn(cwd)).toEqual(before);
  expect((await chatform(['apply', 'plan.json'], { cwd })).code).toBe(0);
  expect(Object.keys(await filesIn(cwd))).toContain('other.json');
});

test('Another manifest is named: a reason to stop only where it does more than was approved', async () => {
  const { run, declare } = await planned('3.6');
  await declare(AFTER.replace('Sales team', 'Sales crew'));
  const more = await run(['apply', 'plan.json']);
  expect([more.code, more.stdout]).toEqual([5, expect.stringContaining('The manifest has changed')]);
  expect(more.stdout).toContain('~ group/sales name: approved "Sales team", now "Sales crew"');
  await declare(AFTER.replace('Sales team', 'Sales'));
  const less = await run(['apply', 'plan.json', '-q']);
  expect([less.code, less.stderr]).toEqual([
    0,
    expect.stringMatching(/^Warning: the manifest changed since plan\.json was saved/),
  ]);
  await declare(`# laid out anew\n${AFTER}`);
  const rest = await run(['apply', 'plan.json', '-q']);
  expect([rest.code, rest.stdout, rest.stderr]).toEqual([0, expect.stringContaining('1 changed'), '']);
});

describe('What was acknowledged when the plan was made', () => {
  const MORE = BEFORE.replace(
    '  old:',
    '  older: { name: Older, agent_priorities: { ann@example.com: normal } }\n  old:',
  );

  const LESS = BEFORE.replace(/ {2}old:.*\n/, '');

  /** A plan that destroys two groups, and may destroy one. */
  async function plannedTwo() {
    const { run, declare, emulator } = await planned('3.6');
    await declare(MORE);
    expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
    await declare(LESS);
    expect((await run(['plan', '-q', '--out', 'withheld.json'])).stdout).toContain('Withheld');
    const flags = ['--acknowledge', 'deletes', '--acknowledge', 'group/old'];
    const plan = await run(['plan', '-q', '--out', 'acknowledged.json', ...flags]);
    expect(plan.stdout).not.toContain('Withheld');
    emulator.resetStats();
    return { run, emulator, flags };
  }

  test('holds when it is applied, and a plan that was withheld still is', async () => {
    const { run, emulator } = await plannedTwo();
    const withheld = await run(['apply', 'withheld.json']);
    expect([withheld.code, withheld.stdout]).toEqual([3, expect.stringContaining('max_deletes')]);
    expect(writesOf(emulator)).toEqual({});
    const { code, stdout } = await run(['apply', 'acknowledged.json']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 destroyed')]);
  });

  test.each([{ GITHUB_ACTIONS: 'true' }, { GITLAB_CI: 'true' }, { CI: 'true' }])(
    'holds for nothing in a job of CI, where only the files and flags of the apply acknowledge: %o',
    async (env) => {
      const { run, emulator, flags } = await plannedTwo();
      const { code, stdout } = await run(['apply', 'acknowledged.json'], 'whole', env);
      expect([code, stdout]).toEqual([
        3,
        expect.stringMatching(/^acknowledged\.json: a plan of .*digest [0-9a-f]{8}/m),
      ]);
      for (const line of [
        /^Acknowledged when it was made: deletes, group\/old\./m,
        /^Guards that this ended: max_del.* \(/m,
      ])
        expect(stdout).toMatch(line);
      expect(writesOf(emulator)).toEqual({});
      const again = await run(['apply', 'acknowledged.json', ...flags], 'whole', env);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('2 destroyed')]);
    },
  );

  test('holds only for what its plan showed', async () => {
    const { run, emulator, flags } = await plannedTwo();
    const rule = { access: { groups: [1] }, conditions: { url: { values: [{ value: '/x' }] } } };
    expect(await callByHand(emulator, 'add_auto_access', rule)).toBe(true);
    emulator.resetStats();
    const { code, stdout } = await run(['apply', 'acknowledged.json']);
    expect([code, writesOf(emulator), stdout]).toEqual([3, {}, expect.stringContaining('still-routed')]);
    await run(['plan', '-q', '--out', 'acknowledged.json', ...flags]);
    expect(await callByHand(emulator, 'add_auto_access', rule)).toBe(true);
    expect((await run(['apply', 'acknowledged.json'])).code).toBe(3);
    const again = await run(['apply', 'acknowledged.json', ...flags]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('2 destroyed')]);
  });

  test('holds for the greetings that would go with a group, and for none that came since', async () => {
    const { run, emulator, flags } = await plannedTwo();
    const old = JSON.parse((await run(['api', 'list_groups'])).stdout).find(
      (each: { name: string }) => each.name === 'Old',
    );
    const greet = (name: string) =>
      callByHand(emulator, 'create_greeting', { name, group: old.id, type: 'normal', active: true, rules: [] });
    expect(await greet('First')).toBe(true);
    expect((await run(['plan', '-q', '--out', 'acknowledged.json', ...flags])).stdout).toContain('1 greeting (First)');
    expect(await greet('Second')).toBe(true);
    emulator.resetStats();
    const { code, stdout } = await run(['apply', 'acknowledged.json']);
    expect([code, writesOf(emulator), stdout]).toEqual([3, {}, expect.stringContaining('2 greetings (First, Second)')]);
    const again = await run(['apply', 'acknowledged.json', ...flags]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('2 destroyed')]);
  });
});

test('`show FILE` prints what `plan` printed, from anywhere, without network, project or token', async () => {
  const { run, plan, cwd } = await planned('3.6');
  const document = await run(['plan', '--json']);
  const file = (await filesIn(cwd))['plan.json'] ?? '';
  const elsewhere = await folder({ 'plan.json': file });
  const shown = await chatform(['show', 'plan.json'], { cwd: elsewhere });
  // Only the address and the ledger of the target are not in the file.
  expect([shown.code, shown.stdout]).toEqual([0, plan.stdout.replace(/^Target here .*\n\n/, '')]);
  expect(shown.stderr).toMatch(/plan\.json: a plan of here, made 20.*digest [0-9a-f]{8}/);
  expect(await chatform(['show', './plan.json', '--json', '-q'], { cwd: elsewhere })).toEqual({
    code: 0,
    stdout: document.stdout,
    stderr: '',
  });
  const flagged = await chatform(['show', 'plan.json', '-t', 'here'], { cwd: elsewhere });
  expect([flagged.code, flagged.stderr]).toEqual([1, expect.stringContaining('leave out -t')]);
});

test('What is no saved plan is refused before anything is asked, with the reason', async () => {
  const { run, cwd, emulator } = await planned('3.6');
  const { 'plan.json': text = '' } = await filesIn(cwd);
  const files = {
    'cut.json': [text.slice(0, 1000), 'not whole'],
    'edited.json': [text.replace('Sales team', 'Sales tram'), 'changed after it was written'],
    'foreign.json': ['{}', 'no saved plan'],
    'later.json': [text.replace('"format_version": "1.0"', '"format_version": "2.0"'), 'reads 1.x'],
  } as const;
  for (const [name, [content, reason]] of Object.entries(files)) {
    await writeFile(join(cwd, name), content);
    for (const command of ['apply', 'show']) {
      const { code, stdout, stderr } = await chatform([command, name], { cwd });
      expect([command, name, code, stdout]).toEqual([command, name, 1, '']);
      expect(stderr).toContain(reason);
    }
  }
  const missing = await run(['apply', 'none.json']);
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringContaining('none.json cannot be read: there is no such file'),
  ]);
  const narrowed = await run(['apply', 'plan.json', '--only', 'group']);
  expect([narrowed.code, narrowed.stderr]).toEqual([1, expect.stringContaining('belong to `plan --out`')]);
  expect(emulator.stats()).toEqual({});
});

test('A plan is saved whole or not at all, and replaces nothing that the target keeps', async () => {
  const cwd = await folder(project());
  const before = await filesIn(cwd);
  for (const file of ['ledger.ndjson', 'manifest.yaml', 'license.json', 'nowhere/plan.json', '.', '-', '']) {
    const { code, stderr } = await chatform(['plan', '--out', file], { cwd });
    expect([file, code, stderr]).toEqual([file, 1, expect.stringContaining('--out')]);
  }
  const wrong = await folder({
    ...project(),
    'manifest.yaml': 'version: 1\ngroups: { sales: {} }\n',
    'plan.json': 'mine',
  });
  expect((await chatform(['plan', '--out', 'plan.json'], { cwd: wrong })).code).toBe(1);
  expect((await filesIn(wrong))['plan.json']).toBe('mine');
  expect(await filesIn(cwd)).toEqual(before);
});

test('What the plan was narrowed to holds when it is applied', async () => {
  const { run } = await planned('3.6');
  await run(['plan', '-q', '--only', 'agent', '--out', 'agents.json']);
  const { code, stdout } = await run(['apply', 'agents.json']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 added, 1 changed, 0 destroyed')]);
});

test('A saved plan is reported on as it was when it was made, and never written over', async () => {
  const cwd = await folder(project());
  await chatform(['plan', '-q', '--out', 'plan.json'], { cwd });
  const reports = ['--report', 'html=plan.html', '--report', 'markdown=plan.md'];
  expect((await chatform(['show', 'plan.json', '-q', ...reports], { cwd })).code).toBe(0);
  const files = await filesIn(cwd);
  const { created_at, digest } = JSON.parse(files['plan.json'] ?? '');
  expect(files['plan.md']).toContain(digest);
  expect(files['plan.html']).toContain(created_at.slice(0, 10));
  const { code, stderr } = await chatform(['show', 'plan.json', '--report', 'sarif=./plan.json'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('each needs a file of its own')]);
});
