// The part of a plan about days: where working hours depend on the date, those whose hours it makes.

import * as s from '../base/documents.ts';

const day = (description: string) =>
  s.typed<string>({ type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d$`, description });

export const hours = s.record('Only where working hours depend on the date: the days whose hours an apply makes.', {
  days: s.list(
    'Seven days, in each zone in which they are others.',
    s.record('Seven days.', {
      timezones: s.list('The zones.', s.text('IANA name.')),
      from: day('The first day, YYYY-MM-DD.'),
      to: day('The last day, YYYY-MM-DD.'),
    }),
  ),
  next_change: s.orNull(
    s.record('When the hours are others, so that an apply has to make them; null when no later date is declared.', {
      date: day('The day, YYYY-MM-DD.'),
      timezone: s.text('IANA name of the zone of the day.'),
      at: s.text('RFC 3339: when the day begins.'),
    }),
  ),
});
export type PlannedHours = s.ValueOf<typeof hours>;
