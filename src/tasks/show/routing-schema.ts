// What `explain --json` prints, as schema and types.

import {
  anyOf,
  type ContentOf,
  counts,
  flag,
  formatVersion,
  list,
  map,
  oneOf,
  only,
  orNull,
  place,
  published,
  record,
  text,
  typed,
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import type { Diagnostic } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { PRIORITIES } from '../../kinds/priority.ts';
import { visitor } from '../../plan/plan.ts';
import type { Explanation } from '../../routing/explain.ts';
import type { Recipient } from '../../staff/recipients.ts';

export const groups = (description: string) =>
  list(description, text('Address of a group; of one that nothing declares, its id and name.'));

export const rule = text('Address of a rule; the id of one that nothing declares.');

export const side = oneOf('The rules that are asked: those of the files, or those of the license.', [
  'desired',
  'live',
]);
export type RuleSide = ValueOf<typeof side>;

const OUTCOMES = ['passed', 'failed', 'open'] as const;

const test = record('One test.', {
  name: orNull(text('What the manifest calls it.')),
  when: visitor,
  visitor: text('The visitor in words.'),
  source: place('Where it stands.'),
  expected: groups('Exactly these groups; none when no rule may match.'),
  expected_rule: orNull(rule),
  got: groups('The groups that the visitor reaches.'),
  decided_by: orNull(rule),
  outcome: oneOf('open: it depends on what a rule leaves to the license.', OUTCOMES),
  depends_on: orNull(rule),
});
export type TestedRoute = ValueOf<typeof test>;

const tested = record('The results of the routing tests.', {
  format_version: formatVersion,
  errored: flag('Not all tests passed: exit code 1.'),
  target: text('Name of the target.'),
  on: side,
  summary: record('How many tests.', counts('Of these.', OUTCOMES)),
  tests: list('In the order of the manifest.', test),
  requests_sent: map('Requests by action: each is billed.', whole('How many.')),
  diagnostics: list(
    'A finding for each test that failed, and other findings in the files.',
    typed<Diagnostic>({ type: 'object' }),
  ),
});
export type Tested = ContentOf<typeof tested>;

export const testedSchema = published('chatform test', tested);

const holds = flag('The condition holds for the visitor.');

const look = anyOf('One condition of a rule.', [
  record('A condition on a text.', {
    on: oneOf('What it looks at.', ['url', 'domain']),
    wants: oneOf('one: it holds when one of the texts is there. none: when none is.', ['one', 'none']),
    holds,
    sought: list(
      'The texts.',
      record('One of them.', {
        value: text('As the rule has it.'),
        exact: flag('The whole has to be equal to it; otherwise containing it is enough.'),
        found: flag('It is there.'),
      }),
    ),
  }),
  record('A condition on the place of the visitor.', {
    on: only('geolocation', { description: 'What it looks at.' }),
    wants: only('one', { description: 'It holds when the visitor is in one of the places.' }),
    holds,
    sought: list(
      'The places.',
      record('One of them.', {
        place: map('As the rule has it: country, country_code, region, city.', text('Name or code.')),
        found: flag('The visitor is there.'),
      }),
    ),
  }),
]);

const asked = typed<Explanation['asked'][number]>(
  record('A rule that was asked.', {
    rule,
    position: whole('Place in the list, from 1.'),
    groups: groups('Where it sends chats.'),
    matches: flag('It decides.'),
    looks: list('Its conditions; empty when the files leave them to the license.', look),
  }),
);

const recipient = record('A member.', {
  reference: text('Address; `<kind>/<id>` of one that nothing declares.'),
  type: oneOf('Kind.', KIND_NAMES),
  name: text('What a person calls it.'),
  priority: oneOf('In the group.', PRIORITIES),
  barred: typed<Recipient['barred']>(
    orNull(text('Why no chat is assigned to it: supervisor, suspended or awaiting approval.')),
  ),
  at_work: orNull(flag('By its hours, at the time; null when it has none or they are not known.')),
  slots: orNull(whole('Chats at the same time; null when it is not known.')),
});

const sideRecord = record('What the rules of one side do with the visitor.', {
  on: side,
  decided_by: orNull(rule),
  groups: groups('Where the chat goes; none when no rule matches.'),
  depends_on: orNull(text('A rule of which not everything is known, and which may decide otherwise.')),
  asked: list('In the order in which they are asked; the last one decides, unless none does.', asked),
  not_asked: whole('Rules after the one that decides.'),
  source: orNull(place('Where the rule that decides is declared.')),
  reached: list(
    'The groups, with those who would get the chat.',
    record('One group.', {
      group: text('Its address; of one that nothing declares, its id and name.'),
      name: orNull(text('What a person calls it; null when it is not known.')),
      complete: flag('False: it may have members that are not known here.'),
      members: list('First who gets chats first.', recipient),
    }),
  ),
});

const explained = record('Which rule decides for a visitor, and why.', {
  format_version: formatVersion,
  errored: flag('Always false: a failure has a document of its own.'),
  target: text('Name of the target.'),
  visitor,
  visitor_text: text('The visitor in words.'),
  compared: record('As the visitor is compared with the texts of rules.', {
    url: text('The URL.'),
    domain: text('Its domain.'),
    country_code: orNull(text('Code of the country; null when it is not given or not known.')),
  }),
  at: text('RFC 3339: the time for which the document says who is at work.'),
  differs: orNull(
    record('What differs between the two sides; null when one was asked.', {
      groups: flag('They send the visitor to different groups.'),
      rule: flag('Different rules decide.'),
    }),
  ),
  sides: list('The sides that were asked.', sideRecord),
  requests_sent: map('Requests by action: each is billed.', whole('How many.')),
  diagnostics: list('Findings in the files.', typed<Diagnostic>({ type: 'object' })),
});
export type Explained = ContentOf<typeof explained>;
export type ExplainedSide = Explained['sides'][number];

export const explainedSchema = published('chatform explain', explained);
