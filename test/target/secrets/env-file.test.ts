// Env files: which lines are ours, what stays as it is, and what is left alone because it cannot be told.

import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Address } from '../../../src/base/model.ts';
import { assignmentOf, envFileSink, envName, quoted } from '../../../src/target/secrets/env-file.ts';
import { tries } from '../../tries.ts';
import { bot } from './conformance.ts';

const root = await mkdtemp(join(tmpdir(), 'chatform-env-'));
afterAll(() => rm(root, { recursive: true }));

let count = 0;

async function holding(text: string): Promise<string> {
  const path = join(root, `case-${count++}`);
  await writeFile(path, text);
  return path;
}

async function after(text: string, ...entries: Parameters<typeof bot>[]): Promise<string> {
  const path = await holding(text);
  await envFileSink(path).store(entries.map((entry) => bot(...entry)));
  return readFile(path, 'utf8');
}

const OURS = '# chatform {"address":"bot/a","id":"id-a"}\nBOT_A_SECRET=secret-of-a\n';

test.each([
  ['bot/triage', 'BOT_TRIAGE_SECRET'],
  ['bot_template/welcome-bot.v2', 'BOT_TEMPLATE_WELCOME_BOT_V2_SECRET'],
  ['bot/zażółć', 'BOT_ZA_SECRET'],
  ['bot/!', 'BOT_SECRET'],
] as const)('The name of %s is %s', (address, name) => expect(envName(address)).toBe(name));

test('A secret is a comment that says whose it is and an assignment, below what there was', async () => {
  expect(await after('', ['a'])).toBe(OURS);
  expect(await after('PORT=8080\n', ['a'])).toBe(`PORT=8080\n${OURS}`);
  expect(await after('PORT=8080', ['a'])).toBe(`PORT=8080\n${OURS}`);
  expect(await after('A=1\r\nB=2', ['a'])).toBe(`A=1\r\nB=2\r\n${OURS.replaceAll('\n', '\r\n')}`);
});

test('It is replaced where it stands, and everything else stays byte for byte', async () => {
  const others = [
    `\ufeff# of mine \t\nexport X="it's" # y\n\n`,
    `  \nZ='\u00e9' \nBOT_A_SECRET_OLD=1\n# chatform is fine`,
  ];
  const changed = OURS.replace('id-a', 'id-a2').replace('secret-of-a', 'newer');
  const path = await holding(others.join(OURS));
  await envFileSink(path).store([{ address: 'bot/a', id: 'id-a2', secret: 'newer' }]);
  expect(await readFile(path, 'utf8')).toBe(others.join(changed));
});

test('A pair that a person has changed by hand is still where the secret goes', async () => {
  const edited = OURS.replace('BOT_A_SECRET=secret-of-a', 'export BOT_A_SECRET = "x"');
  expect(await after(edited, ['a'])).toBe(OURS);
  expect(await envFileSink(await holding(edited)).holds?.('bot/a', 'id-a')).toBe(true);
  expect(await envFileSink(await holding(edited.replace('"x"', ''))).holds?.('bot/a', 'id-a')).toBe(false);
});

test('Nothing that was there changes, whatever it is, and what was stored is found again', async () => {
  const line = fc.oneof(
    fc.constantFrom('A=1', 'export B="x y" # z', '', '# note', '# chatform {', OURS.trimEnd(), "C='#'", 'D: 4'),
    fc.string().map((text) => `# ${text.replaceAll(/[\r\n\\\0]/g, '')}`),
  );
  const end = fc.constantFrom('\n', '\r\n');
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.tuple(line, end)), fc.boolean(), async (lines, whole) => {
      fc.pre(lines.filter(([text]) => text.startsWith(OURS.trimEnd())).length < 2);
      const text = lines.map((parts) => parts.join('')).join('');
      const before = whole ? text : text.trimEnd();
      const path = await holding(before);
      const sink = envFileSink(path);
      await sink.store([bot('new')]);
      const now = await readFile(path, 'utf8');
      expect(now.startsWith(before)).toBe(true);
      await sink.store([bot('new', 'newer')]);
      expect(await readFile(path, 'utf8')).toBe(now.replace('secret-of-new', 'newer'));
      expect(await sink.holds?.('bot/new', 'id-new')).toBe(true);
    }),
    { numRuns: tries(40) },
  );
});

test.each([
  [
    'a line that somebody else wrote',
    'BOT_A_SECRET=theirs\n',
    ['bot/a'],
    /line 1 sets BOT_A_SECRET and was not written/,
  ],
  ['the same after a colon', 'X=1\nBOT_A_SECRET: theirs\n', ['bot/a'], /line 2 sets BOT_A_SECRET/],
  ['a second one below ours', `${OURS}export BOT_A_SECRET=theirs\n`, ['bot/a'], /line 3 sets BOT_A_SECRET/],
  ['the name of another address', OURS, ['bot/A'], /line 2 sets BOT_A_SECRET for bot\/a/],
  ['two addresses with one name', '', ['bot/a-b', 'bot/a_b'], /bot\/a-b and bot\/a_b would both be BOT_A_B_SECRET/],
  ['a value of several lines', 'X=1\nKEY="hush-1\nhush-2"\n', ['bot/a'], /line 2 goes on in the next one/],
  ['a backslash at the end', 'KEY=hush\\\n', ['bot/a'], /line 1 goes on/],
  ['a quote that nobody closes', "NOTE=it's hush\n", ['bot/a'], /line 1 goes on/],
  ['what is no text', 'hush\0', ['bot/a'], /line 1/],
] as const)('%s is refused before and after, left alone, and not quoted', async (_, text, addresses, reason) => {
  const path = await holding(text);
  const entries = addresses.map((address: Address) => ({ address, id: 'x', secret: 'hush-hush' }));
  const sink = envFileSink(path);
  for (const act of [() => sink.probe([...addresses]), () => sink.store(entries)]) {
    const error = await act().catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(reason);
    expect(String(error)).not.toContain('hush');
  }
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('A secret for which no quotes are safe is refused, and not quoted', async () => {
  for (const secret of ["hush'hush", 'hush\nhush', 'hush\\', 'hush\u202e']) {
    const path = await holding(OURS);
    const error = await envFileSink(path)
      .store([bot('b', secret)])
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('bot/b: no quotes are safe');
    expect(String(error)).not.toContain('hush');
    expect(await readFile(path, 'utf8')).toBe(OURS);
  }
});

test('Whatever is quoted, a shell reads as it was', () => {
  const secrets = fc
    .sample(fc.string({ unit: 'grapheme' }), { numRuns: 300, seed: 5 })
    .concat(['$HOME', '`id`', '!x', '~', '~root', 'a b', '#', 'x #y', '*', 'a;b', '"', '"x"', '$(id)', 'a=b', ':~'])
    .filter((secret) => quoted(secret) !== null);
  expect(secrets.length).toBeGreaterThan(100);
  const lines = secrets.map((secret) => `V=${quoted(secret)}\nprintf '%s\\0' "$V"\n`).join('');
  const { stdout } = spawnSync('sh', ['-eu'], { input: lines, encoding: 'utf8' });
  expect(stdout.split('\0').slice(0, -1)).toEqual(secrets);
});

test('An assignment is told from everything else', () => {
  expect(assignmentOf(' export  A_1 = x y ')).toEqual({ name: 'A_1', value: 'x y' });
  for (const line of ['# A=1', '1A=x', 'A B=x', 'A', 'A:x', '']) expect(assignmentOf(line)).toBeNull();
});
