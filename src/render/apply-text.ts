// What happens during an apply, and what became of it, in; lines for a person out. Decides nothing.

import type { ApplyReport } from '../apply/apply.ts';
import type { Ended } from '../apply/ended.ts';
import type { ApplyEvent } from '../apply/input.ts';
import { InternalError } from '../base/errors.ts';
import { counted } from '../base/text.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';

const DONE = { create: 'created', update: 'changed', delete: 'destroyed', transition: 'changed' } as const;

function subject(step: Step): string {
  return plain(step.address ?? `${step.type} ${step.object}`);
}

function endedLine({ step, outcome }: Ended, paint: Paint): string {
  switch (outcome.status) {
    case 'done':
      return `${subject(step)}: ${DONE[step.operation]}`;
    case 'failed':
      return `${subject(step)}: ${paint('error', 'failed')}: ${plain(outcome.error.message)}${debugId(outcome.error.failure.debugId)}`;
    case 'skipped':
      return `${subject(step)}: ${paint('warning', 'skipped')}, because this failed: ${plain(outcome.because)}`;
    case 'not-sent':
      return `${subject(step)}: ${paint('warning', 'not sent')}, because the run was stopped`;
  }
}

function debugId(id: string | null): string {
  return id === null ? '' : ` (x-debug-id ${plain(id)})`;
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

function count(plan: Plan, report: ApplyReport, verb: 'create' | 'update' | 'delete'): number {
  const incomplete = new Set(
    report.results.filter(({ outcome }) => outcome.status !== 'done').flatMap(({ step }) => step.serves),
  );
  return plan.resource_changes.filter(
    ({ address, change }) => (change.actions as readonly string[]).includes(verb) && !incomplete.has(address),
  ).length;
}

/** The commands that carry out a plan. */
export type Carrying = 'apply' | 'undo';

const CARRIED = {
  apply: {
    done: 'Apply complete.',
    unsettled: 'Applied, but not settled.',
    partial: 'Applied in part.',
    failed: 'Nothing was applied.',
  },
  undo: {
    done: 'Undo complete.',
    unsettled: 'Undone, but not settled.',
    partial: 'Undone in part.',
    failed: 'Nothing was undone.',
  },
} as const;

function headline(report: ApplyReport, command: Carrying, paint: Paint): string {
  const words = CARRIED[command];
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

function messageOf(failure: Error): string {
  return failure instanceof InternalError ? `this is a bug in chatform: ${failure.message}` : failure.message;
}

const OUT_OF_TIME =
  'The time of the run is up (run_timeout, --timeout): nothing more was sent. The next run goes on where this one stopped.';

/** The end of an apply: what was done, what was not, and what to do about it. */
export function reportText(
  plan: Plan,
  report: ApplyReport,
  requests: { readonly [action: string]: number },
  paint: Paint,
  command: Carrying = 'apply',
): string {
  const counts = `${count(plan, report, 'create')} added, ${count(plan, report, 'update')} changed, ${count(plan, report, 'delete')} destroyed`;
  const adopted = plan.summary.adopt === 0 ? '' : `, ${plan.summary.adopt} adopted`;
  const missed = report.results.filter(({ outcome }) => outcome.status !== 'done');
  const absent = new Set(missed.flatMap(({ step }) => (step.operation === 'create' ? [step.address] : [])));
  const manual = plan.notes.filter(({ kind, address }) => kind === 'manual-step' && !absent.has(address));
  const total = Object.values(requests).reduce((sum, times) => sum + times, 0);
  const actions = Object.entries(requests)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([action, times]) => `${times} ${action}`);
  const sent = `${counted(total, 'request')}, ${(report.duration / 1000).toFixed(1)} s.`;
  return [
    ...(report.failure === null
      ? []
      : [`${paint('error', 'The run was stopped by an error:')} ${plain(messageOf(report.failure))}`, '']),
    ...(missed.length === 0
      ? []
      : [paint('error', 'Not done:'), ...missed.map((result) => `  ${endedLine(result, paint)}`), '']),
    ...(report.refused === null
      ? []
      : [
          `${paint('error', 'The lease of the target was lost, so nothing more was sent:')} ${plain(report.refused)}`,
          '',
        ]),
    ...(report.unsettled.length === 0
      ? []
      : [
          paint('warning', 'Written, but not readable yet:'),
          ...report.unsettled.map(({ address, reading }) => `  ${plain(address)}: ${plain(reading)}`),
          '  Plan again in a few minutes: what has settled by then is no longer a difference.',
          '',
        ]),
    ...(report.rewritten.length === 0
      ? []
      : [
          paint('strong', 'Memberships that the service kept, and that were removed from their other side:'),
          ...report.rewritten.map((address) => `  ${plain(address)}`),
          '',
        ]),
    ...(report.lostSecrets.length === 0
      ? []
      : [
          paint('error', 'Secrets that nobody knows now; get others with `chatform secrets rotate`:'),
          ...report.lostSecrets.map(({ address, reason }) => `  ${plain(address)}: ${plain(reason)}`),
          '',
        ]),
    ...(report.rescuedSecrets.length === 0
      ? []
      : [
          paint('error', 'Secrets that could not be kept, and wait in a file; then run `chatform secrets rescue`:'),
          ...report.rescuedSecrets.map(
            ({ address, path, reason }) => `  ${plain(address)}: in ${plain(path)}, because ${plain(reason)}`,
          ),
          '',
        ]),
    ...(manual.length === 0
      ? []
      : [
          paint('strong', 'Left for you:'),
          ...manual.map(({ address, message }) => `  ${plain(address)}: ${message}`),
          '',
        ]),
    ...(report.timedOut ? [paint('warning', OUT_OF_TIME), ''] : []),
    `${headline(report, command, paint)} ${report.outcome === 'failed' && report.failure === null ? '' : `${counts}${adopted}. `}${sent}`,
    ...(actions.length === 0 ? [] : [paint('faint', `requests: ${actions.join(', ')}`)]),
    '',
  ].join('\n');
}
