// What this run made in; a wait until the service's readings show it, out: for calls that were refused because they refer to it.

import { ApiError } from '../base/errors.ts';
import type { Address, Clock, KindName, ObjectId, Version } from '../base/model.ts';
import { kindOf } from '../kinds/index.ts';
import { type Ask, fetchLive } from '../reading/live.ts';
import { SETTLE_WINDOW } from '../reading/settled.ts';
import type { View } from '../reading/view.ts';
import { pauseBeforeReading } from '../service/patience/pause.ts';
import { isLasting } from '../service/patience/policy.ts';

/** An object that this run created, and when. */
export interface Made {
  readonly id: ObjectId;
  readonly at: number;
}

export interface Showing {
  readonly ask: Ask;
  /** Where to look; its kinds are those asked for. */
  readonly view: () => View;
  readonly version: Version;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onWait: (wait: { readonly elapsed: number; readonly hidden: readonly Address[] }) => void;
}

/** Resolves once all of `wanted` are listed, when they are as old as the propagation limit, or when the signal is aborted. */
export type UntilShown = (wanted: readonly Address[], made: ReadonlyMap<Address, Made>) => Promise<void>;

/** Many calls can wait for the same list: it is read for all of them together. */
export function createUntilShown(showing: Showing): UntilShown {
  const under = new Map<KindName, { readonly covers: ReadonlySet<Address>; readonly end: Promise<void> }>();
  return async (wanted, made) => {
    const kinds = new Set(wanted.map(kindOf));
    const waits = [...kinds].map((kind) => {
      const running = under.get(kind);
      const own = wanted.filter((address) => kindOf(address) === kind);
      if (running !== undefined && own.every((address) => running.covers.has(address))) return running.end;
      const all = new Map([...made].filter(([address]) => kindOf(address) === kind));
      const end = untilListed(showing, kind, all).finally(() => {
        if (under.get(kind)?.end === end) under.delete(kind);
      });
      under.set(kind, { covers: new Set(all.keys()), end });
      return end;
    });
    await Promise.all(waits);
  };
}

async function untilListed(showing: Showing, kind: KindName, made: ReadonlyMap<Address, Made>): Promise<void> {
  const { clock, signal, onWait } = showing;
  const started = clock.now();
  const end = Math.max(...[...made.values()].map(({ at }) => at)) + SETTLE_WINDOW;
  let hidden: readonly Address[] = [...made.keys()];
  let isHopeless = false;
  for (;;) {
    const left = end - clock.now();
    if (hidden.length === 0 || left <= 0 || signal.aborted) return;
    const elapsed = clock.now() - started;
    onWait({ elapsed, hidden });
    await clock.sleep(isHopeless ? left : Math.min(pauseBeforeReading(elapsed), left), signal);
    if (clock.now() >= end || signal.aborted) return;
    hidden = await missing(showing, kind, made).catch((error: unknown) => {
      // A list that cannot be read shows nothing; the limit passes all the same.
      if (!(error instanceof ApiError)) throw error;
      if (isLasting(error.failure)) isHopeless = true;
      return [...made.keys()];
    });
  }
}

async function missing(
  { ask, view, version }: Showing,
  kind: KindName,
  made: ReadonlyMap<Address, Made>,
): Promise<readonly Address[]> {
  const narrow = {
    ...view(),
    kinds: new Set([kind]),
    fields: new Map(),
    wanted: new Map(),
    losing: new Set<KindName>(),
  };
  const { objects } = await fetchLive(ask, narrow, version);
  const listed = new Set(objects[kind]?.map(({ id }) => id));
  return [...made].flatMap(([address, { id }]) => (listed.has(id) ? [] : [address]));
}
