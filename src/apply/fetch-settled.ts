// A ledger's log and a way to ask in; the live license out, read until it shows what we made a moment ago. A reading that lacks it is evidence of a
// delay, not of a deletion: planned as it stands, it would have everything created a second time, or forgotten.

import type { LedgerEvent } from '../ledger/events.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { createdSince } from '../ledger/recent.ts';
import { type Ask, fetchLive, viewOf } from '../live.ts';
import type { Address, Clock, Desired, Live, ObjectId, Version } from '../model.ts';
import { kindOf } from '../plan/bind.ts';
import { FIRST_PAUSE, nextPause } from './polling.ts';

/** How long a reading may lag behind our own writes, in milliseconds. Specification: "Limits", propagation delay of changes. */
export const SETTLE_WINDOW = 120_000;

export interface SettledReading {
  readonly ask: Ask;
  readonly desired: Desired;
  /** The whole log. */
  readonly events: readonly LedgerEvent[];
  readonly version: Version;
  readonly clock: Clock;
  /** Milliseconds; SETTLE_WINDOW for a service that does not say its delay. */
  readonly window: number;
  /** Aborting it ends the waiting. */
  readonly signal: AbortSignal;
  readonly onWait: (wait: { readonly elapsed: number; readonly hidden: readonly Address[] }) => void;
}

export interface SettledLive {
  readonly live: Live;
  /** What we made and do not see although the window is still open: only after an interruption. Nothing may be planned then. */
  readonly hidden: readonly Address[];
}

/** Costs no request more than a plain reading when everything that was made is listed. */
export async function fetchSettled(reading: SettledReading): Promise<SettledLive> {
  const { ask, desired, events, version, clock, window, signal, onWait } = reading;
  const view = viewOf(desired, foldLedger(events), version);
  const started = clock.now();
  const made = createdSince(events, started - window);
  for (let pause = FIRST_PAUSE; ; pause = nextPause(pause)) {
    const live = await fetchLive(ask, view, version);
    const now = clock.now();
    const hidden = [...made].filter(
      ([address, { id, at }]) => Math.min(at, started) + window > now && isUnlisted(address, id, live),
    );
    const addresses = hidden.map(([address]) => address);
    if (hidden.length === 0 || signal.aborted) return { live, hidden: addresses };
    onWait({ elapsed: now - started, hidden: addresses });
    const last = Math.max(...hidden.map(([, { at }]) => Math.min(at, started) + window));
    await clock.sleep(Math.min(pause, last - now), signal);
    if (signal.aborted) return { live, hidden: addresses };
  }
}

/** What was created within the window before `now`, and a single reading does not list. */
export function unlisted(
  events: readonly LedgerEvent[],
  live: Live,
  { now, window }: { readonly now: number; readonly window: number },
): readonly Address[] {
  return [...createdSince(events, now - window)].flatMap(([address, { id }]) =>
    isUnlisted(address, id, live) ? [address] : [],
  );
}

function isUnlisted(address: Address, id: ObjectId, live: Live): boolean {
  return live.objects[kindOf(address)]?.some((each) => each.id === id) === false;
}
