// The changes of a plan as rows, one for each field that differs and one for each change without a field; and their counts for GitLab.

import type { Json } from '../../base/model.ts';
import type { Outcome } from '../../many/operation.ts';
import type { Plan, ResourceChange } from '../../plan/plan.ts';
import type { Table } from '../../view/blocks.ts';
import type { ReportWriter } from '../../view/report.ts';
import { actionOf } from '../../view/words/plan.ts';

const COLUMNS = ['action', 'kind', 'address', 'name', 'field', 'before', 'after', 'reach', 'danger', 'file', 'line'];

export function planTable({ resource_changes: changes }: Plan): Table {
  const rows = changes.flatMap((change) => {
    const action = actionOf(change);
    return action === null ? [] : rowsOf(change, action).map((cells) => ({ cells }));
  });
  return { type: 'table', columns: COLUMNS.map((title) => ({ title })), rows };
}

function rowsOf(change: ResourceChange, action: string): readonly (readonly (string | number)[])[] {
  const { type, address, name, fields, danger, source, moved } = change;
  const [before, after] = moved === null ? ['', ''] : [`position ${moved.from}`, `position ${moved.to}`];
  const differing =
    fields.length === 0
      ? [['', before, after, '']]
      : fields.map(({ field, before, after, reach }) => [field, cellOf(before), cellOf(after), reach]);
  return differing.map((field) => [
    ...[action, type, address, name, ...field, danger.join(' ')],
    ...[source?.file ?? '', source?.line ?? ''],
  ]);
}

/** A text as it is, another value as JSON. */
export function cellOf(json: Json): string {
  return json === null ? '' : typeof json === 'string' ? json : JSON.stringify(json);
}

/** For `artifacts: { reports: { terraform: FILE } }`: the sums of all plans. Without one the widget says that the report failed, and not that nothing changes. */
export const terraform: ReportWriter<Outcome<{ readonly plan: Plan }>> = {
  write: ({ outcomes }) => {
    const summaries = outcomes.flatMap((outcome) => (outcome.state === 'known' ? [outcome.value.plan.summary] : []));
    if (summaries.length < outcomes.length) return '{}\n';
    const sum = (name: 'add' | 'change' | 'destroy'): number =>
      summaries.reduce((total, each) => total + each[name], 0);
    return `${JSON.stringify({ create: sum('add'), update: sum('change'), delete: sum('destroy') })}\n`;
  },
  begins: /^\{(?:"create":\d+,"update":\d+,"delete":\d+)?\}\s*$/,
};
