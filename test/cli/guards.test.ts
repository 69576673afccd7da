// What a guard, a policy or a refused list keeps from happening, seen from the command line: nothing is written, and the exit code says why.

import { describe, expect, test } from 'vitest';
import { chatform, filesIn, folder, MANIFEST, project, withoutLease } from './chatform.ts';

const POLICIES = `policies:
  - name: groups-stay
    rule: plan.resource_changes.all(c, c.type != "group" || !("create" in c.change.actions))
    message: Groups are made by the platform team
  - { name: cheap, rule: plan.requests.total <= 1, level: warn, message: more than one request }
  - { name: sound, rule: plan.summary.destroy == 0 }
`;

function withPolicies(policies: string, ...settings: readonly string[]): { readonly [name: string]: string } {
  const files = project(...settings);
  return { ...files, 'chatform.yaml': `${files['chatform.yaml']}${policies}` };
}

describe('A policy', () => {
  test('that denies withholds the plan, which is shown in full with the names of its policies', async () => {
    const cwd = await folder(withPolicies(POLICIES));
    const before = withoutLease(await filesIn(cwd));
    const { code, stdout, stderr } = await chatform(['apply', '--yes'], { cwd });
    expect([code, stderr]).toEqual([3, '']);
    expect(stdout).toMatch(/^Plan: 3 to add.*\n\nNothing was changed\.\n$/m);
    expect(stdout).toMatch(/Policy warnings:\n {2}cheap: more than one request\n/);
    expect(stdout).toMatch(
      /policy: groups-stay: Groups are made by the platform team: group\/sales\n.*no flag overrides it/,
    );
    expect(stdout).not.toContain('sound');
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
  });

  test('is in the document, passed or not', async () => {
    const cwd = await folder(withPolicies(POLICIES));
    const { code, stdout } = await chatform(['apply', '--yes', '--json'], { cwd });
    expect([code, JSON.parse(stdout)]).toMatchObject([
      3,
      {
        errored: true,
        plan: {
          withheld: [{ guard: 'policy', addresses: ['group/sales'], message: expect.stringContaining('groups-stay') }],
          policies: [
            { name: 'groups-stay', level: 'deny', passed: false, failure: null },
            { name: 'cheap', level: 'warn', passed: false },
            { name: 'sound', level: 'deny', passed: true },
          ],
        },
      },
    ]);
  });

  test('that only warns lets the plan go', async () => {
    const cwd = await folder(withPolicies('policies: [{ name: never, rule: "false", level: warn }]\n'));
    const { code, stdout } = await chatform(['apply', '--yes'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('never: its rule is not true of this plan')]);
  });

  test('that fails denies, and says why', async () => {
    const cwd = await folder(withPolicies('policies: [{ name: odd, rule: "plan.resource_changes[9].type == 1" }]\n'));
    const { code, stdout } = await chatform(['apply', '--yes'], { cwd });
    expect([code, stdout]).toEqual([3, expect.stringMatching(/policy: odd: .*9/)]);
  });

  test('that is no CEL is found by validate, at its place', async () => {
    const cwd = await folder(withPolicies('policies: [{ name: odd, rule: plan.target = 1 }]\n'));
    const { code, stderr } = await chatform(['validate'], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/chatform\.yaml:7:\d+: error bad-rule/)]);
  });

  test('is asked about what --json prints', async () => {
    const rule =
      'plan.target == "here" && plan.errored == false && size(plan.diagnostics) == 0 && size(plan.policies) == 0';
    const cwd = await folder(withPolicies(`policies: [{ name: same, rule: '${rule}' }]\n`));
    const { stdout } = await chatform(['plan', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ policies: [{ name: 'same', passed: true }], withheld: [] });
  });

  test('is part of what the doctor says of the plan', async () => {
    const cwd = await folder(withPolicies('policies: [{ name: never, rule: "false" }]\n'));
    const { stdout } = await chatform(['doctor'], { cwd });
    expect(stdout).toMatch(/withheld: never/);
  });
});

