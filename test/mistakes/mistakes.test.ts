// 120 typical mistakes of a person who runs the desk: each is an edit of the project in desk/, and what chatform must say at which line.
// An entry without `today:` is told. `today:` says what happens instead; the test fails as soon as that is not true any more.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { Clock, JsonObject } from '../../src/base/model.ts';
import { chatform } from '../cli/chatform.ts';

interface Edit {
  /** File of the edit; default manifest.yaml. */
  readonly in?: string;
  /** Stands there once. */
  readonly replace: string;
  readonly with: string;
}

interface Mistake extends Partial<Edit> {
  readonly name: string;
  readonly also?: readonly Edit[];
  /** Members of the license in addition to, or in the place of, those of desk/license.json. */
  readonly license?: { readonly [table: string]: readonly { readonly id?: string }[] };
  /** The desk was applied before the edit. */
  readonly applied?: true;
  /** What a person then did in the application of the service: actions with their requests. */
  readonly by_hand?: { readonly [action: string]: JsonObject };
  /** Default `validate`. */
  readonly run?: string;
  /** Text of the line at which it must be told, in `file`; default the first line that the edit changes. `output`: any line that is printed. */
  readonly at?: string;
  /** Default `in`. */
  readonly file?: string;
  /** What the message and its help must contain, in any capitals. */
  readonly says: readonly string[];
  readonly today?: 'silent' | 'wrong line' | 'misleading';
}

interface Finding {
  readonly file: string;
  readonly line: number;
  /** Message, help and related places, without the excerpt. */
  readonly text: string;
}

const MAIN = 'manifest.yaml';
const DESK = fileURLToPath(new URL('desk', import.meta.url));
/** A Monday before all dates of the desk. */
const CLOCK: Clock = { now: () => Date.UTC(2030, 10, 4, 9), sleep: async () => {} };

/** The aim is 114; it is raised with each mistake that gets told. */
const LEAST_TOLD = 118;

const FOLDER = new URL('.', import.meta.url);
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .map((name): [string, readonly Mistake[]] => [name, parse(readFileSync(new URL(name, FOLDER), 'utf8'))]);
const mistakes = files.flatMap(([, each]) => each);

let applied = '';
beforeAll(async () => {
  applied = await mkdtemp(join(tmpdir(), 'chatform-'));
  cpSync(DESK, applied, { recursive: true });
  const { code, stderr } = await chatform(['apply', '--yes', '--quiet'], { cwd: applied, clock: CLOCK });
  expect(`${code} ${stderr}`).toBe('0 ');
});
afterAll(() => rm(applied, { recursive: true, force: true }));

/** Replaces the one place of a text, and returns the first line that differs. */
function edit(cwd: string, { in: name = MAIN, replace, with: by }: Edit): number {
  const text = readFileSync(join(cwd, name), 'utf8');
  expect(text.split(replace), `${name} has once: ${replace}`).toHaveLength(2);
  const edited = text.replace(replace, () => by);
  writeFileSync(join(cwd, name), edited);
  const [before, after] = [text.split('\n'), edited.split('\n')];
  return after.findIndex((line, index) => line !== before[index]) + 1;
}

function seed(cwd: string, license: NonNullable<Mistake['license']>): void {
  const path = join(cwd, 'license.json');
  const desk = JSON.parse(readFileSync(path, 'utf8')) as NonNullable<Mistake['license']>;
  const merged = Object.entries(license).map(([table, added]) => {
    const ids = new Set(added.map(({ id }) => id));
    return [table, [...(desk[table] ?? []).filter(({ id }) => !ids.has(id)), ...added]];
  });
  writeFileSync(path, JSON.stringify({ ...desk, ...Object.fromEntries(merged) }));
}

/** The line of a mistake, or null where any line of the output will do. */
function makeMistake(cwd: string, mistake: Mistake): number | null {
  const { replace, with: by = '', also = [], at, license } = mistake;
  if (license !== undefined) seed(cwd, license);
  const { in: name = MAIN, file = name } = mistake;
  const first = replace === undefined ? 0 : edit(cwd, { in: name, replace, with: by });
  for (const one of also) edit(cwd, one);
  if (at === 'output') return null;
  if (at === undefined) return first;
  const lines = readFileSync(join(cwd, file), 'utf8').split('\n');
  const places = lines.flatMap((line, index) => (line.includes(at) ? [index + 1] : []));
  expect(places, `${file} has once: ${at}`).toHaveLength(1);
  return places[0] ?? 0;
}

const HEAD = /^(\S+?):(\d+):\d+: (?:error|warning) /;

function findingsOf(output: string): readonly Finding[] {
  return output.split(/\n\n|\n(?=\S+:\d+:\d+: )/).flatMap((block) => {
    const [, file, line] = HEAD.exec(block) ?? [];
    if (file === undefined) return [];
    const text = block.replace(/^ *(?:\d+ )?\| .*$/gm, '');
    return [{ file, line: Number(line), text }];
  });
}

async function result(mistake: Mistake): Promise<{ readonly result: string; readonly output: string }> {
  const cwd = await mkdtemp(join(tmpdir(), 'chatform-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  cpSync(mistake.applied === true ? applied : DESK, cwd, { recursive: true });
  for (const [action, data] of Object.entries(mistake.by_hand ?? {})) {
    const done = await chatform(['api', action, '-d', JSON.stringify(data), '--write', '--yes'], { cwd, clock: CLOCK });
    expect(done.code, done.stderr).toBe(0);
  }
  const line = makeMistake(cwd, mistake);
  const { stdout, stderr } = await chatform((mistake.run ?? 'validate').split(' '), { cwd, clock: CLOCK });
  const output = `${stderr}\n${stdout}`;
  const says = (text: string): boolean => mistake.says.every((word) => text.toLowerCase().includes(word.toLowerCase()));
  if (line === null) return { result: output.split('\n').some(says) ? 'told' : 'silent', output };
  const found = findingsOf(output);
  const { in: name = MAIN, file = name } = mistake;
  if (found.some((one) => one.file === file && one.line === line && says(one.text))) return { result: 'told', output };
  if (found.some(({ text }) => says(text))) return { result: 'wrong line', output };
  return { result: found.length === 0 ? 'silent' : 'misleading', output };
}

describe.each(files)('%s', (_, each) => {
  test.each(each.map((mistake) => [mistake.name, mistake] as const))('%s', async (_name, mistake) => {
    const { result: told, output } = await result(mistake);
    expect(told, output).toBe(mistake.today ?? 'told');
  });
});

test('The list is as long as it says, and names each mistake once; most are told', () => {
  expect(mistakes).toHaveLength(120);
  expect(mistakes.filter(({ today }) => today === undefined).length).toBeGreaterThanOrEqual(LEAST_TOLD);
  expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length);
});
