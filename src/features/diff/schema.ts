// Schema of `diff --json`.

import * as s from '../../base/documents.ts';
import type { Diagnostic, Spec } from '../../base/model.ts';
import { KIND_NAMES } from '../../kinds/index.ts';

const place = (whose: string) => s.orNull(s.place(`Where the files of ${whose} declare it; null where they do not.`));
const position = (whose: string) => s.whole(`Among the rules that both have, in ${whose}; the first is 1.`);

const item = s.record(
  'One object that is not alike.',
  {
    is: s.oneOf('Who has it: one of the two, or both, and then it differs.', [
      'only_in_target',
      'only_in_other',
      'different',
    ]),
    type: s.oneOf('Its kind.', KIND_NAMES),
    address: s.text('`<kind>/<key>`; `<kind>/<name>` of an object that neither declares.'),
    name: s.text('What a person calls it.'),
    fields: s.list(
      'What differs, in the order of the fields of the kind; empty for an object that only one has.',
      s.record('One field.', {
        field: s.text('Its name.'),
        target: s.anything('References are addresses; null for a field that is not there.'),
        other: s.anything('The same of the other target.'),
      }),
    ),
    source: place('the target'),
    other_source: place('the other target'),
  },
  {
    spec: s.typed<Spec>({
      type: 'object',
      description: 'All fields of an object that only one has.',
    }),
    moved: s.record('Only of a rule that comes earlier or later than in the target.', {
      target: position('the target'),
      other: position('the other'),
    }),
  },
);
export type DifferentObject = s.ValueOf<typeof item>;

const differing = s.record('How two licenses differ.', {
  format_version: s.formatVersion,
  errored: s.flag('The files of one of them have errors, or something could not be read: exit code 1.'),
  target: s.text('Name of the target.'),
  other: s.text('Name of the target that it is compared with.'),
  on: s.oneOf('files: what they declare. live: what the licenses have.', ['files', 'live']),
  alike: s.whole('Objects that both have, and that do not differ.'),
  items: s.list('By kind, then by address; rules in their order.', item),
  requests_sent: s.map('Requests by action: each is billed.', s.whole('How many.')),
  diagnostics: s.list('What is wrong with the files.', s.typed<Diagnostic>({ type: 'object' })),
});
export type LicenseDiff = s.ContentOf<typeof differing>;

export const diffSchema = s.published('chatform diff', differing);
