// The JSON Schema (2020-12) of what `explain --json` prints, for anyone's tools. A test holds documents against it, with no member to spare.

import {
  flag,
  formatVersion,
  list,
  map,
  oneOf,
  orNull,
  record,
  type Schema,
  text,
  whole,
} from '../../base/documents.ts';
import { KIND_NAMES } from '../../kinds/index.ts';
import { PRIORITIES } from '../../kinds/priority.ts';
import { SIDES } from './tested.ts';
import { groups, rule, source, visitorSchema } from './tested-schema.ts';

const holds = flag('The condition holds for the visitor.');

const look: Schema = {
  anyOf: [
    record('A look at a text.', {
      on: oneOf('What was looked at.', ['url', 'domain']),
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
    record('A look at where the visitor is.', {
      on: { const: 'geolocation', description: 'What was looked at.' },
      wants: { const: 'one', description: 'It holds when the visitor is in one of the places.' },
      holds,
      sought: list(
        'The places.',
        record('One of them.', {
          place: map('As the rule has it: country, country_code, region, city.', text('Name or code.')),
          found: flag('The visitor is there.'),
        }),
      ),
    }),
  ],
};

const asked = record('A rule that was asked.', {
  rule,
  position: whole('Place in the list, from 1.'),
  groups: groups('Where it sends chats.'),
  matches: flag('It decides.'),
  looks: list('What it looked at; nothing when the files leave its conditions to the license.', look),
});

const recipient = record('A member.', {
  reference: text('Address; `<kind>/<id>` of one that nothing declares.'),
  type: { enum: KIND_NAMES, description: 'Kind.' },
  name: text('What a person calls it.'),
  priority: oneOf('In the group.', PRIORITIES),
  barred: orNull(text('Why no chat is assigned to it: supervisor, suspended or awaiting approval.')),
  at_work: orNull(flag('By its hours, at the time; null when it has none or nobody knows them.')),
  slots: orNull(whole('Chats at the same time; null when nobody knows.')),
});

const side = record('What the rules of one side do with the visitor.', {
  on: oneOf('The rules of the files, or those of the license.', SIDES),
  decided_by: orNull(rule),
  groups: groups('Where the chat goes; none when no rule matches.'),
  depends_on: orNull(text('A rule of which not everything is known, and which may decide otherwise.')),
  asked: list('In the order in which they are asked; the last one decides, unless none does.', asked),
  not_asked: whole('Rules behind the one that decides.'),
  source: orNull(source),
  reached: list(
    'The groups, with those who would get the chat.',
    record('One group.', {
      group: text('Its address; of one that nothing declares, its id and name.'),
      name: orNull(text('What a person calls it; null when it is not known.')),
      complete: flag('False: it may have members whom nobody here knows.'),
      members: list('First who gets chats first.', recipient),
    }),
  ),
});

export function explainedSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform explain',
    ...record('Which rule decides for a visitor, and why.', {
      format_version: formatVersion,
      errored: flag('Always false: a failure has a document of its own.'),
      target: text('Name of the target.'),
      visitor: visitorSchema,
      visitor_text: text('The visitor in words.'),
      compared: record('As the visitor is compared with the texts of rules.', {
        url: text('The URL.'),
        domain: text('Its domain.'),
        country_code: orNull(text('Code of the country; null when nobody said or nobody knows it.')),
      }),
      at: text('RFC 3339: for which time it is said who is at work.'),
      differs: orNull(
        record('What differs between the two sides.', {
          groups: flag('They send the visitor to different groups.'),
          rule: flag('Different rules decide.'),
        }),
      ),
      sides: list('The sides that were asked.', side),
      requests_sent: map('Requests by action: each is billed.', whole('How many.')),
      diagnostics: list('What is to be said of the files.', { type: 'object' }),
    }),
  };
}
