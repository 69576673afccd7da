// Schemas and types of `test --json` and `explain --json`.

import * as s from '../../base/documents.ts';
import type { Diagnostic } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { PRIORITIES } from '../../kinds/priority.ts';
import { visitor } from '../../plan/plan.ts';
import { groups, rule, side } from '../../planning/routes-schema.ts';
import type { Explanation } from '../../routing/explain.ts';
import type { Recipient } from '../../routing/staff/recipients.ts';

const holds = s.flag('The condition holds for the visitor.');

const look = s.anyOf('One condition of a rule.', [
  s.record('A condition on a text.', {
    on: s.oneOf('What it looks at.', ['url', 'domain']),
    wants: s.oneOf('one: it holds when one of the texts is there. none: when none is.', ['one', 'none']),
    holds,
    sought: s.list(
      'The texts.',
      s.record('One of them.', {
        value: s.text('As the rule has it.'),
        exact: s.flag('The whole has to be equal to it; otherwise containing it is enough.'),
        found: s.flag('It is there.'),
      }),
    ),
  }),
  s.record('A condition on the place of the visitor.', {
    on: s.only('geolocation', { description: 'What it looks at.' }),
    wants: s.only('one', { description: 'It holds when the visitor is in one of the places.' }),
    holds,
    sought: s.list(
      'The places.',
      s.record('One of them.', {
        place: s.map('As the rule has it: country, country_code, region, city.', s.text('Name or code.')),
        found: s.flag('The visitor is there.'),
      }),
    ),
  }),
]);

const asked = s.typed<Explanation['asked'][number]>(
  s.record('A rule that was asked.', {
    rule,
    title: s.text(
      'What messages call it: the same for a declared rule, what it says or does and its id for another one.',
    ),
    position: s.whole('Place in the list, from 1.'),
    groups: groups('Where it sends chats.'),
    matches: s.flag('It decides.'),
    looks: s.list('Its conditions; empty when the files leave them to the license.', look),
  }),
);

const recipient = s.record('A member.', {
  reference: s.text('Address; `<kind>/<id>` of one that nothing declares.'),
  type: s.oneOf('Kind.', KIND_NAMES),
  name: s.text('What a person calls it.'),
  priority: s.oneOf('In the group.', PRIORITIES),
  barred: s.typed<Recipient['barred']>(
    s.orNull(
      s.text(
        'Why no chat is assigned to it: supervisor, suspended, waiting for approval, offline or not accepting chats.',
      ),
    ),
  ),
  may_be_barred: s.typed<Recipient['may_be_barred']>(
    s.orNull(s.text('What may keep it from chats, which was not read: offline.')),
  ),
  at_work: s.orNull(s.flag('By its hours, at the time; null when it has none or they are not known.')),
  slots: s.orNull(s.whole('Chats at the same time; null when it is not known.')),
});

const sideRecord = s.record('What the rules of one side do with the visitor.', {
  on: side,
  decided_by: s.orNull(rule),
  groups: groups('Where the chat goes; none when no rule matches.'),
  depends_on: s.orNull(s.text('A rule of which not everything is known, and which may decide otherwise.')),
  asked: s.list('In the order in which they are asked; the last one decides, unless none does.', asked),
  not_asked: s.whole('Rules after the one that decides.'),
  also_match: s.list(
    'Those of them that match as well, as far as their conditions are known.',
    s.record('One rule.', {
      rule,
      title: s.text('What messages call it.'),
      position: s.whole('Place in the list, from 1.'),
      groups: groups('Where it sends chats.'),
    }),
  ),
  source: s.orNull(s.place('Where the rule that decides is declared.')),
  greetings: s.list(
    'The greetings of the groups that the visitor reaches, or of group 0 when no rule matches; then those for this page that belong to other groups.',
    s.record('One greeting.', {
      greeting: s.text('Its address; its id when nothing declares it.'),
      name: s.orNull(s.text('Its name; null when it is not known here.')),
      shows: s.oneOf('Whether it shows, or on a condition.', ['yes', 'no', 'if']),
      why: s.text('Why, or the condition.'),
    }),
  ),
  reached: s.list(
    'The groups, with those who would get the chat.',
    s.record('One group.', {
      group: s.text('Its address; of one that nothing declares, its id and name.'),
      name: s.orNull(s.text('What a person calls it; null when it is not known.')),
      complete: s.flag('False: it may have members that are not known here.'),
      no_agent: s.orNull(
        s.record('No agent who gets its chats is at work; null where one is, or may be.', {
          until: s.orNull(s.text('RFC 3339: when the next one is at work; null for none in the coming week.')),
        }),
      ),
      members: s.list('First who gets chats first.', recipient),
    }),
  ),
});

const explained = s.record('Which rule decides for a visitor, and why.', {
  format_version: s.formatVersion,
  errored: s.flag('Always false: a failure has a document of its own.'),
  target: s.text('Name of the target.'),
  visitor,
  visitor_text: s.text('The visitor in words.'),
  compared: s.record('As the visitor is compared with the texts of rules.', {
    url: s.text('The URL.'),
    domain: s.text('Its domain.'),
    country_code: s.orNull(s.text('Code of the country; null when it is not given or not known.')),
  }),
  at: s.text('RFC 3339: the time for which the document says who is at work.'),
  differs: s.orNull(
    s.record('What differs between the two sides; null when one was asked.', {
      groups: s.flag('They send the visitor to different groups.'),
      rule: s.flag('Different rules decide.'),
    }),
  ),
  sides: s.list('The sides that were asked.', sideRecord),
  requests_sent: s.map('Requests by action: each is billed.', s.whole('How many.')),
  diagnostics: s.list('Findings in the files.', s.typed<Diagnostic>({ type: 'object' })),
});
export type Explained = s.ContentOf<typeof explained>;
export type ExplainedSide = Explained['sides'][number];

export const explainedSchema = s.published('chatform explain', explained);