describe('An acknowledgement', () => {
  test.each([
    ['a misspelt address', 'group/slaes', /nothing has that address.*did you mean group\/sales/],
    ['a misspelt word', 'delete', /did you mean deletes/],
    ['a glob', 'group/*', /--acknowledge group\/\*: nothing has that address/],
    ['a policy', 'cheap', /that is a policy/],
    ['nothing like an address', 'yes', /such as group\/sales, or deletes or empty-manifest/],
  ])('of %s is refused, and nothing is written', async (_, value, message) => {
    const cwd = await folder(withPolicies('policies: [{ name: cheap, rule: "true" }]\n'));
    const before = withoutLease(await filesIn(cwd));
    for (const command of [['plan'], ['apply', '--yes']]) {
      const { code, stdout, stderr } = await chatform([...command, '--acknowledge', value], { cwd });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(message);
    }
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
  });

  test('that is no longer needed is no mistake, not even of what is gone', async () => {
    const cwd = await folder(project());
    await chatform(['apply', '--yes', '-q'], { cwd });
    const less = MANIFEST.replace(/^auto_access:.*/ms, '');
    const pruned = await folder({ ...(await filesIn(cwd)), 'manifest.yaml': less });
    const flags = ['apply', '--yes', '--acknowledge', 'deletes', '--acknowledge', 'auto_access/pricing'];
    expect(await chatform(flags, { cwd: pruned })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 destroyed'),
    });
    expect(await chatform(flags, { cwd: pruned })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No changes'),
    });
  });

  test('in chatform.yaml that is nearly an address is a warning at its place, and one for later is none', async () => {
    const cwd = await folder(project('acknowledge: [group/slaes, property/app/tier]'));
    const { code, stderr } = await chatform(['plan'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(/chatform\.yaml:7:19: warning unknown-address: .*group\/slaes/);
    expect(stderr).toContain('group/sales');
    expect(stderr).toContain('1 warning');
    const { stdout } = await chatform(['plan', '--json'], { cwd });
    expect(JSON.parse(stdout).diagnostics).toMatchObject([{ code: 'unknown-address', severity: 'warning' }]);
  });

  test('What is protected by a name that is nearly an address is a warning at its place; globs and what nobody declares are none', async () => {
    const cwd = await folder(project('protect: [group/slaes, "group/vip-*", agent/owner@example.com, bot/later]'));
    const { code, stderr } = await chatform(['plan'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toMatch(/chatform\.yaml:7:15: warning unknown-address: .*group\/slaes.*protected/);
    expect(stderr).toContain('1 warning');
  });

  test('under defaults may be for another target, so nothing is said', async () => {
    const files = project();
    const defaults = 'defaults: { acknowledge: [group/slaes] }\n';
    const cwd = await folder({ ...files, 'chatform.yaml': files['chatform.yaml'] + defaults });
    expect(await chatform(['plan'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe("The token's own agent", () => {
  test('is known from own_agent, and suspending it takes its address', async () => {
    const manifest = 'version: 1\nagents: { ann@example.com: { suspended: true } }\n';
    const license = JSON.stringify({ agents: [{ id: 'ann@example.com', name: 'Ann' }] });
    const files = { ...project('own_agent: ann@example.com'), 'manifest.yaml': manifest, 'license.json': license };
    const cwd = await folder(files);
    expect(await chatform(['apply', '--yes'], { cwd })).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/own-agent: .*agent\/ann@example\.com.*could no longer log in/),
    });
    expect(await chatform(['apply', '--yes', '--acknowledge', 'agent/ann@example.com'], { cwd })).toMatchObject({
      code: 0,
    });
  });
});

describe('A file of the manifest that is lost', () => {
  const PEOPLE = Array.from({ length: 20 }, (_, nth) => `  p${nth}@example.com: { name: P${nth} }\n`).join('');
  const BOTS = `bots: { one: { name: One }, two: { name: Two }, three: { name: Three } }
bot_templates:
  first: { name: First, owner_client_id: app }
  second: { name: Second, owner_client_id: app }
`;
  const license = {
    installed_clients: ['app'],
    bots: [
      { id: 'b1', name: 'One' },
      { id: 'b2', name: 'Two' },
    ],
    bot_templates: [{ id: 't1', name: 'First', owner_client_id: 'app' }],
  };

  test('takes no bot or template with it: nothing is deleted, and the exit code is 3', async () => {
    const files = project('secrets: { file: secrets.json }');
    const cwd = await folder({
      ...files,
      'chatform.yaml': (files['chatform.yaml'] ?? '').replace('[manifest.yaml]', '[manifest.yaml, bots.yaml]'),
      'manifest.yaml': `version: 1\nagents:\n${PEOPLE}`,
      'bots.yaml': `version: 1\n${BOTS}`,
      'license.json': JSON.stringify(license),
    });
    const first = await chatform(['apply', '--yes', '-q'], { cwd });
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('3 adopted')]);
    const without = await folder({ ...(await filesIn(cwd)), 'bots.yaml': 'version: 1\n' });
    const before = withoutLease(await filesIn(without));
    const { code, stdout } = await chatform(['apply', '--yes'], { cwd: without });
    expect(code).toBe(3);
    expect(stdout).toMatch(/most-of-kind: 3 of the 3 bots that are owned would be deleted/);
    expect(stdout).toMatch(/most-of-kind: 2 of the 2 bot templates that are owned would be deleted/);
    expect(stdout).toMatch(/adopted: bot\/one, bot\/two, bot_template\/first existed before chatform managed them/);
    expect(withoutLease(await filesIn(without))).toEqual(before);
    const kept = await chatform(['destroy', '--plan', '--acknowledge', 'deletes'], { cwd: without });
    expect(kept.stdout).toMatch(/Kept:\n {2}bot\/one, bot\/two, bot_template\/first: it existed before chatform/);
    const flags = ['bot/one', 'bot/two', 'bot_template/first', 'deletes'].flatMap((each) => ['--acknowledge', each]);
    const meant = await chatform(['apply', '--yes', ...flags], { cwd: without });
    expect([meant.code, meant.stdout]).toEqual([0, expect.stringContaining('5 destroyed')]);
  });
});

describe('A list that may not be read is never an empty one', () => {
  const SCOPES = [
    'agents--all:rw',
    'accounts--all:rw',
    'groups--all:rw',
    'access_rules:rw',
    'agents-bot--all:ro',
    'agents-bot--my:rw',
  ];
  const manifest = `${MANIFEST}bots: { triage: { name: Triage } }\n`;

  test.each([
    ['agents', 'agents--all:rw'],
    ['groups', 'groups--all:rw'],
    ['rules', 'access_rules:rw'],
    ['bots', 'agents-bot--all:ro'],
  ])('so without the scope for %s nothing is planned, created or deleted', async (_, missing) => {
    const scopes = SCOPES.filter(
      (scope) => scope !== missing && !(missing.startsWith('agents-bot') && scope.startsWith('agents-bot')),
    );
    const seed = {
      agents: [{ id: 'ann@example.com', name: 'Ann' }],
      groups: [{ name: 'Sales' }],
      tokens: [{ token: 'reader', scopes }],
    };
    const files = { ...project('secrets: { file: secrets.json }'), 'manifest.yaml': manifest };
    const owned = `${JSON.stringify({ v: 1, at: '2026-01-01T00:00:00Z', run: 'r', type: 'bound', address: 'group/gone', id: 1, origin: 'created' })}\n`;
    const cwd = await folder({ ...files, 'license.json': JSON.stringify(seed), 'ledger.ndjson': owned });
    const before = withoutLease(await filesIn(cwd));
    for (const command of [['plan'], ['apply', '--yes'], ['apply', '--yes', '--json']]) {
      const { code, stdout, stderr } = await chatform(command, { cwd, env: { CHATFORM_TOKEN: 'reader' } });
      expect([command, code]).toEqual([command, 1]);
      expect(stderr).toContain('authorization');
      if (!command.includes('--json')) expect(stdout).toBe('');
      else expect(JSON.parse(stdout)).toMatchObject({ errored: true });
      expect(stdout).not.toContain('resource_changes');
    }
    expect(withoutLease(await filesIn(cwd))).toEqual(before);
  });
});
