// A run as it was asked for in; what helps it where the service does not answer, or does not show yet what it answered, out: readings, and what the
// run tells while it waits for them.

import type { LedgerEvent } from '../ledger/events.ts';
import { foldLedger } from '../ledger/ledger.ts';
import type { Ask } from '../reading/live.ts';
import { viewOf } from '../reading/view.ts';
import type { ConfigurationClient } from '../service/configuration.ts';
import type { Execution } from './execute.ts';
import type { ApplyInput } from './input.ts';
import type { Journal } from './journal.ts';
import { createFindTraces, type FindTraces } from './traces.ts';
import { createUntilShown, type UntilShown } from './until-shown.ts';

/** What executing takes besides a plan. */
export type Aids = Pick<Execution, 'untilShown' | 'findTraces'>;

export function aidsOf(input: ApplyInput, past: readonly LedgerEvent[], journal: Journal): Aids {
  return { untilShown: showing(input, past), findTraces: searching(input, journal) };
}

export function askOf(client: ConfigurationClient): Ask {
  return (action, body, giveUp) => client.call(action, body, giveUp === undefined ? {} : { signal: giveUp });
}

function showing(
  { plan, desired, client, clock, signal, onEvent }: ApplyInput,
  past: readonly LedgerEvent[],
): UntilShown {
  return createUntilShown({
    ask: askOf(client),
    view: () => viewOf(desired, foldLedger(past), plan.api_version),
    version: plan.api_version,
    clock,
    signal,
    onWait: ({ elapsed, hidden }) => {
      const unsettled = hidden.map((address) => ({ address, reading: 'not listed yet', fields: [] }));
      onEvent({ type: 'waiting', elapsed, unsettled });
    },
  });
}

function searching(
  { plan, desired, client, clock, signal, window, onEvent }: ApplyInput,
  journal: Journal,
): FindTraces {
  return createFindTraces({
    ask: askOf(client),
    desired,
    version: plan.api_version,
    clock,
    signal,
    window,
    state: journal.state,
    intentOf: journal.intentOf,
    onWait: ({ elapsed, steps }) => {
      const reading = 'the answer to its create was lost, and it is not listed yet';
      const unsettled = steps.flatMap(({ address }) => (address === null ? [] : [{ address, reading, fields: [] }]));
      onEvent({ type: 'waiting', elapsed, unsettled });
    },
  });
}
