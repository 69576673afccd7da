// Schema of `report --json`.

import * as s from '../../base/documents.ts';
import type { Diagnostic } from '../../base/model.ts';
import { DISTRIBUTIONS, REPORT_NAMES, UNITS } from '../../demand/forms.ts';

const number = (description: string) => s.typed<number>({ type: 'number', minimum: 0, description });

export const report = s.record('A report of the service as a table.', {
  format_version: s.formatVersion,
  errored: s.flag('Always false: a report that could not be read is no table.'),
  target: s.text('Name of the target.'),
  report: s.oneOf('Its name.', REPORT_NAMES),
  distribution: s.orNull(s.oneOf('What one bucket is; null where the report has none.', DISTRIBUTIONS)),
  timezone: s.text('IANA name of the zone of its buckets.'),
  from: s.text('RFC 3339, in that zone.'),
  to: s.text('RFC 3339; the end, which is not part of it.'),
  groups: s.list('The groups that it is about; none for all of them.', s.address('`group/<key>`, or `group/<id>`.')),
  agents: s.list('The agents that it is about; none for all of them.', s.address('`agent/<key>`, or `agent/<id>`.')),
  tags: s.list('Chats with one of these tags; none for all chats.', s.text('A tag.')),
  total: s.orNull(
    number(
      'What the service itself says, in most reports the chats; null where it says nothing, or where it would tell a figure of a person.',
    ),
  ),
  dimensions: s.list(
    'What the keys of a row are, in their order.',
    s.text('Such as `day`, `tag`, `agent` or `greeting`.'),
  ),
  columns: s.list(
    'The numbers of a row, in their order.',
    s.record('One number.', { name: s.text('As the service calls it.'), unit: s.oneOf('Its unit.', UNITS) }),
  ),
  rows: s.list(
    'One for each bucket, tag, agent, greeting or answer, by their keys.',
    s.record('One row.', {
      keys: s.list('One for each dimension.', s.text('Groups and agents by their addresses.')),
      values: s.map(
        'By the name of the column, without figures of persons that are not shown.',
        number('Zero where the service says nothing; an average of nothing is left out.'),
      ),
    }),
  ),
  sums: s.map(
    'Of all rows: sums and averages. Without the columns that do not add up, or that would tell a figure of a person.',
    number('The number; an average of nothing is left out.'),
  ),
  notes: s.list('What is left out, and why.', s.text('One sentence.')),
  requests_sent: s.map('Requests by action: each is billed.', s.whole('How many.')),
  diagnostics: s.list('What is wrong with the files.', s.typed<Diagnostic>({ type: 'object' })),
});
export type ShownReport = s.ContentOf<typeof report>;

export const reportSchema = s.published('chatform report', report);
