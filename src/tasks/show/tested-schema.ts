// What `test --json` prints, as schema and types.

import {
  type ContentOf,
  counts,
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
  type ValueOf,
  whole,
} from '../../base/documents.ts';
import type { Diagnostic } from '../../base/model.ts';
import { visitor } from '../../plan/plan.ts';

export const groups = (description: string) =>
  list(description, text('Address of a group; of one that nothing declares, its id and name.'));

export const rule = text('Address of a rule; the id of one that nothing declares.');

export const side = oneOf('The rules that are asked: those of the files, or those of the license.', [
  'desired',
  'live',
]);
export type Side = ValueOf<typeof side>;

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
