// The terminal text of an apply: its progress, its end, and the rehearsal on a copy.

import type { ApplyReport } from '../../apply/apply.ts';
import type { ApplyEvent } from '../../apply/input.ts';
import type { KeptForm, StepResult } from '../../apply/outcome.ts';
import { InternalError } from '../../base/errors.ts';
import { differingTexts } from '../../base/forms.ts';
import { sumOf } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import type { Rehearsal } from '../../run/rehearse.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, value } from '../../view/plain.ts';
import { actionCounts, block, capped, type RequestCounts } from '../../view/terminal/layout.ts';
import { fewWithin, within } from '../../view/terminal/narrow.ts';
import { shortId } from '../words/history.ts';
import { byMessage } from '../words/plan.ts';

const DONE = { create: 'created', update: 'changed', delete: 'destroyed', transition: 'changed' } as const;

/** What a step writes, by its address where it has one. */
export function stepName({ address, type, object }: Step): string {
  return plain(address ?? `${type} ${object}`);
}

function endedLine({ step, outcome }: StepResult, paint: Paint): string {
  const name = stepName(step);
  switch (outcome.status) {
    case 'done':
      return `${name}: ${DONE[step.operation]}`;
    case 'failed': {
      const { debugId } = outcome.error.failure;
      const debug = debugId === null ? '' : ` (x-debug-id ${plain(debugId)})`;
      return `${name}: ${paint('error', 'failed')}: ${plain(outcome.error.message)}${debug}`;
    }
    case 'skipped':
      return `${name}: ${paint('warning', 'skipped')}, because this failed: ${plain(outcome.because)}`;
    case 'not-sent':
      return `${name}: ${paint('warning', 'not sent')}, because the run was stopped`;
  }
}

/** Progress lines of one event; none for an event that says nothing new. */
export function progressLines(event: ApplyEvent, paint: Paint): readonly string[] {
  switch (event.type) {
    case 'sending':
      return [];
    case 'ended':
      return event.results.map((result) => endedLine(result, paint));
    case 'waiting': {
      const seconds = Math.round(event.elapsed / 1000);
      if (seconds === 0) return [];
      return [paint('faint', `Still waiting for propagation... [${seconds}s elapsed]`)];
    }
  }
}

/** The commands that carry out a plan. */
export type ApplyCommand = 'apply' | 'destroy' | 'undo';

const ENDINGS = {
  apply: {
    done: 'Apply complete.',
    unsettled: 'Applied, but not settled.',
    partial: 'Applied in part.',
    failed: 'Nothing was applied.',
  },
  destroy: {
    done: 'Destroy complete.',
    unsettled: 'Destroyed, but not settled.',
    partial: 'Destroyed in part.',
    failed: 'Nothing was destroyed.',
  },
  undo: {
    done: 'Undo complete.',
    unsettled: 'Undone, but not settled.',
    partial: 'Undone in part.',
    failed: 'Nothing was undone.',
  },
} as const;

function headline(report: ApplyReport, command: ApplyCommand, paint: Paint): string {
  const words = ENDINGS[command];
  switch (report.outcome) {
    case 'done':
      return report.verified ? paint('add', words.done) : `${paint('add', words.done)} Not verified.`;
    case 'unsettled':
      return paint('warning', words.unsettled);
    case 'interrupted':
      return paint('warning', 'Interrupted.');
    case 'partial':
      return paint('error', words.partial);
    case 'failed':
      return paint('error', report.failure === null ? words.failed : 'Stopped.');
  }
}

/** What was done, by the resources all of whose steps succeeded. */
function doneText(plan: Plan, missed: readonly StepResult[]): string {
  const incomplete = new Set(missed.flatMap(({ step }) => step.serves));
  const count = (verb: 'create' | 'update' | 'delete'): number =>
    plan.resource_changes.filter(
      ({ address, change }) => (change.actions as readonly string[]).includes(verb) && !incomplete.has(address),
    ).length;
  const adopted = plan.summary.adopt === 0 ? '' : `, ${plan.summary.adopt} adopted`;
  return `${count('create')} added, ${count('update')} changed, ${count('delete')} destroyed${adopted}`;
}

function messageOf(failure: Error): string {
  return plain(failure instanceof InternalError ? `this is a bug in chatform: ${failure.message}` : failure.message);
}

const OUT_OF_TIME =
  'The run reached its time limit (run_timeout, --timeout) and sent nothing more. The next run continues where this one stopped.';

/** Lines of one sort; the document has all of them. */
const MOST = 10;

/** How an apply is told: as which command, by which run, and whether with all of its requests. */
interface Telling {
  readonly command?: ApplyCommand;
  readonly run?: string;
  readonly details?: boolean;
}

/** Why not all of a plan was done, in one line. */
export function causeText({ failure, refused, results, unsettled, outcome }: ApplyReport): string {
  if (failure !== null) return messageOf(failure);
  const failed = results.flatMap((result) =>
    result.outcome.status === 'failed' ? [`${stepName(result.step)}: ${plain(result.outcome.error.message)}`] : [],
  );
  const late = unsettled.map(({ address, reading }) => `${plain(address)}: not readable yet: ${plain(reading)}`);
  const lost = refused === null ? [] : [`the lease was lost, so nothing more was sent: ${plain(refused)}`];
  const [first, ...others] = [...failed, ...lost, ...late];
  if (first === undefined) return outcome === 'interrupted' ? 'interrupted' : 'not all of the plan was done';
  return others.length === 0 ? first : `${first} (and ${others.length} more)`;
}

