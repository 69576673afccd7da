// What the project says of differences: how much they matter, what it does not want to be told, and until when.

import { describe, expect, test } from 'vitest';
import type { Address, IgnoreRule, Severity } from '../../../src/base/model.ts';
import { type JudgingContext, judge, reportOf } from '../../../src/features/drift/judge.ts';
import type { DriftItem } from '../../../src/features/drift/schema.ts';
import type { Difference } from '../../../src/plan/differences/difference.ts';
import type { DriftSettings, SeverityRule } from '../../../src/project/drift-settings.ts';
import { ITEMS } from './example.ts';

const PLAIN: Difference = {
  status: 'drift',
  kind: 'changed',
  address: 'group/sales',
  type: 'group',
  name: 'Sales',
  id: 7,
  path: ['name'],
  base: 'Sales',
  live: 'Verkauf',
  desired: 'Sales',
  reach: 'write',
  reason: null,
  applied_at: null,
  usual: false,
  source: null,
  ways_out: ['apply', 'accept', 'ignore'],
};

const place = { file: 'chatform.yaml', line: 9, column: 5, length: 1 };

function judged(
  difference: Partial<Difference>,
  settings: Partial<DriftSettings> = {},
  bench: Partial<JudgingContext> = {},
) {
  const whole: DriftSettings = { failOn: 'warning', severity: [], ignore: [], ...settings };
  const known: readonly Address[] = ['group/sales', 'agent/ann@example.com'];
  const made = judge([{ ...PLAIN, ...difference }], {
    target: 't',
    settings: whole,
    today: '2026-11-21',
    addresses: known,
    ...bench,
  });
  const [item] = made.judged;
  if (item === undefined) throw new Error('nothing judged');
  return { ...item, notes: made.notes };
}

describe('a severity', () => {
  test.each<[string, Partial<Difference>, Severity]>([
    ['a value that the license changed', {}, 'error'],
    ['a value that the license changed and no request can change back', { reach: 'unreachable' }, 'error'],
    ['both sides', { status: 'conflict' }, 'error'],
    ['an object that is gone', { kind: 'missing', path: [] }, 'error'],
    ['another order', { kind: 'reordered', address: 'auto_access', path: [] }, 'error'],
    ['a stranger', { kind: 'unmanaged', address: 'group/7', path: [], ways_out: ['accept', 'ignore'] }, 'warning'],
    ['a stranger that an apply deletes', { kind: 'unmanaged', address: 'group/7', path: [] }, 'error'],
    ['a stranger that nobody can declare', { kind: 'unmanaged', address: 'group/7', ways_out: ['ignore'] }, 'info'],
    ['what the repository changed', { status: 'pending', ways_out: ['apply', 'ignore'] }, 'warning'],
    ['what the repository wants in vain', { status: 'pending', reach: 'unreachable', ways_out: ['ignore'] }, 'info'],
    ['an agent who waits', { status: 'pending', kind: 'pending-approval', ways_out: ['ignore'] }, 'info'],
    ['both to the same', { status: 'converged', ways_out: [] }, 'info'],
    ['nobody knows', { status: 'unknown', kind: 'unreadable', ways_out: ['ignore'] }, 'info'],
  ])('by itself: %s', (_, difference, severity) => {
    expect(judged(difference).severity).toBe(severity);
  });

  const rule = (only: Partial<SeverityRule>, severity: Severity): SeverityRule => ({
    address: null,
    kind: null,
    status: null,
    ...only,
    severity,
  });

  test('is what the first rule says that covers the difference', () => {
    const severity = [
      rule({ address: 'agent' }, 'info'),
      rule({ kind: 'changed', status: 'drift' }, 'warning'),
      rule({}, 'info'),
    ];
    expect(judged({}, { severity }).severity).toBe('warning');
    expect(judged({ status: 'conflict' }, { severity }).severity).toBe('info');
    expect(judged({ address: 'agent/ann@example.com', type: 'agent' }, { severity }).severity).toBe('info');
    expect(
      judged({ address: 'auto_access', kind: 'reordered' }, { severity: [rule({ address: 'auto_access' }, 'info')] })
        .severity,
    ).toBe('info');
  });
});

