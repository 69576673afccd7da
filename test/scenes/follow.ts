// Situations of a follow-up: what changed since an apply, what cannot be told, and what was not read.

import { readingDocument } from '../../src/render/documents.ts';
import { followText } from '../../src/render/text/follow.ts';
import type { FollowedGroup, FollowedMeasure, FollowReport } from '../../src/tasks/follow/schema.ts';
import { AT, type Outputs, painted } from './outputs.ts';

const HOSTILE = '\u001b[31m::x\u202e';

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

const REPORT: FollowReport = {
  target: 'production',
  run: { id: '0f8c2c9e-3a52-4d0f-9a51-8f2f6c1a7a10', command: 'apply', at: AT },
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
          text: 'it was moved, and visitors of group/sales come to group/desk',
        },
      ],
      others: [{ address: null, text: 'run 77aa0c12 (apply, 2026-06-15T11:20:00+02:00) also touched it' }],
    }),
    group('group/night', { result: 'unchanged', measures: UNCHANGED.slice(1, 2) }),
    group('group/7', { name: HOSTILE, result: 'too-few', measures: UNCHANGED.slice(0, 1) }),
    group('group/sales', {}),
  ],
  others: [
    'a holiday, a campaign or another event, now or in one of the four weeks',
    'a change that no run of this ledger made',
  ],
  notes: ['the rules are too many to compare, so the run may touch other groups'],
  undo: 'chatform undo 0f8c2c9e-3a52-4d0f-9a51-8f2f6c1a7a10',
};

const REQUESTS = { 'chats/duration': 4, 'chats/total_chats': 4, 'chats/first_response_time': 4, 'chats/ratings': 4 };

function following(): Outputs {
  const nothing = { changed: 0, unchanged: 0, too_few: 0 };
  const early: FollowReport = {
    ...REPORT,
    window: {
      from: '2026-06-15T10:00:00+02:00',
      to: '2026-06-15T10:00:00+02:00',
      hours: 0,
      wanted: null,
      next: '2026-06-15T14:00:00+02:00',
    },
    summary: { ...nothing, too_few: 1 },
    groups: [group('group/sales', { result: 'too-few', measures: [] })],
    notes: [],
  };
  const none: FollowReport = { ...REPORT, summary: nothing, groups: [], notes: [] };
  const interrupted: FollowReport = {
    ...REPORT,
    interrupted: true,
    window: { ...REPORT.window, wanted: 24, next: '2026-06-15T18:00:00+02:00' },
    summary: { ...nothing, unchanged: 1 },
    groups: [group('group/night', { result: 'unchanged', measures: UNCHANGED })],
    notes: [],
  };
  const text =
    (report: FollowReport, requests: { readonly [report: string]: number }, quiet = false) =>
    (paint: Parameters<typeof followText>[3]) =>
      followText(report, requests, { quiet }, paint);
  return {
    ...painted('follow', text(REPORT, REQUESTS)),
    ...painted('quiet', text(REPORT, REQUESTS, true)),
    ...painted('early', text(early, {})),
    ...painted('none', text(none, {})),
    ...painted('interrupted', text(interrupted, { 'chats/duration': 1 })),
    'follow.json': readingDocument(REPORT, false, REQUESTS, []),
  };
}

export const FOLLOWING: { readonly [situation: string]: () => Outputs } = { follow: following };
