// Each operation in each format, for one target, for many, for many of which one fails, and for many of which one cannot be reached: what differs and what failed is in it.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { chatform } from '../cli/chatform.ts';
import { APPLIED, changeFiles, chosenFor, expectReports, FILES, OPERATIONS, REPORTS, SITUATIONS } from './matrix.ts';

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'chatform-matrix-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(cwd, name), text);
  await chatform(['apply', '--yes', '-q', ...APPLIED.flatMap((target) => ['-t', target])], { cwd });
  await changeFiles(cwd);
  return () => rm(cwd, { recursive: true, force: true });
});

describe.each(Object.entries(OPERATIONS))('%s', (_name, operation) => {
  test.each(SITUATIONS)('%s', async (situation) => {
    const targets = chosenFor(situation, operation).flatMap((target) => ['-t', target]);
    const ended = await chatform([...operation.args, ...targets, ...REPORTS], { cwd, env: { TOKEN: 'a:b' } });
    await expectReports(operation, situation, ended, cwd);
  });
});

test('destroy is of one target, and says so', async () => {
  for (const several of [['--all'], ['-t', 'calm', '-t', 'odd']]) {
    const { code, stdout, stderr } = await chatform(['destroy', ...several, '--yes'], { cwd });
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^error: /i)]);
  }
});
