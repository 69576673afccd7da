// What is shown of chats since an apply: what changed, what cannot be told, and what was not read.

import { expect, test } from 'vitest';
import { following } from '../../../src/features/report/since/operation.ts';
import type { FollowedGroup, FollowedMeasure, FollowReport } from '../../../src/features/report/since/schema.ts';
import { tableCsv } from '../../../src/view/writers/csv.ts';
import { ABOUT, expectInert, shownText } from '../written.ts';

const counts = (chats: number, of: number | null = null) => ({ chats, of, seconds: null });
const waits = (chats: number, seconds: number | null) => ({ chats, of: null, seconds });

const UNCHANGED: readonly FollowedMeasure[] = [
  {
    measure: 'taken',
    result: 'too-few',
    now: counts(12, 12),
    before: [counts(36, 38), counts(40, 41), counts(35, 35), counts(42, 44)],
    probability: null,
    adjusted: null,
  },
  {
    measure: 'unanswered',
    result: 'unchanged',
    now: counts(2, 12),
    before: [counts(6, 38), counts(5, 41), counts(7, 35), counts(8, 44)],
    probability: 0.8,
    adjusted: 1,
  },
  {
    measure: 'first_response',
    result: 'unchanged',
    now: waits(10, 41.3),
    before: [waits(32, 38), waits(36, 44.2), waits(28, 51), waits(36, 39.7)],
    probability: 0.6,
    adjusted: 1,
  },
  {
    measure: 'ratings',
    result: 'too-few',
    now: counts(0, 0),
    before: [counts(4, 5), counts(3, 3), counts(6, 7), counts(4, 4)],
    probability: null,
    adjusted: null,
  },
];

const FALLS: FollowedMeasure = {
  measure: 'arrivals',
  result: 'falls',
  now: counts(12),
  before: [counts(38), counts(41), counts(35), counts(44)],
  probability: 0.0000004,
  adjusted: 0.0000016,
};

const RISES: FollowedMeasure = {
  ...FALLS,
  result: 'rises',
  now: counts(51),
  before: [counts(20), counts(24), counts(19), counts(22)],
  probability: 0.0004,
  adjusted: 0.0012,
};

const group = (address: FollowedGroup['address'], more: Partial<FollowedGroup>): FollowedGroup => ({
  address,
  id: 1,
  name: 'Sales',
  result: 'changed',
  measures: [FALLS, ...UNCHANGED],
  fits: [],
  others: [],
  ...more,
});

const report = (more = ''): FollowReport => ({
  target: `production${more}`,
  run: { id: '0f8c2c9e-3a52-4d0f-9a51-8f2f6c1a7a10', command: 'apply', at: '2026-06-15T09:40:00+02:00' },
  timezone: 'Europe/Warsaw',
  window: {
    from: '2026-06-15T10:00:00+02:00',
    to: '2026-06-15T14:00:00+02:00',
    hours: 4,
    wanted: 4,
    next: null,
  },
  weeks: ['2026-06-08', '2026-06-01', '2026-05-25', '2026-05-18'].map((day) => ({
    from: `${day}T10:00:00+02:00`,
    to: `${day}T14:00:00+02:00`,
  })),
  interrupted: false,
  level: 0.05,
  summary: { changed: 2, unchanged: 1, too_few: 1 },
  groups: [
    group('group/desk', {
      measures: [RISES],
      fits: [
        {
          address: 'auto_access/careers',
          text: `it was moved, and visitors of group/sales come to group/desk${more}`,
        },
      ],
      others: [{ address: null, text: 'run 77aa0c12 (apply, 2026-06-15T11:20:00+02:00) also touched it' }],
    }),
    group('group/night', { result: 'unchanged', measures: UNCHANGED.slice(1, 2) }),
    group('group/7', { name: `Night${more}`, result: 'too-few', measures: UNCHANGED.slice(0, 1) }),
    group('group/sales', {}),
  ],
  others: [
    'a holiday, a campaign or another event, now or in one of the four weeks',
    `a change that no run of this ledger made${more}`,
  ],
  notes: [`the rules are too many to compare, so the run may touch other groups${more}`],
  undo: 'chatform undo 0f8c2c9e-3a52-4d0f-9a51-8f2f6c1a7a10',
});

const REQUESTS = { 'chats/duration': 4, 'chats/total_chats': 4, 'chats/first_response_time': 4, 'chats/ratings': 4 };

const OPTIONS = { run: null, groups: [], hours: null };
const NOTHING = { changed: 0, unchanged: 0, too_few: 0 };
const EARLY: FollowReport['window'] = {
  from: '2026-06-15T10:00:00+02:00',
  to: '2026-06-15T10:00:00+02:00',
  hours: 0,
  wanted: null,
  next: '2026-06-15T14:00:00+02:00',
};

