// The published samples of the Reports API: the types of the client read each one, and the emulator answers in the same shape. A sample is the same in all
// of its versions, so it is here once; `surveyFilter` has one for 3.4.

import { expect, test } from 'vitest';
import type { ChatFilters } from '../../../src/client.ts';
import type { ApiAction } from '../../../src/service/api.ts';
import type { ReplyOf } from '../../../src/service/messages.ts';
import { REPORTS } from '../../../src/service/reports.ts';
import type { ReportsMessages } from '../../../src/service/reports-messages.ts';
import abandonedCarts from '../../fixtures/payloads/reports/abandonedCarts.json' with { type: 'json' };
import availability from '../../fixtures/payloads/reports/availability.json' with { type: 'json' };
import chatUsage from '../../fixtures/payloads/reports/chatUsage.json' with { type: 'json' };
import duration from '../../fixtures/payloads/reports/duration.json' with { type: 'json' };
import engagement from '../../fixtures/payloads/reports/engagement.json' with { type: 'json' };
import filters from '../../fixtures/payloads/reports/filters.json' with { type: 'json' };
import firstResponseTime from '../../fixtures/payloads/reports/firstResponseTime.json' with { type: 'json' };
import forms from '../../fixtures/payloads/reports/forms.json' with { type: 'json' };
import greetingsConversion from '../../fixtures/payloads/reports/greetingsConversion.json' with { type: 'json' };
import groups from '../../fixtures/payloads/reports/groups.json' with { type: 'json' };
import performance from '../../fixtures/payloads/reports/performance.json' with { type: 'json' };
import queuedVisitors from '../../fixtures/payloads/reports/queuedVisitors.json' with { type: 'json' };
import queuedVisitorsLeft from '../../fixtures/payloads/reports/queuedVisitorsLeft.json' with { type: 'json' };
import ranking from '../../fixtures/payloads/reports/ranking.json' with { type: 'json' };
import ratings from '../../fixtures/payloads/reports/ratings.json' with { type: 'json' };
import responseTime from '../../fixtures/payloads/reports/responseTime.json' with { type: 'json' };
import surveyFilter from '../../fixtures/payloads/reports/surveyFilter.json' with { type: 'json' };
import olderSurveyFilter from '../../fixtures/payloads/reports/surveyFilter-3.4.json' with { type: 'json' };
import surveys from '../../fixtures/payloads/reports/surveys.json' with { type: 'json' };
import tags from '../../fixtures/payloads/reports/tags.json' with { type: 'json' };
import totalChats from '../../fixtures/payloads/reports/totalChats.json' with { type: 'json' };
import uniqueVisitors from '../../fixtures/payloads/reports/uniqueVisitors.json' with { type: 'json' };
import { createReportCaller } from './caller.ts';
import { FIVE_DAYS, SEED } from './rows.ts';

/** The reply of a report in each of its versions. */
type Replies = { readonly [R in keyof ReportsMessages]: ReplyOf<ReportsMessages, R, keyof ReportsMessages[R]> };

/** All but `stats/visitor_domains`, which has no published sample. */
const SAMPLES = {
  'chats/duration': duration,
  'chats/tags': tags,
  'chats/total_chats': totalChats,
  'chats/ratings': ratings,
  'chats/ranking': ranking,
  'chats/engagement': engagement,
  'chats/greetings_conversion': greetingsConversion,
  'chats/surveys': surveys,
  'chats/forms': forms,
  'chats/response_time': responseTime,
  'chats/first_response_time': firstResponseTime,
  'chats/groups': groups,
  'chats/queued_visitors': queuedVisitors,
  'chats/queued_visitors_left': queuedVisitorsLeft,
  'agents/availability': availability,
  'agents/performance': performance,
  'customers/unique_visitors': uniqueVisitors,
  'tags/chat_usage': chatUsage,
  'sales/abandoned_carts': abandonedCarts,
} satisfies Partial<Replies>;

/** What the samples of requests say, as the types of the client have it. */
const OLDER_SURVEYS = [
  {
    type: 'pre_chat',
    from: '2021-01-01T00:00:00-00:00',
    to: '2021-04-15T23:59:59-00:00',
    values: ['163672098710307655:0'],
    groups: { values: [10] },
  },
  {
    type: 'post_chat',
    from: '2021-01-01T00:00:00-00:00',
    to: '2021-04-15T23:59:59-00:00',
    exclude_values: ['183672098710307678:1'],
  },
] as const satisfies ChatFilters<'3.4'>['surveys'];
const FILTERS: ChatFilters = {
  from: '2021-01-01T00:00:00-00:00',
  to: '2021-04-15T23:59:59-00:00',
  properties: { routing: { continuous: { values: [true] } } },
  agents: { values: ['joe@acme.com', 'alice@acme.com'] },
  tags: { exclude_values: ['spam'] },
  event_types: { values: ['file'] },
};

