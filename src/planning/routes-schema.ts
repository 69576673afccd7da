// Schemas and types of `test --json`, and what it shares with `explain --json`.

import * as s from '../base/documents.ts';
import type { Diagnostic } from '../base/model.ts';
import { visitor } from '../plan/plan.ts';

export const groups = (description: string) =>
  s.list(description, s.text('Address of a group; of one that nothing declares, its id and name.'));

export const rule = s.text('Address of a rule; the id of one that nothing declares.');

export const side = s.oneOf('The rules that are asked: those of the files, or those of the license.', [
  'files',
  'live',
]);
export type RuleSide = s.ValueOf<typeof side>;

const OUTCOMES = ['passed', 'failed', 'open'] as const;

const test = s.record('One test.', {
  name: s.orNull(s.text('What the manifest calls it.')),
  when: visitor,
  visitor: s.text('The visitor in words.'),
  source: s.place('Where it stands.'),
  expected: groups('Exactly these groups; none when no rule may match.'),
  expected_rule: s.orNull(rule),
  got: groups('The groups that the visitor reaches.'),
  decided_by: s.orNull(rule),
  outcome: s.oneOf('open: it depends on what a rule leaves to the license.', OUTCOMES),
  depends_on: s.orNull(rule),
});
export type TestedRoute = s.ValueOf<typeof test>;

const tested = s.record('The results of the routing tests.', {
  format_version: s.formatVersion,
  errored: s.flag('Not all tests passed: exit code 1.'),
  target: s.text('Name of the target.'),
  on: side,
  summary: s.record('How many tests.', s.counts('Of these.', OUTCOMES)),
  tests: s.list('In the order of the manifest.', test),
  requests_sent: s.map('Requests by action: each is billed.', s.whole('How many.')),
  diagnostics: s.list(
    'A finding for each test that failed, and other findings in the files.',
    s.typed<Diagnostic>({ type: 'object' }),
  ),
});
export type Tested = s.ContentOf<typeof tested>;

export const testedSchema = s.published('chatform test', tested);
