// SARIF 2.1.0 for code scanning: findings in the files, of a plan. Without a plan or a reading of the license the log says that the
// run failed: an empty list of results would close every alert.

import type { Invocation, Log, Notification, ReportingDescriptor, Result, Run } from 'sarif';
import type { Diagnostic } from '../../base/model.ts';
import type { PlanResult } from '../../tasks/review/plan-result.ts';
import { plain } from '../../view/plain.ts';
import { locationOf, message } from '../../view/writers/sarif.ts';
import { asNamed, findingsOf, type PathInRepository, type PlanFinding, projectPlace } from './findings.ts';

/** `category` keeps the results of several commands and targets apart. */
export function logText(
  category: string,
  rules: readonly ReportingDescriptor[],
  invocation: Invocation,
  outcome: Pick<Run, 'results'>,
): string {
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'chatform', rules: [...rules] } },
        automationDetails: { id: category },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
        invocations: [invocation],
        ...outcome,
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** A rule for each code, a result for each finding in the files. */
export function diagnosticsSarif(
  diagnostics: readonly Diagnostic[],
  category: string,
  pathOf: PathInRepository,
): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))];
  const results = diagnostics.map(
    ({ code, severity, place, message: said, remedy, related }): Result => ({
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      kind: 'fail',
      level: severity,
      message: message([plain(said), ...(remedy === null ? [] : [plain(remedy)])]),
      locations: [locationOf(place, pathOf)],
      relatedLocations: related.map((other) => ({
        ...locationOf(other.place, pathOf),
        message: message([plain(other.message)]),
      })),
    }),
  );
  const rules = codes.map((id) => ({ id }));
  return logText(`${plain(category)}/`, rules, { executionSuccessful: true }, { results });
}

/** A rule for each sort of finding, a result for each finding. Why there is no plan is a result as well. */
export function planSarif(of: PlanResult, pathOf: PathInRepository): string {
  const findings = findingsOf(of, pathOf);
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const result = ({ rule, level, lines, source }: PlanFinding): Result => ({
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    kind: 'fail',
    level,
    message: message(lines),
    locations: [locationOf(source ?? projectPlace(pathOf), asNamed)],
  });
  const notifications = findings.map(({ lines }): Notification => ({ level: 'error', message: message(lines) }));
  const isSeen = of.outcome === 'planned' || of.diagnostics.length > 0;
  const target = of.outcome === 'failed' ? of.target : of.plan.target;
  return logText(
    `chatform-plan/${plain(target ?? 'project')}/`,
    rules.map((id) => ({ id })),
    isSeen ? { executionSuccessful: true } : { executionSuccessful: false, toolExecutionNotifications: notifications },
    { results: findings.map(result) },
  );
}
