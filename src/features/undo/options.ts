// Schema of the options of `undo`, as a run over several targets and a request for workers keep them.

import * as s from '../../base/documents.ts';
import { PLANNING } from '../plan/options.ts';

export const optionsSchema = s.record(
  'Options of `undo`.',
  {
    run: s.orNull(s.text('The run, or how its id begins; null for the last.')),
    isPlan: s.flag('It is only planned.'),
  },
  { ...PLANNING, reason: s.text('Why, for the ledger; what the job of CI runs for by default.') },
);
export type UndoOptions = s.ValueOf<typeof optionsSchema>;
