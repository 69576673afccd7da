// `report`: one report of the service as a table. Changes nothing.

import { UsageError } from '../../base/errors.ts';
import type { Operation } from '../../many/operation.ts';
import { prepareTarget } from '../../target/choice.ts';
import { findingsInFiles } from '../../view/diagnostics.ts';
import { type ReportChoice, readReport } from './read-report.ts';
import type { ShownReport } from './schema.ts';
import { reportTable, reportView } from './view.ts';
import { columnTitle } from './words.ts';

export interface ReportOptions extends ReportChoice {
  /** Null is refused, with the names that there are. */
  readonly name: string | null;
}

export const reporting: Operation<ReportOptions, ShownReport> = {
  name: 'report',
  changes: 'nothing',
  needsNoProject: true,
  run: async (target, { name, ...choice }, context) => {
    const { settings, diagnostics } = await prepareTarget(target, context);
    if (settings === null) throw new UsageError('the files have errors', diagnostics);
    const { report, requests } = await readReport(name, choice, settings, context);
    return { value: report, diagnostics, requests };
  },
  row: (report) => {
    const counts = report.columns.flatMap(({ name, unit }) =>
      unit === 'count' && report.sums[name] !== undefined ? [[columnTitle(report, name), report.sums[name]]] : [],
    );
    return { state: 'done', code: 0, figures: Object.fromEntries(counts) };
  },
  view: reportView,
  findings: ({ target }, { at, diagnostics }) =>
    findingsInFiles({ operation: 'report', target, at, check: 'the report was read' }, diagnostics),
  table: reportTable,
};
