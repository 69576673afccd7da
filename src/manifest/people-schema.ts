// The JSON Schema of `agents_from:`, which names tables of people and says what their columns are.

import type { Schema } from '../base/documents.ts';
import { MEMBERSHIP } from '../kinds/index.ts';
import { prioritySchema } from '../kinds/priority.ts';
import type { Path } from '../yaml/places.ts';
import { formSchemas } from '../yaml/table.ts';
import { PEOPLE } from './sections.ts';

const COLUMN: Schema = { type: 'string', minLength: 1 };

/** A reference to a column in a text that is made of several. */
const COLUMN_IN = /\$\{([^{}\n]*)\}/g;

/** Whether a text of the manifest names columns of a table of people: `${Given}` in it is no variable. */
export function namesColumns(path: Path): boolean {
  const [section, ...rest] = path.filter((step) => typeof step === 'string');
  return section === PEOPLE && ['email', 'columns', 'left'].includes(rest[0] ?? '');
}

/** The columns of a text such as `${Given} ${Family}`; a text without a reference is the name of one. */
export function columnsIn(text: string): readonly string[] {
  const found = [...text.matchAll(COLUMN_IN)].map(([, name = '']) => name);
  return found.length === 0 ? [text] : found;
}

/** The values of these columns in the text; empty where each of them is. */
export function joinedIn(text: string, cellOf: (column: string) => string): string {
  const columns = columnsIn(text);
  if (columns[0] === text || columns.every((column) => cellOf(column) === '')) return cellOf(columns[0] ?? '');
  const joined = text.replaceAll(COLUMN_IN, (_, column: string) => cellOf(column));
  return joined.replaceAll(/ {2,}/g, ' ').trim();
}

/** The column with the e-mail address, where the manifest names none. */
export const EMAIL = 'email';

export const SEPARATOR = ';';

const groupsColumn: Schema = {
  type: ['string', 'object'],
  minLength: 1,
  description: 'Column with the keys or the names of the groups: `sales; support:first`.',
  additionalProperties: false,
  required: ['column'],
  properties: {
    column: { ...COLUMN, description: 'Column with the keys or the names of the groups.' },
    priority: { ...prioritySchema, default: 'normal', description: 'Priority in a group that has none in the cell.' },
    separator: { ...COLUMN, default: SEPARATOR, description: 'What stands between two groups.' },
  },
};

/** `$defs` of `agents_from:`. `fields`: the schemas of the fields of an agent, and of its days. */
export function peopleDefinitions(fields: Schema): Schema {
  const columns = Object.keys(fields).map((field) => [
    field,
    field === MEMBERSHIP.left.field ? groupsColumn : { ...COLUMN, description: `Column with the \`${field}\`.` },
  ]);
  const mapping = { type: 'object', additionalProperties: false };
  const about =
    'Field -> name of the column that has it, or several in a text: `${Given} ${Family}`. An empty cell counts as no value.';
  const defaults = 'Fields of every person, unless the row has a value.';
  return {
    table_columns: { ...mapping, description: about, properties: Object.fromEntries(columns) },
    table_defaults: { ...mapping, description: defaults, properties: fields },
  };
}

const table: Schema = {
  type: 'object',
  description: 'A table of people: each row of a CSV file is an agent.',
  additionalProperties: false,
  required: ['csv', 'columns'],
  properties: {
    csv: { type: 'string', minLength: 1, description: 'The CSV file, relative to the file that names it.' },
    ...formSchemas,
    email: { ...COLUMN, default: EMAIL, description: 'Column with the e-mail address, the key of the agent.' },
    columns: { $ref: '#/$defs/table_columns' },
    left: {
      type: 'object',
      description:
        'How a row says that the person left: the agent is suspended, and the rest of the row does not count.',
      additionalProperties: false,
      required: ['column', 'value'],
      properties: {
        column: { ...COLUMN, description: 'Column that says it.' },
        value: {
          type: ['string', 'array'],
          minLength: 1,
          minItems: 1,
          items: COLUMN,
          description:
            'What stands there in the row of a person who left, or several such texts; one that looks alike counts, also in other capitals.',
        },
      },
    },
    leavers: {
      enum: ['release', 'suspend'],
      default: 'release',
      description:
        'What happens to an owned agent whom nothing declares any more. `suspend` counts as a delete in `max_deletes` and `max_delete_percent`.',
    },
    defaults: { $ref: '#/$defs/table_defaults' },
  },
};

export const peopleSchema: Schema = { ...table, type: ['object', 'array', 'null'], minItems: 1, items: table };

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
    ...formSchemas,
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
