// Laws of the reports on random months: a second count agrees, both forms agree, buckets add up, and ranges and filters divide.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReportCaller, type ReportCaller } from '../emulator/reports/caller.ts';
import { tries } from '../tries.ts';
import { recounted } from './report-count.ts';
import { type ReportMonth, reportMonth } from './report-month.ts';

const CHAT_REPORTS = [
  'chats/duration',
  'chats/tags',
  'chats/total_chats',
  'chats/ratings',
  'chats/ranking',
  'chats/engagement',
  'chats/greetings_conversion',
  'chats/surveys',
  'chats/response_time',
  'chats/first_response_time',
];
const AGENT_REPORTS = ['agents/availability', 'agents/performance'];

/** Whatever JSON.parse gives. */
type Parsed = ReturnType<typeof JSON.parse>;

/** Without the last digits, in which the order of a sum shows. */
function rounded(value: Parsed): Parsed {
  if (typeof value === 'number') return Number(value.toPrecision(10));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]));
}

const timeOf = (at: number): string => new Date(at).toISOString();

const opened = ({ state, now }: ReportMonth): ReportCaller =>
  createReportCaller({ state, at: now, settings: { zeroMembers: 'omitted' } });

/** The filters that reports of agents have. */
function agentFilters({ agents, groups }: Parsed): Parsed {
  const { exists: _, ...named } = agents ?? {};
  return {
    ...(agents === undefined ? {} : { agents: named }),
    ...(groups?.values === undefined ? {} : { groups: { values: groups.values } }),
  };
}

const bodyOf = ({ from, to, zone, distribution }: ReportMonth, filters: Parsed): Parsed => ({
  distribution,
  timezone: zone,
  filters: { from: timeOf(from), to: timeOf(to), ...filters },
});

async function law(check: (month: ReportMonth, caller: ReportCaller) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(reportMonth, async (month) => {
      await check(month, opened(month));
    }),
    // A month takes minutes to shrink; the seed in the failure repeats it.
    { numRuns: tries(500, 20), endOnFailure: true },
  );
}

describe('On random months', () => {
  it('a count from the snapshot alone equals every report, by POST and by GET', async () => {
    await law(async (month, { ask, emulator }) => {
      await emulator.settle();
      const state = JSON.parse(JSON.stringify(emulator.snapshot()));
      for (const report of [...CHAT_REPORTS, ...AGENT_REPORTS]) {
        const isOfChats = report.startsWith('chats/');
        const distribution = isOfChats || month.distribution === 'hour' ? month.distribution : 'day';
        const filters = isOfChats ? month.filters : agentFilters(month.filters);
        const asked = { ...month, state, distribution, filters };
        const { name: _, ...reply } = await ask(report, bodyOf(asked, filters));
        expect([report, rounded(reply)]).toEqual([report, rounded(recounted(asked, report))]);
        expect(await ask(report, bodyOf(asked, filters), { method: 'GET' })).toEqual({ name: _, ...reply });
      }
    });
  });

  it('the records of a report add up to its total, whatever the distribution', async () => {
    const counts: { readonly [report: string]: (record: Parsed) => number } = {
      'chats/total_chats': ({ total = 0 }) => total,
      'chats/duration': ({ count = 0 }) => count,
      'chats/ratings': ({ chats = 0 }) => chats,
      'chats/engagement': (record) => Object.values<number>(record).reduce((sum, one) => sum + one, 0),
      'chats/greetings_conversion': (record) =>
        Object.values<Parsed>(record).reduce((sum, { accepted = 0 }) => sum + accepted, 0),
    };
    await law(async (month, { ask }) => {
      for (const [report, countOf] of Object.entries(counts)) {
        const totals = new Set<number>();
        for (const distribution of ['hour', 'day', 'day-hours', 'month', 'year']) {
          const { total, records } = await ask(report, { ...bodyOf(month, month.filters), distribution });
          expect(Object.values(records).reduce((sum: number, record) => sum + countOf(record), 0)).toBe(total);
          totals.add(total);
        }
        expect([report, totals.size]).toEqual([report, 1]);
      }
      const { total, records } = await ask('agents/availability', { ...bodyOf(month, {}), distribution: 'day' });
      const hours = Object.values<Parsed>(records).reduce((sum, { hours: one = 0 }) => sum + one, 0);
      expect(total).toBeCloseTo(hours, 9);
    });
  });

  it('two parts of a range, and a filter and its exclusion, count what they divide', async () => {
    await law(async (month, { ask }) => {
      const { from, middle, to, filters } = month;
      const count = async (report: string, one: number, other: number, given: Parsed): Promise<number> =>
        (await ask(report, bodyOf({ ...month, from: one, to: other }, given))).total;
      for (const report of CHAT_REPORTS.filter((name) => !/ranking|surveys/.test(name))) {
        const parts = [await count(report, from, middle, filters), await count(report, middle, to, filters)];
        expect([report, (parts[0] ?? 0) + (parts[1] ?? 0)]).toEqual([report, await count(report, from, to, filters)]);
      }
      for (const [name, filter] of Object.entries<Parsed>(filters)) {
        const inverted = JSON.parse(JSON.stringify(filter), (_, member: Parsed) => {
          const { exists, values, exclude_values, ...rest } = Object(member);
          if (Array.isArray(member) || (exists ?? values ?? exclude_values) === undefined) return member;
          if (exists !== undefined) return { ...rest, exists: !exists };
          return values === undefined ? { ...rest, values: exclude_values } : { ...rest, exclude_values: values };
        });
        const parts = [filter, inverted].map((one) => count('chats/total_chats', from, to, { [name]: one }));
        const [one = 0, other = 0] = await Promise.all(parts);
        expect([name, one + other]).toEqual([name, await count('chats/total_chats', from, to, {})]);
      }
    });
  });
});
