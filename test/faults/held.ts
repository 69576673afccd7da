// A run whose second wave is held, by workers whose clocks are wrong: one drives it, and dies in the hold, and another goes on.

import { manifestOf } from '../ledger/postgres/disturbed.ts';
import type { PostgresServer } from '../ledger/postgres/server.ts';
import { type Fleet, type FleetProject, fleetOn } from './fleet.ts';
import { drivenBy, overIn, runLog, until } from './state.ts';

/** Longer than the lease of a run whose worker was killed. */
const HOLD = 25_000;

const EIGHT: FleetProject = {
  names: Array.from({ length: 8 }, (_, index) => `l${index}`),
  canaries: 2,
  manifest: manifestOf(1, 1),
  rest: 4,
  hold: `${HOLD / 1_000}s`,
  licenses: { half: [5, 20], isOne: false },
  parallel: 4,
};

export function heldFleet(server: PostgresServer): Promise<Fleet> {
  return fleetOn(server, EIGHT);
}

const MINUTE = 60_000;

/**
 * @param ahead - Minutes by which the clocks of the workers are ahead, in the order of their start.
 * @returns seconds by which the hold was too long, by the clock of the database
 */
export async function heldBy(fleet: Fleet, ahead: readonly number[], kills: boolean): Promise<number> {
  await fleet.clear();
  const workers = await Promise.all(ahead.map((minutes) => fleet.worker(minutes * MINUTE)));
  const { code, stderr, stdout } = await fleet.run('apply', '--all', '--yes', '--workers', '--detach');
  if (code !== 0) throw new Error(stderr);
  const [, run = ''] = /^Run (\w+) began/m.exec(stdout) ?? [];
  const { coordinator } = await drivenBy(fleet, workers);
  await until(60, async () =>
    (await runLog(fleet, run)).filter(({ event }) => event.type === 'ended').length === 2 ? true : null,
  );
  if (kills) await coordinator.kill();
  const log = await overIn(fleet, run, 150);
  const last = log.filter(({ event }) => event.type === 'ended').at(1)?.at ?? Number.NaN;
  const next = log.filter(({ event }) => event.type === 'started').find(({ at }) => at > last)?.at ?? Number.NaN;
  return (next - last - HOLD) / 1_000;
}
