// `chatform completion`: a script for four shells, and the answers that it asks for; the script of bash in a bash without any other completion.

import { spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { drifting } from '../../src/features/drift/operation.ts';
import { planning } from '../../src/features/plan/operation.ts';
import { writersOf } from '../many/writers.ts';
import { CLI, chatform, filesIn, folder, project, spawned, withoutLease } from './chatform.ts';

/** Answers of the command line to half-written words, with the exit code. */
async function offered(cwd: string, ...words: readonly string[]): Promise<readonly [number | null, readonly string[]]> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const { code, stderr } = await chatform(['complete', '--', ...words], { cwd }).finally(() => log.mockRestore());
  expect([stderr, lines.at(-1)]).toEqual(['', ':4']);
  return [code, lines.slice(0, -1).map((line) => line.split('\t')[0] ?? '')];
}

const KINDS = [
  'agent',
  'allowed_domain',
  'auto_access',
  'bot',
  'bot_template',
  'canned_response',
  'greeting',
  'group',
  'group_property',
  'license_property',
  'property',
  'tag',
  'webhook',
  'webhook_state',
];
const DECLARED = ['agent/ann@example.com', 'auto_access/pricing', 'group/sales'];

test('Each of four shells gets a script of its own', async () => {
  const cwd = await folder();
  const scripts = [];
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { code, stdout, stderr } = await spawned(['completion', shell], { cwd });
    expect([shell, code, stderr]).toEqual([shell, 0, '']);
    expect(stdout).toContain('chatform');
    scripts.push(stdout);
  }
  expect(new Set(scripts).size).toBe(4);
});

test('A shell that is not known is an error', async () => {
  const { code, stdout } = await spawned(['completion', 'tcsh'], { cwd: await folder() });
  expect([code, stdout]).toEqual([1, '']);
});

test('Groups, reports and runs are offered where a flag or an argument takes them', async () => {
  const groups = 'groups: { sales: { name: Sales }, support: { name: Support } }';
  const cwd = await folder({ ...project(), 'manifest.yaml': `version: 1\n${groups}\n` });
  const cli = { cwd, env: { CHATFORM_TOKEN: 'any' } };
  expect((await chatform(['apply', '--yes', '-q'], cli)).code).toBe(0);
  const { runs } = JSON.parse((await chatform(['history', '--json'], cli)).stdout);
  expect((await offered(cwd, 'coverage', 's'))[1]).toEqual(['sales', 'support']);
  expect((await offered(cwd, 'report', '--group', ''))[1]).toEqual(['sales', 'support']);
  expect((await offered(cwd, 'report', 'total'))[1]).toEqual(['total_chats']);
  expect((await offered(cwd, 'undo', ''))[1]).toEqual([runs[0].id]);
  expect((await offered(cwd, 'report', '--since', ''))[1]).toEqual([runs[0].id]);
  expect((await offered(cwd, 'show', 'group/'))[1]).toEqual(['group/sales', 'group/support']);
});

test('Commands, their flags and the values of flags are offered', async () => {
  const cwd = await folder();
  expect((await offered(cwd, 'pl'))[1]).toEqual(['plan']);
  expect((await offered(cwd, 'secrets', 'to'))[1]).toEqual(['token']);
  expect((await offered(cwd, 'apply', '--y'))[1]).toEqual(['--yes']);
  expect((await offered(cwd, 'plan', '--api-version', ''))[1]).toEqual(['3.3', '3.5', '3.6', '3.7']);
  expect((await offered(cwd, 'validate', '--report', 's'))[1]).toEqual(['sarif=']);
});

test.each([
  ['plan', await writersOf(planning)],
  ['drift', await writersOf(drifting)],
  ['validate', await writersOf()],
])('Every format of %s is offered, and no other', async (command, writers) => {
  const offers = await offered(await folder(), command, '--report', '');
  expect(offers[1]).toEqual([...writers.keys()].map((format) => `${format}=`));
});

test('Targets come from chatform.yaml, also of another folder and of one with errors elsewhere', async () => {
  const files = { 'chatform.yaml': 'version: 1\nmanifest: 5\ntargets: { staging: {}, production: {} }\n' };
  const cwd = await folder(files);
  expect((await offered(cwd, 'plan', '-t', ''))[1]).toEqual(['staging', 'production']);
  expect((await offered(cwd, 'apply', '--yes', '--target=p'))[1]).toEqual(['production']);
  expect((await offered(await folder(), '-C', cwd, 'drift', '--target', 's'))[1]).toEqual(['staging']);
});

