// The exit codes, one by one. Delays are so short that nothing really waits.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { chatform, filesIn, folder, project, start, withoutLease } from './chatform.ts';

test('0: done, and nothing to do', async () => {
  const cwd = await folder(project());
  const applied = await chatform(['apply', '--yes'], { cwd });
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('3 added, 0 changed, 0 destroyed')]);
  const again = await chatform(['plan', '--detailed-exitcode'], { cwd });
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No changes.')]);
  const nothing = await chatform(['apply'], { cwd });
  expect(nothing.code).toBe(0);
});

test('1: the manifest is wrong', async () => {
  const cwd = await folder({ ...project(), 'manifest.yaml': 'version: 1\ngroups: { sales: {} }\n' });
  for (const command of ['validate', 'plan', 'apply']) {
    const { code, stdout, stderr } = await chatform([command], { cwd });
    expect([command, code, stdout]).toEqual([command, 1, '']);
    expect(stderr).toContain('manifest.yaml:2:11');
  }
});

test('1: nobody is there to confirm, so nothing is sent and nothing is remembered', async () => {
  const cwd = await folder(project());
  const before = withoutLease(await filesIn(cwd));
  const { code, stdout, stderr } = await chatform(['apply'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('Plan: 3 to add');
  expect(stderr).toContain('--yes');
  expect(withoutLease(await filesIn(cwd))).toEqual(before);
});

test('1: every write was refused, so nothing was applied, and the scopes that each needs are named', async () => {
  const seed = { tokens: [{ token: 'reader', scopes: ['agents--all:ro', 'groups--all:ro', 'access_rules:ro'] }] };
  const cwd = await folder({ ...project(), 'license.json': JSON.stringify(seed) });
  const { code, stdout } = await chatform(['apply', '--yes'], { cwd, env: { CHATFORM_TOKEN: 'reader' } });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^Nothing was applied\. 1 request to here, \d/m)]);
  expect(stdout).toContain('agent/ann@example.com: failed');
  expect((await filesIn(cwd))['ledger.ndjson']).toContain('"outcome":"failed"');
});

test('1: a token that may not read is told what it needs', async () => {
  const seed = { tokens: [{ token: 'reader', scopes: ['agents--all:ro', 'groups--all:ro'] }] };
  const cwd = await folder({ ...project(), 'license.json': JSON.stringify(seed) });
  const { code, stdout, stderr } = await chatform(['plan'], { cwd, env: { CHATFORM_TOKEN: 'reader' } });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('list_auto_accesses needs a token with access_rules:ro');
});

test('1: a token that may not read several lists is told all that it needs at once', async () => {
  const cwd = await folder({
    ...project(),
    'license.json': JSON.stringify({ tokens: [{ token: 'none', scopes: [] }] }),
  });
  const { code, stdout, stderr } = await chatform(['plan'], { cwd, env: { CHATFORM_TOKEN: 'none' } });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(
    'list_agents, list_groups, list_auto_accesses need a token with agents--all:ro, groups--all:ro, access_rules:ro',
  );
});

test('2: differences, only for those who ask for it', async () => {
  const cwd = await folder(project());
  expect((await chatform(['plan', '--detailed-exitcode'], { cwd })).code).toBe(2);
  expect((await chatform(['plan'], { cwd })).code).toBe(0);
});

test('3: a guard withholds the whole apply, and acknowledging lets it go', async () => {
  const cwd = await folder(project('max_deletes: 0'));
  await chatform(['apply', '--yes', '-q'], { cwd });
  const rest = { ...project(), 'manifest.yaml': 'version: 1\nagents: { ann@example.com: { job_title: Boss } }\n' };
  const { 'manifest.yaml': manifest } = rest;
  const pruned = await folder({ ...withoutLease(await filesIn(cwd)), 'manifest.yaml': manifest });
  const before = withoutLease(await filesIn(pruned));
  const plan = await chatform(['plan'], { cwd: pruned });
  expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('--acknowledge deletes')]);
  const withheld = await chatform(['apply', '--yes'], { cwd: pruned });
  expect([withheld.code, withheld.stdout]).toEqual([
    3,
    expect.stringMatching(/^Plan: 0 to add, 1 to change, 2 to destroy on here\.\n\nNothing was changed\.\n$/m),
  ]);
  expect(withheld.stderr).toBe('');
  const quiet = await chatform(['apply', '--yes', '-q'], { cwd: pruned });
  expect([quiet.code, quiet.stderr]).toEqual([3, '']);
  expect(quiet.stdout).toMatch(/^Withheld: .*max_deletes.*--acknowledge deletes.*\nNothing was changed\.\n$/s);
  expect(withoutLease(await filesIn(pruned))).toEqual(before);
  const acknowledged = await chatform(['apply', '--yes', '--acknowledge', 'deletes'], { cwd: pruned });
  expect([acknowledged.code, acknowledged.stdout]).toEqual([0, expect.stringContaining('2 destroyed')]);
});

