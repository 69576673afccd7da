// What came of planning in, a SARIF 2.1.0 log out, for code scanning. When there is no plan, why is a result as well: an empty
// list would say that everything is fine.

import type { Log, Result } from 'sarif';
import { type Outcome, targetOf } from '../comment/subject.ts';
import { message, physical, SOURCE_ROOT } from '../drift/sarif.ts';
import { plain } from '../plain.ts';
import { asNamed, type PathInRepository } from '../repository-path.ts';
import { type Finding, findingsOf, projectPlace } from './findings.ts';

function result({ rule, level, lines, source }: Finding, rules: readonly string[], pathOf: PathInRepository): Result {
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    kind: 'fail',
    level,
    message: message(lines),
    locations: [physical(source ?? projectPlace(pathOf), asNamed)],
  };
}

export function planSarif(of: Outcome, pathOf: PathInRepository): string {
  const findings = findingsOf(of, pathOf);
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const isSeen = of.outcome === 'planned' || of.diagnostics.length > 0;
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'chatform', rules: rules.map((id) => ({ id })) } },
        automationDetails: { id: `chatform-plan/${plain(targetOf(of) ?? 'project')}/` },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: SOURCE_ROOT,
        invocations: [
          isSeen
            ? { executionSuccessful: true }
            : {
                executionSuccessful: false,
                toolExecutionNotifications: findings.map(({ lines }) => ({ level: 'error', message: message(lines) })),
              },
        ],
        results: findings.map((finding) => result(finding, rules, pathOf)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
