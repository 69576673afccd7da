// Waits until the service lists what this run created, for calls that were refused because they refer to it.

import { ApiError } from '../base/errors.ts';
import type { Address, KindName, ObjectId } from '../base/model.ts';
import { until } from '../base/until.ts';
import { kindOf } from '../kinds/index.ts';
import { fetchLive } from '../license/reading/live.ts';
import { SETTLE_WINDOW } from '../license/reading/settled.ts';
import { type LicenseReading, listsOf } from '../license/reading/view.ts';
import { pauseBeforeReading } from '../service/patience/pause.ts';
import { isLasting } from '../service/patience/policy.ts';
import type { RepeatedReading } from './input.ts';

/** An object that this run created, and when, in milliseconds since the epoch. */
export interface CreatedObject {
  readonly id: ObjectId;
  readonly at: number;
}

/** Resolves once all of `wanted` are listed, when they are as old as the propagation limit, or when the signal is aborted. */
export type UntilShown = (wanted: readonly Address[], made: ReadonlyMap<Address, CreatedObject>) => Promise<void>;

/** Calls that wait for the same list share its readings. `view` says where to look; its kinds are replaced. */
export function createUntilShown(repeated: RepeatedReading, view: () => LicenseReading): UntilShown {
  const under = new Map<KindName, { readonly covers: ReadonlySet<Address>; readonly end: Promise<void> }>();
  return async (wanted, made) => {
    const kinds = new Set(wanted.map(kindOf));
    const waits = [...kinds].map((kind) => {
      const running = under.get(kind);
      const own = wanted.filter((address) => kindOf(address) === kind);
      if (running !== undefined && own.every((address) => running.covers.has(address))) return running.end;
      const all = new Map([...made].filter(([address]) => kindOf(address) === kind));
      const end = untilListed(repeated, view, kind, all).finally(() => {
        if (under.get(kind)?.end === end) under.delete(kind);
      });
      under.set(kind, { covers: new Set(all.keys()), end });
      return end;
    });
    await Promise.all(waits);
  };
}

async function untilListed(
  repeated: RepeatedReading,
  view: () => LicenseReading,
  kind: KindName,
  made: ReadonlyMap<Address, CreatedObject>,
): Promise<void> {
  const { clock, signal, onWait } = repeated;
  const end = Math.max(...[...made.values()].map(({ at }) => at)) + SETTLE_WINDOW;
  const all: readonly Address[] = [...made.keys()];
  let isHopeless = false;
  // Nothing is listed at once, and what is not listed at the end never will be: then nothing is read.
  const hidden = async (elapsed: number): Promise<readonly Address[]> => {
    if (elapsed === 0 || clock.now() >= end) return all;
    return missing(repeated, view(), kind, made).catch((error: unknown) => {
      // A list that cannot be read shows nothing; the limit still passes.
      if (!(error instanceof ApiError)) throw error;
      if (isLasting(error.failure)) isHopeless = true;
      return all;
    });
  };
  await until(hidden, {
    clock,
    signal,
    deadline: end,
    isEnough: (addresses) => addresses.length === 0,
    pause: (elapsed) => (isHopeless ? Number.POSITIVE_INFINITY : pauseBeforeReading(elapsed)),
    onWait: (elapsed, addresses) =>
      onWait({ elapsed, unsettled: addresses.map((address) => ({ address, reading: 'not listed yet', fields: [] })) }),
  });
}

async function missing(
  { ask, version }: RepeatedReading,
  { namespaces, complete }: LicenseReading,
  kind: KindName,
  made: ReadonlyMap<Address, CreatedObject>,
): Promise<readonly Address[]> {
  const { objects } = await fetchLive(ask, listsOf([kind], { namespaces, complete }), version);
  const listed = new Set(objects[kind]?.map(({ id }) => id));
  return [...made].flatMap(([address, { id }]) => (listed.has(id) ? [] : [address]));
}
