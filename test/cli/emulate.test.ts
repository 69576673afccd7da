// `chatform emulate`: a service on a local port that says where it is, and goes when it is told to.

import { expect, test } from 'vitest';
import { chatform, filesIn, folder, project, start } from './chatform.ts';

const AGENTS = {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer dal:token' },
  body: '{}',
};

test('It prints one line with its URL when it is ready, serves, and stops on SIGTERM', async () => {
  const running = start(['emulate', '--port', '0'], { cwd: await folder() });
  const printed = await running.says('stdout', '\n');
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  const reply = await fetch(`${printed.trim()}/v3.6/configuration/action/list_agents`, AGENTS);
  expect([reply.status, await reply.json()]).toEqual([200, [expect.objectContaining({ role: 'owner' })]]);
  running.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, stdout: printed });
});

test('A project can be applied to it, and --state keeps the license from one run to the next', async () => {
  const cwd = await folder(project());
  const emulate = ['emulate', '--port', '0', '--state', 'kept/state.json'];
  const env = { CHATFORM_TOKEN: 'dal:token' };
  const first = start(emulate, { cwd });
  const url = (await first.says('stdout', '\n')).trim();
  expect((await chatform(['apply', '--yes', '-q', '--base-url', url], { cwd, env })).code).toBe(0);
  first.kill('SIGTERM');
  await first.ended;
  expect(Object.keys(await filesIn(cwd))).toContain('kept/state.json');
  const second = start(emulate, { cwd });
  const again = (await second.says('stdout', '\n')).trim();
  const plan = await chatform(['plan', '--base-url', again], { cwd, env });
  expect([plan.code, plan.stdout]).toEqual([0, expect.stringContaining('No changes.')]);
});

test('Its readings lag behind its writes as long as it is told', async () => {
  const running = start(['emulate', '--port', '0', '--propagation-delay', '60s'], { cwd: await folder() });
  const url = (await running.says('stdout', '\n')).trim();
  const create = { ...AGENTS, body: JSON.stringify({ name: 'Sales', agent_priorities: {} }) };
  expect((await fetch(`${url}/v3.6/configuration/action/create_group`, create)).status).toBe(200);
  const groups = await fetch(`${url}/v3.6/configuration/action/list_groups`, AGENTS);
  expect(await groups.json()).toEqual([expect.objectContaining({ id: 0 })]);
});

test('A file that is no license is refused and left alone', async () => {
  const cwd = await folder({ 'notes.json': '{ "agents": [{ "nmae": "Ann" }] }' });
  const { code, stdout, stderr } = await chatform(['emulate', '--port', '0', '--state', 'notes.json'], { cwd });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('notes.json');
  expect((await filesIn(cwd))['notes.json']).toContain('nmae');
});

test('With --certificate it serves HTTPS, and whoever trusts that file can apply to it', async () => {
  const cwd = await folder(project());
  const running = start(['emulate', '--port', '0', '--certificate', 'kept/emulator.pem'], { cwd });
  const url = (await running.says('stdout', '\n')).trim();
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const apply = ['apply', '--yes', '-q', '--base-url', url];
  const env = { CHATFORM_TOKEN: 'dal:token' };
  const stranger = await chatform(apply, { cwd, env });
  expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringContaining('self-signed certificate')]);
  const trusting = await chatform(apply, { cwd, env: { ...env, NODE_EXTRA_CA_CERTS: 'kept/emulator.pem' } });
  expect(trusting.code).toBe(0);
  running.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, stdout: `${url}\n` });
});

test('A certificate replaces another one, and nothing else', async () => {
  const cwd = await folder({ 'old.pem': '-----BEGIN CERTIFICATE-----\nold\n', 'notes.txt': 'mine' });
  const refused = await chatform(['emulate', '--port', '0', '--certificate', 'notes.txt'], { cwd });
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringContaining('notes.txt')]);
  const running = start(['emulate', '--port', '0', '--https', '--certificate', 'old.pem'], { cwd });
  await running.says('stdout', 'https://');
  const { 'old.pem': certificate, 'notes.txt': notes } = await filesIn(cwd);
  expect([certificate, notes]).toEqual([expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n(?!old)/), 'mine']);
});
