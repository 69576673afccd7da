// What changed between two checks.

import { expect, test } from 'vitest';
import { sinceView } from '../../../src/render/views/drift.ts';
import type { DriftItem } from '../../../src/tasks/drift/report.ts';
import { sinceCheck } from '../../../src/tasks/drift/since.ts';
import { uncoloured } from '../../../src/view/paint.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { ITEMS, REPORT } from './example.ts';

const [FIRST, SECOND, THIRD, ...OTHERS] = ITEMS as readonly [DriftItem, DriftItem, DriftItem, ...DriftItem[]];

test('A later check tells what is new, what has another value, what ended and what is ignored now, and nothing else', () => {
  const changed: DriftItem = { ...FIRST, live: 'another' };
  const fresh: DriftItem = { ...SECOND, fingerprint: 'f'.repeat(32), address: 'group/new', path: ['name'] };
  const covered: DriftItem = { ...SECOND, ignored: { reason: 'on purpose', until: null } };
  const later = OTHERS.map((item) => ({ ...item, seen_count: item.seen_count + 1 }));
  const now = { ...REPORT, at: '2026-11-21T12:15:00.000Z', items: [changed, fresh, ...later], ignored: [covered] };
  const since = sinceCheck(REPORT, now);
  expect(since).toEqual({ at: REPORT.at, news: [changed, fresh], ended: [THIRD], ignored: [SECOND] });
  const text = terminalText(sinceView(now, since), uncoloured);
  expect(text).toMatch(/^Since the check of 2026-11-21T12:00:00Z:\n/);
  expect(text).toContain('group/new');
  expect(text).toContain(`Ended: 1: ${THIRD.address}`);
  expect(text).toContain(`Ignored now: 1: ${SECOND.address}`);
  for (const { address } of OTHERS.filter(
    (item) => ![FIRST, SECOND, THIRD].some((own) => own.address === item.address),
  ))
    expect(text.slice(0, text.indexOf('Good to know'))).not.toContain(address);
});

test('The same differences, seen once more, are no news', () => {
  const again = { ...REPORT, items: ITEMS.map((item) => ({ ...item, seen_count: item.seen_count + 1 })) };
  expect(sinceCheck(REPORT, again)).toMatchObject({ news: [], ended: [], ignored: [] });
});
