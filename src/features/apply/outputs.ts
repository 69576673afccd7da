// What an apply is besides its view: the row of its target, its document, its findings, and a row for each step.

import { assertNever } from '../../base/errors.ts';
import { few } from '../../base/text.ts';
import type { About, ExitCode, TargetRow } from '../../many/operation.ts';
import { inSync, isNothing } from '../../many/plans/plans.ts';
import type { TargetState } from '../../many/schema.ts';
import type { Table } from '../../view/blocks.ts';
import { diagnosticFindings } from '../../view/diagnostics.ts';
import { customerMember, type DocumentMembers } from '../../view/documents.ts';
import type { Finding, Findings } from '../../view/findings.ts';
import { vetoFindings } from '../plan/findings.ts';
import { customerFindings } from '../test/customer/view.ts';
import { codeOfView } from '../test/customer/words.ts';
import { mismatchLine } from './mismatch.ts';
import {
  type AppliedTarget,
  type ApplyEnd,
  causeText,
  codeOfEnd,
  doneIn,
  type EndedApply,
  errorText,
} from './report.ts';

const STATES: { readonly [outcome in EndedApply['outcome']]: TargetState } = {
  done: 'applied',
  failed: 'failed',
  partial: 'in part',
  unsettled: 'in part',
  interrupted: 'interrupted',
};

/** What was done as asked is a line of a table. */
export function applyRow({ plan, end, customers }: AppliedTarget): TargetRow {
  const { add, change, destroy } = plan.summary;
  const figures = { add, change, destroy };
  switch (end.type) {
    case 'unchanged':
      return { ...inSync(plan), code: 0, figures, requests: 0, isQuiet: true };
    case 'withheld': {
      const message = few(plan.withheld.map(({ guard }) => guard));
      return { state: 'withheld', code: 3, figures, requests: null, message };
    }
    case 'mismatch':
      return { state: 'outdated', code: 5, figures: {}, requests: null, message: mismatchLine(end.file, end.mismatch) };
    case 'ended': {
      const code = codeOfEnd(end.report);
      const ended = { code: code === 0 ? codeOfCustomers(customers) : code, figures };
      if (end.report.outcome === 'done') {
        if (ended.code === 0)
          return { ...ended, ...(isNothing(plan) ? inSync(plan) : { state: 'applied' }), isQuiet: true };
        return { ...ended, state: 'differs' };
      }
      const message = causeText(end.report);
      if (code === 4) return { ...ended, state: 'locked', message, isQuiet: true };
      return { ...ended, figures: doneIn(plan, end.report), state: STATES[end.report.outcome], message };
    }
    default:
      return assertNever(end);
  }
}

function codeOfCustomers(customers: AppliedTarget['customers']): ExitCode {
  if (customers === null) return 0;
  if ('failure' in customers) return 1;
  return codeOfView(customers.view);
}

export function applyMembers({ plan, end, customers }: AppliedTarget): DocumentMembers {
  switch (end.type) {
    case 'unchanged':
      return { plan };
    case 'withheld':
      return { message: withheldText(plan), plan };
    case 'mismatch': {
      const { file, digest, created_at, mismatch } = end;
      return { message: mismatchLine(file, mismatch), approved: { digest, created_at }, mismatch, plan };
    }
    case 'ended': {
      const seen =
        customers === null
          ? {}
          : 'failure' in customers
            ? { customers: { errored: true, message: untestedText(customers.failure) } }
            : { customers: customerMember(customers.view, customers.requests) };
      return { run: end.run, ...end.report, ...seen, plan };
    }
    default:
      return assertNever(end);
  }
}

function untestedText(failure: string): string {
  return `what customers see could not be verified: ${failure}`;
}

function withheldText({ withheld }: AppliedTarget['plan']): string {
  return `withheld: ${withheld.map(({ message }) => message).join('; ')}`;
}