describe('an ignore rule', () => {
  const rule = (only: Partial<IgnoreRule>): IgnoreRule => ({
    address: 'group/sales',
    path: null,
    reason: 'because',
    until: null,
    place,
    ...only,
  });
  const member = { path: ['agent_priorities', 'agent/ann@example.com'] };

  test.each<[string, Partial<IgnoreRule>, Partial<Difference>, boolean]>([
    ['of the resource', {}, {}, true],
    ['of the kind', { address: 'group' }, {}, true],
    ['of many', { address: 'group/s*' }, {}, true],
    ['of another', { address: 'group/vip' }, {}, false],
    ['of the field', { path: 'name' }, {}, true],
    ['of another field', { path: 'language_code' }, {}, false],
    ['of a field that only begins alike', { path: 'na' }, {}, false],
    ['of a field, for its members', { path: 'agent_priorities' }, member, true],
    ['of a member, as its key', { path: 'agent_priorities.ann@example.com' }, member, true],
    ['of a member, as its address', { path: 'agent_priorities.agent/ann@example.com' }, member, true],
    ['of another member', { path: 'agent_priorities.bob@example.com' }, member, false],
    ['of many members', { path: 'agent_priorities.*@example.com' }, member, true],
    ['of the order of a list', { address: 'auto_access' }, { address: 'auto_access', path: [] }, true],
    ['until today', { until: '2026-11-21' }, {}, true],
    ['until yesterday', { until: '2026-11-20' }, {}, false],
  ])('%s', (_, ignore, difference, isIgnored) => {
    expect(judged(difference, { ignore: [rule(ignore)] }).ignored !== null).toBe(isIgnored);
  });

  test('says why and until when, and the first that covers does', () => {
    const ignore = [rule({ until: '2020-01-01' }), rule({ reason: 'second', until: '2027-01-31' }), rule({})];
    expect(judged({}, { ignore }).ignored).toEqual({ reason: 'second', until: '2027-01-31' });
  });

  test('that has expired is told with its place, and that what it covered is reported again', () => {
    const { notes } = judged({}, { ignore: [rule({ until: '2026-11-20' })] });
    expect(notes).toEqual([
      expect.objectContaining({ kind: 'ignore-expired', source: { file: 'chatform.yaml', line: 9, column: 5 } }),
    ]);
    expect(notes[0]?.message).toContain('reported again');
    expect(judged({}, { ignore: [rule({ address: 'agent', until: '2026-11-20' })] }).notes[0]?.message).toContain(
      'remove it',
    );
  });

  test('for an address that there is not is told, for it may be misspelt', () => {
    expect(judged({}, { ignore: [rule({ address: 'group/salse' })] }).notes[0]).toMatchObject({ kind: 'ignore-idle' });
    expect(judged({}, { ignore: [rule({ address: 'agent/*' })] }).notes).toEqual([]);
  });
});

describe('a fingerprint', () => {
  test('lasts as long as the difference does, whatever the values and the side that moved', () => {
    const { fingerprint } = judged({});
    expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(judged({ live: 'Vente', status: 'conflict' }).fingerprint).toBe(fingerprint);
  });

  test('is another for another target, kind of difference, resource, field or member', () => {
    const others = [
      judged({}, {}, { target: 'u' }),
      judged({ kind: 'missing' }),
      judged({ address: 'group/vip' }),
      judged({ path: ['language_code'] }),
      judged({ path: ['name', 'x'] }),
    ];
    expect(new Set([judged({}), ...others].map(({ fingerprint }) => fingerprint)).size).toBe(6);
  });
});

describe('a report', () => {
  const found = { version: '3.6', target: 't', at: '2026-11-21T12:00:00Z', notes: [], kinds: [], requests: 3 } as const;
  const info = ITEMS.filter(({ severity }) => severity === 'info');
  const ignored: readonly DriftItem[] = ITEMS.map((item) => ({ ...item, ignored: { reason: 'r', until: null } }));

  test('is in sync when nothing is as severe as what counts, and what is ignored does not count', () => {
    const inSync = (items: readonly DriftItem[], failOn: Severity) => reportOf({ ...found, items, failOn }).in_sync;
    expect([inSync(ITEMS, 'warning'), inSync(info, 'warning'), inSync(info, 'info')]).toEqual([false, true, false]);
    expect(inSync(ignored, 'info')).toBe(true);
  });

  test('has the most severe first, the ignored apart, and counts what is told', () => {
    const report = reportOf({ ...found, items: [...info, ...ITEMS, ...ignored], failOn: 'error' });
    const order = report.items.map(({ severity }) => severity);
    expect(order).toEqual(
      order.toSorted((a, b) => ['error', 'warning', 'info'].indexOf(a) - ['error', 'warning', 'info'].indexOf(b)),
    );
    const { total, ignored: hidden, by_severity: by } = report.summary;
    expect([total, hidden]).toEqual([ITEMS.length + info.length, ITEMS.length]);
    expect(by.error + by.warning + by.info).toBe(total);
  });
});
