// One file that two flags name, or a plan that would be written over while it is read: refused before anything is read, so that nothing is lost.

import { describe, expect, test } from 'vitest';
import { fakeTerminal, refusal } from './terminal.ts';

const refused = (...args: readonly string[]) => refusal(args, fakeTerminal(null));

describe('A file that is named twice', () => {
  test.each([
    [['--out', 'x.json', '--events', 'x.json']],
    [['--out', 'x.json', '--report', 'markdown=./x.json']],
    [['--events', 'x.json', '--report', 'html=x.json']],
    [['--out', 'x.json', '--secrets-file', 'x.json']],
    [['--report', 'html=x.json', '--report', 'sarif=x.json']],
  ])('is refused by plan before it looks for a project: %j', async (flags) => {
    expect(await refused('plan', ...flags, '-t', 'none')).toContain('x.json');
    expect(await refused('plan', ...flags)).toContain('each needs a file of its own');
  });

  test('is refused by apply, be it the plan itself', async () => {
    expect(await refused('apply', 'p.json', '--events', './p.json')).toContain('own');
    expect(await refused('apply', 'p.json', '--secrets-file', 'p.json')).toContain('own');
    expect(await refused('apply', '--events', 's.env', '--secrets-file', 's.env')).toContain('own');
  });
});