test('Addresses are those of the manifest and of the ledger, and kinds stand for all of theirs', async () => {
  const cwd = await folder(project());
  const sorted = async (...words: readonly string[]) => (await offered(cwd, ...words))[1].toSorted();
  expect(await sorted('plan', '--only', '')).toEqual([...KINDS, ...DECLARED].toSorted());
  expect(await sorted('plan', '--only', 'group/')).toEqual(['group/sales']);
  expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
  await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\ngroups: { support: { name: Support } }\n');
  expect(await sorted('destroy', '--yes', '--except=g')).toEqual([
    'greeting',
    'group',
    'group/sales',
    'group/support',
    'group_property',
  ]);
  expect(await sorted('ledger', 'forget', 'agent/ann@')).toEqual(['agent/ann@example.com']);
  expect(await sorted('secrets', 'token', '--json', 'b')).toEqual(['bot', 'bot_template']);
});

test('A name that a shell would take for several lines, or for a command of the terminal, is not offered', async () => {
  const groups = String.raw`groups: { sales: { name: A }, "two\nlines": { name: B }, "\e[31mred": { name: C }, "tab\tstop": { name: D } }`;
  const targets = String.raw`targets: { here: { base_url: "emulator:license.json" }, "x\n:4\nrm": {} }`;
  const project = 'version: 1\nmanifest: [manifest.yaml]\n';
  const one = `${project}targets: { here: { base_url: "emulator:license.json" } }\n`;
  const cwd = await folder({ 'chatform.yaml': one, 'manifest.yaml': `version: 1\n${groups}\n` });
  expect((await offered(cwd, 'plan', '--only', 'group/'))[1]).toEqual(['group/sales']);
  await writeFile(join(cwd, 'chatform.yaml'), `${project}${targets}\n`);
  expect((await offered(cwd, 'plan', '-t', ''))[1]).toEqual(['here']);
});

test('Where files cannot be read there is less to offer, and no error; nothing is ever written', async () => {
  const broken = { 'chatform.yaml': 'version: [', 'manifest.yaml': 'version: 1\n' };
  for (const files of [{}, broken, { ...project(), 'ledger.ndjson': 'no ledger\n' }]) {
    const cwd = await folder(files);
    expect((await offered(cwd, 'plan', '--only', 'g'))[1]).toEqual(['group', 'greeting', 'group_property']);
    expect((await offered(cwd, 'plan', '-t', 'x'))[1]).toEqual([]);
    expect(await filesIn(cwd)).toEqual(files);
  }
});

/** What a bash without start-up files completes each line to, with the cursor at its end. */
async function inBash(cwd: string, lines: readonly string[]): Promise<readonly string[]> {
  const bin = await folder({ chatform: `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n` });
  await chmod(join(bin, 'chatform'), 0o755);
  const script = [
    'set -u',
    'source <(chatform completion bash); source <(chatform completion bash)',
    'while IFS= read -r COMP_LINE; do',
    '  COMP_POINT=${#COMP_LINE} COMPREPLY=()',
    '  _chatform chatform "" ""',
    '  (IFS=,; echo "${COMPREPLY[*]-}")',
    'done',
  ].join('\n');
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: cwd };
  const child = spawn('bash', ['--norc', '--noprofile', '-c', script], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  await new Promise((ended) => child.once('close', ended));
  expect(err).toBe('');
  return out.trimEnd().split('\n');
}

test('Bash needs no package for it, ends words where it ends them itself, and runs nothing that is written', async () => {
  const cwd = await folder(project());
  const answers = await inBash(cwd, [
    'chatform pl',
    'chatform plan -t ',
    'chatform plan --target=h',
    'chatform plan --only agent/ann@ex',
    'chatform plan --only=group/',
    'chatform plan --report sar',
    'chatform plan --report sarif=chat',
    'chatform show $(touch run) `touch run` ',
    "chatform apply 'pl",
  ]);
  expect(answers).toEqual(['plan', 'here', 'here', 'example.com', 'group/sales', 'sarif=']);
  expect(Object.keys(withoutLease(await filesIn(cwd))).sort()).toEqual(['chatform.yaml', 'manifest.yaml']);
});
