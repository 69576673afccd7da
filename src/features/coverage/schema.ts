// Schema of `coverage --json`.

import * as s from '../../base/documents.ts';
import { type Diagnostic, LINT_IDS } from '../../base/model.ts';
import { BARS } from '../../kinds/kind.ts';
import { PRIORITIES } from '../../kinds/priority.ts';
import { groupWaiting } from '../../plan/impact.ts';

const number = (description: string) => s.typed<number>({ type: 'number', minimum: 0, description });

const range = (description: string) =>
  s.record(description, {
    low: s.whole('Least at any time of the week.'),
    high: s.whole('Most at any time of the week.'),
  });

const span = {
  from: s.text('RFC 3339, in the zone of the report.'),
  to: s.text('RFC 3339; the end, which is not part of it.'),
};

const spans = (description: string) =>
  s.list(description, s.record('One time.', { ...span, text: s.text('For people, such as `Sun 00:00-08:00`.') }));

export const VIEWS = ['files', 'live', 'both'] as const;

const member = s.record(
  'One agent or bot.',
  {
    address: s.text('`<kind>/<key>`; `<kind>/<id>` of one that is not declared.'),
    name: s.text('What a person calls it.'),
    bot: s.flag('It is a bot.'),
    priority: s.oneOf('In this group.', PRIORITIES),
    barred: s.orNull(s.oneOf('Why no chats are assigned to it.', ['supervisor', ...BARS, 'no slots'])),
    slots: s.orNull(s.whole('Chats at the same time; null when it is not known.')),
    slots_assumed: s.flag('No file says it: what the service gives a new one.'),
    hours: s.oneOf('shifts: works by hours. none: has no hours. unknown: the hours are not known.', [
      'shifts',
      'none',
      'unknown',
    ]),
    weekly_hours: s.orNull(number('Hours that it works in this week; null without hours.')),
    timezone: s.orNull(s.text('Of its hours.')),
    timezone_assumed: s.flag('Its hours have no zone on the service.'),
  },
  { times: spans('Only with `--names`: when it is at work. Left out where it has no hours, or none that are known.') },
);

const cover = s.record('The cover of one group.', {
  complete: s.flag('False: the files do not say who is in the group, so there may be others.'),
  people: range('Agents and bots that are at work by their hours and can get chats, at the same time.'),
  agents: range('Of these, agents.'),
  bots: range('Of these, bots.'),
  slots: range('Chats that they can have at the same time.'),
  anytime: s.record('Who can get chats and has no hours, or none that are known: counted in no other member.', {
    people: s.whole('How many.'),
    slots: s.whole('Chats at the same time.'),
  }),
  unsized: s.whole('Who can get chats, and of whom it is not known how many.'),
  uncovered_hours: number('Hours of the week in which no agent or bot can get a chat.'),
  uncovered: spans('When no agent or bot can get a chat; none as soon as one of them may be there at any time.'),
  bots_only_hours: number('Hours of the week in which a bot can get a chat, and no agent can.'),
  bots_only: spans('When a bot can get a chat and no agent can; none as soon as an agent may be there at any time.'),
  pieces: s.list(
    'The whole week, in order.',
    s.record('A time in which nothing changes.', {
      ...span,
      people: s.whole('Agents and bots that are at work by their hours.'),
      bots: s.whole('Of these, bots.'),
      slots: s.whole('Chats that they can have at the same time.'),
    }),
  ),
  members: s.list('First who gets chats first.', member),
});

const group = s.record('One group.', {
  address: s.text('`group/<key>`; `group/<id>` of one that is not declared.'),
  name: s.text('What a person calls it.'),
  cover: s.orNull(cover),
  before: s.orNull(cover),
  lost: spans('Covered before, and not covered now.'),
  gained: spans('Not covered before, and covered now.'),
});

const hoursOfWeek = (description: string) => s.list(description, number('One hour of the week, from Monday 00:00 on.'));

const hourSpan = {
  text: s.text('For people, such as `Mon 18:00-20:00`.'),
  hours: s.list('Their places in the week.', s.whole('0 is Monday 00:00-01:00.')),
  chats: s.whole('Chats that began in them.'),
};

