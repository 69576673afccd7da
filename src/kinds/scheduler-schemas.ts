// Schemas of working hours: those of a week, and what a manifest may write in their place: names, calendars and dates.

import type { Schema } from '../base/documents.ts';
import { WEEKDAYS } from '../base/week.ts';

/** Of the hours of a week, as the service has them. */
export const weeklySchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    timezone: {
      type: 'string',
      description:
        "IANA time zone, such as Europe/Warsaw; of an agent, an empty one is the agent's own. Needed as soon as the schedule has an item; in 3.3 an agent's own zone applies.",
    },
    schedule: {
      type: 'array',
      description: 'Working hours; a day may appear more than once.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['day', 'enabled', 'start', 'end'],
        properties: {
          day: { enum: WEEKDAYS, description: 'Day of the week.' },
          enabled: { type: 'boolean', description: 'Whether these hours are worked.' },
          start: { type: 'string', description: 'Start of work, HH:MM.', examples: ['09:00'] },
          end: { type: 'string', description: 'End of work, HH:MM.', examples: ['17:00'] },
        },
      },
    },
  },
} as const satisfies Schema;

const { start, end } = weeklySchema.properties.schedule.items.properties;

/** A day, as manifests write it. */
export const date = (description: string, example: string): Schema => ({
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: `${description}, such as ${example}.`,
  examples: [example],
});

/** Days with other hours than usual, in a manifest. */
export const exceptionsSchema: Schema = {
  type: 'array',
  description: 'Dates with other hours than usual: `- { date: 2026-12-24, closed: true }`.',
  items: {
    type: 'object',
    description: 'One date, or all dates from one to another, with the hours of each of them.',
    additionalProperties: false,
    properties: {
      date: date('The date', '2026-12-24'),
      from: date('The first date', '2026-12-27'),
      to: {
        type: 'string',
        pattern: '^(\\d{4}-)?\\d{2}-\\d{2}$',
        description: 'The last date, such as 2026-12-31; after `every`, a day of the year, such as 01-02.',
        examples: ['2026-12-31', '01-02'],
      },
      every: {
        type: 'string',
        pattern: '^\\d{2}-\\d{2}$',
        description: 'A day of each year, such as 12-25; the first one where there is a `to`.',
        examples: ['12-25'],
      },
      closed: { type: 'boolean', description: 'No hours are worked.' },
      hours: {
        type: ['string', 'array'],
        minItems: 1,
        description:
          'Hours in place of the usual ones, also on a day that has none: `10:00-14:00`, or a list of such spans.',
        items: {
          type: ['string', 'object'],
          additionalProperties: false,
          required: ['start', 'end'],
          properties: { start, end },
        },
        examples: ['10:00-14:00'],
      },
    },
  },
};

/** Of an entry of `calendars:`. */
export const calendarSchema: Schema = {
  ...exceptionsSchema,
  type: ['array', 'object'],
  description: `${exceptionsSchema.description} Or a file with the events of a calendar: \`{ ics: holidays.ics }\`.`,
  additionalProperties: false,
  required: ['ics'],
  properties: {
    ics: {
      type: 'string',
      minLength: 1,
      description: 'The iCalendar file, relative to the file that names it. Each event closes its days or hours.',
      examples: ['holidays.ics'],
    },
  },
};

const dated = {
  calendars: {
    type: ['array', 'string'],
    minLength: 1,
    description: 'Keys of `calendars:` whose dates apply; of two that name one date, the later one counts.',
    items: { type: 'string', minLength: 1 },
  },
  except: { ...exceptionsSchema, description: 'Dates of its own, which count more than those of calendars.' },
} satisfies Schema;

const { schedule: list } = weeklySchema.properties;

/** Hours of a week in a manifest. */
const weekSchema = {
  ...list,
  type: ['object', 'array'],
  description:
    'Working hours: days with their hours, such as `mon-fri: 09:00-17:00`, `sat: [09:00-12:00, 13:00-15:00]` or `sun: closed`. Or a list, as the service has them, in which a day may appear more than once.',
  additionalProperties: {
    type: ['string', 'array'],
    description:
      'Hours of these days: HH:MM-HH:MM, a list of such spans, or `closed`. A day that is not named is closed also.',
    items: { type: 'string' },
    minItems: 1,
    examples: ['09:00-17:00', 'closed'],
  },
} satisfies Schema;

/** Of an entry of `schedules:`. */
export const namedScheduleSchema: Schema = {
  ...weeklySchema,
  description: 'Working hours that entries use by their key: `work_scheduler: office`.',
  required: ['schedule'],
  properties: { ...weeklySchema.properties, schedule: weekSchema, ...dated },
};

/** Of the hours of an agent or a bot in a manifest. */
export const writtenSchema: Schema = {
  ...weeklySchema,
  type: ['object', 'string'],
  minLength: 1,
  properties: {
    ...weeklySchema.properties,
    schedule: {
      ...weekSchema,
      type: ['object', 'array', 'string'],
      minLength: 1,
      description: `${weekSchema.description} Or a key of \`schedules:\`, to add dates to its hours.`,
    },
    ...dated,
  },
};
