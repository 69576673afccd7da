// Sources of plans: the license and the ledger of a target, as they are now. A snapshot has the same shape.

import { UsageError } from '../base/errors.ts';
import type { Desired, LedgerState } from '../base/model.ts';
import { few } from '../base/text.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import type { TargetSettings } from '../project/settings.ts';
import { isTimeUp } from '../service/patience/deadline.ts';
import { endsSoon } from '../service/sender.ts';
import type { RunContext } from '../target/context.ts';
import { sinkOf } from '../target/secrets/sink.ts';
import { ledgerOf } from '../target/stores.ts';
import type { Connection, LicenseClient } from './connect.ts';
import type { Delay, Doubt } from './reading/doubts.ts';
import { type Ahead, askAhead } from './reading/live.ts';
import { planSettled, SETTLE_WINDOW, type SettledPlan, type SettledReading } from './reading/settled.ts';
import { declaredView, type LicenseReading, viewOf as neededView } from './reading/view.ts';

/** What a plan wants, and the ledger's events when it was read. */
export type PlanSourceInput = Pick<SettledReading, 'ahead' | 'desired' | 'events' | 'options' | 'check'> & {
  /** The events that say what to read; default `events`. */
  readonly viewed?: readonly LedgerEvent[];
  readonly moved: NonNullable<SettledReading['moved']>;
};

/** What a plan is made from: a license, or a snapshot. */
export interface PlanSource {
  readonly ledger: Ledger;
  /** Sends the requests that every plan of `desired` needs, whatever the ledger says; null where that gains nothing. */
  readonly ahead: (desired: Desired) => Ahead | null;
  /** Reads what the plan needs until recent writes show, and plans. @throws UsageError when they never show */
  readonly settled: (wanted: PlanSourceInput) => Promise<Omit<SettledPlan, 'doubts'>>;
  /** What the source states of its license, which tells it from every other; null when it states nothing. */
  readonly identity: () => string | null;
  /** The source says how long its readings lag, as an emulator does. */
  readonly tellsLag: () => boolean;
  /** Tells the stage of the version, unless every run tells it. */
  readonly tellStage: () => void;
}

/** The license, or the part of it that `viewOf` names, and the ledger of the target. */
export function licenseSource(
  settings: TargetSettings,
  { client, ask, signal }: Connection,
  context: RunContext,
  viewOf?: (state: LedgerState) => LicenseReading,
): PlanSource {
  const { clock, notice } = context;
  const { apiVersion: version } = settings;
  const sink = sinkOf(settings, context);
  const settled: PlanSource['settled'] = async ({ events, viewed = events, ...wanted }) => {
    const seen = foldLedger(viewed);
    const { doubts, ...plan } = await planSettled({
      ...wanted,
      events,
      ask,
      view: viewOf?.(seen) ?? neededView(wanted.desired, seen, version, wanted.options),
      version,
      clock,
      delay: () => delayOf(settings, client),
      signal,
      secretOf: async (address, id) => ((await sink?.holds?.(address, id)) === true ? 'kept' : 'lost'),
      onWait: ({ elapsed, doubts }) => notice({ type: 'unsettled', elapsed, subjects: subjectsOf(doubts) }),
    }).catch((error: unknown) => {
      if (!isTimeUp(signal)) throw error;
      throw new UsageError('the time of the run is up (run_timeout, --timeout) before the license was read');
    });
    if (doubts.length > 0)
      throw new UsageError(
        `${isTimeUp(signal) ? 'the time of the run is up' : 'interrupted'}: recent writes do not show yet (${few(subjectsOf(doubts), 3)}), so there is no plan; run it again`,
      );
    return plan;
  };
  return {
    ledger: ledgerOf(settings, context),
    ahead: (desired) =>
      viewOf === undefined ? askAhead(ask, declaredView(desired, version), version, clock.now()) : null,
    settled,
    identity: client.identity,
    tellsLag: () => settings.propagationDelay !== null || client.lag() !== null,
    tellStage: () => {
      const stage = client.stage();
      if (stage === null) return;
      const ends = 'ends' in stage ? stage.ends : null;
      if ('ends' in stage && endsSoon(ends, clock.now())) return;
      notice({ type: 'version-stage', api: client.api.name, version, stage: stage.name, ends, isOver: false });
    },
  };
}

/** How long to wait for recent writes. A target that states how long its readings lag needs no longer wait. */
export function delayOf(
  { propagationDelay, requestTimeout }: Pick<TargetSettings, 'propagationDelay' | 'requestTimeout'>,
  { lag }: Pick<LicenseClient, 'lag'>,
): Delay {
  return propagationDelay === null
    ? { window: lag() ?? SETTLE_WINDOW, underWay: requestTimeout }
    : { window: propagationDelay.to, underWay: 0 };
}

function subjectsOf(doubts: readonly Doubt[]): readonly string[] {
  return [...new Set(doubts.map(({ subject }) => subject))];
}