const demandGroup = s.record('The demand of one group, and its staff.', {
  address: s.text('`group/<key>`; `group/<id>` of one that is not declared.'),
  chats: s.whole('All chats, also continuous ones.'),
  busiest: s.orNull(
    s.record('The hour of the week with the most of them; null without one.', {
      text: s.text('For people.'),
      per_hour: number('Chats in such an hour on average.'),
    }),
  ),
  at_once: hoursOfWeek(
    'Chats at once on average: arrivals times mean length, without continuous chats, which need no slot.',
  ),
  slots: s.orNull({
    ...hoursOfWeek('Chats that those at work can have at once, on average over the hour; null when it is not known.'),
  }),
  waited: s.orNull({
    ...groupWaiting,
    description:
      'Of the chats that need a slot, how many waited in the queue and how many left it, as the reports measure it since 3.6; null where they do not, or not for the group alone.',
  }),
  unstaffed: s.list(
    'Hours with chats in which no agent or bot is scheduled.',
    s.record('Neighbouring hours of the week.', hourSpan),
  ),
  idle: s.list(
    'Hours in which an agent or bot is scheduled, and no chat came in all of these days. That does not prove that none will come.',
    s.record('Neighbouring hours of the week.', {
      ...hourSpan,
      looked_at: s.whole('How many such hours these days have.'),
      at_most_per_hour: number(
        'Chats in such an hour on average, at most, with 95 % certainty: three divided by `looked_at`.',
      ),
    }),
  ),
});

const demand = s.record('Only with `--demand`: demand by the reports, next to the staff of `view`.', {
  from: s.text('RFC 3339, in the zone of the report.'),
  to: s.text('RFC 3339; the end, which is not part of it.'),
  days: s.whole('How many days were looked at.'),
  groups: s.list('Those that could be read.', demandGroup),
  missing: s.list('What was not looked at, and why.', s.text('One sentence.')),
});

const dated = s.list(
  'Only where hours depend on the date: the next weeks in which they are not the usual ones.',
  s.record('One week.', {
    from: s.text('Monday, YYYY-MM-DD.'),
    to: s.text('Sunday, YYYY-MM-DD.'),
    dates: s.list('Days with other hours than usual.', s.text('YYYY-MM-DD.')),
    groups: s.list(
      'Groups whose cover is another one by that.',
      s.record('One of them.', {
        address: s.text('`group/<key>`.'),
        lost: spans('Covered in a usual week, and not in this one.'),
        gained: spans('Covered in this week, and not in a usual one.'),
        bots_only: spans('An agent can get chats in a usual week, and bots alone in this one.'),
      }),
    ),
  }),
);

export const coverage = s.record(
  'Who can get chats in a week, group by group.',
  {
    format_version: s.formatVersion,
    errored: s.flag('A finding has the level error: exit code 1.'),
    target: s.text('Name of the target.'),
    view: s.oneOf('files: the files. live: the license. both: the license before and after an apply.', VIEWS),
    timezone: s.text('IANA name of the zone in which the week is told.'),
    from: s.text('RFC 3339: Monday, when it begins.'),
    to: s.text('RFC 3339: a week later.'),
    groups: s.list('`cover` is null for one that is gone, `before` for one that is new or not compared.', group),
    findings: s.list(
      'What is odd.',
      s.record('One finding.', {
        id: s.oneOf('The lint.', LINT_IDS),
        level: s.oneOf('How much it matters.', ['error', 'warning']),
        message: s.text('One sentence.'),
        remedy: s.orNull(s.text('What would be right.')),
        source: s.orNull(s.place('Where it is declared.')),
      }),
    ),
    notes: s.list('What was assumed, and what is not known.', s.text('One sentence.')),
    requests_sent: s.map('Requests by action: each is billed.', s.whole('How many.')),
    diagnostics: s.list('What is wrong with the files.', s.typed<Diagnostic>({ type: 'object' })),
  },
  { demand, dated, day: s.text('Only where one day is asked about, YYYY-MM-DD: everything is about that day.') },
);

export const coverageSchema = s.published('chatform coverage', coverage);
