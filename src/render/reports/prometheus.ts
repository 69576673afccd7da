// Gauges of a drift check for the textfile collector of node_exporter. Absent differences are 0, so that alerts end; a check that failed has no other gauge than that.

import { DRIFT_KINDS, STATUSES } from '../../base/difference.ts';
import { SEVERITIES } from '../../base/model.ts';
import type { DriftCheck, DriftReport } from '../../tasks/drift/report.ts';

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

function seen(report: DriftReport): string {
  const { target, summary } = report;
  const one = (value: number): readonly Sample[] => [{ labels: { target }, value }];
  return [
    gauge(
      'chatform_drift_items',
      'Differences between the license and the repository, without ignored ones.',
      itemSamples(report),
    ),
    gauge('chatform_drift_ignored', 'Differences that an ignore rule covers.', one(summary.ignored)),
    gauge('chatform_drift_fights', 'Differences that come back after each apply.', one(summary.fights)),
    gauge('chatform_drift_in_sync', '1 when no difference is as severe as fail_on.', one(report.in_sync ? 1 : 0)),
    gauge('chatform_drift_requests', 'Requests of the last check.', one(report.requests)),
  ].join('');
}

export function driftPrometheus(look: DriftCheck): string {
  const isSeen = look.outcome === 'seen';
  const { target, at } = isSeen ? look.report : look;
  const one = (value: number): readonly Sample[] => [{ labels: { target: target ?? '' }, value }];
  return [
    ...(isSeen ? [seen(look.report)] : []),
    gauge(
      'chatform_drift_last_look_timestamp_seconds',
      'When the last check was made, successful or not.',
      one(Date.parse(at) / 1000),
    ),
    gauge('chatform_drift_last_look_success', '1 when the license could be read.', one(isSeen ? 1 : 0)),
  ].join('');
}
