// The report formats of `history`, and its CSV. Nothing in the CSV is cut.

import type { RunEntry, RunHistory } from '../../tasks/history/schema.ts';
import { csvText } from '../../view/writers/csv.ts';
import { htmlPage } from '../../view/writers/html.ts';
import { type HistoryReading, historyView } from '../views/history.ts';

export const historyRenderers = {
  html: (reading: HistoryReading) => htmlPage(historyView(reading)),
  csv: ({ history }: HistoryReading) => historyCsv(history),
} as const;

export const HISTORY_REPORTS = Object.keys(historyRenderers) as readonly (keyof typeof historyRenderers)[];

const ABOUT = ['run', 'at', 'ended_at', 'command', 'outcome', 'target'];
const BY = ['user', 'host', 'ci', 'actor', 'repository', 'request', 'commit', 'job'] as const;
const ACTIONS = ['added', 'changed', 'replaced', 'destroyed', 'unknown', 'failed', 'adopted', 'imported'];
const FIELDS = ['address', 'action', 'field', 'before', 'after', 'unknown'];

/** A line for each run; with objects, a line for each field of each object. */
function historyCsv({ runs }: RunHistory): string {
  const isByField = runs.some(({ objects }) => objects !== undefined);
  const head = [...ABOUT, ...BY, ...(isByField ? FIELDS : [...ACTIONS, 'values', 'undo'])];
  return csvText([head, ...(isByField ? runs.flatMap(fieldRows) : runs.map(runRow))]);
}

function aboutCells({ id, at, ended_at: end, command, outcome, target, by }: RunEntry): readonly string[] {
  return [id, at, end ?? '', command ?? '', outcome, target ?? '', ...BY.map((member) => by?.[member] ?? '')];
}

function runRow(entry: RunEntry): readonly (string | number)[] {
  const counts = ACTIONS.map((action) => entry.changes[action] ?? 0);
  return [...aboutCells(entry), ...counts, entry.values, entry.undo.possible];
}

function fieldRows(entry: RunEntry): readonly (readonly string[])[] {
  const about = aboutCells(entry);
  const ofOrder =
    entry.order === undefined
      ? []
      : [
          [
            ...about,
            '',
            'reordered',
            'order',
            JSON.stringify(entry.order.before),
            JSON.stringify(entry.order.after),
            '',
          ],
        ];
  const ofObjects = (entry.objects ?? []).flatMap(({ address, action, fields }) =>
    fields.length === 0
      ? [[...about, address, action, '', '', '', '']]
      : fields.map(({ field, before, after, unknown }) => [
          ...[...about, address, action, field],
          ...[JSON.stringify(before), JSON.stringify(after), unknown.join(' ')],
        ]),
  );
  return [...ofObjects, ...ofOrder];
}