/** Why not all of it is as the plan says; null where it is. */
export function failureIn({ plan, end, customers }: AppliedTarget): string | null {
  switch (end.type) {
    case 'unchanged':
      return null;
    case 'withheld':
      return withheldText(plan);
    case 'mismatch':
      return mismatchLine(end.file, end.mismatch);
    case 'ended':
      if (end.report.outcome !== 'done') return causeText(end.report);
      return customers !== null && 'failure' in customers ? untestedText(customers.failure) : null;
    default:
      return assertNever(end);
  }
}

/** Null where nothing was to be done. */
export function newsIn(applied: AppliedTarget): readonly string[] | null {
  const { plan, end, customers } = applied;
  if (end.type === 'withheld') return plan.withheld.map(({ message }) => message);
  const failure = failureIn(applied) ?? seenBy(customers)?.failure ?? null;
  if (failure !== null) return [failure];
  return isNothing(plan) ? null : [];
}

/** What the customers see of it, where that was asked for and could be read. */
function seenBy(customers: AppliedTarget['customers']): Findings | null {
  return customers !== null && 'view' in customers ? customerFindings(customers.view, { diagnostics: [] }) : null;
}

export function applyFindings(command: string, applied: AppliedTarget, { at, diagnostics }: About): Findings {
  const { plan, end, customers } = applied;
  const seen = seenBy(customers);
  const failure = failureIn(applied);
  return {
    operation: command,
    scope: [plan.target],
    at,
    check: 'the plan was carried out',
    failure: failure === null ? (seen?.failure ?? null) : `${plan.target}: ${failure}`,
    lines: seen?.lines ?? [],
    rules: [],
    findings: [
      ...(end.type === 'withheld' ? vetoFindings(plan) : missedFindings(end)),
      ...(seen?.findings ?? []),
      ...diagnosticFindings(diagnostics),
    ],
    notes: seen?.notes ?? [],
    fingerprints: null,
  };
}

/** A finding for each step that was not done, or does not show, and each secret that is not where it belongs. */
function missedFindings(end: ApplyEnd): readonly Finding[] {
  if (end.type !== 'ended') return [];
  const { results, unsettled, lost_secrets: lost, rescued_secrets: rescued } = end.report;
  const finding = (rule: string, subject: string, text: string): Finding => ({
    ...{ rule, level: 'error', result: 'failed', subject, title: `${rule}: ${subject}` },
    ...{ lines: [`${subject}: ${text}`], item: null, place: null, fingerprint: null },
  });
  return [
    ...results
      .filter(({ status }) => status !== 'done')
      .map(({ step, address, status, error, because }) =>
        finding(
          'not-done',
          address ?? step,
          error === null ? `${status}${because === null ? '' : ` (${because})`}` : errorText(error),
        ),
      ),
    ...unsettled.map(({ address, reading }) => finding('not-readable', address, reading)),
    ...lost.map(({ address, reason }) => finding('secret-lost', address, reason)),
    ...rescued.map(({ address, path, reason }) => finding('secret-rescued', address, `in ${path}: ${reason}`)),
  ];
}

const COLUMNS = ['step', 'address', 'status', 'id', 'message'];

/** Steps, then what customers see. */
export function applyTable({ plan, end, customers }: AppliedTarget): Table {
  const rows: (readonly (string | number)[])[] = [];
  if (end.type === 'withheld')
    for (const { guard, addresses, message } of plan.withheld)
      rows.push([guard, addresses.join(' '), 'withheld', '', message]);
  if (end.type === 'mismatch') rows.push(['', '', 'outdated', '', mismatchLine(end.file, end.mismatch)]);
  if (end.type === 'ended') {
    for (const { step, address, status, id, error, because } of end.report.results)
      rows.push([step, address ?? '', status, id ?? '', error === null ? (because ?? '') : errorText(error)]);
    for (const { address, reading } of end.report.unsettled) rows.push(['', address, 'not readable', '', reading]);
  }
  const seen = seenBy(customers);
  for (const { title, result, lines } of seen?.findings ?? []) rows.push([title, '', result, '', lines[0] ?? '']);
  return { type: 'table', columns: COLUMNS.map((title) => ({ title })), rows: rows.map((cells) => ({ cells })) };
}
