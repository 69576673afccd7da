// The view of routing tests: a row each, and as findings a case each.

import { counted } from '../../base/text.ts';
import type { About } from '../../many/operation.ts';
import type { Tested, TestedRoute } from '../../planning/routes-schema.ts';
import { groupTitle } from '../../routing/sources.ts';
import type { Mark, Table, View } from '../../view/blocks.ts';
import { diagnosticFindings } from '../../view/diagnostics.ts';
import type { Finding, Findings } from '../../view/findings.ts';

const MARKS: { readonly [outcome in TestedRoute['outcome']]: Mark } = {
  passed: { sign: '✓', word: 'passed', tone: 'add' },
  failed: { sign: '!', word: 'failed', tone: 'error' },
  open: { sign: '?', word: 'open', tone: 'warning' },
};

const RULES: { readonly [on in Tested['on']]: string } = { files: 'the files', live: 'the license' };

export function testedView({ tests, summary, on, target }: Tested): View {
  const { passed, failed, open } = summary;
  const counts = `${passed} passed, ${failed} failed${open > 0 ? `, ${open} open` : ''}`;
  return {
    title: ['Routing tests of ', { text: target, as: 'name' }],
    mark: failed > 0 ? MARKS.failed : open > 0 ? MARKS.open : MARKS.passed,
    result:
      tests.length === 0
        ? ['The manifest has no routing tests: add some under ', { text: 'routes:', as: 'code' }, '.']
        : `${counts}, on the rules of ${RULES[on]}, target ${target}.`,
    about: [],
    body: tests.length === 0 ? [] : [testedTable({ tests })],
  };
}

function testedTable({ tests }: Pick<Tested, 'tests'>): Table {
  return {
    type: 'table',
    name: 'Routing tests',
    columns: [{ title: 'Result' }, { title: 'Where', dispensable: 1 }, { title: 'Test' }, { title: 'Groups' }],
    rows: tests.map((test) => ({
      cells: [
        { text: test.outcome, tone: MARKS[test.outcome].tone },
        { text: `${test.source.file}:${test.source.line}`, as: 'file' },
        test.name ?? test.visitor,
        resultText(test),
      ],
      weight: test.outcome === 'passed' ? 0 : 1,
    })),
  };
}

/** A row for each test. */
export function testedRows({ tests, on }: Tested): Table {
  const columns = [
    'outcome',
    'side',
    'file',
    'line',
    'name',
    'visitor',
    'expected',
    'expected_rule',
    'got',
    'decided_by',
  ];
  return {
    type: 'table',
    columns: columns.map((title) => ({ title })),
    rows: tests.map((test) => ({
      cells: [
        ...[test.outcome, on, test.source.file, test.source.line, test.name ?? '', test.visitor],
        ...[test.expected.join(' '), test.expected_rule ?? '', test.got.join(' '), test.decided_by ?? ''],
      ],
    })),
  };
}

function groupsText(groups: readonly string[]): string {
  return groups.length === 0 ? 'no rule' : groups.map(groupTitle).join(', ');
}

function resultText({
  outcome,
  got,
  expected,
  expected_rule: rule,
  decided_by: by,
  depends_on: on,
}: TestedRoute): string {
  switch (outcome) {
    case 'passed':
      return `${groupsText(got)}${by === null ? '' : ` by ${by}`}`;
    case 'failed':
      return `${groupsText(got)}${by === null ? '' : ` by ${by}`}; expected ${groupsText(expected)}${rule === null ? '' : ` by ${rule}`}`;
    case 'open':
      return `depends on ${on ?? ''}, which the files do not fully declare`;
  }
}

/** A case for each test, and the other findings in the files. */
export function testedFindings({ tests, summary, on, target }: Tested, { at, diagnostics }: About): Findings {
  const failures = new Map(
    diagnosticFindings(diagnostics).flatMap((finding) =>
      finding.rule === FAILED && finding.place !== null ? [[placeKey(finding.place), finding] as const] : [],
    ),
  );
  return {
    operation: 'test',
    scope: [target, on],
    at,
    check: 'the routing tests were run',
    failure: null,
    lines: [`${counted(summary.passed, 'test')} passed.`],
    rules: [],
    findings: tests.map((test) => testFinding(test, failures.get(placeKey(test.source)))),
    notes: [],
    fingerprints: null,
  };
}

const FAILED = 'route-failed';

function placeKey({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`;
}

const RESULTS = { passed: 'passed', failed: 'failed', open: 'unknown' } as const;

function testFinding(test: TestedRoute, failure: Finding | undefined): Finding {
  return {
    rule: FAILED,
    level: 'error',
    subject: '',
    item: null,
    fingerprint: null,
    ...failure,
    result: RESULTS[test.outcome],
    title: test.name === null ? test.visitor : `${test.name}: ${test.visitor}`,
    lines: failure?.lines ?? [resultText(test)],
    place: test.source,
  };
}
