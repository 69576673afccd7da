// `--events FILE`: what happens, line by line, beside what a person reads; held against the published schema.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type EventLine, eventsSchema } from '../../src/view/events-schema.ts';
import { chatform, filesIn, folder, MANIFEST, project } from './chatform.ts';
import { served } from './served.ts';

const fits = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, validateFormats: false }).compile(
  eventsSchema,
);

const EVENT_TYPES: readonly EventLine['type'][] = [
  'version',
  'diagnostic',
  'planned_change',
  'change_summary',
  'withheld',
  'apply_start',
  'apply_progress',
  'apply_complete',
  'apply_errored',
  'apply_skipped',
  'waiting',
  'summary',
  'failure',
];

interface Line {
  readonly type: string;
  readonly '@timestamp': string;
  readonly [member: string]: unknown;
}

async function linesOf(cwd: string, name = 'events.ndjson'): Promise<readonly Line[]> {
  const lines = (await readFile(join(cwd, name), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => {
    const event = JSON.parse(line) as Line;
    expect(fits(event) ? [] : [event, fits.errors]).toEqual([]);
    return event;
  });
}

function typesOf(lines: readonly Line[]): readonly string[] {
  return lines.map(({ type }) => type);
}

test('The published schema is the one in the code, and knows every type', async () => {
  const schema = eventsSchema;
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot('../../schemas/events.schema.json');
  for (const type of EVENT_TYPES) expect(JSON.stringify(schema)).toContain(`{"const":"${type}"}`);
});

describe('A plan', () => {
  test('tells its version, each change and the counts, and prints what it always prints', async () => {
    const cwd = await folder(project());
    const plain = await chatform(['plan', '-q'], { cwd });
    const told = await chatform(['plan', '-q', '--events', 'events.ndjson'], { cwd });
    expect([told.code, told.stdout, told.stderr]).toEqual([plain.code, plain.stdout, plain.stderr]);
    const lines = await linesOf(cwd);
    expect(typesOf(lines)).toEqual(['version', 'planned_change', 'planned_change', 'planned_change', 'change_summary']);
    expect(lines[0]).toMatchObject({ command: 'plan', target: 'here', api_version: '3.6' });
    expect(lines.at(-1)).toMatchObject({ changes: { add: 3, change: 0, remove: 0 }, requests: 3 });
  });

  test('tells what is wrong with the files', async () => {
    const cwd = await folder({ ...project(), 'manifest.yaml': `${MANIFEST}bots: { b: { nam: B } }\n` });
    expect((await chatform(['plan', '--events', 'events.ndjson'], { cwd })).code).toBe(1);
    const lines = await linesOf(cwd);
    expect(typesOf(lines)).toEqual(['version', 'diagnostic']);
    expect(lines[1]).toMatchObject({ diagnostic: { place: { file: 'manifest.yaml' } } });
  });

  test('tells what ended it', async () => {
    const cwd = await folder(project());
    await writeFile(join(cwd, 'license.json'), '{');
    expect((await chatform(['plan', '--events', 'events.ndjson'], { cwd })).code).toBe(1);
    expect(typesOf(await linesOf(cwd)).at(-1)).toBe('failure');
  });

  test('tells why it is withheld', async () => {
    const cwd = await folder(project());
    await chatform(['apply', '--yes', '-q'], { cwd });
    await writeFile(join(cwd, 'manifest.yaml'), 'version: 1\nagents:\n  ann@example.com: { name: Ann }\n');
    await chatform(['plan', '-q', '--events', 'events.ndjson'], { cwd });
    const withheld = (await linesOf(cwd)).filter(({ type }) => type === 'withheld');
    expect(withheld.map(({ guard }) => guard)).toContain('max_delete_percent');
  });
});

describe('An apply', () => {
  test('tells each write as it leaves and ends, how far it is, and how it ended', async () => {
    const cwd = await folder(project());
    const { code } = await chatform(['apply', '--yes', '-q', '--events', 'events.ndjson'], { cwd });
    expect(code).toBe(0);
    const lines = await linesOf(cwd);
    const started = lines.filter(({ type }) => type === 'apply_start');
    const done = lines.filter(({ type }) => type === 'apply_complete');
    expect([started.length, done.length]).toEqual([3, 3]);
    for (const [index, line] of lines.entries()) {
      if (line.type !== 'apply_complete') continue;
      const { step } = line['hook'] as { readonly step: string };
      const before = lines
        .slice(0, index)
        .map((other) => (other['hook'] as { readonly step?: string } | undefined)?.step);
      expect(before).toContain(step);
    }
    expect(lines.filter(({ type }) => type === 'apply_progress').at(-1)).toMatchObject({ ended: 3, total: 3 });
    expect(lines.at(-1)).toMatchObject({
      type: 'summary',
      outcome: 'done',
      exit_code: 0,
      steps: { done: 3, failed: 0 },
    });
    const times = lines.map((line) => line['@timestamp']);
    expect(times).toEqual(times.toSorted());
  });

  test('tells what failed, what was skipped because of it, and ends with the exit code', async () => {
    const { url } = await served({
      scenario: { faults: [{ type: 'error', error: 'authorization', actions: ['create_group'] }] },
    });
    const cwd = await folder(projectAt(url));
    const env = { CHATFORM_TOKEN: 'dal:open-sesame' };
    const { code } = await chatform(['apply', '--yes', '-q', '--assume-settled', '--events', 'events.ndjson'], {
      cwd,
      env,
    });
    const lines = await linesOf(cwd);
    expect(typesOf(lines)).toEqual(expect.arrayContaining(['apply_errored', 'apply_skipped']));
    expect(lines.at(-1)).toMatchObject({ type: 'summary', exit_code: code, steps: { failed: 1, skipped: 1 } });
    expect(JSON.stringify(lines)).not.toContain('open-sesame');
  });
});

describe('Nothing is left of the run before', () => {
  const STALE = '{"@level":"info","@message":"chatform 0.1.0","type":"version"}\n{"type":"summary","exit_code":0}\n';
  const typesAfter = async (args: readonly string[], files = project()): Promise<readonly string[]> => {
    const cwd = await folder({ ...files, 'events.ndjson': STALE });
    const { code } = await chatform([...args, '--events', 'events.ndjson'], { cwd });
    return [String(code), ...typesOf(await linesOf(cwd))];
  };

  test('by an apply of files that are wrong, and by one that nobody agreed to', async () => {
    const wrong = { ...project(), 'manifest.yaml': `${MANIFEST}bots: { b: { nam: B } }\n` };
    expect(await typesAfter(['apply', '--yes'], wrong)).toEqual(['1', 'version', 'diagnostic']);
    const asked = await typesAfter(['apply']);
    expect([asked[0], asked.at(-1)]).toEqual(['1', 'failure']);
  });

  test('by an apply of a plan of something else, and by one that finds the target locked', async () => {
    const cwd = await folder({ ...project(), 'events.ndjson': STALE });
    await chatform(['plan', '-q', '--out', 'plan.json'], { cwd });
    const elsewhere = ['--base-url', 'emulator:other.json', '--events', 'events.ndjson'];
    expect((await chatform(['apply', 'plan.json', ...elsewhere], { cwd })).code).toBe(5);
    expect(typesOf(await linesOf(cwd))).toEqual(['version', 'failure']);
  });

  test('by what an undo would do', async () => {
    const cwd = await folder({ ...project(), 'events.ndjson': STALE });
    await chatform(['apply', '--yes', '-q'], { cwd });
    await chatform(['undo', '--plan', '--events', 'events.ndjson'], { cwd });
    expect(typesOf(await linesOf(cwd))).toEqual(
      expect.arrayContaining(['version', 'planned_change', 'change_summary']),
    );
  });
});

function projectAt(url: string): { readonly [name: string]: string } {
  const files = project();
  return { ...files, 'chatform.yaml': (files['chatform.yaml'] ?? '').replace('emulator:license.json', url) };
}

describe('The file', () => {
  test('is emptied first, and may have the name of a ledger when it has events', async () => {
    const cwd = await folder(project());
    await chatform(['plan', '--events', 'events.ndjson'], { cwd });
    const first = await linesOf(cwd);
    await chatform(['plan', '--events', 'events.ndjson'], { cwd });
    expect(await linesOf(cwd)).toHaveLength(first.length);
  });

  test.each([
    ['ledger.ndjson', 'is the ledger of target here (chatform.yaml:6:13)'],
    ['license.json', 'is the license of the emulator of target here (chatform.yaml:5:15)'],
    ['other.ndjson', 'chatform did not write it for this flag'],
    ['chatform.yaml', 'is the file of the project'],
    ['key.pem', 'chatform did not write it for this flag'],
    ['terraform.json', 'chatform did not write it for this flag'],
    ['no-folder/events', 'there is no folder no-folder'],
  ])('is not %s, and then nothing is done', async (name, message) => {
    const cwd = await folder({
      ...project(),
      'other.ndjson': '{"format":1}\n',
      'key.pem': 'sk-live',
      'terraform.json': '{"@level":"info","@message":"Terraform 1.9.0","@module":"terraform.ui"}\n',
    });
    await chatform(['apply', '--yes', '-q'], { cwd });
    const before = await filesIn(cwd);
    const { code, stderr } = await chatform(['apply', '--yes', '--events', name], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(await filesIn(cwd)).toEqual(before);
  });
});
