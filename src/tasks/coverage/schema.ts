// The JSON Schema (2020-12) of what `coverage --json` prints, for anyone's tools. A test holds documents against it, with no member to spare.

import {
  flag,
  formatVersion,
  list,
  map,
  oneOf,
  orNull,
  place,
  record,
  type Schema,
  text,
  whole,
} from '../../base/documents.ts';
import { LINT_IDS } from '../../base/model.ts';
import { PRIORITIES } from '../../kinds/priority.ts';
import { VIEWS } from './report.ts';

const number = (description: string): Schema => ({ type: 'number', minimum: 0, description });

const range = (description: string): Schema =>
  record(description, { low: whole('Least at any time of the week.'), high: whole('Most at any time of the week.') });

const span = {
  from: text('RFC 3339, in the zone of the report.'),
  to: text('RFC 3339; not part of it any more.'),
};

const spans = (description: string): Schema =>
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
  hours: oneOf('shifts: works by hours. none: has no hours. unknown: nobody says.', ['shifts', 'none', 'unknown']),
  weekly_hours: orNull(number('Hours that it works in this week; null without hours.')),
  timezone: orNull(text('Of its hours.')),
  timezone_assumed: flag('Its hours have no zone on the service.'),
});

const cover = record('The cover of one group.', {
  complete: flag('False: the files do not say who is in the group, so there may be others.'),
  people: range('Who is at work by their hours and can get chats, at the same time.'),
  slots: range('Chats that they can have at the same time.'),
  anytime: record('Who can get chats and has no hours, or none that are known: counted nowhere else.', {
    people: whole('How many.'),
    slots: whole('Chats at the same time.'),
  }),
  unsized: whole('Who can get chats, and of whom it is not known how many.'),
  uncovered_hours: number('Hours of the week in which nobody can get a chat.'),
  uncovered: spans('When nobody can get a chat; none as soon as somebody may be there at any time.'),
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
  lost: spans('When there was somebody, and is nobody.'),
  gained: spans('When there was nobody, and is somebody.'),
});

export function coverageSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform coverage',
    ...record('Who can get chats in a week, group by group.', {
      format_version: formatVersion,
      errored: flag('A finding has the level error: exit code 1.'),
      target: text('Name of the target.'),
      view: oneOf('desired: the files. live: the license. both: the license before and after an apply.', VIEWS),
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
      diagnostics: list('What is wrong with the files.', { type: 'object' }),
    }),
  };
}
