// Schema of the record of a lease. Times are by the clock of the holder.

import { record, text, typed } from '../base/documents.ts';

const number = (description: string) => typed<number>({ type: 'number', description });
const instant = (description: string) => typed<string>({ type: 'string', format: 'instant', description });

export const holder = record('The run that holds the lease, for a person who finds the target locked.', {
  user: text('User.'),
  host: text('Name of the machine.'),
  pid: number('Id of the process.'),
  command: text('The command.'),
});

export const leaseRecord = record('One generation of a lease.', {
  generation: number('One more than the generation before it, whichever run made that.'),
  run: text('The run that holds it: the same in each of its renewals, and different for every run.'),
  holder,
  since: instant('When the run got it.'),
  renewed: instant('When it was renewed last.'),
  until: typed<string | null>({
    type: ['string', 'null'],
    format: 'instant',
    description: 'When it ends unless it is renewed; null when `holder` gave it back.',
  }),
});
