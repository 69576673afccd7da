// The report formats of `coverage`, and its CSV.

import type { CoverageReport, CoverReport } from '../../tasks/coverage/report.ts';
import { csvText } from '../../view/writers/csv.ts';
import { coveragePage } from '../html/coverage.ts';
import type { WeeklyCover } from '../html/input.ts';
import { coverageSvg } from './coverage-svg.ts';

export const coverageRenderers = {
  html: coveragePage,
  svg: ({ report, after, missing }: WeeklyCover) => coverageSvg(report, after, missing),
  csv: ({ report }: WeeklyCover) => coverageCsv(report),
} as const;

export const COVERAGE_REPORTS = Object.keys(coverageRenderers) as readonly (keyof typeof coverageRenderers)[];

const HEAD = ['group', 'name', 'side', 'from', 'to', 'agents', 'bots', 'slots', 'without_hours'];

/** A line for each time of the week in which nothing changes, group by group. */
function coverageCsv({ groups, view }: CoverageReport): string {
  const rows = groups.flatMap(({ address, name, before, cover }) => {
    const linesOf = (side: string, of: CoverReport | null) =>
      (of?.pieces ?? []).map(({ from, to, people, bots, slots }) => [
        ...[address, name, side, from, to],
        ...[people - bots, bots, slots, of?.anytime.people ?? 0],
      ]);
    return view === 'both' ? [...linesOf('before', before), ...linesOf('after', cover)] : linesOf(view, cover);
  });
  return csvText([HEAD, ...rows]);
}
