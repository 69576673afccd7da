// The JSON Schema (2020-12) of what `test --json` prints, for anyone's tools. A test holds documents against it, with no member to spare.

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
import { OUTCOMES, SIDES } from './tested.ts';

/** A visitor as somebody described one. */
export const visitorSchema: Schema = {
  type: 'object',
  description: 'Who visits; what is not known is left out.',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: text('URL of the page.'),
    country: text('Name of the country.'),
    country_code: text('Code of the country.'),
    region: text('Region.'),
    city: text('City.'),
  },
};

export const groups = (description: string): Schema =>
  list(description, text('Address of a group; of one that nothing declares, its id and name.'));

export const rule: Schema = text('Address of a rule; the id of one that nothing declares.');

export const source: Schema = record('Where it stands.', {
  file: text('File.'),
  line: whole('Line, first is 1.'),
  column: whole('Column, first is 1.'),
});

const test = record('One test.', {
  name: orNull(text('What the manifest calls it.')),
  when: visitorSchema,
  visitor: text('The visitor in words.'),
  source,
  expected: groups('Exactly these groups; none when no rule may match.'),
  expected_rule: orNull(rule),
  got: groups('The groups that the visitor reaches.'),
  decided_by: orNull(rule),
  outcome: oneOf('open: it depends on what a rule leaves to the license.', OUTCOMES),
  depends_on: orNull(rule),
});

export function testedSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform test',
    ...record('What became of the routing tests.', {
      format_version: formatVersion,
      errored: flag('Not all tests passed: exit code 1.'),
      target: text('Name of the target.'),
      on: oneOf('The rules that were asked: those of the files, or those of the license.', SIDES),
      summary: record('How many tests.', Object.fromEntries(OUTCOMES.map((outcome) => [outcome, whole('Of these.')]))),
      tests: list('In the order of the manifest.', test),
      requests_sent: map('Requests by action: each is billed.', whole('How many.')),
      diagnostics: list('A finding for each test that failed, and what else is to be said of the files.', {
        type: 'object',
      }),
    }),
  };
}
