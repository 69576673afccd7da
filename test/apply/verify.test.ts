// What apply says about the time until its writes can be read.

import { describe, expect, it } from 'vitest';
import type { External } from '../../src/model.ts';
import { declare, desiredOf } from '../desired.ts';
import { world } from '../world.ts';

const PLACE = { file: 'test.yaml', line: 1, column: 1, length: 1 };

describe('verification', () => {
  it.each([
    { id: 0, name: null },
    { id: null, name: 'General' },
  ])('A rule that points at an external group settles although no group is read (%o)', async (known) => {
    const general: External = { address: 'group/general', kind: 'group', place: PLACE, ...known };
    const rule = declare('auto_access', 'all', {
      access: { groups: ['group/general'] },
      conditions: { url: { values: [{ value: '/' }] } },
    });
    const desired = desiredOf([rule], [general]);
    const { plan, apply, emulator } = world();
    const planned = await plan(desired);
    emulator.resetStats();
    const report = await apply(planned, desired);
    expect(report.outcome).toBe('done');
    expect(emulator.stats()).toEqual({ add_auto_access: 1, list_auto_accesses: 1 });
  });
});
