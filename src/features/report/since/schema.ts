// Schema and types of `report --since --json`: what changed in the chats of each group that an apply touched, since that apply.

import * as s from '../../../base/documents.ts';
import type { Address, Diagnostic } from '../../../base/model.ts';

export const FOLLOWED = ['arrivals', 'taken', 'unanswered', 'first_response', 'ratings'] as const;
export type Followed = (typeof FOLLOWED)[number];

const RESULTS = ['rises', 'falls', 'unchanged', 'too-few'] as const;
const number = (description: string) => s.typed<number>({ type: 'number', minimum: 0, description });
const address = s.typed<Address>(s.text('`<kind>/<key>`; `<kind>/<id>` of what is not declared.'));

const figure = s.record('One measure in the same hours of one week.', {
  chats: s.whole(
    'arrivals: chats. taken, unanswered: such chats. first_response: chats with a response. ratings: good ones.',
  ),
  of: s.orNull(s.whole('Of how many: chats, or rated chats; null for arrivals and first_response.')),
  seconds: s.orNull(number('Mean time until the first response; null for other measures, and without a response.')),
});
export type FollowedFigure = s.ValueOf<typeof figure>;

const measured = s.record('One measure of a group.', {
  measure: s.oneOf(
    'What is measured. first_response: the mean time until it. ratings: the share of good ones.',
    FOLLOWED,
  ),
  result: s.oneOf('too-few: the numbers are too few to tell.', RESULTS),
  now: figure,
  before: s.list('The weeks before, the latest first.', figure),
  probability: s.orNull(
    number(
      'How likely numbers like these, or ones further away, are when nothing changed; null where it was not tested.',
    ),
  ),
  adjusted: s.orNull(number('The same for all tests together (Holm): below the level, something changed.')),
});
export type FollowedMeasure = s.ValueOf<typeof measured>;

const explanation = s.record('Something that may explain a change.', {
  address: s.orNull(address),
  text: s.text('One sentence without a full stop.'),
});
export type ChangeExplanation = s.ValueOf<typeof explanation>;

const group = s.record('One group that the apply touched.', {
  address,
  id: s.orNull(s.objectId("The service's id; null where the ledger does not know it.")),
  name: s.text('What a person calls it.'),
  result: s.oneOf('too-few: no measure could be tested.', ['changed', 'unchanged', 'too-few']),
  measures: s.list('In a fixed order.', measured),
  fits: s.list('Changes of the apply that fit what changed.', explanation),
  others: s.list('What else could explain it, as far as it shows.', explanation),
});
export type FollowedGroup = s.ValueOf<typeof group>;

const span = {
  from: s.text('RFC 3339, in the zone of the report.'),
  to: s.text('RFC 3339; the end, which is not part of it.'),
};

const following = s.record('The chats since an apply, next to the same hours of the four weeks before.', {
  format_version: s.formatVersion,
  errored: s.flag('Always false: a failure has a document of its own.'),
  target: s.text('Name of the target.'),
  run: s.record('The run that is followed.', {
    id: s.text('Its id.'),
    command: s.orNull(s.text('Its command; null when it was killed.')),
    at: s.text('When it ended: RFC 3339, in the zone of the report.'),
  }),
  timezone: s.text('IANA name.'),
  window: s.record('The whole hours since.', {
    ...span,
    hours: s.whole('How many; 0 while there is nothing to compare yet.'),
    wanted: s.orNull(s.whole('How many were asked for; null for all that the reports show.')),
    next: s.orNull(s.text('When the reports show the next hour: RFC 3339; null when none is missing.')),
  }),
  weeks: s.list('The same hours before, the latest first.', s.record('One week.', span)),
  interrupted: s.flag('It ended before the reports showed all hours that were asked for.'),
  level: s.typed<number>({
    type: 'number',
    description: 'How often, at most, it says that something changed when nothing did.',
  }),
  summary: s.record('Groups by result.', {
    changed: s.whole('How many.'),
    unchanged: s.whole('How many.'),
    too_few: s.whole('How many.'),
  }),
  groups: s.list('Sorted by address.', group),
  others: s.list('What could explain a change of any group.', s.text('One sentence without a full stop.')),
  notes: s.list('What was not looked at.', s.text('One sentence without a full stop.')),
  undo: s.text('The command that takes the run back.'),
  requests_sent: s.map('Requests by report: each is billed.', s.whole('How many.')),
  diagnostics: s.list('Findings in the files.', s.typed<Diagnostic>({ type: 'object' })),
});
export type FollowReport = s.ContentOf<typeof following>;

export const followSchema = s.published('chatform report --since', following);
