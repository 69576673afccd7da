// What a coordinator does with the log of its run. It may be the second one, because the worker of the first died at any moment.

import { type DriveOptions, driveFleet, type FleetEnd, type FleetWork } from '../fleet/drive.ts';
import { resultsOf } from '../fleet/log.ts';
import type { FleetStore } from '../fleet/store.ts';

/**
 * Drives the run in `store` unless it is over: done, or stopped by anything but the stop of a worker. Only a person forgives failures and takes back a
 * cancellation: with a `resumed` event, and with `cancel(null)`.
 * @throws what `driveFleet` throws
 */
export async function goOn(
  store: FleetStore,
  does: FleetWork,
  options: Omit<DriveOptions, 'retry'>,
): Promise<FleetEnd> {
  const results = resultsOf(await store.read());
  const { finished, stopped } = results;
  if (finished || (stopped !== null && stopped.kind !== 'interrupted')) return { stopped, results };
  return driveFleet(keepingCancel(store), does, options);
}

function keepingCancel(store: FleetStore): FleetStore {
  return { ...store, cancel: async (request) => (request === null ? undefined : store.cancel(request)) };
}
