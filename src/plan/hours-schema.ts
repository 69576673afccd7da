// The part of a plan about days: where working hours depend on the date, those whose hours it makes.

import * as s from '../base/documents.ts';

const day = (description: string) =>
  s.typed<string>({ type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d$`, description });

export const hours = s.record(
  'Only where something depends on the date: the days whose hours an apply makes, or the day of what has `from` or `until`.',
  {
    days: s.list(
      'Seven days, in each zone in which they are others; one day where no hours depend on the date.',
      s.record('The days.', {
        timezones: s.list('The zones.', s.text('IANA name.')),
        from: day('The first day, YYYY-MM-DD.'),
        to: day('The last day, YYYY-MM-DD.'),
      }),
    ),
    next_change: s.orNull(
      s.record('When something is different, so that an apply has to make it; null when no later date is declared.', {
        date: day('The day, YYYY-MM-DD.'),
        timezone: s.text('IANA name of the zone of the day.'),
        at: s.text('RFC 3339: when the day begins.'),
      }),
    ),
  },
);
export const coming = s.list(
  'What begins or ends by date (`from`, `until`), and who is away or back in the next weeks; the next first.',
  s.record('One of them.', {
    address: s.address('Address of the rule, the person, or the one whose memberships have the member.'),
    member: s.orNull(s.text('Key of the member; null for a rule or a person.')),
    change: s.oneOf('What happens.', ['begins', 'ends', 'away', 'back']),
    date: day('The first day on which it is so, YYYY-MM-DD.'),
    timezone: s.text('IANA name of the zone of the day.'),
  }),
);
export type PlannedComing = s.ValueOf<typeof coming>;

export type PlannedHours = s.ValueOf<typeof hours>;
