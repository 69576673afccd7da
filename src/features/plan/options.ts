// Schema of the options of `plan`, as a request for workers stores them.

import * as s from '../../base/documents.ts';

const patterns = (description: string) => s.list(description, s.text('A pattern.'));

/** What plans and applies are made with. */
export const PLANNING = {
  only: patterns('Only these addresses.'),
  except: patterns('All but these addresses.'),
  acknowledge: s.list('What is acknowledged.', s.text('An address, `deletes` or `empty-manifest`.')),
  newLicense: s.text('Name of the license that the ledger belongs to from now on.'),
  demand: s.text('How many days of reports are asked for, such as `28d`.'),
  people: s.flag('Also figures of the persons whose work changes.'),
  destroys: s.record('Remove what is owned, as if the manifest declared nothing.', {
    adopted: s.flag('Also what existed before it was managed.'),
  }),
} as const;

export const optionsSchema = s.record(
  'Options of `plan`.',
  {},
  {
    ...PLANNING,
    date: s.text('The day whose hours are desired; default today.'),
    against: s.text('File of a snapshot to plan against, instead of the license.'),
    testOnCustomer: s.flag('An apply of the saved plan is to test the license as customers see it.'),
    detailedExitcode: s.flag('Differences have an exit code of their own.'),
    save: s.anyOf('Where it is saved.', [
      s.record('In a file.', { file: s.text('Its path.') }),
      s.record('In the file of its target.', { folder: s.text('The folder of the file.') }),
      s.record('In the result.', { kept: s.only(true) }),
    ]),
    pictures: s.flag('With what a page draws.'),
  },
);
export type PlanOptions = s.ValueOf<typeof optionsSchema>;
