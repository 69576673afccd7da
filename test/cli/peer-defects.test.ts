// What well-known tools of this trade got wrong, kept as promises of ours: the real command line against a service on a port. Each test fails when
// we do the same.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { chatform, filesIn, folder, type How, project, type Ran, start, withoutLease } from './chatform.ts';
import { type Served, served, writesOf } from './served.ts';

/** Something of every kind that has a list of its own. */
const EVERYTHING = `version: 1
agents: { ann@example.com: { name: Ann } }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
  support: { name: Support, agent_priorities: { ann@example.com: normal } }
bots: { triage: { name: Triage, groups: { sales: first } }, greeter: { name: Greeter } }
bot_templates: { partner: { name: Partner, owner_client_id: shop } }
auto_access:
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /pricing }] } } }
  - { key: help, access: { groups: [support] }, conditions: { url: { values: [{ value: /help }] } } }
properties: { shop: { tier: { type: string, access: { license: { agent: [read, write] } } } } }
license_properties: { shop: { tier: gold } }
`;

/** Every kind of change: a group, an agent and a value differ, a rule is new and first, a rule, a group and a bot are gone. */
const ANOTHER = `version: 1
agents:
  ann@example.com: { job_title: Boss }
  bob@example.com: { name: Bob }
groups:
  sales: { name: Sales and more, agent_priorities: { ann@example.com: first, bob@example.com: normal } }
bot_templates: { partner: { name: Partner, owner_client_id: shop } }
auto_access:
  - { key: news, access: { groups: [sales] }, conditions: { url: { values: [{ value: /news }] } } }
  - { key: pricing, access: { groups: [sales] }, conditions: { url: { values: [{ value: /prices }] } } }
properties: { shop: { tier: { type: string, access: { license: { agent: [read, write] } } } } }
license_properties: { shop: { tier: silver } }
`;

const TWO_GROUPS = `version: 1
groups: { sales: { name: Sales }, support: { name: Support } }
auto_access: [{ key: all, access: { groups: [sales] }, conditions: { url: { values: [{ value: / }] } } }]
`;

interface Site extends Served {
  readonly cwd: string;
  readonly run: (args: readonly string[], env?: How['env']) => Promise<Ran>;
  readonly write: (manifest: string) => Promise<void>;
  /** What is on the license, and what we know of it. */
  readonly everything: () => Promise<readonly unknown[]>;
}

async function site(manifest: string, around?: (handle: Emulator['handle']) => Emulator['handle']): Promise<Site> {
  const service = await served({}, around);
  const settings = [
    'secrets: { file: secrets.json }',
    'max_deletes: 100',
    'max_delete_percent: 100',
    'request_timeout: 4s',
  ];
  const files = project(...settings);
  const settled = files['chatform.yaml']?.replace('emulator:license.json', service.url) ?? '';
  const cwd = await folder({ ...files, 'chatform.yaml': settled, 'manifest.yaml': manifest });
  return {
    ...service,
    cwd,
    run: (args, env = {}) => chatform(args, { cwd, env: { CHATFORM_TOKEN: 'dal:token', ...env } }),
    write: (text) => writeFile(join(cwd, 'manifest.yaml'), text),
    everything: async () => [service.emulator.snapshot().tables, withoutLease(await filesIn(cwd))],
  };
}

