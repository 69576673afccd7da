// What came of planning in, a SARIF 2.1.0 log out, for code scanning. When there is no plan and nothing is known to be wrong with the files, there are no
// results at all: an empty list would say that everything is fine.

import type { Log, Result } from 'sarif';
import { type Outcome, targetOf } from '../comment/subject.ts';
import { message, physical } from '../drift/sarif.ts';
import { plain } from '../plain.ts';
import { type Finding, findingsOf } from './findings.ts';

/** What is about the plan as a whole stands at the beginning of what asked for it. */
const PROJECT = { file: 'chatform.yaml', line: 1, column: 1 };

function result({ rule, level, lines, source }: Finding, rules: readonly string[]): Result {
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    kind: 'fail',
    level,
    message: message(lines),
    locations: [physical(source ?? PROJECT)],
  };
}

export function planSarif(of: Outcome): string {
  const findings = findingsOf(of);
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
        invocations: [
          isSeen
            ? { executionSuccessful: true }
            : {
                executionSuccessful: false,
                toolExecutionNotifications: findings.map(({ lines }) => ({ level: 'error', message: message(lines) })),
              },
        ],
        ...(isSeen ? { results: findings.map((finding) => result(finding, rules)) } : {}),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