test('each group with what changed, what fits, what else could explain it, and the way back', () => {
  expect(shownText(following, report(), OPTIONS, { requests: REQUESTS })).toMatchInlineSnapshot(`
    "Target production, apply 0f8c2c9e-3a52-4d0f-9a51-8f2f6c1a7a10 of
      2026-06-15T09:40:00+02:00
    4 hours, 2026-06-15T10:00:00+02:00 to 2026-06-15T14:00:00+02:00 (Europe/Warsaw),
      next to the same hours of the four weeks before

    group/desk:
      Measure  Since  The weeks before  Result
      chats    51     20, 24, 19, 22    rises (p = 0.001)

      fits: auto_access/careers: it was moved, and visitors of group/sales come to
        group/desk
      or: run 77aa0c12 (apply, 2026-06-15T11:20:00+02:00) also touched it

    group/night:
      Measure     Since    The weeks before                    Result
      unanswered  2 of 12  6 of 38, 5 of 41, 7 of 35, 8 of 44  no change shows

    group/7 "Night":
      Measure  Since     The weeks before                        Result
      taken    12 of 12  36 of 38, 40 of 41, 35 of 35, 42 of 44  too few to tell

    group/sales:
      Measure         Since     The weeks before                 Result
      chats           12        38, 41, 35, 44                   falls (p < 0.00001)
      taken           12 of 12  36 of 38, 40 of 41, 35 of 35,    too few to tell
                                42 of 44
      unanswered      2 of 12   6 of 38, 5 of 41, 7 of 35, 8 of  no change shows
                                44
      first response  41 s      38 s, 44 s, 51 s, 40 s           no change shows
      rated good      -         4 of 5, 3 of 3, 6 of 7, 4 of 4   too few to tell

      fits: no change of the run

    What else could explain it:
      a holiday, a campaign or another event, now or in one of the four weeks
      a change that no run of this ledger made

    Note: the rules are too many to compare, so the run may touch other groups

    Something changed in 2 groups; no change shows in 1 group; the numbers are too
      few to tell in 1 group. 16 requests.
    To see how far run 0f8c2c9e-3a52-4d0f-9a51-8f2f6c1a7a10 can be taken back:
      chatform undo 0f8c2c9e-3a52-4d0f-9a51-8f2f6c1a7a10 --plan
    "
  `);
});

test('why there is nothing to compare', () => {
  const none: FollowReport = { ...report(), summary: NOTHING, groups: [], notes: [] };
  expect(shownText(following, none, OPTIONS)).toContain('The run touched no group: there is nothing to compare.');
  const early: FollowReport = { ...none, window: EARLY, groups: [group('group/sales', { measures: [] })] };
  expect(shownText(following, early, OPTIONS)).toContain('Nothing to compare yet: the first whole hour since the run');
  expect(following.row(none, ABOUT, OPTIONS)).toMatchObject({ state: 'done', code: 0, isQuiet: true });
});

test('an interrupted wait says how many hours it compares, and its code says that it is not complete', () => {
  const window = { ...report().window, wanted: 24, next: '2026-06-15T18:00:00+02:00' };
  const interrupted: FollowReport = { ...report(), interrupted: true, window };
  expect(shownText(following, interrupted, OPTIONS)).toContain('4 of 24 hours (interrupted), 2026-06-15T10:00');
  expect(following.row(interrupted, ABOUT, OPTIONS)).toMatchObject({ state: 'interrupted', code: 130 });
});

test('a group in which something changed is a finding that fails, with what fits', () => {
  const { findings } = following.findings(report(), ABOUT, OPTIONS);
  expect(findings.map(({ subject, result, lines }) => [subject, result, ...lines])).toEqual([
    [
      'group/desk',
      'failed',
      'chats: 51, before 20, 24, 19, 22: rises (p = 0.001)',
      'fits: auto_access/careers: it was moved, and visitors of group/sales come to group/desk',
    ],
    ['group/night', 'passed', 'no change shows'],
    ['group/7', 'unknown', 'too few to tell'],
    ['group/sales', 'failed', 'chats: 12, before 38, 41, 35, 44: falls (p < 0.00001)'],
  ]);
});

test('a table has each week, and the result of the hours since', () => {
  const lines = tableCsv(following.table(report(), ABOUT, OPTIONS)).split('\r\n');
  expect(lines.slice(0, 3)).toEqual([
    'group,measure,from,to,chats,of,seconds,result,adjusted',
    'group/desk,arrivals,2026-06-15T10:00:00+02:00,2026-06-15T14:00:00+02:00,51,,,rises,0.0012',
    'group/desk,arrivals,2026-06-08T10:00:00+02:00,2026-06-08T14:00:00+02:00,20,,,,',
  ]);
  expect(lines).toHaveLength(1 + 5 * (1 + 1 + 1 + 5) + 1);
});

test('no text of a license or a ledger is obeyed', () => {
  expectInert(following, report, OPTIONS);
});
