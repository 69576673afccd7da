// The outputs of outcomes, one or many: the view, the findings, the table and the document.

import type { Diagnostic } from '../base/model.ts';
import type { Pieces } from '../base/pieces.ts';
import { findingCounts } from '../base/text.ts';
import type { Table, View } from '../view/blocks.ts';
import { diagnosticFindings, diagnosticNotes, diagnosticsSection } from '../view/diagnostics.ts';
import { type DocumentMembers, documentPieces, failureDocument, leaseDocument } from '../view/documents.ts';
import type { Findings } from '../view/findings.ts';
import type { Outputs } from '../view/report.ts';
import type { ExitCode, Failed, Operation, Outcome, TargetRow } from './operation.ts';

/** An operation, and what it was told. */
export interface Asked<Options, Value> {
  readonly operation: Operation<Options, Value>;
  readonly options: Options;
}

/** The row of an outcome, whether there is a value or not. */
export function rowOf<Options, Value>(
  { operation, options }: Asked<Options, Value>,
  outcome: Outcome<Value>,
): TargetRow {
  if (outcome.state !== 'known') {
    const { state, diagnostics } = outcome;
    // An error of the service begins with what it is, which the state says already.
    const message = inOneLine(outcome.message.replace(RegExp(`^${state}: `), ''), diagnostics);
    return { state, code: CODES[state], figures: {}, ...(message === state ? {} : { message }) };
  }
  const row = operation.row(outcome.value, outcome, options);
  const wrong = outcome.problems.find(({ level }) => level === 'error');
  return wrong === undefined || row.code !== 0 ? row : { ...row, code: 1, message: wrong.message };
}

/** The message with the first error in the files, for readers who do not see them. */
export function inOneLine(message: string, diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const where = first === undefined ? '' : `: ${first.place.file}:${first.place.line}, ${first.code}`;
  const count = findingCounts(errors).errors;
  const more = count > 1 ? `, and ${count - 1} more` : '';
  return `${message.replaceAll(/\s*\n\s*/g, '; ')}${where}${more}`;
}

const CODES: { readonly [state in Failed['state']]: ExitCode } = {
  absent: 0,
  failed: 1,
  unreachable: 1,
  'not begun': 1,
  locked: 4,
  outdated: 5,
  interrupted: 130,
};

export function viewOf<Options, Value>({ operation, options }: Asked<Options, Value>, outcome: Outcome<Value>): View {
  if (outcome.state === 'known') return operation.view(outcome.value, outcome, options);
  const { target, at, message, operation: name } = outcome;
  return {
    title: target === '' ? `chatform ${name}` : [`chatform ${name}: `, { text: target, as: 'name' }],
    mark: { sign: '!', word: outcome.state, tone: 'error' },
    result: [{ text: 'Error:', tone: 'error' }, ` ${message}`],
    about: [['Tried ', { text: at, as: 'time' }, '.']],
    body: [],
  };
}

export function findingsOf<Options, Value>(
  { operation, options }: Asked<Options, Value>,
  outcome: Outcome<Value>,
): Findings {
  if (outcome.state === 'known') return operation.findings(outcome.value, outcome, options);
  const { target, at, message, diagnostics, operation: name } = outcome;
  const isFound = operation.findsErrors === true;
  return {
    operation: name,
    scope: target === '' ? [] : [target],
    at,
    check: `${name} came to a result`,
    failure: `${target === '' ? '' : `${target}: `}${inOneLine(message, diagnostics)}`,
    lines: [],
    rules: [],
    findings: isFound ? diagnosticFindings(diagnostics) : [],
    notes: isFound ? [] : diagnosticNotes(diagnostics),
    fingerprints: null,
  };
}

/** Whether a command with this exit code failed: differences are a result. */
export function isErrored(code: ExitCode): boolean {
  return code !== 0 && code !== 2;
}

/** The document that `--json` prints of one outcome. */
export function documentOf<Options, Value>(
  asked: Asked<Options, Value>,
  outcome: Outcome<Value>,
  more: DocumentMembers = {},
): Pieces {
  const { diagnostics, requests } = outcome;
  if (outcome.state === 'known') {
    const { value } = outcome;
    const sent = requests === null ? {} : { requests_sent: requests };
    const members = asked.operation.document?.(value) ?? value;
    return documentPieces({ ...members, ...more, ...sent }, diagnostics, isErrored(rowOf(asked, outcome).code));
  }
  const { message, lease } = outcome;
  return lease === undefined ? failureDocument(message, diagnostics) : leaseDocument(lease, { errored: true, message });
}

export function pageOf<Options, Value>(
  asked: Asked<Options, Value>,
  outcome: Outcome<Value>,
  reader: 'page' | 'comment',
): View {
  if (outcome.state === 'known') {
    const own = asked.operation.page?.(outcome.value, outcome, reader, asked.options);
    if (own !== undefined) return own;
  }
  const view = withFindings(viewOf(asked, outcome), outcome.diagnostics);
  return outcome.state === 'known' ? view : (asked.operation.failedPage?.(view, asked.options) ?? view);
}

/** Of the findings about the files, those that a terminal shows before the view. */
export function besidesOf<Options, Value>(
  { operation }: Asked<Options, Value>,
  outcome: Outcome<Value>,
): readonly Diagnostic[] {
  const besides = outcome.state === 'known' ? operation.besides?.(outcome.value, outcome) : undefined;
  return besides ?? outcome.diagnostics;
}

/** A page and a comment have the findings about the files as well, which a terminal shows before. */
export function withFindings(view: View, diagnostics: readonly Diagnostic[]): View {
  return { ...view, body: [...view.body, ...diagnosticsSection(diagnostics)] };
}

function failedTable({ message }: Failed): Table {
  return { type: 'table', columns: [{ title: 'failed' }], rows: [{ cells: [message] }] };
}

/** What the writers take. */
export function outputsOf<Options, Value>(
  asked: Asked<Options, Value>,
  outcome: Outcome<Value>,
): Outputs<Outcome<Value>> {
  const { table } = asked.operation;
  // Each is made for the writer that asks for it, and is gone when that has written.
  return {
    outcomes: [outcome],
    get view() {
      return pageOf(asked, outcome, 'page');
    },
    comment: () => pageOf(asked, outcome, 'comment'),
    get findings() {
      return [findingsOf(asked, outcome)];
    },
    get table() {
      return outcome.state === 'known' ? table(outcome.value, outcome, asked.options) : failedTable(outcome);
    },
    document: () => documentOf(asked, outcome),
  };
}
