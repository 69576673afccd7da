// Reports as tables: every shape that records can have, and what adds up.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/model.ts';
import { readReply } from '../../../src/demand/reply.ts';
import { tableOf } from '../../../src/demand/tables.ts';

type Given = [report: Parameters<typeof tableOf>[0], records: Json, distribution: Parameters<typeof tableOf>[2]];

const table = (...[report, records, distribution]: Given) =>
  tableOf(report, readReply(report, { records }, distribution).rows, distribution);
const rows = (...given: Given) => table(...given).rows.map(({ keys, values }) => [keys, values]);

describe('rows', () => {
  test('come in the order of their keys, with zero for what is left out, and without members that are not known', () => {
    const records = { '2026-10-02': {}, '2026-10-01': { total: 3, extra: 'x' } };
    expect(rows('chats/total_chats', records, 'day')).toEqual([
      [['2026-10-01'], { total: 3, continuous: 0 }],
      [['2026-10-02'], { total: 0, continuous: 0 }],
    ]);
  });

  test('hours below their days have both as one key', () => {
    const records = { '2026-10-01': { '09:00': { total: 3 }, '10:00': {} } };
    expect(rows('chats/total_chats', records, 'day-hours')).toEqual([
      [['2026-10-01 09:00'], { total: 3, continuous: 0 }],
      [['2026-10-01 10:00'], { total: 0, continuous: 0 }],
    ]);
    const tags = { '2026-10-01': { '09:00': { vip: 2 } } };
    expect(rows('chats/tags', tags, 'day-hours')).toEqual([[['2026-10-01 09:00', 'vip'], { chats: 2 }]]);
  });

  test('tags, greetings and surveys have a key for each level', () => {
    expect(rows('chats/tags', { d: { vip: 2, __proto: 1 }, e: {} }, 'day')).toEqual([
      [['d', '__proto'], { chats: 1 }],
      [['d', 'vip'], { chats: 2 }],
    ]);
    expect(rows('chats/greetings_conversion', { d: { 7: { accepted: 1, displayed: 4 } } }, 'day')).toEqual([
      [['d', '7'], { accepted: 1, displayed: 4, canceled: 0, goals: 0 }],
    ]);
    expect(rows('chats/surveys', { 1: { s: { count: 2, f: { 0: 1, 1: 1 } } } }, 'day')).toEqual([
      [['1', 's', '', ''], { times: 2 }],
      [['1', 's', 'f', '0'], { times: 1 }],
      [['1', 's', 'f', '1'], { times: 1 }],
    ]);
    const answers = [
      { answer_id: 0, label: 'Yes', count: 1 },
      { answer_id: 1, label: 'No' },
    ];
    const fields = [{ field_id: 'f', label: 'Well?', answers }];
    expect(rows('chats/forms', [{ form_id: 's', group_id: 1, count: 2, fields }], 'day')).toEqual([
      [['1', 's', '', ''], { times: 2 }],
      [['1', 's', 'f', '0'], { times: 1 }],
      [['1', 's', 'f', '1'], { times: 0 }],
    ]);
    expect(rows('chats/forms', [], 'day')).toEqual([]);
  });

  test('the queue has both ends of a visit in one row, and a report without buckets has one', () => {
    const records = { d: { queued: { count: 2, avg: 5, min: 1, max: 9 }, left_queue: { count: 0 } }, e: {} };
    const empty = { 'queued.count': 0, 'left_queue.count': 0 };
    const queued = { 'queued.count': 2, 'queued.avg': 5, 'queued.min': 1, 'queued.max': 9 };
    expect(rows('chats/queued_visitors', records, 'day')).toEqual([
      [['d'], { ...empty, ...queued }],
      [['e'], empty],
    ]);
    expect(table('chats/queued_visitors', records, 'day').sums).toEqual({
      ...empty,
      'queued.count': 2,
      'queued.avg': 5,
    });
    const visitors = { name: 'visitors-report', summary: { unique_visitors: 4, page_views: 23 } };
    const { rows: only } = readReply('customers/unique_visitors', visitors, 'day');
    expect(tableOf('customers/unique_visitors', only, 'day').sums).toEqual({ unique_visitors: 4, page_views: 23 });
    const domains = readReply('stats/visitor_domains', { summary: { 'b.example': 1, 'a.example': 2 } }, 'day').rows;
    expect(tableOf('stats/visitor_domains', domains, 'day').sums).toEqual({ page_views: 3 });
  });
});

describe('sums', () => {
  test('are sums of counts, and averages weighed by their chats', () => {
    const records = { a: { count: 3, duration: 100 }, b: { count: 1, duration: 20, agents_chatting_duration: 8 } };
    expect(table('chats/duration', records, 'day').sums).toEqual({
      count: 4,
      duration: 80,
      agents_chatting_duration: 2,
    });
  });

  test('and rows have no average of nothing', () => {
    expect(table('chats/duration', {}, 'day').sums).toEqual({ count: 0 });
    const records = { a: { count: 0, duration: 0 }, b: { count: 2, duration: 0, agents_chatting_duration: 8 } };
    expect(rows('chats/duration', records, 'day')).toEqual([
      [['a'], { count: 0 }],
      [['b'], { count: 2, duration: 0, agents_chatting_duration: 8 }],
    ]);
  });

  test('are none where rows do not add up', () => {
    expect(table('chats/tags', { d: { vip: 2 } }, 'day').sums).toEqual({});
    expect(table('chats/ranking', { ann: { total: 3, good: 2, bad: 1, score: 0.4 } }, 'day').sums).toEqual({
      total: 3,
      good: 2,
      bad: 1,
    });
  });

  test('availability has hours, or minutes of hours', () => {
    expect(table('agents/availability', { d: { hours: 7.5 } }, 'day').sums).toEqual({ hours: 7.5 });
    expect(table('agents/availability', { d: { minutes: 45 } }, 'hour').sums).toEqual({ minutes: 45 });
  });
});
