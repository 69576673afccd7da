// `chatform emulate`: a service on a local port that says where it is, and goes when it is told to.

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TLS_FILES } from '../certificates/tls.ts';
import { chatform, filesIn, folder, project, spawned, start } from './chatform.ts';
import { served, writesOf } from './served.ts';

const AGENTS = {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer dal:token' },
  body: '{}',
};

test('A port that is taken is said to be, with what to do', async () => {
  const cwd = await folder();
  const first = start(['emulate', '--port', '0'], { cwd });
  const port = new URL((await first.says('stdout', 'http://')).trim()).port;
  const { code, stderr } = await chatform(['emulate', '--port', port], { cwd });
  expect([code, stderr]).toEqual([
    1,
    `Error: port ${port} of 127.0.0.1 is taken: --port names another, and 0 takes a free one\n`,
  ]);
});

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

test('A copy of a license is planned as the license is, and a write to the copy is none to the license', async () => {
  const { emulator, url } = await served({ seed: { agents: [{ id: 'bob@example.com', name: 'Bob' }] } });
  const files = project('limits: { agents: 5 }');
  const cwd = await folder({
    ...files,
    'chatform.yaml': (files['chatform.yaml'] ?? '').replace('emulator:license.json', url),
  });
  const env = { CHATFORM_TOKEN: 'dal:open-sesame' };
  const flags = ['emulate', '--port', '0', '--like', 'here', '--state', 'copy.json'];
  const running = start(flags, { cwd, env });
  const copy = (await running.says('stdout', '\n')).trim();
  const plans = [url, copy].map((base) => chatform(['plan', '-q', '--base-url', base], { cwd, env }));
  const [there, here] = await Promise.all(plans);
  expect([here?.code, here?.stderr, here?.stdout]).toEqual([0, '', there?.stdout]);
  expect(here?.stdout).toMatch(/^Plan: 3 to add/m);
  const applied = await chatform(['apply', '-q', '--yes', '--base-url', copy], { cwd, env });
  expect([applied.code, writesOf(emulator)]).toEqual([0, {}]);
  running.kill('SIGTERM');
  await running.ended;
  const asked = emulator.stats();
  const again = start(flags, { cwd, env });
  await again.says('stdout', '\n');
  expect(emulator.stats()).toEqual(asked);
  const both = await chatform([...flags, '--seed', 'seed.json'], { cwd, env });
  expect([both.code, both.stderr]).toEqual([
    1,
    expect.stringMatching(/--like <target>.* cannot be used with .*--seed <file>/),
  ]);
});

test('A description and settings may name their schemas, and a token with an unknown scope is refused', async () => {
  const tokens = [{ token: 't', scopes: ['agents--all:readonly'] }];
  const cwd = await folder({
    'seed.json': JSON.stringify({ $schema: 'seed.schema.json', tokens }),
    'settings.json': JSON.stringify({ $schema: 'settings.schema.json' }),
  });
  const flags = ['emulate', '--port', '0', '--settings', 'settings.json', '--seed', 'seed.json'];
  const { code, stdout, stderr } = await chatform(flags, { cwd });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('--seed seed.json: not a valid seed: `tokens[0].scopes[0]`: the service has no scope');
});

test('A file that is no license is refused and left alone', async () => {
  const cwd = await folder({ 'notes.json': '{ "agents": [{ "nmae": "Ann" }] }' });
  const { code, stdout, stderr } = await chatform(['emulate', '--port', '0', '--state', 'notes.json'], { cwd });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('notes.json');
  expect((await filesIn(cwd))['notes.json']).toContain('nmae');
});

