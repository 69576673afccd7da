// A target in; where its plans learn what there is, out: the license and the ledger, as they are now. What else could say it has the same shape.

import { UsageError } from '../base/errors.ts';
import type { Desired, LedgerState } from '../base/model.ts';
import { few } from '../base/text.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { Delay, Doubt } from '../reading/doubts.ts';
import { type Ahead, type Ask, askAhead } from '../reading/live.ts';
import { planSettled, SETTLE_WINDOW, type SettledPlan, type SettledReading } from '../reading/settled.ts';
import { declaredView, type View } from '../reading/view.ts';
import { readsOnly } from '../service/client.ts';
import type { ConfigurationClient } from '../service/configuration.ts';
import { isTimeUp } from '../service/patience/deadline.ts';
import { sinkOf } from './secrets/sink.ts';
import type { Terminal } from './terminal.ts';

/** What is wished for, and what the ledger said when it was read. */
export type Wished = Pick<SettledReading, 'ahead' | 'desired' | 'events' | 'options'> & {
  readonly moved: NonNullable<SettledReading['moved']>;
};

/** What a plan learns of the world. */
export interface Source {
  readonly ledger: Ledger;
  /** Asks what every plan of `desired` has to ask, whatever the ledger says; null where nothing is won by that. */
  readonly ahead: (desired: Desired) => Ahead | null;
  /** Reads as much as the wish needs, until it can be believed, and plans. @throws UsageError when it never can */
  readonly settled: (wished: Wished) => Promise<Omit<SettledPlan, 'doubts'>>;
  /** It says how long its readings lag, as an emulator does. */
  readonly tellsLag: () => boolean;
}

/** The license, or what `viewOf` says of it, and the ledger of the target. */
export function licenseSource(
  settings: TargetSettings,
  client: ConfigurationClient,
  terminal: Terminal,
  viewOf?: (state: LedgerState) => View,
): Source {
  const sink = sinkOf(settings, terminal);
  const reader = readsOnly(client);
  const ask: Ask = (action, body, giveUp = terminal.signal) =>
    reader.call(action, body, { signal: AbortSignal.any([giveUp, terminal.signal]) });
  const settled: Source['settled'] = async ({ events, ...wished }) => {
    const { doubts, ...plan } = await planSettled({
      ...wished,
      events,
      ask,
      ...(viewOf === undefined ? {} : { view: viewOf(foldLedger(events)) }),
      version: settings.apiVersion,
      clock: terminal.clock,
      delay: () => delayOf(settings, client),
      signal: terminal.signal,
      secretOf: async (address, id) => ((await sink?.holds?.(address, id)) === true ? 'kept' : 'lost'),
      onWait: (wait) => {
        const seconds = Math.round(wait.elapsed / 1000);
        terminal.err(
          `Still waiting for what was just written to show... [${seconds}s elapsed] (${subjects(wait.doubts)})\n`,
        );
      },
    }).catch((error: unknown) => {
      if (!isTimeUp(terminal.signal)) throw error;
      throw new UsageError('the time of the run is up (run_timeout, --timeout) before the license was read');
    });
    if (doubts.length > 0)
      throw new UsageError(
        `${isTimeUp(terminal.signal) ? 'the time of the run is up' : 'interrupted'}: what was just written does not show yet (${subjects(doubts)}), so nothing can be planned`,
      );
    return plan;
  };
  return {
    ledger: fileLedger(settings.ledger),
    ahead: (desired) =>
      viewOf === undefined
        ? askAhead(ask, declaredView(desired, settings.apiVersion), settings.apiVersion, terminal.clock.now())
        : null,
    settled,
    tellsLag: () => settings.propagationDelay !== null || client.lag() !== null,
  };
}

/** A service that says how long its readings lag needs no more patience; and what runs in this process ends with it. */
export function delayOf(
  { propagationDelay, requestTimeout }: Pick<TargetSettings, 'propagationDelay' | 'requestTimeout'>,
  { lag }: Pick<ConfigurationClient, 'lag'>,
): Delay {
  return propagationDelay === null
    ? { window: lag() ?? SETTLE_WINDOW, underWay: requestTimeout }
    : { window: propagationDelay.to, underWay: 0 };
}

/** A few of them, so that the line stays one. */
function subjects(doubts: readonly Doubt[]): string {
  return few([...new Set(doubts.map(({ subject }) => subject))], 3);
}
