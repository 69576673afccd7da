// How a run ended in, the exit code that says so out.

import type { RunOutcome } from '../ledger/events.ts';
import type { ExitCode } from './terminal.ts';

export const EXIT_CODES: { readonly [outcome in RunOutcome]: ExitCode } = {
  done: 0,
  failed: 1,
  partial: 6,
  unsettled: 6,
  interrupted: 130,
};
