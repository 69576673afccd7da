// Whoever can name a group can write anything into a name: a table stays a table, and a picture a picture.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverageSvg } from '../../../src/render/reports/coverage-svg.ts';
import { coverageText } from '../../../src/render/text/coverage.ts';
import { ROUTING_DEFAULTS } from '../../../src/routing/settings.ts';
import { type Placed, staffOf } from '../../../src/staff/staff.ts';
import { dayOf, weekOf } from '../../../src/staff/week.ts';
import { missingStrips } from '../../../src/tasks/coverage/grid.ts';
import { type CoverageResult, coverageReport } from '../../../src/tasks/coverage/report.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { hostileText } from '../../render/hostile.ts';

const WEEK = weekOf('Europe/Warsaw', dayOf('2026-10-25') ?? 0);

function toldOf(placed: readonly Placed[], week = WEEK): CoverageResult {
  return coverageReport({
    target: 'production',
    view: 'live',
    week,
    before: null,
    staff: staffOf(placed, { zone: 'UTC', isRead: true, version: '3.6' }),
    wants: () => true,
    lint: ROUTING_DEFAULTS.lint,
    placeOf: () => null,
  });
}

function placed(group: string, agent: string): readonly Placed[] {
  const spec = { suspended: true, groups: { [group]: 'normal' } };
  return [
    { reference: group, kind: 'group', name: group, spec: {}, decides: [] },
    { reference: agent, kind: 'agent', name: agent, spec, decides: [] },
  ];
}

test('nothing that is in a name reaches a terminal as anything but text', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (group, agent) => {
      const { report } = toldOf(placed(group, agent));
      const text = coverageText(report, {}, uncoloured);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what must not reach a terminal
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
      expect(text.split('\n').filter((line) => line.startsWith('group/'))).toHaveLength(1);
    }),
  );
});

test('nothing that is in a name is markup of a picture', () => {
  const shape = (group: string, agent: string): string => {
    const { report, grids } = toldOf(placed(group, agent));
    return coverageSvg(report, grids, missingStrips(WEEK))
      .replaceAll(/>[^<]*</g, '><')
      .replaceAll(/\s+/g, ' ');
  };
  const harmless = shape('sales', 'ann');
  fc.assert(
    fc.property(hostileText, hostileText, (group, agent) => {
      const { report, grids } = toldOf(placed(group, agent));
      const svg = coverageSvg(report, grids, missingStrips(WEEK));
      expect(shape(group, agent)).toBe(harmless);
      expect(svg).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;|#96;)/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these
      expect(svg).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
      expect(svg).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});

test('a time that the wall shows twice stands above itself, and one that it never shows is marked', () => {
  const schedule = [{ day: 'sunday', enabled: true, start: '01:00', end: '02:30' }];
  const spec = { groups: { sales: 'normal' }, work_scheduler: { timezone: 'Europe/Warsaw', schedule } };
  const staffed: readonly Placed[] = [
    { reference: 'sales', kind: 'group', name: 'Sales', spec: {}, decides: [] },
    { reference: 'ann', kind: 'agent', name: 'Ann', spec, decides: [] },
  ];
  const [grid] = toldOf(staffed).grids;
  const worked = (grid?.strips ?? []).filter(({ people }) => people > 0);
  expect(worked.map(({ day, from, to, which }) => [day, from, to, which])).toEqual([
    [6, 60, 120, 'only'],
    [6, 120, 150, 'earlier'],
    [6, 120, 150, 'later'],
  ]);
  const minutes = (grid?.strips ?? []).reduce((sum, { from, to }) => sum + to - from, 0);
  expect(minutes).toBe(169 * 60);
  expect(missingStrips(WEEK)).toEqual([]);
  const spring = weekOf('Europe/Warsaw', dayOf('2026-03-29') ?? 0);
  expect(missingStrips(spring)).toEqual([{ day: 6, from: 120, to: 180, which: 'only' }]);
});