/** A call that somebody else makes, behind our back. */
async function byHand({ url }: Served, action: string, body: object): Promise<unknown> {
  const reply = await fetch(`${url}/v3.6/configuration/action/${action}`, {
    method: 'POST',
    headers: { authorization: 'Bearer dal:token', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([action, reply.status]).toEqual([action, 200]);
  return reply.json();
}

/** What the ledger says is ours, and why. */
async function owned(run: Site['run']): Promise<readonly string[]> {
  const { resources } = JSON.parse((await run(['ledger', 'show', '--json'])).stdout);
  return resources.map(({ address, origin }: { address: string; origin: string }) => `${address} ${origin}`);
}

test('A misspelt flag is fatal: not even a preview is made of it, and nothing is sent', async () => {
  const { cwd, run, emulator } = await site(EVERYTHING);
  const before = await filesIn(cwd);
  for (const args of [
    ['apply', '--yes', '--dry-run'],
    ['apply', '--yes', '--onyl', 'group/*'],
    ['apply', '-yes', '--preview=true'],
    ['plan', '--detailed-exit-code'],
  ]) {
    const { code, stdout, stderr } = await run(args);
    expect([args, code, stdout]).toEqual([args, 1, '']);
    expect(stderr).toContain('unknown option');
  }
  expect(emulator.stats()).toEqual({});
  expect(await filesIn(cwd)).toEqual(before);
});

test('A list that may not be read stops everything: nothing is created again, and nothing is deleted', async () => {
  const { run, write, emulator, everything } = await site(EVERYTHING);
  expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
  const lists = Object.keys(emulator.stats()).filter((action) => action.startsWith('list_'));
  expect(lists.length).toBeGreaterThanOrEqual(7);
  const before = await everything();
  emulator.resetStats();
  for (const [turn, list] of lists.entries()) {
    // In turn with all of it wished for, which could be made again, and with none, which could be deleted.
    await write(turn % 2 === 0 ? EVERYTHING : 'version: 1\nagents: { ann@example.com: { name: Ann } }\n');
    emulator.setFaults({ faults: [{ type: 'error', error: 'authorization', actions: [list] }] });
    const { code, stderr } = await run(['apply', '--yes', '--acknowledge', 'deletes']);
    expect([list, code]).toEqual([list, 1]);
    expect(stderr).toContain(list);
  }
  expect(writesOf(emulator)).toEqual({});
  await write(EVERYTHING);
  expect(await everything()).toEqual(before);
});

test('What comes from the environment is text: `false` is a name where a text is wanted, and only what YAML takes for a flag is one', async () => {
  const { run, write, url, emulator } = await site(
    'version: 1\ngroups: { sales: { name: "${env.CHATFORM_VAR_NAME}" } }\n',
  );
  expect((await run(['apply', '--yes', '-q'], { CHATFORM_VAR_NAME: 'false' })).code).toBe(0);
  expect(await byHand({ url, emulator }, 'list_groups', {})).toContainEqual(expect.objectContaining({ name: 'false' }));
  await write('version: 1\nagents: { ann@example.com: { name: Ann, suspended: "${env.CHATFORM_VAR_SUSPENDED}" } }\n');
  emulator.resetStats();
  for (const wrong of ['0', 'no', 'fAlse', '']) {
    const { code, stdout, stderr } = await run(['apply', '--yes'], { CHATFORM_VAR_SUSPENDED: wrong });
    expect([wrong, code, stdout]).toEqual([wrong, 1, '']);
    expect(stderr).toMatch(/manifest\.yaml:2:\d+: error wrong-type/);
  }
  expect(emulator.stats()).toEqual({});
  const { code, stdout } = await run(['plan', '--json'], { CHATFORM_VAR_SUSPENDED: 'false' });
  expect([code, JSON.parse(stdout).resource_changes]).toMatchObject([
    0,
    expect.arrayContaining([expect.objectContaining({ address: 'agent/ann@example.com' })]),
  ]);
  expect(JSON.stringify(JSON.parse(stdout).steps)).not.toContain('"suspended":true');
});

test('What plan prints is what apply sends: the same steps, in the same requests, and no others', async () => {
  const { run, write, emulator } = await site(EVERYTHING);
  for (const manifest of [EVERYTHING, ANOTHER]) {
    await write(manifest);
    const meant = ['--acknowledge', 'deletes', '--acknowledge', 'group/sales'];
    const planned = JSON.parse((await run(['plan', '--json', ...meant])).stdout);
    emulator.resetStats();
    const applied = await run(['apply', '--yes', '--json', ...meant]);
    expect(applied.code).toBe(0);
    const { plan, results } = JSON.parse(applied.stdout);
    expect(plan.steps).toEqual(planned.steps);
    expect(plan.requests).toEqual(planned.requests);
    const steps: readonly { readonly id: string }[] = planned.steps;
    expect(steps.length).toBeGreaterThan(5);
    expect(results.map(({ step }: { step: string }) => step)).toEqual(steps.map(({ id }) => id));
    expect(writesOf(emulator)).toEqual(planned.requests.by_action);
  }
});

test('Whether there is anything to do is read from the service: a drift is seen though no file has changed, and a changed comment is no change', async () => {
  const { run, write, url, emulator } = await site(TWO_GROUPS);
  expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
  expect((await run(['plan', '--detailed-exitcode'])).code).toBe(0);
  const groups = (await byHand({ url, emulator }, 'list_groups', {})) as readonly { id: number; name: string }[];
  const sales = groups.find(({ name }) => name === 'Sales');
  await byHand({ url, emulator }, 'update_group', { id: sales?.id, name: 'Renamed' });
  const drifted = await run(['plan', '--detailed-exitcode']);
  expect([drifted.code, drifted.stdout]).toEqual([2, expect.stringContaining('Renamed')]);
  expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
  expect(await byHand({ url, emulator }, 'list_groups', {})).toEqual(groups);
  await write(`# Another text, the same wish.\n${TWO_GROUPS}`);
  expect((await run(['plan', '--detailed-exitcode'])).code).toBe(0);
});

test('With --json every failure ends with another code than 0 and one whole document', async () => {
  const { cwd, run, write, emulator } = await site(TWO_GROUPS);
  const failing = async (args: readonly string[], code: number, members: object): Promise<void> => {
    const ran = await run([...args, '--json']);
    expect([args, ran.code, JSON.parse(ran.stdout)]).toMatchObject([args, code, { errored: true, ...members }]);
  };
  await failing(['apply', '--yes', '--bogus'], 1, { message: expect.stringContaining('--bogus') });
  await failing(['apply', '--yes', '-t', 'there'], 1, { message: expect.stringContaining('there') });
  await failing(['apply'], 1, { message: expect.stringContaining('use --yes') });
  emulator.setFaults({ faults: [{ type: 'error', error: 'authorization', actions: ['list_*'] }] });
  for (const args of [['plan'], ['apply', '--yes']])
    await failing(args, 1, { message: expect.stringContaining('list_') });
  // One of the two groups is not made.
  emulator.setFaults({ faults: [{ type: 'error', error: 'validation', actions: ['create_group'], times: 1 }] });
  const { code, stdout } = await run(['apply', '--yes', '--json']);
  const partial = JSON.parse(stdout);
  expect(code).toBe(6);
  expect(partial).toMatchObject({ errored: true, outcome: 'partial', plan: { summary: { add: 3 } } });
  expect(partial.results.map(({ step }: { step: string }) => step)).toEqual(
    partial.plan.steps.map(({ id }: { id: string }) => id),
  );
  emulator.setFaults({ faults: [{ type: 'error', error: 'validation', actions: ['create_*'] }] });
  await failing(['apply', '--yes'], 1, { outcome: 'failed' });
  await write('version: 1\ngroups: { sales: {} }\n');
  for (const args of [['validate'], ['plan'], ['apply', '--yes']])
    await failing(args, 1, { diagnostics: [expect.objectContaining({ place: expect.anything() })] });
  await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\nbots: { triage: { name: Triage } }\n');
  await writeFile(join(cwd, 'secrets.json'), 'not JSON');
  await failing(['apply', '--yes'], 1, { message: expect.stringContaining('secrets.json') });
});

test('Changes and failures end with codes of their own', async () => {
  const { run, write, emulator } = await site(TWO_GROUPS);
  const ask = async (): Promise<number | null> => (await run(['plan', '--detailed-exitcode'])).code;
  const changes = await ask();
  emulator.setFaults({ faults: [{ type: 'error', error: 'authentication' }] });
  const refused = await ask();
  emulator.setFaults({ faults: [] });
  expect((await run(['apply', '--yes', '-q'])).code).toBe(0);
  const none = await ask();
  await write('version: 1\ngroups: { sales: {} }\n');
  expect({ none, refused, changes, wrong: await ask() }).toEqual({ none: 0, refused: 1, changes: 2, wrong: 1 });
});

test('What was created before a failure is ours: the next run keeps it, and deletes it when it is not wanted any more', async () => {
  const { run, write, emulator } = await site(TWO_GROUPS);
  emulator.setFaults({ faults: [{ type: 'error', error: 'validation', actions: ['add_auto_access'] }] });
  expect((await run(['apply', '--yes', '-q'])).code).toBe(6);
  emulator.setFaults({ faults: [] });
  expect(await owned(run)).toEqual(['group/sales created', 'group/support created']);
  emulator.resetStats();
  await write(TWO_GROUPS.replace(', support: { name: Support }', ''));
  expect((await run(['apply', '--yes', '-q', '--acknowledge', 'deletes'])).code).toBe(0);
  expect(writesOf(emulator)).toEqual({ add_auto_access: 1, delete_group: 1 });
});

test('What was created before the process was killed is ours as well', async () => {
  let arrived = (): void => {};
  const rule = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  // The rule needs the groups, so when it is asked for they have been answered. It never gets there.
  const { cwd, run, write, emulator } = await site(TWO_GROUPS, (handle) => async (asked) => {
    if (!asked.target.endsWith('/add_auto_access')) return handle(asked);
    arrived();
    throw new Error('lost');
  });
  const running = start(['apply', '--yes', '-q'], { cwd, env: { CHATFORM_TOKEN: 'dal:token' } });
  await rule;
  // An answer is written down while the next request is on its way.
  await expect.poll(() => owned(run)).toEqual(['group/sales created', 'group/support created']);
  running.kill('SIGKILL');
  expect((await running.ended).code).toBe(null);
  expect(writesOf(emulator)).toEqual({ create_group: 2 });
  await write('version: 1\ngroups: { sales: { name: Sales } }\n');
  const plan = await run(['plan', '--json']);
  expect(JSON.parse(plan.stdout).steps).toMatchObject([{ id: 'delete group/support' }]);
});

test('`00123` stays text, wherever it comes from, and is no number where one is wanted', async () => {
  const manifest =
    'version: 1\nagents: { ann@example.com: { name: Ann, job_title: "${env.CHATFORM_VAR_CODE} ${var.code}" } }\n';
  const { cwd, run, write, url, emulator } = await site(manifest.replace(' ${var.code}', ''));
  const titled = async (): Promise<unknown> => {
    const agents = await byHand({ url, emulator }, 'list_agents', { fields: ['job_title'] });
    return (agents as readonly { id: string; job_title?: unknown }[]).find(({ id }) => id === 'ann@example.com')
      ?.job_title;
  };
  expect((await run(['apply', '--yes', '-q'], { CHATFORM_VAR_CODE: '00123' })).code).toBe(0);
  expect(await titled()).toBe('00123');
  await write(manifest);
  expect((await run(['apply', '--yes', '-q', '--var', 'code=1e3'], { CHATFORM_VAR_CODE: '0x10' })).code).toBe(0);
  expect(await titled()).toBe('0x10 1e3');
  await write('version: 1\nagents: { ann@example.com: { name: Ann, max_chats_count: "${env.CHATFORM_VAR_CODE}" } }\n');
  const wrong = await run(['apply', '--yes'], { CHATFORM_VAR_CODE: '00005' });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('wrong-type')]);
  // What YAML takes for a number is not made a text again: that would be `123`.
  const text = (await filesIn(cwd))['chatform.yaml'] ?? '';
  await writeFile(join(cwd, 'chatform.yaml'), `${text}    vars: { code: 00123 }\n`);
  await write('version: 1\nagents: { ann@example.com: { name: Ann, job_title: "${var.code}" } }\n');
  const unquoted = await run(['apply', '--yes', '-q']);
  expect([unquoted.code, unquoted.stderr]).toEqual([1, expect.stringContaining('vars: { code: 00123 }')]);
  expect(await titled()).toBe('0x10 1e3');
});
