// A drift check as CSV: a line for each difference, ignored ones included. A check that failed has one line that says why.

import type { Json } from '../../base/model.ts';
import type { DriftCheck, DriftItem } from '../../tasks/drift/report.ts';
import { plain, value } from '../../view/plain.ts';
import { csvText } from '../../view/writers/csv.ts';

const HEAD = [
  ...['severity', 'status', 'kind', 'address', 'name', 'path', 'applied', 'live', 'declared', 'reason'],
  ...['file', 'line', 'applied_at', 'first_seen', 'seen_count', 'returned', 'fight', 'ignored'],
];

export function driftCsv(look: DriftCheck): string {
  if (look.outcome === 'failed') return csvText([['failed'], [plain(look.message)]]);
  return csvText([HEAD, ...[...look.report.items, ...look.report.ignored].map(row)]);
}

function row(item: DriftItem): readonly (string | number)[] {
  const { severity, status, kind, address, name, path, base, live, desired, reason, source, ignored } = item;
  return [
    ...[severity, status, kind, address, name, path.join('.')],
    ...[base, live, desired].map(cell),
    ...[reason ?? '', source?.file ?? '', source?.line ?? '', item.applied_at ?? '', item.first_seen],
    ...[item.seen_count, item.returned, String(item.fight), ignored?.reason ?? ''],
  ];
}

/** A text as it is, another value as JSON. */
function cell(json: Json): string {
  return json === null ? '' : typeof json === 'string' ? json : value(json);
}
