// Findings in, a SARIF 2.1.0 log out, for code scanning: a rule for each code that is found, a result for each finding.

import type { Log } from 'sarif';
import type { Diagnostic } from '../base/model.ts';
import { message, physical, SOURCE_ROOT } from './drift/sarif.ts';
import { plain } from './plain.ts';
import type { PathInRepository } from './repository-path.ts';

/** `category` keeps the findings of several commands and targets apart. */
export function diagnosticsSarif(
  diagnostics: readonly Diagnostic[],
  category: string,
  pathOf: PathInRepository,
): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))];
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'chatform', rules: codes.map((id) => ({ id })) } },
        automationDetails: { id: `${plain(category)}/` },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: SOURCE_ROOT,
        invocations: [{ executionSuccessful: true }],
        results: diagnostics.map(({ code, severity, place, message: said, remedy, related }) => ({
          ruleId: code,
          ruleIndex: codes.indexOf(code),
          kind: 'fail',
          level: severity,
          message: message([plain(said), ...(remedy === null ? [] : [plain(remedy)])]),
          locations: [physical(place, pathOf)],
          relatedLocations: related.map((other) => ({
            ...physical(other.place, pathOf),
            message: message([plain(other.message)]),
          })),
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
