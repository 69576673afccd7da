// Requests that are wrong somewhere, by POST and as queries: none crashes the service, and each leaves everything as it was.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../../tries.ts';
import { malformedRequests } from '../malformed-requests.ts';
import { createReportCaller, flattened } from './caller.ts';
import { CHAT_MEMBERS, FILTERS, FIVE_DAYS, REPORTS, SEED } from './rows.ts';

/** Every filter once, in requests that are accepted. */
const ROWS = REPORTS.flatMap(([report], index) =>
  FILTERS.filter((_, at) => at % REPORTS.length === index).map(
    ([filters]) =>
      ['3.4', report, { distribution: 'day', timezone: 'UTC', filters: { ...FIVE_DAYS, ...filters } }] as const,
  ),
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

test('No request crashes the service or changes anything', async () => {
  const { send, emulator } = createReportCaller({ seed: SEED, propagationDelay: 1000 });
  await emulator.settle();
  const before = JSON.stringify(emulator.snapshot());
  const refused = new Set<string>();
  const request = fc.tuple(malformedRequests(ROWS, MEMBERS, NAMES), fc.constantFrom('POST', 'GET'));
  await fc.assert(
    fc.asyncProperty(request, async ([[, report, text], method]) => {
      const how = method === 'GET' ? { method, query: queryOf(text) } : { method };
      const { status, body } = await send(report, text, how);
      expect([report, text, method, [200, 400, 413].includes(status)]).toEqual([report, text, method, true]);
      if (status === 200) {
        expect(body.name).toMatch(/-report$/);
        return;
      }
      expect(body).toEqual({ error: { type: 'validation', message: expect.any(String) } });
      refused.add(`${method} ${report}`);
    }),
    { numRuns: tries(20_000, 600) },
  );
  expect(JSON.stringify(emulator.snapshot())).toBe(before);
  expect(refused.size).toBe(2 * REPORTS.length);
});