test('6: written, but not readable before the deadline, and what has not settled is named', async () => {
  const late = project('propagation_delay: 60s', 'propagation_timeout: 1ms');
  const { code, stdout } = await chatform(['apply', '--yes'], { cwd: await folder(late) });
  expect(code).toBe(6);
  expect(stdout).toContain('group/sales: not listed yet');
  const document = await chatform(['apply', '--yes', '--json'], { cwd: await folder(late) });
  expect([document.code, JSON.parse(document.stdout)]).toMatchObject([
    6,
    {
      errored: true,
      outcome: 'unsettled',
      unsettled: expect.arrayContaining([{ address: 'group/sales', reading: 'not listed yet' }]),
    },
  ]);
});

test('6: applied in part, and what failed is named', async () => {
  const seed = {
    tokens: [{ token: 'reader', scopes: ['agents--all:rw', 'accounts--all:rc', 'groups--all:ro', 'access_rules:ro'] }],
  };
  const cwd = await folder({ ...project(), 'license.json': JSON.stringify(seed) });
  const { code, stdout } = await chatform(['apply', '--yes'], { cwd, env: { CHATFORM_TOKEN: 'reader' } });
  expect(code).toBe(6);
  expect(stdout).toContain('group/sales: failed');
  expect(stdout).toContain('auto_access/pricing: skipped');
  expect(stdout).toContain('1 added, 0 changed, 0 destroyed');
});

test('1: what could not be created leaves nothing to do by hand', async () => {
  const manifest = 'version: 1\nbots: { triage: { name: Triage } }\n';
  const seed = { tokens: [{ token: 'reader', scopes: ['agents-bot--all:ro'] }] };
  const cwd = await folder({ ...project(), 'manifest.yaml': manifest, 'license.json': JSON.stringify(seed) });
  const flags = ['apply', '--yes', '-q', '--secrets-file', 'secrets.json'];
  const { code, stdout } = await chatform(flags, { cwd, env: { CHATFORM_TOKEN: 'reader' } });
  expect([code, stdout]).toEqual([1, expect.stringContaining('bot/triage: failed')]);
  expect(stdout).not.toContain('Manual steps');
});

test('130: interrupted while it waits, with a report of what was written', async () => {
  const cwd = await folder(project('propagation_delay: 60s'));
  const running = start(['apply', '--yes'], { cwd });
  await running.says('stderr', 'Still waiting for propagation');
  running.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toContain('Interrupted. 3 added');
  expect((await filesIn(cwd))['ledger.ndjson']).toContain('"outcome":"interrupted"');
});

test('130: interrupted while it waits for what the last run created, so that nothing is created again', async () => {
  const cwd = await folder(project('propagation_delay: 60s', 'propagation_timeout: 1ms'));
  expect((await chatform(['apply', '--yes'], { cwd })).code).toBe(6);
  const before = withoutLease(await filesIn(cwd));
  const running = start(['apply', '--yes'], { cwd });
  await running.says('stderr', 'Waiting for recent writes to show');
  running.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect([code, stdout]).toEqual([130, '']);
  expect(stderr).toContain('group/sales');
  expect(withoutLease(await filesIn(cwd))).toEqual(before);
});

test('130: interrupted while it reads a license that does not answer, and nothing is waited for', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const cwd = await folder(project());
  for (const args of [['plan'], ['apply', '--yes', '--json']]) {
    const asked = new Promise((resolve) => server.once('request', resolve));
    const flags = ['-f', 'manifest.yaml', '--base-url', `http://127.0.0.1:${port}`];
    const running = start([...args, ...flags], { cwd, env: { CHATFORM_TOKEN: 'token' } });
    await asked;
    running.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining('nothing was changed')]);
    if (args.includes('--json')) expect(JSON.parse(stdout)).toMatchObject({ errored: true });
  }
});