test('The first signal waits for what is in flight, the second does not', async () => {
  const running = start(['emulate', '--port', '0'], { cwd: await folder() });
  const { port } = new URL((await running.says('stdout', '\n')).trim());
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const head = 'POST /v3.6/configuration/action/list_agents HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer any';
  socket.write(`${head}\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`);
  // It has the head, and will wait for the body.
  await once(socket, 'data');
  running.kill('SIGTERM');
  await running.says('stderr', 'Stopping');
  running.kill('SIGTERM');
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([
    130,
    'Stopping: waiting for requests in flight. Send SIGTERM again to stop immediately.\n',
  ]);
});

test('A request in flight is answered after the first signal', async () => {
  const running = start(['emulate', '--port', '0', '--state', 'license.json'], { cwd: await folder() });
  const { port } = new URL((await running.says('stdout', '\n')).trim());
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const head = 'POST /v3.6/configuration/action/create_group HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer any';
  const body = '{"name":"Sales","agent_priorities":{}}';
  socket.write(
    `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  running.kill('SIGTERM');
  await running.says('stderr', 'Stopping');
  socket.write(body);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close[\s\S]*\{"id":1\}$/i);
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/interrupt/i)]);
});

test('What was answered before it was killed is in the file, which is whole', async () => {
  const cwd = await folder();
  const running = start(['emulate', '--port', '0', '--state', 'license.json'], { cwd });
  const url = (await running.says('stdout', '\n')).trim();
  const answered: string[] = [];
  const create = async (worker: number): Promise<void> => {
    for (let count = 0; ; count += 1) {
      const id = `${worker}.${count}@example.com`;
      const body = JSON.stringify({ id, name: 'A' });
      const reply = await fetch(`${url}/v3.6/configuration/action/create_agent`, { ...AGENTS, body });
      await reply.text();
      answered.push(id);
      if (answered.length === 60) running.kill('SIGKILL');
    }
  };
  await Promise.allSettled([create(0), create(1), create(2)]);
  expect((await running.ended).code).toBeNull();
  const file = JSON.parse(await readFile(join(cwd, 'license.json'), 'utf8'));
  const ids = file.tables.agents.map(([row]: readonly { readonly value: { readonly id: string } }[]) => row?.value.id);
  expect(answered.length).toBeGreaterThanOrEqual(60);
  expect(ids).toEqual(expect.arrayContaining(answered));
  const again = start(['emulate', '--port', '0', '--state', 'license.json'], { cwd });
  const next = (await again.says('stdout', '\n')).trim();
  const agents = await (await fetch(`${next}/v3.6/configuration/action/list_agents`, AGENTS)).json();
  expect(agents).toHaveLength(ids.length);
});

test.each<[string, (text: string) => string]>([
  ['was cut off', (text) => text.slice(0, -100)],
  ['is empty', () => ''],
  ['is of another format', (text) => text.replace('chatform-emulator/2', 'chatform-emulator/9')],
  ['contradicts itself', (text) => text.replace('"member":"ann@example.com"', '"member":"nobody@example.com"')],
])('A license in a file that %s is refused, and left as it is', async (_, damage) => {
  const cwd = await folder(project());
  const env = { CHATFORM_TOKEN: 'any' };
  expect((await chatform(['apply', '--yes', '-q'], { cwd, env })).code).toBe(0);
  const whole = await readFile(join(cwd, 'license.json'), 'utf8');
  const broken = damage(whole);
  expect(broken).not.toBe(whole);
  await writeFile(join(cwd, 'license.json'), broken);
  for (const args of [
    ['emulate', '--port', '0', '--state', 'license.json'],
    ['apply', '--yes', '-q'],
  ]) {
    const { code, stdout, stderr } = await chatform(args, { cwd, env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/license\.json cannot be used as a license, and is left as it is: \S/);
  }
  expect(await readFile(join(cwd, 'license.json'), 'utf8')).toBe(broken);
  expect((await readdir(cwd)).filter((name) => name.startsWith('license.json'))).toEqual(['license.json']);
});

test('With --tls-cert and --tls-key it serves HTTPS, and a client that trusts the certificate can apply to it', async () => {
  const cwd = await folder(project());
  const running = start(['emulate', '--port', '0', '--tls-cert', TLS_FILES.cert, '--tls-key', TLS_FILES.key], { cwd });
  const url = (await running.says('stdout', '\n')).trim();
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
  const env = { CHATFORM_TOKEN: 'dal:token', NODE_EXTRA_CA_CERTS: TLS_FILES.cert };
  expect((await spawned(['apply', '--yes', '-q', '--base-url', url], { cwd, env })).code).toBe(0);
  running.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, stdout: `${url}\n` });
});

test.each<[readonly string[], string]>([
  [['--tls-cert', TLS_FILES.cert], '--tls-cert needs --tls-key: name the file with its private key'],
  [['--tls-key', TLS_FILES.key], '--tls-key needs --tls-cert: name the file with the certificate'],
  [['--tls-cert', 'none.pem', '--tls-key', TLS_FILES.key], 'none.pem cannot be read: there is no such file'],
  [
    ['--tls-cert', TLS_FILES.key, '--tls-key', TLS_FILES.key],
    `--tls-cert ${TLS_FILES.key} is not a certificate in PEM`,
  ],
  [['--tls-cert', TLS_FILES.cert, '--tls-key', TLS_FILES.cert], 'is not a private key in PEM: name one without'],
  [['--tls-cert', TLS_FILES.cert, '--tls-key', 'other.key'], '--tls-key other.key is not the key of --tls-cert'],
])('%j is refused, with what to do', async (flags, message) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cwd = await folder({ 'other.key': String(privateKey.export({ type: 'pkcs8', format: 'pem' })) });
  const { code, stdout, stderr } = await chatform(['emulate', '--port', '0', ...flags], { cwd });
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)]);
});

test('It begins with a described license, plays faults, and lets itself be steered when it is asked to', async () => {
  const cwd = await folder({
    'seed.json': '{ "agents": [{ "id": "ann@example.com", "name": "Ann" }] }',
    'settings.json': '{ "emptyReply": "zero-bytes" }',
    'faults.json': '{ "faults": [{ "type": "error", "error": "too_many_requests", "retry_after": 1, "times": 1 }] }',
  });
  const files = ['--seed', 'seed.json', '--settings', 'settings.json', '--faults', 'faults.json'];
  const running = start(['emulate', '--port', '0', ...files, '--control'], { cwd });
  const url = (await running.says('stdout', '\n')).trim();
  const list = () => fetch(`${url}/v3.6/configuration/action/list_agents`, AGENTS);
  const busy = await list();
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await (await list()).json()).toHaveLength(2);
  const suspend = { ...AGENTS, body: '{"id":"ann@example.com"}' };
  expect(await (await fetch(`${url}/v3.6/configuration/action/suspend_agent`, suspend)).text()).toBe('');
  expect(await (await fetch(`${url}/_emulator/stats`)).json()).toEqual({
    total: 3,
    requests: { list_agents: 2, suspend_agent: 1 },
  });
});

test('A connection that the faults reset ends without a reply, and the next one is served', async () => {
  const cwd = await folder({ 'faults.json': '{ "faults": [{ "type": "reset", "times": 1 }] }' });
  const running = start(['emulate', '--port', '0', '--faults', 'faults.json'], { cwd });
  const url = (await running.says('stdout', '\n')).trim();
  const list = () => fetch(`${url}/v3.6/configuration/action/list_agents`, AGENTS);
  await expect(list()).rejects.toThrow();
  expect((await list()).status).toBe(200);
  expect((await fetch(`${url}/_emulator/stats`)).status).toBe(404);
});

test.each([
  ['--faults', '{ "faults": [{ "type": "earthquake" }] }', '`faults[0].type` must be one of'],
  ['--seed', '{ "agints": [] }', '`agints` is not a known member'],
  ['--seed', '{', 'JSON'],
  ['--settings', '{ "approval": "maybe" }', '`approval` must be one of: strict, open'],
])('A wrong file of %s is refused by its name', async (flag, text, message) => {
  const cwd = await folder({ 'wrong.json': text });
  const { code, stdout, stderr } = await chatform(['emulate', '--port', '0', flag, 'wrong.json'], { cwd });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('wrong.json: ');
  expect(stderr).toContain(message);
});

test('--traffic plays visitors before it serves, says so, and the state file has their chats', async () => {
  const traffic = 'visitors:\n  all: { page: "https://shop.example/{1..9}", per_day: 30 }\ndays: 2\n';
  const cwd = await folder({ 'traffic.yaml': traffic });
  const running = start(['emulate', '--port', '0', '--state', 'license.json', '--traffic', 'traffic.yaml'], { cwd });
  const url = (await running.says('stdout', '\n')).trim();
  const said = await running.says('stderr', '\n');
  expect(said).toMatch(/^Traffic: \d+ chats from \S+T\d\d:\d\dZ to \S+Z, \d+ of them with an agent\.\n$/);
  const reply = await fetch(`${url}/v3.6/configuration/action/list_agents`, AGENTS);
  expect(reply.status).toBe(200);
  running.kill('SIGTERM');
  expect(await running.ended).toMatchObject({ code: 0, stdout: `${url}\n` });
  const { tables } = JSON.parse(await readFile(join(cwd, 'license.json'), 'utf8'));
  expect(`Traffic: ${tables.threads.length} chats`).toBe(/^Traffic: \d+ chats/.exec(said)?.[0]);
});

test('A file of traffic with mistakes is refused with all of them, each at its place, and nothing is served', async () => {
  const cwd = await folder({
    'traffic.yaml': `timezone: Europe/Krakow
length: 9m..3m
visitors:
  prices:
    page: /pricing
    per_dya: 40
  returns:
    page: https://shop.example/returns
    rated: 3
    by_hour: { weekdays: { 8-12: 4, 10-14: 2 }, mondays: {} }
  late:
    page: https://shop.example/
`,
  });
  const { code, stdout, stderr } = await chatform(['emulate', '--port', '0', '--traffic', 'traffic.yaml'], { cwd });
  expect([code, stdout]).toEqual([1, '']);
  const found = Array.from(stderr.matchAll(/traffic\.yaml:\d+:\d+/g), ([place]) => place);
  expect(found).toEqual([
    'traffic.yaml:1:11',
    'traffic.yaml:2:9',
    'traffic.yaml:5:11',
    'traffic.yaml:6:5',
    'traffic.yaml:9:12',
    'traffic.yaml:10:37',
    'traffic.yaml:10:49',
    'traffic.yaml:11:3',
  ]);
  expect(stderr).toContain('there is no field `per_dya` here');
  expect(stderr).toContain('`Europe/Krakow` is not an IANA time zone');
});

test('Traffic that is no YAML, or is missing, is said at its place', async () => {
  const cwd = await folder({ 'traffic.yaml': 'visitors: [' });
  const broken = await chatform(['emulate', '--port', '0', '--traffic', 'traffic.yaml'], { cwd });
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('traffic.yaml:1:')]);
  const missing = await chatform(['emulate', '--port', '0', '--traffic', 'none.yaml'], { cwd });
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('the file does not exist')]);
});

test('Traffic with a greeting that the license does not have is refused', async () => {
  const stream = '{ page: "https://shop.example/", per_day: 9, greeting: { id: 3, share: 0.5 } }';
  const cwd = await folder({ 'traffic.yaml': `visitors: { all: ${stream} }\n` });
  const { code, stderr } = await chatform(['emulate', '--port', '0', '--traffic', 'traffic.yaml'], { cwd });
  const why = '`visitors.all.greeting.id` names greeting 3, which does not exist';
  expect([code, stderr]).toEqual([1, `Error: --traffic traffic.yaml: ${why}\n`]);
});
