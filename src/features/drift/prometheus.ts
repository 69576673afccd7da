// Gauges of a drift check for the textfile collector of node_exporter. Absent differences are 0, so that alerts end; a check that failed has no other gauge than that.

import { DRIFT_KINDS, STATUSES } from '../../base/difference.ts';
import { SEVERITIES } from '../../base/model.ts';
import type { Outcome } from '../../many/operation.ts';
import type { ReportWriter } from '../../view/report.ts';
import type { DriftReport } from './schema.ts';

interface Sample {
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
}

function labelled({ labels, value }: Sample, name: string): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}{${pairs.join(',')}} ${value}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function gauge(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return '';
  const lines = samples.map((sample) => labelled(sample, name)).join('');
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines}`;
}

function itemSamples({ target, items }: DriftReport): readonly Sample[] {
  return STATUSES.flatMap((status) =>
    SEVERITIES.flatMap((severity) =>
      DRIFT_KINDS.map((kind) => ({
        labels: { target, status, severity, kind },
        value: items.filter((item) => item.status === status && item.severity === severity && item.kind === kind)
          .length,
      })),
    ),
  );
}

export const report: ReportWriter<Outcome<DriftReport>> = {
  write: ({ outcomes }) => driftPrometheus(outcomes),
  begins: /^# HELP chatform_/,
};

/** A gauge has a sample for each target. */
function driftPrometheus(outcomes: readonly Outcome<DriftReport>[]): string {
  const reports = outcomes.flatMap((outcome) => (outcome.state === 'known' ? [outcome.value] : []));
  const each = (measure: (report: DriftReport) => number): readonly Sample[] =>
    reports.map((report) => ({ labels: { target: report.target }, value: measure(report) }));
  const all = (measure: (outcome: Outcome<DriftReport>) => number): readonly Sample[] =>
    outcomes.map((outcome) => ({ labels: { target: outcome.target }, value: measure(outcome) }));
  return [
    gauge(
      'chatform_drift_items',
      'Differences between the license and the repository, without ignored ones.',
      reports.flatMap(itemSamples),
    ),
    gauge(
      'chatform_drift_ignored',
      'Differences that an ignore rule covers.',
      each(({ summary }) => summary.ignored),
    ),
    gauge(
      'chatform_drift_in_sync',
      '1 when no difference is as severe as fail_on.',
      each(({ in_sync }) => (in_sync ? 1 : 0)),
    ),
    gauge(
      'chatform_drift_requests',
      'Requests of the last check.',
      each(({ requests }) => requests),
    ),
    gauge(
      'chatform_drift_last_check_timestamp_seconds',
      'When the last check was made, successful or not.',
      all(({ at }) => Date.parse(at) / 1000),
    ),
    gauge(
      'chatform_drift_last_check_success',
      '1 when the license could be read.',
      all(({ state }) => (state === 'known' ? 1 : 0)),
    ),
  ].join('');
}
