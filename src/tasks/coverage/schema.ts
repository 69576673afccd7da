// The schema of what `coverage --json` prints.

import {
  flag,
  formatVersion,
  list,
  map,
  oneOf,
  orNull,
  place,
  published,
  record,
  text,
  typed,
  whole,
} from '../../base/documents.ts';
import { type Diagnostic, LINT_IDS } from '../../base/model.ts';
import { PRIORITIES } from '../../kinds/priority.ts';

const number = (description: string) => typed<number>({ type: 'number', minimum: 0, description });

const range = (description: string) =>
  record(description, { low: whole('Least at any time of the week.'), high: whole('Most at any time of the week.') });

const span = {
  from: text('RFC 3339, in the zone of the report.'),
  to: text('RFC 3339; the end, which is not part of it.'),
};

const spans = (description: string) =>
  list(description, record('One time.', { ...span, text: text('For people, such as `Sun 00:00-08:00`.') }));

const member = record('One agent or bot.', {
  address: text('`<kind>/<key>`; `<kind>/<id>` of one that is not declared.'),
  name: text('What a person calls it.'),
  priority: oneOf('In this group.', PRIORITIES),
  barred: orNull(
    oneOf('Why no chats are assigned to it.', ['supervisor', 'suspended', 'awaiting approval', 'no slots']),
  ),
  slots: orNull(whole('Chats at the same time; null when it is not known.')),
  slots_assumed: flag('No file says it: what the service gives a new one.'),
  hours: oneOf('shifts: works by hours. none: has no hours. unknown: the hours are not known.', [
    'shifts',
    'none',
    'unknown',
  ]),
  weekly_hours: orNull(number('Hours that it works in this week; null without hours.')),
  timezone: orNull(text('Of its hours.')),
  timezone_assumed: flag('Its hours have no zone on the service.'),
});

const cover = record('The cover of one group.', {
  complete: flag('False: the files do not say who is in the group, so there may be others.'),
  people: range('Who is at work by their hours and can get chats, at the same time.'),
  slots: range('Chats that they can have at the same time.'),
  anytime: record('Who can get chats and has no hours, or none that are known: counted in no other member.', {
    people: whole('How many.'),
    slots: whole('Chats at the same time.'),
  }),
  unsized: whole('Who can get chats, and of whom it is not known how many.'),
  uncovered_hours: number('Hours of the week in which no agent or bot can get a chat.'),
  uncovered: spans('When no agent or bot can get a chat; none as soon as one of them may be there at any time.'),
  pieces: list(
    'The whole week, in order.',
    record('A time in which nothing changes.', {
      ...span,
      people: whole('Who is at work by their hours.'),
      slots: whole('Chats that they can have at the same time.'),
    }),
  ),
  members: list('First who gets chats first.', member),
});

const group = record('One group.', {
  address: text('`group/<key>`; `group/<id>` of one that is not declared.'),
  name: text('What a person calls it.'),
  cover: orNull(cover),
  before: orNull(cover),
  lost: spans('Covered before, and not covered now.'),
  gained: spans('Not covered before, and covered now.'),
});

export const coverage = record('Who can get chats in a week, group by group.', {
  format_version: formatVersion,
  errored: flag('A finding has the level error: exit code 1.'),
  target: text('Name of the target.'),
  view: oneOf('desired: the files. live: the license. both: the license before and after an apply.', [
    'desired',
    'live',
    'both',
  ]),
  timezone: text('IANA name of the zone in which the week is told.'),
  from: text('RFC 3339: Monday, when it begins.'),
  to: text('RFC 3339: a week later.'),
  groups: list('`cover` is null for one that is gone, `before` for one that is new or not compared.', group),
  findings: list(
    'What is odd.',
    record('One finding.', {
      id: oneOf('The lint.', LINT_IDS),
      level: oneOf('How much it matters.', ['error', 'warning']),
      message: text('One sentence.'),
      remedy: orNull(text('What would be right.')),
      source: orNull(place('Where it is declared.')),
    }),
  ),
  notes: list('What was assumed, and what is not known.', text('One sentence.')),
  requests_sent: map('Requests by action: each is billed.', whole('How many.')),
  diagnostics: list('What is wrong with the files.', typed<Diagnostic>({ type: 'object' })),
});

export const coverageSchema = published('chatform coverage', coverage);
