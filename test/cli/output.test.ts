// What reaches the terminal: no colour where none is wanted, nothing that a terminal would obey, and no crash when nobody reads on.

import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator, listen } from '../../src/emulator/index.ts';
import { CLI, chatform, filesIn, folder, project, start } from './chatform.ts';

const ESCAPE = '\u001b';
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach a terminal
const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** URL of a service whose first answer asks to come again at once. */
async function overloadedOnce(): Promise<string> {
  const emulator = createEmulator({ now: Date.now, random: Math.random });
  let isFirst = true;
  const handle: Emulator['handle'] = async (asked) => {
    if (!isFirst) return emulator.handle(asked);
    isFirst = false;
    const error = { type: 'too_many_requests', message: 'later' };
    return { status: 429, headers: { 'retry-after': '0' }, body: JSON.stringify({ error }) };
  };
  const server = await listen({ handle }, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  return server.url;
}

test('A pipe gets no colour, and FORCE_COLOR gives it some', async () => {
  const cwd = await folder(project());
  const piped = await chatform(['apply'], { cwd });
  expect(piped.stdout + piped.stderr).not.toContain(ESCAPE);
  const forced = await chatform(['apply'], { cwd, env: { FORCE_COLOR: '1' } });
  expect(forced.stdout).toContain(ESCAPE);
  expect(forced.stderr).toContain(ESCAPE);
});

test('--no-color and NO_COLOR win over FORCE_COLOR', async () => {
  const cwd = await folder({ ...project(), 'manifest.yaml': 'version: 1\ngroups: { sales: {} }\n' });
  for (const [args, env] of [
    [['--no-color', 'validate'], {}],
    [['validate', '--no-color'], {}],
    [['validate'], { NO_COLOR: '1' }],
  ] as const) {
    const { code, stderr } = await chatform(args, { cwd, env: { FORCE_COLOR: '1', ...env } });
    expect([args, code]).toEqual([args, 1]);
    expect(stderr).toContain('manifest.yaml:2:11');
    expect(stderr).not.toContain(ESCAPE);
  }
});

test('Names on the license that would command a terminal are written out', async () => {
  const evil = `Sales${ESCAPE}[2J${ESCAPE}]0;owned\u0007\r\nPlan: 0 to add\u202e\u2066\u200f\u009b31m`;
  const seed = {
    agents: [{ id: 'eve@example.com', name: evil, job_title: evil }],
    groups: [
      { id: 1, name: evil, language_code: evil, agent_priorities: { 'eve@example.com': 'first' } },
      { id: 2, name: `${evil}2` },
    ],
    auto_access: [
      {
        description: evil,
        access: { groups: [1] },
        conditions: { url: { values: [{ value: evil }] }, geolocation: { values: [{ city: evil }] } },
      },
    ],
    bots: [{ name: evil }],
    properties: { shop: { [evil]: { type: 'string', description: evil, access: { license: { agent: ['read'] } } } } },
    license_properties: { shop: { [evil]: evil } },
  };
  const manifest = `version: 1
agents: { eve@example.com: { name: Eve, job_title: Boss } }
groups: { sales: { id: 1, name: Sales, agent_priorities: {} } }
bots: {}
auto_access: [{ key: all, access: { groups: [sales] }, conditions: { domain: { values: [{ value: x }] } } }]
properties: { shop: { tier: { type: string, access: { license: { agent: [read, write] } } } } }
license_properties: { shop: { tier: gold } }
`;
  const files = { ...project(), 'manifest.yaml': manifest, 'license.json': JSON.stringify(seed) };
  const cwd = await folder(files);
  const plan = await chatform(['plan'], { cwd });
  expect(plan.code).toBe(0);
  expect(plan.stdout).toContain('\\u001b');
  expect(plan.stdout + plan.stderr).not.toMatch(OBEYED);
  expect(plan.stdout.split('\n').filter((line) => line.startsWith('Plan: '))).toHaveLength(1);
  const apply = await chatform(['apply', '--yes'], { cwd });
  expect(apply.code).toBe(0);
  expect(apply.stdout + apply.stderr).not.toMatch(OBEYED);
});

test('A name that two groups share is named without obeying it', async () => {
  const evil = `Sales${ESCAPE}[31m`;
  const seed = { groups: [{ name: evil }, { name: evil }] };
  const manifest = 'version: 1\ngroups: { sales: { name: "Sales\\e[31m" } }\n';
  const cwd = await folder({ ...project(), 'manifest.yaml': manifest, 'license.json': JSON.stringify(seed) });
  const { code, stderr } = await chatform(['plan'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('ambiguous-match');
  expect(stderr).not.toMatch(OBEYED);
});

test('-q keeps progress to itself and says what became of it', async () => {
  const cwd = await folder(project());
  const { code, stdout, stderr } = await chatform(['apply', '--yes', '-q'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Apply complete\./);
  expect(await chatform(['validate', '-q'], { cwd })).toEqual({
    code: 0,
    stdout: 'Valid: 3 resources for target here.\n',
    stderr: '',
  });
});

test('-q keeps waits before another try to itself', async () => {
  const cwd = await folder(project());
  const url = await overloadedOnce();
  const how = { cwd, env: { CHATFORM_TOKEN: 'dal:token' } };
  const loud = await chatform(['plan', '--base-url', url], how);
  expect([loud.code, loud.stderr]).toEqual([0, expect.stringContaining('trying again')]);
  const quiet = await chatform(['plan', '--base-url', await overloadedOnce(), '-q'], how);
  expect([quiet.code, quiet.stderr]).toEqual([0, '']);
});

test('What is out of reach is not passed off as done', async () => {
  const seed = { agents: [{ id: 'ann@example.com', name: 'Anna' }] };
  const manifest = 'version: 1\nagents: { ann@example.com: { name: Ann } }\n';
  const cwd = await folder({ ...project(), 'manifest.yaml': manifest, 'license.json': JSON.stringify(seed) });
  const { code, stdout } = await chatform(['plan', '--detailed-exitcode'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^No changes\..*1 that cannot be changed/m);
});

test('What is left for a person is said of no bot that was not made', async () => {
  const manifest = 'version: 1\nbots: { triage: { name: Triage } }\n';
  const seed = { tokens: [{ token: 'reader', scopes: ['agents-bot--all:ro'] }] };
  const files = { ...project('secrets: { file: secrets.json }'), 'manifest.yaml': manifest };
  const made = await chatform(['apply', '--yes', '-q'], { cwd: await folder(files) });
  expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('Manual steps:')]);
  const cwd = await folder({ ...files, 'license.json': JSON.stringify(seed) });
  const refused = await chatform(['apply', '--yes', '-q'], { cwd, env: { CHATFORM_TOKEN: 'reader' } });
  expect([refused.code, refused.stdout]).toEqual([1, expect.not.stringContaining('Manual steps:')]);
});

test('One is not counted as several', async () => {
  const cwd = await folder({ ...project(), 'manifest.yaml': 'version: 1\ngroups: { sales: { name: Sales } }\n' });
  expect((await chatform(['validate'], { cwd })).stdout).toBe('Valid: 1 resource for target here.\n');
});

test('Each damaged line of a ledger is reported once, and the way out once for all of them', async () => {
  const cwd = await folder({ ...project(), 'ledger.ndjson': 'garbage\n{"v":1}\n' });
  const { code, stderr } = await chatform(['plan'], { cwd });
  expect([code, stderr.match(/restore the file/g)?.length]).toEqual([1, 1]);
  expect(stderr.match(/^ledger\.ndjson:\d+:1: error/gm)).toEqual([
    'ledger.ndjson:1:1: error',
    'ledger.ndjson:2:1: error',
  ]);
});

test.each([['--help'], ['--version'], ['report', '--help']])(
  'A reader that has gone is no error: %s',
  async (...args) => {
    const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, stderr]).toEqual([0, '']);
  },
);

test('A reader that has seen enough ends neither the run nor its record', async () => {
  const cwd = await folder(project());
  const child = spawn(process.execPath, [CLI, 'apply', '--yes'], {
    cwd,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('EPIPE')]);
  expect((await filesIn(cwd))['ledger.ndjson']).toContain('"outcome":"done"');
});

test.skipIf(process.platform !== 'linux')(
  'A full disk under stdout ends neither the run nor its record, and is no success',
  async () => {
    const cwd = await folder(project());
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const child = spawn(process.execPath, [CLI, 'apply', '--yes'], {
      cwd,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', full, 'pipe'],
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([code, stderr]).toEqual([1, expect.stringContaining('Error: the output cannot be written: ENOSPC\n')]);
    expect(stderr).not.toContain('    at ');
    expect((await filesIn(cwd))['ledger.ndjson']).toContain('"outcome":"done"');
  },
);

test('Progress goes to stderr, so that stdout can be kept', async () => {
  const running = start(['apply', '--yes'], { cwd: await folder(project()) });
  await running.says('stderr', 'group/sales: created');
  const { stdout } = await running.ended;
  expect(stdout).not.toContain('group/sales: created');
});
