// Replies of the reports: what is read of them, and which are refused instead of counting as zero.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/model.ts';
import { readReply } from '../../src/demand/reply.ts';

type Asked = Parameters<typeof readReply>;

function refusal(report: Asked[0], reply: Json, distribution: Asked[2] = 'day'): string {
  try {
    readReply(report, reply, distribution);
    return 'it was read';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const DURATION = { name: 'duration-report', total: 3, records: { '2026-10-01': { count: 3, duration: 60 }, b: {} } };

describe('a reply as the specification shows it', () => {
  test('has zero for what it leaves out, and no member that is not known', () => {
    const reply = { ...DURATION, request: { timezone: 'UTC' }, note: 'new' };
    expect(readReply('chats/duration', reply, 'day')).toEqual({
      rows: [
        { keys: ['2026-10-01'], values: { count: 3, duration: 60, agents_chatting_duration: 0 } },
        { keys: ['b'], values: { count: 0, duration: 0, agents_chatting_duration: 0 } },
      ],
      total: 3,
      summary: {},
    });
    const more = { total: 4, records: { a: { total: 4, continuous: 1, started: 2, of: {} } } };
    expect(readReply('chats/total_chats', more, 'day').rows).toEqual([
      { keys: ['a'], values: { total: 4, continuous: 1 } },
    ]);
  });

  test('may have more chats in all than with a response or a tag, and none at all', () => {
    for (const report of ['chats/first_response_time', 'chats/response_time', 'chats/tags'] as const)
      expect(readReply(report, { total: 5, records: { '2026-10-01': {} } }, 'day').total).toBe(5);
    expect(readReply('chats/total_chats', { total: 0, records: {} }, 'day').rows).toEqual([]);
    expect(readReply('chats/ranking', { records: {} }, 'day').total).toBe(null);
  });
});

describe('a number that is none', () => {
  test.each<[Json]>([['3'], [null], [-1], [1.5], ['NaN'], [true], [[]], [{}], [2 ** 53], [Number.POSITIVE_INFINITY]])(
    '%j is refused with its place',
    (count) => {
      const shown = typeof count === 'number' ? String(count) : JSON.stringify(count);
      expect(refusal('chats/duration', { total: 3, records: { '2026-10-01 05:00': { count } } }, 'hour')).toBe(
        `chats/duration: protocol: records["2026-10-01 05:00"].count is ${shown}, and must be a whole number from 0 to 2^53 - 1; chatform takes no figure from such a reply: see it with \`chatform api chats/duration --reports\``,
      );
    },
  );

  test.each<[Asked[0], Json, string]>([
    [
      'chats/duration',
      { records: { a: { count: 1, duration: '60' } } },
      'records.a.duration is "60", and must be a number',
    ],
    ['chats/duration', { records: { a: 7 } }, 'records.a is 7, and must be an object'],
    ['chats/duration', { records: { a: null } }, 'records.a is null, and must be an object'],
    ['chats/total_chats', { total: '5', records: {} }, 'total is "5", and must be a whole number'],
    ['chats/total_chats', { total: null, records: {} }, 'total is null'],
    ['chats/tags', { records: { a: { vip: '2' } } }, 'records.a.vip is "2"'],
    ['chats/greetings_conversion', { records: { a: { 7: { accepted: [] } } } }, 'records.a.7.accepted is []'],
    ['chats/surveys', { records: { 1: { s: { count: 2, f: { 0: -1 } } } } }, 'records.1.s.f.0 is -1'],
    ['chats/surveys', { records: { 1: { s: { count: {} } } } }, 'records.1.s.count is {}'],
    ['agents/performance', { summary: { chats_count: 'x' }, records: {} }, 'summary.chats_count is "x"'],
    [
      'agents/performance',
      { records: { 'ann@example.com': { chats_count: 0.5 } } },
      'records["ann@example.com"].chats_count is 0.5',
    ],
    ['agents/availability', { total: -1, records: {} }, 'total is -1, and must be a number'],
  ])('%s %j', (report, reply, message) => {
    expect(refusal(report, reply)).toContain(`${report}: protocol: ${message}`);
  });

  test('a long value is cut', () => {
    const reply = { records: { a: { count: 'x'.repeat(500) } } };
    expect(refusal('chats/duration', reply).length).toBeLessThan(300);
  });
});

describe('a reply without its figures', () => {
  test.each<[Asked[0], Json, string]>([
    ['chats/duration', [], 'the reply is no object'],
    ['chats/duration', {}, 'records is missing, and must be an object'],
    ['chats/duration', { total: 0, records: null }, 'records is null, and must be an object'],
    ['chats/duration', { records: [] }, 'records is [], and must be an object'],
    ['chats/duration', { total: 3, records: {} }, 'total is 3, and count of the records adds up to 0'],
    [
      'chats/total_chats',
      { total: 5, records: { a: { total: 3 } } },
      'total is 5, and total of the records adds up to 3',
    ],
    ['chats/ratings', { total: 5, records: { a: {} } }, 'total is 5, and chats of the records adds up to 0'],
    ['chats/tags', { total: 5, records: {} }, 'total is 5, and the records are empty'],
    ['chats/first_response_time', { total: 5, records: {} }, 'total is 5, and the records are empty'],
    ['chats/engagement', { total: 5, records: { a: {} } }, 'total is 5, and the records are empty'],
    ['agents/availability', { total: 5.5, records: { a: {} } }, 'total is 5.5, and the records are empty'],
    [
      'agents/performance',
      { summary: { chats_count: 5 }, records: {} },
      'summary.chats_count is 5, and no record has any',
    ],
  ])('%s %j is refused', (report, reply, message) => {
    expect(refusal(report, reply)).toContain(`${report}: protocol: ${message}`);
  });

  test.each<[Asked[0], Json, string]>([
    [
      'chats/duration',
      { a: { chats: 3, duration: 60 } },
      'records.a.duration is an average, and count is missing or 0',
    ],
    [
      'chats/duration',
      { a: { count: 3, length: 60, agents_chatting_duration: 1 } },
      'records.a.length is not known, and may be duration, which no record has',
    ],
    ['chats/ratings', { a: { chats: 3, good: 2, negative: 1 } }, 'records.a.negative is not known, and may be bad'],
    ['chats/total_chats', { a: {}, b: { chats: 3 } }, 'records.b.chats is not known, and may be total'],
    ['agents/availability', { a: { minutes: 30 } }, 'records.a.minutes is not known, and may be hours'],
    ['agents/performance', { ann: { chats: 3 } }, 'records.ann.chats is not known, and may be chats_count'],
  ])('%s with another name %j is refused', (report, records, message) => {
    expect(refusal(report, { records })).toContain(`${report}: protocol: ${message}`);
  });
});
