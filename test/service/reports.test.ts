// The table of the Reports API against the lists of the specification and of the published facts.

import { expect, test } from 'vitest';
import { REPORTS_VERSIONS } from '../../src/base/model.ts';
import type { ApiAction } from '../../src/service/api.ts';
import { REPORTS } from '../../src/service/reports.ts';

const ALL = ['3.4', '3.5', '3.6', '3.7'];

/** Specification: "What the service does"; today/reports.md, "Which report in which version". */
const SPECIFIED: { readonly [report: string]: readonly string[] } = {
  'chats/duration': ALL,
  'chats/tags': ALL,
  'chats/total_chats': ALL,
  'chats/ratings': ALL,
  'chats/ranking': ALL,
  'chats/engagement': ALL,
  'chats/greetings_conversion': ALL,
  'chats/surveys': ['3.4'],
  'chats/forms': ['3.5', '3.6', '3.7'],
  'chats/response_time': ALL,
  'chats/first_response_time': ALL,
  'chats/groups': ['3.6', '3.7'],
  'chats/queued_visitors': ['3.6', '3.7'],
  'chats/queued_visitors_left': ['3.6', '3.7'],
  'agents/availability': ALL,
  'agents/performance': ALL,
  'customers/unique_visitors': ['3.6', '3.7'],
  'tags/chat_usage': ['3.5', '3.6', '3.7'],
  'sales/abandoned_carts': ['3.7'],
  'stats/visitor_domains': ['3.7'],
};

const rows = Object.entries<ApiAction>(REPORTS.actions);

test('It has exactly the published reports, each in its versions', () => {
  expect(Object.fromEntries(rows.map(([name, { versions }]) => [name, versions]))).toEqual(SPECIFIED);
  const counts = REPORTS_VERSIONS.map(
    (version) => rows.filter(([, { versions }]) => versions.includes(version)).length,
  );
  expect(counts).toEqual([12, 13, 17, 19]);
});

test('Every report is a read by POST, with a token of either kind that has the scope of reports', () => {
  expect(REPORTS.credential.kinds).toEqual(['bearer', 'basic']);
  for (const [name, { effect, method, token, upload, scopes, batch }] of rows)
    expect([name, effect, method, token, upload, scopes, batch]).toEqual([
      name,
      'read',
      undefined,
      undefined,
      undefined,
      ['reports_read'],
      null,
    ]);
});
