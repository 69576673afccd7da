// Reports as they are shown, for views and for a browser: bars, hours, tags, agents, hostile names, and nothing.

import type { ShownReport } from '../../../src/features/report/schema.ts';

const HOSTILE = '\u001b[31m::x\u202e<b>';
const DAYS = Array.from({ length: 14 }, (_, day) => `2026-10-${String(19 + day).padStart(2, '0')}`).map((date) =>
  date > '2026-10-31' ? date.replace('2026-10-32', '2026-11-01') : date,
);

const BASE: ShownReport = {
  target: 'production',
  report: 'chats/total_chats',
  distribution: 'day',
  timezone: 'Europe/Warsaw',
  from: '2026-10-19T00:00:00+02:00',
  to: '2026-11-02T00:00:00+01:00',
  groups: ['group/sales'],
  agents: [],
  tags: [],
  total: 0,
  dimensions: ['day'],
  columns: [
    { name: 'total', unit: 'count' },
    { name: 'continuous', unit: 'count' },
  ],
  rows: [],
  sums: {},
  notes: [],
};

const wave = (place: number): number => Math.round(60 + 55 * Math.sin(place * 1.3));

export const CHATS: ShownReport = {
  ...BASE,
  total: 1240,
  rows: DAYS.map((day, place) => ({
    keys: [day],
    values: { total: place === 6 ? 0 : wave(place) * 11, continuous: place },
  })),
  sums: { total: 9240, continuous: 91 },
};

/** Two days of 24 hours, and one of 25, of which the service makes 24 rows. */
export const HOURS: ShownReport = {
  ...BASE,
  distribution: 'hour',
  dimensions: ['hour'],
  rows: DAYS.slice(0, 3).flatMap((day, place) =>
    Array.from({ length: 24 }, (_, hour) => ({
      keys: [`${day} ${String(hour).padStart(2, '0')}:00`],
      values: { total: hour < 8 || hour > 18 ? 0 : wave(place + hour), continuous: 0 },
    })),
  ),
  sums: { total: 1999, continuous: 0 },
};

export const DURATIONS: ShownReport = {
  ...BASE,
  report: 'chats/duration',
  columns: [
    { name: 'count', unit: 'count' },
    { name: 'duration', unit: 'seconds' },
    { name: 'agents_chatting_duration', unit: 'seconds' },
  ],
  rows: [
    { keys: ['2026-10-19'], values: { count: 41, duration: 383.4, agents_chatting_duration: 61 } },
    { keys: ['2026-10-20'], values: { count: 2, duration: 3_912, agents_chatting_duration: 27_600 } },
  ],
  sums: { count: 43, duration: 547.5, agents_chatting_duration: 1342 },
};

export const TAGS: ShownReport = {
  ...BASE,
  report: 'chats/tags',
  groups: [],
  tags: ['vip', HOSTILE],
  dimensions: ['day', 'tag'],
  columns: [{ name: 'chats', unit: 'count' }],
  rows: DAYS.flatMap((day, place) => [
    { keys: [day, 'vip'], values: { chats: wave(place) } },
    ...(place % 3 === 0 ? [{ keys: [day, `=${HOSTILE},"${'long '.repeat(12)}`], values: { chats: place } }] : []),
  ]),
};

export const AGENTS: ShownReport = {
  ...BASE,
  report: 'agents/performance',
  distribution: null,
  dimensions: ['agent'],
  columns: [
    { name: 'chats_count', unit: 'count' },
    { name: 'chats_rated_good', unit: 'count' },
    { name: 'chats_rated_bad', unit: 'count' },
    { name: 'first_response_chats_count', unit: 'count' },
    { name: 'first_response_time', unit: 'seconds' },
    { name: 'accepting_chats_time', unit: 'seconds' },
    { name: 'chatting_time', unit: 'seconds' },
    { name: 'logged_in_time', unit: 'seconds' },
    { name: 'not_accepting_chats_time', unit: 'seconds' },
  ],
  rows: [
    {
      keys: ['agent/ann@example.com'],
      values: {
        chats_count: 223,
        chats_rated_good: 31,
        chats_rated_bad: 4,
        first_response_chats_count: 219,
        first_response_time: 21.4,
        accepting_chats_time: 504_000,
        chatting_time: 96_300,
        logged_in_time: 560_000,
        not_accepting_chats_time: 56_000,
      },
    },
  ],
  sums: {
    chats_count: 230,
    chats_rated_good: 33,
    chats_rated_bad: 4,
    first_response_chats_count: 225,
    first_response_time: 22,
  },
  notes: [
    '2 agents are left out: figures of a person on fewer than 5 chats are hidden, and so are those that would tell them.',
  ],
};

export const SURVEYS: ShownReport = {
  ...BASE,
  report: 'chats/surveys',
  distribution: null,
  total: null,
  dimensions: ['group', 'survey', 'field', 'option'],
  columns: [{ name: 'times', unit: 'count' }],
  rows: [
    { keys: ['group/sales', '1548327', '', ''], values: { times: 12 } },
    { keys: ['group/sales', '1548327', '154', '0'], values: { times: 7 } },
  ],
};

export const NOTHING: ShownReport = { ...BASE, agents: ['agent/bob@example.com'], total: null };