const VERSIONS = ['3.4', '3.5', '3.6', '3.7'] as const;

test('The samples of requests have the types of the client, and every version accepts them', async () => {
  expect(filters).toEqual(FILTERS);
  expect(olderSurveyFilter).toEqual({ surveys: OLDER_SURVEYS } satisfies ChatFilters<'3.4'>);
  expect(surveyFilter).toEqual({ forms: OLDER_SURVEYS } satisfies ChatFilters<'3.6'>);
  const { ask } = createReportCaller({ seed: SEED });
  for (const version of VERSIONS)
    for (const given of [filters, version === '3.4' ? olderSurveyFilter : surveyFilter])
      await ask('chats/total_chats', { filters: given }, { root: `/v${version}/` });
});

/** How many levels below `records` have keys that are data: dates, groups, tags, addresses. Level by level, a name that is none. */
const LEVELS: { readonly [report: string]: readonly (string | null)[] } = {
  'chats/tags': [null, null],
  'chats/greetings_conversion': [null, null],
  'chats/groups': [null, null],
  'chats/surveys': [null, null, 'count', null],
};

/** Where each member is, and what it is: `records.*.count number`. */
function shapeOf(report: string, reply: unknown): readonly string[] {
  const levels = LEVELS[report] ?? [null];
  const found = new Set<string>();
  const walk = (value: unknown, path: readonly string[]): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, [...path, '[]']);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        const level = path[0] === 'records' ? path.length - 1 : levels.length;
        const isData = level < levels.length && levels[level] !== name && path[1] !== '[]';
        walk(member, [...path, isData ? '*' : name]);
      }
    else found.add(`${path.join('.')} ${typeof value}`);
  };
  walk(reply, []);
  return Array.from(found).sort();
}

/** Members in which the emulator differs from a sample, and why. */
const EXCEPTIONS: readonly {
  readonly member: RegExp;
  readonly why: string;
  readonly in: (report: string, version: string) => boolean;
}[] = [
  {
    member: /^request\b/,
    why: 'one sample of 3.7 repeats the request, so all replies of 3.7 do (`reportEcho`)',
    in: (report, version) => version === '3.7' && report !== 'sales/abandoned_carts',
  },
];

const ACTIONS: { readonly [report: string]: ApiAction } = REPORTS.actions;

const ROWS = VERSIONS.flatMap((version) =>
  Object.entries(SAMPLES).flatMap(([report, sample]) =>
    ACTIONS[report]?.versions.includes(version) === true ? [[version, report, sample] as const] : [],
  ),
);

test('Each sample is in the shape that the emulator answers in, but for the stated exceptions', async () => {
  const { ask, post, clock } = createReportCaller({ seed: SEED, at: Date.UTC(2026, 0, 5, 8) });
  await post('/_emulator/presence', { id: 'ann', status: 'accepting_chats' });
  clock.now += 4 * 3_600_000;
  const used = new Set<string>();
  for (const [version, report, sample] of ROWS) {
    const body = {
      ...(report.startsWith('tags/') ? {} : { distribution: 'day' }),
      timezone: 'UTC',
      filters: FIVE_DAYS,
    };
    const reply = await ask(report, body, { root: `/v${version}/` });
    const [own, published] = [shapeOf(report, reply), shapeOf(report, sample)];
    const isStated = (member: string): boolean => {
      const exception = EXCEPTIONS.find((one) => one.member.test(member) && one.in(report, version));
      if (exception !== undefined) used.add(exception.why);
      return exception !== undefined;
    };
    const differences = [
      ...own.filter((member) => !published.includes(member)).map((member) => ['only in the emulator', member]),
      ...published.filter((member) => !own.includes(member)).map((member) => ['only in the sample', member]),
    ].filter(([, member = '']) => !isStated(member));
    expect([version, report, differences]).toEqual([version, report, []]);
  }
  expect([ROWS.length, used.size]).toEqual([60, EXCEPTIONS.length]);
});
