// The table of the Reports API against the list of the specification.

import { expect, test } from 'vitest';
import type { ApiAction } from '../../src/service/api.ts';
import { REPORTS } from '../../src/service/reports.ts';

/** Specification: "What the service does". */
const SPECIFIED = {
  chats: [
    'duration',
    'tags',
    'total_chats',
    'ratings',
    'ranking',
    'engagement',
    'greetings_conversion',
    'surveys',
    'response_time',
    'first_response_time',
  ],
  agents: ['availability', 'performance'],
};

const rows = Object.entries<ApiAction>(REPORTS.actions);

test('It has exactly the twelve reports, by resource and name', () => {
  const names = Object.entries(SPECIFIED).flatMap(([resource, reports]) =>
    reports.map((name) => `${resource}/${name}`),
  );
  expect(rows.map(([name]) => name)).toEqual(names);
  expect(names).toHaveLength(12);
});

test('Every report is a read by POST, with a token that has the scope of reports', () => {
  for (const [name, { effect, method, token, upload, scopes, versions, batch }] of rows)
    expect([name, effect, method, token, upload, scopes, versions, batch]).toEqual([
      name,
      'read',
      undefined,
      undefined,
      undefined,
      ['reports_read'],
      ['3.4'],
      null,
    ]);
});
