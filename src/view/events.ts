// The events of `--events`: one JSON object for each thing that a command finds, plans and does, with Terraform's names where it has one.

import type { ApplyEvent } from '../apply/input.ts';
import type { StepResult } from '../apply/outcome.ts';
import { type Diagnostic, FORMAT_VERSION, type Version } from '../base/model.ts';
import { counted } from '../base/text.ts';
import type { RunOutcome } from '../ledger/events.ts';
import type { Plan, ResourceChange, Step } from '../plan/plan.ts';
import type { EventLine } from './events-schema.ts';
import { plain } from './plain.ts';
import { stepName, summaryText } from './words/plan.ts';

export function versionEvent(command: string, chatform: string, target: string, apiVersion: Version): EventLine {
  return {
    '@level': 'info',
    '@message': `chatform ${chatform}`,
    type: 'version',
    format_version: FORMAT_VERSION,
    chatform,
    command,
    target,
    api_version: apiVersion,
  };
}

export function diagnosticEvents(diagnostics: readonly Diagnostic[]): readonly EventLine[] {
  return diagnostics.map(({ code, severity, place, message, remedy }) => ({
    '@level': severity === 'error' ? 'error' : 'warn',
    '@message': plain(message),
    type: 'diagnostic',
    diagnostic: { code, severity, summary: message, detail: remedy, place: { ...place } },
  }));
}

/** Why a command ended early. */
export function failureEvent(message: string): EventLine {
  return { '@level': 'error', '@message': plain(message.replace(/\n\s*/g, '; ')), type: 'failure', message };
}

/** The change of each resource, the counts, and what is withheld. */
export function planEvents(plan: Plan): readonly EventLine[] {
  const { add, change, destroy, adopt } = plan.summary;
  return [
    ...plan.resource_changes.map(plannedEvent),
    {
      '@level': 'info',
      '@message': plain(summaryText(plan).join(' ')),
      type: 'change_summary',
      changes: { add, change, remove: destroy, adopt, operation: 'plan' },
      requests: plan.requests.total,
    },
    ...plan.withheld.map(
      ({ guard, addresses, message, remedy }): EventLine => ({
        '@level': 'error',
        '@message': plain(message),
        type: 'withheld',
        guard,
        addresses,
        remedy,
      }),
    ),
  ];
}

function plannedEvent({ address, type, name, change, moved, danger, source, adopting }: ResourceChange): EventLine {
  return {
    '@level': 'info',
    '@message': `${plain(address)}: ${change.actions.join(', ')}`,
    type: 'planned_change',
    change: {
      resource: { addr: address, resource_type: type, name },
      action: change.actions.join(','),
      actions: change.actions,
      moved: moved === null ? null : { ...moved },
      adopting,
      danger,
      source: source === null ? null : { ...source },
    },
  };
}

/** How many steps of an apply have ended. */
export interface ApplyProgress {
  readonly ended: number;
  readonly total: number;
}

export function applyEvents(event: ApplyEvent, { ended, total }: ApplyProgress): readonly EventLine[] {
  switch (event.type) {
    case 'sending':
      return event.steps.map((step) => ({
        '@level': 'info',
        '@message': `${stepName(step)}: ${step.operation}...`,
        type: 'apply_start',
        hook: hook(step),
      }));
    case 'ended':
      return [
        ...event.results.map(endedEvent),
        {
          '@level': 'info',
          '@message': `${ended} of ${counted(total, 'write')}`,
          type: 'apply_progress',
          ended,
          total,
        },
      ];
    case 'waiting':
      return [
        {
          '@level': 'info',
          '@message': `waiting for propagation, ${Math.round(event.elapsed / 1000)} s`,
          type: 'waiting',
          elapsed_seconds: Math.round(event.elapsed / 1000),
          unsettled: event.unsettled.map(({ address }) => address),
        },
      ];
  }
}

function hook({ id, address, type, object, operation, serves }: Step) {
  return { step: id, resource: { addr: address, resource_type: type, id: object }, action: operation, serves };
}

function endedEvent({ step, outcome }: StepResult): EventLine {
  switch (outcome.status) {
    case 'done':
      return {
        '@level': 'info',
        '@message': `${stepName(step)}: ${step.operation} complete`,
        type: 'apply_complete',
        hook: hook(step),
      };
    case 'failed': {
      const { type, debugId, ambiguous } = outcome.error.failure;
      return {
        '@level': 'error',
        '@message': `${stepName(step)}: ${plain(outcome.error.message)}`,
        type: 'apply_errored',
        hook: hook(step),
        error: { type, message: outcome.error.message, debug_id: debugId, ambiguous },
      };
    }
    case 'skipped':
    case 'not-sent': {
      const because = outcome.status === 'skipped' ? outcome.because : null;
      return {
        '@level': 'warn',
        '@message': `${stepName(step)}: ${because === null ? 'not sent' : `skipped because of ${plain(because)}`}`,
        type: 'apply_skipped',
        hook: hook(step),
        because,
      };
    }
  }
}

interface EndedRun {
  readonly outcome: RunOutcome;
  readonly results: readonly { readonly status: StepResult['outcome']['status'] }[];
  readonly unsettled: readonly { readonly address: string }[];
  readonly duration_ms: number;
}

export function summaryEvent(report: EndedRun, exitCode: number): EventLine {
  const count = (status: StepResult['outcome']['status']): number =>
    report.results.filter((each) => each.status === status).length;
  return {
    '@level': report.outcome === 'done' ? 'info' : 'error',
    '@message': `${report.outcome}: ${counted(count('done'), 'write')} done, ${count('failed')} failed`,
    type: 'summary',
    outcome: report.outcome,
    exit_code: exitCode,
    steps: {
      done: count('done'),
      failed: count('failed'),
      skipped: count('skipped'),
      not_sent: count('not-sent'),
    },
    unsettled: report.unsettled.map(({ address }) => address),
    duration_seconds: Math.round(report.duration_ms / 100) / 10,
  };
}
