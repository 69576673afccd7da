// Requests that are wrong somewhere, by POST and as queries: none crashes the service, and each leaves everything as it was.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../tries.ts';
import { malformedRequests } from '../malformed-requests.ts';
import { createReportCaller, flattened } from './caller.ts';
import { CHAT_MEMBERS, FILTERS, FIVE_DAYS, LATER_REPORTS, REPORTS, SEED } from './rows.ts';

/** Every filter once, in requests that are accepted. */
const OLDEST_ROWS = REPORTS.flatMap(([report], index) =>
  FILTERS.filter((_, at) => at % REPORTS.length === index).map(
    ([filters]) =>
      ['3.4', report, { distribution: 'day', timezone: 'UTC', filters: { ...FIVE_DAYS, ...filters } }] as const,
  ),
);

/** The reports that came later, in each of their versions. */
const LATER_ROWS = LATER_REPORTS.flatMap(([report, versions]) =>
  versions.map((version) => {
    const filters = report.startsWith('chats/') ? { ...FIVE_DAYS, customer_countries: { values: ['NO'] } } : FIVE_DAYS;
    return [version, report, { timezone: 'UTC', filters }] as const;
  }),
);

/** Every member that any request has. */
const MEMBERS = Array.from(new Set(CHAT_MEMBERS.flatMap(([path]) => path.split(/[.[\]\d]+/)))).filter(
  (name) => name !== '',
);
const NAMES = ['ann', 'robin', 'vip', 'mood:1', '2026-01-01T00:00:00Z', 'Europe/Warsaw', 'day-hours', 'filled_form'];

/** Texts of names and values in a query, right or wrong. */
function queryOf(text: string): string {
  try {
    return new URLSearchParams(
      flattened(JSON.parse(text)).map(([name, value]): [string, string] => [name, value]),
    ).toString();
  } catch {
    return text.replaceAll('#', '');
  }
}

test.each([
  ['3.4', OLDEST_ROWS, 20_000, 600],
  ['the later versions', LATER_ROWS, 5000, 300],
] as const)('No request of %s crashes the service or changes anything', async (_, rows, many, few) => {
  const { send, emulator } = createReportCaller({ seed: SEED, propagationDelay: 1000 });
  await emulator.settle();
  const before = JSON.stringify(emulator.snapshot());
  const refused = new Set<string>();
  const request = fc.tuple(malformedRequests(rows, MEMBERS, NAMES), fc.constantFrom('POST', 'GET'));
  await fc.assert(
    fc.asyncProperty(request, async ([[version, report, text], method]) => {
      const root = `/v${version}/`;
      const how = method === 'GET' ? { method, root, query: queryOf(text) } : { method, root };
      const { status, body } = await send(report, text, how);
      expect([report, text, method, [200, 400, 413].includes(status)]).toEqual([report, text, method, true]);
      if (status === 200) {
        expect(body.name).toMatch(/-report$|^abandoned_carts$/);
        return;
      }
      expect(body).toEqual({ error: { type: 'validation', message: expect.any(String) } });
      refused.add(`${method} ${report}`);
    }),
    { numRuns: tries(many, few) },
  );
  expect(JSON.stringify(emulator.snapshot())).toBe(before);
  expect(refused.size).toBe(2 * new Set(rows.map(([, report]) => report)).size);
});
