// One file that two flags name, or a plan that would be written over while it is read: refused before anything is read, so that nothing is lost.

import { describe, expect, test } from 'vitest';
import { apply } from '../../src/commands/apply.ts';
import { type PlanFlags, plan } from '../../src/commands/plan.ts';
import { fakeTerminal } from './terminal.ts';

describe('A file that is named twice', () => {
  test.each<PlanFlags>([
    { out: 'x.json', events: 'x.json' },
    { out: 'x.json', report: ['markdown=./x.json'] },
    { events: 'x.json', report: ['html=x.json'] },
    { out: 'x.json', secretsFile: 'x.json' },
    { report: ['html=x.json', 'sarif=x.json'] },
  ])('is refused by plan before it looks for a project: %j', async (flags) => {
    await expect(plan({ ...flags, target: 'none' }, fakeTerminal(null).terminal)).rejects.toThrow('x.json');
    await expect(plan(flags, fakeTerminal(null).terminal)).rejects.toThrow('each needs a file of its own');
  });

  test('is refused by apply, be it the plan itself', async () => {
    const { terminal } = fakeTerminal(null);
    await expect(apply({ saved: 'p.json', events: './p.json' }, terminal)).rejects.toThrow('own');
    await expect(apply({ saved: 'p.json', secretsFile: 'p.json' }, terminal)).rejects.toThrow('own');
    await expect(apply({ events: 's.env', secretsFile: 's.env' }, terminal)).rejects.toThrow('own');
  });
});
