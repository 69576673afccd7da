// `chatform drift` as a process: what it remembers from look to look, whom it tells, and how a watch ends.

import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chatform, folder, project, start } from './chatform.ts';

/** Whoever is told: the events that arrived. */
async function receiver() {
  const events: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    events.push(request.method === 'GET' ? 'heartbeat' : JSON.parse(body).event);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { events, env: { HOOK_URL: `${url}/hook`, HOOK_SECRET: 'sixteen characters', BEAT_URL: `${url}/beat` } };
}

const TOLD =
  'drift: { notify: [{ webhook: { url_env: HOOK_URL, secret_env: HOOK_SECRET } }], heartbeat: { url_env: BEAT_URL } }';

/** A license as it was applied. */
async function applied(...settings: readonly string[]): Promise<string> {
  const cwd = await folder(project(...settings));
  expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

/** Somebody renames the group, elsewhere. */
async function rename(cwd: string, name: string): Promise<void> {
  const text = `version: 1\ngroups: { sales: { id: 1, name: ${name} } }\n`;
  await writeFile(join(cwd, 'elsewhere.yaml'), text);
  const args = ['apply', '--yes', '--quiet', '-f', 'elsewhere.yaml', '--base-url', 'emulator:license.json'];
  expect(await chatform(args, { cwd })).toMatchObject({ code: 0 });
}

test('A difference that comes back after each apply is a fight, and each return is told', async () => {
  const cwd = await applied(TOLD);
  const { events, env } = await receiver();
  const look = async () => {
    const { code, stdout } = await chatform(['drift', '--json'], { cwd, env });
    const { items } = JSON.parse(stdout) as {
      readonly items: readonly { readonly status: string; readonly returned: number; readonly fight: boolean }[];
    };
    return { code, items: items.filter(({ status }) => status === 'drift') };
  };
  expect(await look()).toMatchObject({ code: 0, items: [] });
  for (const returned of [0, 1, 2]) {
    await rename(cwd, `Team ${returned}`);
    expect(await look()).toMatchObject({ code: 2, items: [{ returned, fight: returned >= 2 }] });
    expect(await chatform(['apply', '--yes', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  }
  expect(await look()).toMatchObject({ code: 0, items: [] });
  expect(events.filter((event) => event !== 'heartbeat')).toEqual(['drift', 'drift', 'drift', 'resolved']);
  expect(events.filter((event) => event === 'heartbeat')).toHaveLength(5);
  expect(await readFile(join(cwd, 'ledger.sightings.json'), 'utf8')).not.toContain('Team');
});

test('A look that fails is told once and beats no heart, and --notify never tells nobody', async () => {
  const cwd = await applied(TOLD, 'request_timeout: 1s', 'run_timeout: 2s');
  const { events, env } = await receiver();
  const broken = { cwd, env: { ...env, CHATFORM_TOKEN: 'dal:token' } };
  const args = ['drift', '--base-url', 'http://127.0.0.1:9'];
  expect(await chatform([...args, '--notify', 'never'], broken)).toMatchObject({ code: 1 });
  expect(events).toEqual([]);
  expect(await chatform(args, broken)).toMatchObject({ code: 1 });
  expect(await chatform(args, broken)).toMatchObject({ code: 1 });
  expect(events).toEqual(['failed']);
  expect(await chatform(['drift'], { cwd, env })).toMatchObject({ code: 0 });
  expect(events).toEqual(['failed', 'recovered', 'heartbeat']);
});

test('Who cannot be told is an error of a look in sync, and never hides what was found', async () => {
  const cwd = await applied(TOLD);
  const { code, stderr } = await chatform(['drift'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('HOOK_URL is not set')]);
  await rename(cwd, 'Team');
  expect(await chatform(['drift'], { cwd })).toMatchObject({ code: 2 });
  expect(await chatform(['drift', '--notify', 'never'], { cwd })).toMatchObject({ code: 2 });
});

test('Damaged sightings fail no look, and --no-sightings leaves them alone', async () => {
  const cwd = await applied();
  const path = join(cwd, 'ledger.sightings.json');
  const damaged = '{ "format_version": "1.0", "target": "here", "sightings": {} }';
  await writeFile(path, damaged);
  expect(await chatform(['drift', '--no-sightings'], { cwd })).toMatchObject({ code: 0 });
  expect(await readFile(path, 'utf8')).toBe(damaged);
  const { code, stdout, stderr } = await chatform(['drift'], { cwd });
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('are damaged')]);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ target: 'here' });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'A watch looks at once, and %s between two looks ends it with 0',
  async (signal) => {
    const cwd = await applied();
    const watching = start(['drift', '--watch', '--every', '1m'], { cwd });
    await watching.says('stderr', ' here: in sync');
    watching.kill(signal);
    expect(await watching.ended).toMatchObject({ code: 0 });
  },
);

test('A watch whose look fails goes on, and a signal during a look lets it end', async () => {
  const cwd = await applied();
  // Somebody who takes the request and never answers.
  let arrived = (): void => {};
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const answer: { send: () => void } = { send: () => {} };
  const server = createServer((_, response) => {
    answer.send = () => response.writeHead(403).end('{"error":{"type":"authorization","message":"no"}}');
    arrived();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { CHATFORM_TOKEN: 'dal:token' };
  const watching = start(['drift', '--watch', '--base-url', url], { cwd, env });
  await asked;
  watching.kill('SIGTERM');
  await watching.says('stderr', 'Stopping');
  answer.send();
  const { code, stderr } = await watching.ended;
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/Error: list_\w+: authorization.* here: the check failed\n$/s),
  ]);
});

test.each([
  [['--every', '15m'], '--watch'],
  [['--watch', '--every', '10s'], 'at least 1m'],
  [['--watch', '--every', '15m', '--cron', '* * * * *'], 'one of them'],
  [['--watch', '--cron', '* * * * * *'], 'five fields'],
  [['--notify', 'always'], 'has no channel'],
  [['--notify', 'sometimes'], 'on-change'],
])('%s is refused before anything is looked at', async (flags, said) => {
  const cwd = await folder(project());
  const { code, stderr } = await chatform(['drift', ...flags], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
});