/** The end of an apply: what was done, what was not, and what to do about it. */
export function reportText(
  plan: Plan,
  report: ApplyReport,
  requests: RequestCounts,
  paint: Paint,
  { command = 'apply', run, details = false }: Telling = {},
): string {
  const { failure, refused } = report;
  const missed = report.results.filter(({ outcome }) => outcome.status !== 'done');
  const absent = new Set(missed.flatMap(({ step }) => (step.operation === 'create' ? [step.address] : [])));
  const manual = plan.notes.filter(({ kind, address }) => kind === 'manual-step' && !absent.has(address));
  const isUntouched = report.outcome === 'failed' && failure === null;
  return [
    ...(failure === null ? [] : [`${paint('error', 'The run was stopped by an error:')} ${messageOf(failure)}`, '']),
    ...block(
      paint('error', 'Not done:'),
      missed.map((result) => endedLine(result, paint)),
    ),
    ...(refused === null
      ? []
      : [`${paint('error', 'The lease of the target was lost, so nothing more was sent:')} ${plain(refused)}`, '']),
    ...block(paint('warning', 'Written, but not readable yet:'), [
      ...report.unsettled.map(({ address, reading }) => `${plain(address)}: ${plain(reading)}`),
      ...(report.unsettled.length === 0
        ? []
        : ['Plan again in a few minutes: a value that has settled by then is no longer a difference.']),
    ]),
    ...block(
      paint('strong', 'Kept by the service in another form, which is no difference while it stays so:'),
      details ? report.forms.flatMap(formLines) : capped(report.forms.flatMap(formLines), MOST),
    ),
    ...block(
      paint('strong', 'Memberships that the service kept, and that were removed from the other side:'),
      report.rewritten.map(plain),
    ),
    ...block(
      paint('error', 'Secrets that are lost; run `chatform secrets rotate` to get new ones:'),
      report.lostSecrets.map(({ address, reason }) => `${plain(address)}: ${plain(reason)}`),
    ),
    ...block(
      paint('error', 'Secrets in a rescue file; correct the secrets sink, then run `chatform secrets rescue`:'),
      report.rescuedSecrets.map(
        ({ address, path, reason }) => `${plain(address)}: in ${plain(path)}, because ${plain(reason)}`,
      ),
    ),
    ...block(
      paint('strong', 'Manual steps:'),
      [...byMessage(manual)].map(([message, addresses]) => `${addresses.map(plain).join(', ')}: ${message}`),
    ),
    ...(report.timedOut ? [paint('warning', OUT_OF_TIME), ''] : []),
    `${headline(report, command, paint)} ${isUntouched ? '' : `${doneText(plan, missed)}. `}${counted(sumOf(requests), 'request')} to ${plain(plan.target)}, ${(report.duration / 1000).toFixed(1)} s.`,
    ...requestsLine(requests, details ? undefined : paint.width).map((line) => paint('faint', line)),
    ...(report.outcome === 'interrupted' ? [interruptedText(report, command, run)] : []),
    '',
  ].join('\n');
}

/** The next step. An undo that was interrupted is gone on with, and not taken back. */
function interruptedText({ results }: ApplyReport, command: ApplyCommand, run: string | undefined): string {
  const isUndoable =
    run !== undefined && command !== 'undo' && results.some(({ outcome }) => outcome.status === 'done');
  const back = isUndoable ? `, or \`chatform undo ${shortId(run)}\` to take back what was done` : '';
  return `Run the same command again for the rest${back}.`;
}

/** A line for each text that is kept in another form, with the spelling to write. */
function formLines({ address, field, written, read, place }: KeptForm): readonly string[] {
  const at = place === null ? '' : ` at ${plain(place.file)}:${place.line}:${place.column}`;
  return (differingTexts(written, read) ?? []).map(([given, kept]) => {
    const [before, now] = [value(given), value(kept)];
    return `${plain(address)}: ${field} ${before} is kept as ${now}; write ${now}${at}`;
  });
}

/** None without requests. */
function requestsLine(requests: RequestCounts, width: number | undefined): readonly string[] {
  const [title, actions] = ['requests: ', actionCounts(requests)];
  return actions.length === 0 ? [] : [title + fewWithin(actions, actions.length, within(width, title))];
}

/** The result of a plan's rehearsal on a copy of the license. */
export function rehearsalText(
  { passed, withheld, failed, left, diagnostics, requests }: Rehearsal,
  paint: Paint,
): string {
  if (withheld)
    return `${paint('error', 'Not rehearsed:')} the plan is withheld, so an apply would not start either.\n`;
  if (passed) {
    const sent = counted(sumOf(requests), 'request');
    return `${paint('add', 'Rehearsed')} on a copy of the license: ${sent}, and nothing is left to do.\n`;
  }
  const lines = [
    ...failed.map(({ step, reason }) => `${plain(step)}: ${plain(reason)}`),
    ...(left === null
      ? ['no plan can be made afterwards']
      : left.map((step) => `still to do afterwards: ${plain(step)}`)),
    ...diagnostics.map(({ code, message }) => `${code}: ${plain(message)}`),
  ];
  return block(paint('error', 'The rehearsal on a copy of the license failed:'), capped(lines, MOST)).join('\n');
}
