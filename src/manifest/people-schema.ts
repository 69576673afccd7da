// The JSON Schema of `agents_from:`, which names a table of people and says what its columns are.

import type { Schema } from '../base/documents.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { prioritySchema } from '../kinds/priority.ts';

const COLUMN: Schema = { type: 'string', minLength: 1 };

/** `fields`: the schemas of the fields of an agent, and of its days. */
export function peopleSchema(fields: Schema): Schema {
  const columns = Object.keys(fields).map((field) => [
    field,
    field === MEMBERSHIP.left.field ? groupsColumn : { ...COLUMN, description: `Column with the \`${field}\`.` },
  ]);
  return {
    type: ['object', 'null'],
    description: 'A table of people: each row of a CSV file is an agent.',
    additionalProperties: false,
    required: ['csv', 'columns'],
    properties: {
      csv: { type: 'string', minLength: 1, description: 'The CSV file, relative to the file that names it.' },
      email: {
        ...COLUMN,
        default: EMAIL,
        description: 'Column with the e-mail address, which is the key of the agent.',
      },
      columns: {
        type: 'object',
        description: 'Field -> name of the column that has it. An empty cell counts as no value.',
        additionalProperties: false,
        properties: Object.fromEntries(columns),
      },
      left: {
        type: 'object',
        description:
          'How a row says that the person left: the agent is suspended, and the rest of the row does not count.',
        additionalProperties: false,
        required: ['column', 'value'],
        properties: {
          column: { ...COLUMN, description: 'Column that says it.' },
          value: {
            ...COLUMN,
            description:
              'What stands there in the row of a person who left; a text that looks alike counts, also in other capitals.',
          },
        },
      },
      leavers: {
        enum: ['release', 'suspend'],
        default: 'release',
        description:
          'What happens to an owned agent whom nothing declares any more. `suspend` counts as a delete in `max_deletes` and `max_delete_percent`.',
      },
      defaults: {
        type: 'object',
        description: 'Fields of every person, unless the row has a value.',
        additionalProperties: false,
        properties: fields,
      },
    },
  };
}

/** The column with the e-mail address, where the manifest names none. */
export const EMAIL = 'email';

export const SEPARATOR = ';';

const groupsColumn: Schema = {
  type: ['string', 'object'],
  minLength: 1,
  description: 'Column with the keys of the groups: `sales; support:first`.',
  additionalProperties: false,
  required: ['column'],
  properties: {
    column: { ...COLUMN, description: 'Column with the keys of the groups.' },
    priority: { ...prioritySchema, default: 'normal', description: 'Priority in a group that has none in the cell.' },
    separator: { ...COLUMN, default: SEPARATOR, description: 'What stands between two groups.' },
  },
};

const column = (name: string, description: string): Schema => ({ ...COLUMN, default: name, description });

/** Of `absences:`. */
export const absencesSchema: Schema = {
  type: ['object', 'null'],
  description:
    'Days on which people are away, or have other hours: each row of a CSV file, or each event of a calendar, is an absence.',
  additionalProperties: false,
  properties: {
    csv: { type: 'string', minLength: 1, description: 'The CSV file, relative to the file that names it.' },
    ics: {
      type: 'string',
      minLength: 1,
      description:
        'The iCalendar file instead, relative to the file that names it. Who is away is an attendee of the event, or named in its summary.',
    },
    columns: {
      type: 'object',
      description: 'What a row says -> name of the column that has it.',
      additionalProperties: false,
      properties: {
        who: column('who', 'Column with the e-mail address of the agent.'),
        from: column('from', 'Column with the first day, such as 2026-12-24.'),
        to: column('to', 'Column with the last day; an empty cell means one day.'),
        hours: column('hours', 'Column with hours that take the place of the usual ones: `10:00-14:00; 15:00-17:00`.'),
      },
    },
  },
};
