// What the log says, to whom, and what it never says.

import { describe, expect, test } from 'vitest';
import { jsonLog, levelOf, textLog } from '../../src/command/terminal.ts';
import { createRedactor } from '../../src/service/credential.ts';
import { type LogLevel, scrubbed } from '../../src/target/context.ts';
import { chatform, filesIn, folder, project } from './chatform.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const now = () => NOW;

function recorded(): { readonly lines: string[]; readonly write: (text: string) => void } {
  const lines: string[] = [];
  return { lines, write: (text) => lines.push(text) };
}

describe('a line of text', () => {
  test('has its time, its level, its message and its members, and none that is null', () => {
    const { lines, write } = recorded();
    textLog('info', now, write)('info', 'request', {
      action: 'list_groups',
      status: 200,
      debug_id: null,
      steps: ['a b'],
    });
    expect(lines).toEqual(['2026-01-05T09:00:00.000Z info request action=list_groups status=200 steps=["a b"]\n']);
  });

  test('cannot write to a terminal, or look like two', () => {
    const { lines, write } = recorded();
    textLog('info', now, write)('warn', 'a\u001b[2J', { reason: 'x\n2026 error' });
    expect(lines).toEqual(['2026-01-05T09:00:00.000Z warn a\\u001b[2J reason="x\\n2026 error"\n']);
  });
});

test.each([
  ['error', ['error']],
  ['warn', ['error', 'warn']],
  ['info', ['error', 'warn', 'info']],
  ['debug', ['error', 'warn', 'info', 'debug']],
] as const)('At %s it says %j, as text and as JSON', async (level, expected) => {
  const [text, json] = [recorded(), recorded()];
  const logs = [textLog(level, now, text.write), await jsonLog(level, now, json.write)];
  const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];
  for (const log of logs) for (const own of levels) log(own, 'm');
  expect(text.lines.map((line) => line.split(' ')[1])).toEqual(expected);
  expect(json.lines.map((line) => JSON.parse(line))).toEqual(
    expected.map((own) => ({ level: own, time: '2026-01-05T09:00:00.000Z', message: 'm' })),
  );
});

test('A credential is in no line, whoever quotes it, and in whatever form', () => {
  const { lines, write } = recorded();
  const token = 'dal:s3cr3t/T0ken';
  const log = scrubbed(textLog('debug', now, write), createRedactor({ kind: 'basic', accountId: 'me', token }));
  const pair = Buffer.from(`me:${token}`).toString('base64');
  for (const form of [token, encodeURIComponent(token), pair])
    log('info', `a ${form}`, { reason: form, steps: [form] });
  expect(lines.join('')).not.toMatch(/s3cr3t|T0ken/);
  expect(lines.join('')).not.toContain(pair);
});

test('What is said to a person has the level that it sounds like', () => {
  expect(levelOf('Error: no')).toBe('error');
  expect(levelOf('manifest.yaml:1:2: error unknown-field: no')).toBe('error');
  expect(levelOf('Warning: soon')).toBe('warn');
  expect(levelOf('Withheld: too many')).toBe('warn');
  expect(levelOf('group/sales: created')).toBe('info');
});

describe('the command line', () => {
  const SECRETS = { 'manifest.yaml': 'version: 1\nbots:\n  triage: { name: Triage }\n' };

  test('logs nothing unless it is asked to', async () => {
    const { stderr } = await chatform(['plan'], { cwd: await folder(project()) });
    expect(stderr).toBe('');
  });

  test('logs one line for each request at info', async () => {
    const { code, stderr } = await chatform(['plan', '--log-level', 'info'], { cwd: await folder(project()) });
    expect(code).toBe(0);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines)
      expect(line).toMatch(/^\S+Z info request action=list_\w+ status=200 duration_ms=\d+ attempt=1$/);
  });

  test('makes every line of stderr a JSON object, and leaves stdout to the document', async () => {
    const cwd = await folder({ ...project(), ...SECRETS });
    const run = ['apply', '--yes', '--json', '--secrets-file', 'secrets.json', '--log-json', '--log-level', 'debug'];
    const { code, stdout, stderr } = await chatform(run, { cwd, env: { CHATFORM_TOKEN: 'dal:s3cr3t' } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'done', requests_sent: { batch_create_bots: 1 } });
    const records = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records).toContainEqual(
      expect.objectContaining({
        level: 'info',
        message: 'request',
        action: 'batch_create_bots',
        status: 200,
        attempt: 1,
      }),
    );
    expect(records).toContainEqual(expect.objectContaining({ level: 'debug', message: 'sending' }));
    expect(records).toContainEqual(expect.objectContaining({ level: 'info', message: 'bot/triage: created' }));
    const kept: { readonly [address: string]: { readonly secret: string } } = JSON.parse(
      (await filesIn(cwd))['secrets.json'] ?? '',
    );
    const secret = kept['bot/triage']?.secret ?? '';
    expect(secret).not.toBe('');
    expect(stderr + stdout).not.toContain(secret);
    expect(stderr + stdout).not.toContain('s3cr3t');
  });

  test('logs an error as a record too', async () => {
    const cwd = await folder(project());
    const { code, stderr } = await chatform(['plan', '-t', 'there', '--log-json'], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ level: 'error', message: expect.stringContaining('there') });
  });

  test('refuses an unknown level', async () => {
    const { code, stderr } = await chatform(['plan', '--log-level', 'loud'], { cwd: await folder(project()) });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error, warn, info, debug')]);
  });
});
