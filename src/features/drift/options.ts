// Schema of the options of `drift`, as a request for workers stores them.

import * as s from '../../base/documents.ts';
import { SEVERITIES } from '../../base/model.ts';

export const optionsSchema = s.record(
  'Options of `drift`.',
  {},
  {
    failOn: s.oneOf('Instead of the `fail_on` of the project.', SEVERITIES),
    date: s.text('The day whose hours are compared; default today.'),
    notify: s.oneOf(
      'When channels are told; default `on-change`, and `never` where a person sees the result, of a part, and for another day.',
      ['on-change', 'always', 'never'],
    ),
    isSeen: s.flag('A person sees the result at once.'),
    sightings: s.anyOf('File of what was seen, in the place of that next to the ledger; false remembers nothing.', [
      s.text('A file.'),
      s.flag('Whether anything is remembered.'),
    ]),
    only: s.list('Only these addresses.', s.text('A pattern.')),
    except: s.list('All but these addresses.', s.text('A pattern.')),
  },
);
export type DriftOptions = s.ValueOf<typeof optionsSchema>;
