// `coverage`: who can get chats in a week, group by group, and with demand how many chats there are. Changes nothing.

import { dayAt, dayMeantBy, dayOf } from '../../base/week.ts';
import type { Operation } from '../../many/operation.ts';
import { prepareDeclared } from '../../target/prepare.ts';
import { findingsInFiles } from '../../view/diagnostics.ts';
import { type CoverageOptions, coverageOfTarget } from './read-coverage.ts';
import type { CoverageReport } from './report.ts';
import { coverageTable, coverageView, groupCounts } from './view.ts';

export const covering: Operation<CoverageOptions, CoverageReport> = {
  name: 'coverage',
  changes: 'nothing',
  run: async (target, options, context) => {
    const { on = 'files', date = '', groups } = options;
    // What the files declare is that of the days that are shown; an apply would make that of today.
    const when = (zone: string) => {
      const today = dayAt(zone, context.clock.now());
      const [day] = [dayOf(date), ...groups.map((word) => dayMeantBy(word, today))].flatMap((each) => each ?? []);
      return day === undefined ? {} : { day };
    };
    const declared = await prepareDeclared(on === 'files' ? { ...target, when } : target, context);
    const { report, requests } = await coverageOfTarget(declared, options, context);
    return { value: report, diagnostics: declared.diagnostics, requests };
  },
  row: (report) => {
    const [error] = report.findings.filter(({ level }) => level === 'error');
    const { uncovered, alone, losing } = groupCounts(report);
    const figures = {
      groups: report.groups.length,
      'no cover': uncovered,
      'bots only': alone,
      ...(report.view === 'both' ? { 'losing cover': losing } : {}),
    };
    return error === undefined
      ? { state: 'done', code: 0, figures }
      : { state: 'failed', code: 1, figures, message: error.message };
  },
  view: coverageView,
  findings: ({ target, findings }, { at, diagnostics }) => {
    const inFiles = findingsInFiles(
      { operation: 'coverage', target, at, check: 'the cover was computed' },
      diagnostics,
    );
    const lints = findings.map(
      ({ id, level, message, remedy, source }) =>
        ({
          rule: id,
          level,
          result: level === 'error' ? 'failed' : 'reported',
          subject: '',
          title: id,
          lines: [message, ...(remedy === null ? [] : [remedy])],
          item: null,
          place: source,
          fingerprint: null,
        }) as const,
    );
    return { ...inFiles, findings: [...lints, ...inFiles.findings] };
  },
  table: coverageTable,
};
