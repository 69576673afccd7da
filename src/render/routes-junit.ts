// What became of routing tests in, JUnit XML out: a suite for the target, a case for each test. What is open was skipped.

import type { Diagnostic } from '../base/model.ts';
import type { Tested, TestedRoute } from '../tasks/show/tested.ts';
import { renderDiagnostic } from './diagnostics.ts';
import { type Element, element, xmlDocument } from './drift/xml.ts';
import { plain } from './plain.ts';
import type { PathInRepository } from './repository-path.ts';
import { groupsText } from './routes-text.ts';

function content(test: TestedRoute, failure: Diagnostic | undefined): readonly Element[] {
  switch (test.outcome) {
    case 'passed':
      return [];
    case 'open':
      return [
        element('skipped', { message: `it depends on what ${plain(test.depends_on ?? '')} leaves to the license` }),
      ];
    case 'failed': {
      const message = `${groupsText(test.got)}, expected ${groupsText(test.expected)}`;
      const body = failure === undefined ? message : renderDiagnostic(failure);
      return [element('failure', { message, type: 'route-failed' }, `\n${body}\n`)];
    }
  }
}

/** `failures` are the findings of the tests that failed, in the order of the tests. */
export function testedJunit(
  { target, on, tests, summary }: Tested,
  failures: readonly Diagnostic[],
  pathOf: PathInRepository,
): string {
  const left = [...failures];
  const classname = `chatform.routes.${plain(target)}.${on}`;
  const cases = tests.map((test) => {
    const failure = test.outcome === 'failed' ? left.shift() : undefined;
    const { file, line } = test.source;
    const name = plain(test.name === null ? test.visitor : `${test.name}: ${test.visitor}`);
    return element(
      'testcase',
      { classname, name, file: plain(pathOf(file) ?? file), line, time: 0 },
      content(test, failure),
    );
  });
  const all = { tests: tests.length, failures: summary.failed, errors: 0, skipped: summary.open };
  const name = `chatform test ${plain(target)} ${on}`;
  return xmlDocument(element('testsuites', all, [element('testsuite', { name, ...all, time: 0 }, cases)]));
}
