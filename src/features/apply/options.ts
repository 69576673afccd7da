// Schema of the options of `apply` and `destroy`, as a run over several targets and a request for workers keep them.

import * as s from '../../base/documents.ts';
import { PLANNING } from '../plan/options.ts';

export const optionsSchema = s.record(
  'Options of `apply`.',
  {},
  {
    ...PLANNING,
    verify: s.flag('Whether it is proven that it took effect; default true.'),
    testOnCustomer: s.flag('It is also tested as customers see it.'),
    visitor: s.flag('Pages of routes are visited on the real-time interface for that.'),
    assumeSettled: s.flag('With a new ledger, what another run may just have created is not waited for.'),
    reason: s.text('Why, for the ledger; what the job of CI runs for by default.'),
    approved: s.list('What the host says of the approved plan.', s.text('Such as `commit=...`.')),
  },
);
export type ApplyOptions = s.ValueOf<typeof optionsSchema>;
