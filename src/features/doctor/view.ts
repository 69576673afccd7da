// The view of the doctor: a row for each check with what to do about it, and what `test --on customer` and reports lack.

import { groupedBy } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import type { About } from '../../many/operation.ts';
import { requestsText } from '../../many/requests.ts';
import type { Block, Mark, Section, Table, Text, View } from '../../view/blocks.ts';
import { diagnosticFindings } from '../../view/diagnostics.ts';
import type { Findings, Finding as Found } from '../../view/findings.ts';
import type { Diagnosis } from './diagnose.ts';
import type { CheckResult } from './finding.ts';
import type { CheckStatus, DoctorFinding } from './schema.ts';

const MARKS: { readonly [status in CheckStatus]: Mark } = {
  ok: { sign: '✓', word: 'ok', tone: 'add' },
  warning: { sign: '!', word: 'warning', tone: 'warning' },
  problem: { sign: '!', word: 'problem', tone: 'error' },
  unchecked: { sign: '?', word: 'unchecked', tone: 'faint' },
};

export function doctorView(
  { target, checks, summary, shared, customers, reports }: Diagnosis,
  { requests }: About,
): View {
  const counts = [
    `${summary.ok} ok`,
    counted(summary.warning, 'warning'),
    counted(summary.problem, 'problem'),
    `${summary.unchecked} unchecked`,
  ].join(', ');
  const worst = summary.problem > 0 ? 'problem' : summary.warning > 0 ? 'warning' : 'ok';
  return {
    title: target === null ? 'Doctor of this project' : ['Doctor of ', { text: target, as: 'name' }],
    mark: MARKS[worst],
    result: [{ text: summary.problem === 0 ? 'No problem.' : 'There is a problem.', tone: 'strong' }, ` ${counts}.`],
    about: [requestsText(requests)],
    body: [
      checksTable(checks),
      ...sharedSections(target, shared),
      ...customersSection(customers),
      ...reportsSection(reports),
    ],
  };
}

function checksTable(checks: readonly DoctorFinding[]): Table {
  return resultsTable(checks.map(({ check, ...result }) => ({ name: nameOf(check), ...result })));
}

/** A row for each result, by what it is about. */
export function resultsTable(results: readonly (CheckResult & { readonly name: string })[]): Table {
  return {
    type: 'table',
    name: 'Checks',
    columns: [{ title: 'Status' }, { title: 'Check' }, { title: 'Result' }],
    rows: results.map(({ name, status, message, remedy }) => ({
      cells: [{ mark: MARKS[status] }, name, message],
      remarks: remedy === null ? [] : [labelled('to do:', remedy)],
    })),
  };
}

function nameOf(check: DoctorFinding['check']): string {
  return check.replaceAll('_', ' ');
}

function labelled(label: string, text: string): Text {
  return [{ text: label, tone: 'strong' }, ` ${text}`];
}

/** What is registered for owner clients, by kind: what it tells, who owns it, and whom it reaches. */
function sharedSections(target: string | null, shared: Diagnosis['shared']): readonly Section[] {
  return [...groupedBy(shared, ({ type }) => type)].map(([type, own]) => {
    const { noun, shared: reach } = KINDS[type];
    const facts = own.map(({ name, client, address, writer }): readonly [string, Text] => {
      const owner = address ?? (writer === target ? 'unmanaged' : `target ${writer} writes those of its client`);
      return [name, `${client}, ${owner}`];
    });
    return section(type, `Registered ${noun.many}, each for ${reach?.reaches ?? ''}`, [{ type: 'facts', facts }]);
  });
}

/** The checks of `test --on customer` that lack nothing, and each thing that is missing with the checks that lack it. */
function customersSection(customers: Diagnosis['customers']): readonly Section[] {
  if (customers === null) return [];
  const ready = customers.flatMap(({ check, missing }) => (missing.length === 0 ? [check] : []));
  const gaps = [...new Set(customers.flatMap(({ missing }) => missing))];
  const lacking = (gap: string): string => {
    const checks = customers.flatMap(({ check, missing }) => (missing.includes(gap) ? [check] : []));
    return checks.length === customers.length ? 'every check' : checks.join(', ');
  };
  const facts = [
    ...(ready.length === 0 ? [] : [['ready', ready.join(', ')] as const]),
    ...gaps.flatMap((gap) => [['missing', lacking(gap)] as const, ['', labelled('needs:', gap)] as const]),
  ];
  return [section('customers', 'Checks of chatform test --on customer', [{ type: 'facts', facts }])];
}

function reportsSection(reports: Diagnosis['reports']): readonly Section[] {
  if (reports === null) return [];
  const { status, scope, missing } = reports;
  const needs = missing ?? `a token with ${scope}${status === 'untried' ? '; --reports asks one report to see' : ''}`;
  const said = status === 'ready' ? `the token has ${scope}` : labelled('needs:', needs);
  const title = 'Reports, for report, plan --demand, coverage --demand and apply --report-after';
  return [section('reports', title, [{ type: 'facts', facts: [[status, said]] }])];
}

function section(id: string, title: string, body: readonly Block[]): Section {
  return { type: 'section', id, title, body };
}

/** A row for each check. */
export function doctorRows({ checks }: Diagnosis): Table {
  return {
    type: 'table',
    columns: ['check', 'status', 'message', 'remedy'].map((title) => ({ title })),
    rows: checks.map(({ check, status, message, remedy }) => ({ cells: [check, status, message, remedy ?? ''] })),
  };
}

const RESULTS = { ok: 'passed', warning: 'reported', problem: 'failed', unchecked: 'unknown' } as const;

/** A case for each check, and the findings in the files. */
export function doctorFindings({ target, checks, summary }: Diagnosis, { at, diagnostics }: About): Findings {
  return {
    operation: 'doctor',
    scope: target === null ? [] : [target],
    at,
    check: 'the target was checked',
    failure: null,
    lines: [`${counted(summary.problem, 'problem')}, ${counted(summary.warning, 'warning')}.`],
    rules: [],
    findings: [
      ...checks.map(
        ({ check, status, message, remedy }): Found => ({
          rule: check,
          level: status === 'problem' ? 'error' : 'warning',
          result: RESULTS[status],
          subject: '',
          title: nameOf(check),
          lines: [
            `${target === null ? '' : `target ${target}, `}${nameOf(check)}: ${message}`,
            ...(remedy === null ? [] : [`to do: ${remedy}`]),
          ],
          item: null,
          place: null,
          fingerprint: check,
        }),
      ),
      ...diagnosticFindings(diagnostics),
    ],
    notes: [],
    fingerprints: 'chatformDoctor/v1',
  };
}
