// A run over forty licenses by two workers with one place each, which is cancelled, or fails, while a worker is killed: what was begun after that.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FleetEvent } from '../../src/many/log/events.ts';
import { fileStore } from '../../src/many/log/file-store.ts';
import { manifestOf } from '../ledger/postgres/disturbed.ts';
import { ask } from '../ledger/postgres/migrated.ts';
import type { PostgresServer } from '../ledger/postgres/server.ts';
import { ANN } from '../many/names.ts';
import { type Fleet, type FleetProject, fleetOn } from './fleet.ts';
import { BROKEN } from './licenses.ts';
import { drivenBy, overIn, runLog, until } from './state.ts';

export interface Halt {
  /** `failure`: one of the licenses refuses everything. */
  readonly by: 'cancel' | 'failure';
  /** When a worker is killed; null when none is. */
  readonly kill: 'before' | 'after' | null;
  readonly killed: 'coordinator' | 'other';
}

export interface Halted {
  /** Licenses whose lease was taken after the request to cancel, or the failure, was committed. */
  readonly late: number;
  /** Licenses that were begun. */
  readonly begun: number;
  /** Why the run stopped. */
  readonly stopped: string;
  /** Licenses that were offered to the workers, and that no event ends. */
  readonly open: readonly string[];
  /** Seconds from the halt to the end of the run. */
  readonly seconds: number;
}

const names = Array.from({ length: 40 }, (_, index) => `l${10 + index}`);

const FORTY: FleetProject = {
  names,
  canaries: 0,
  manifest: manifestOf(1, 1),
  rest: 64,
  licenses: { half: [10, 60], isOne: false },
  parallel: 1,
};

/** The licenses of both kinds of halt. `rest`: how many are begun at once; by workers, of which each works on one. */
export async function fleetsOn(
  server: PostgresServer,
  rest = FORTY.rest,
): Promise<{ readonly [by in Halt['by']]: Fleet }> {
  const failing = names.map((name, index) => (index === 5 ? `l15${BROKEN}` : name));
  return {
    cancel: await fleetOn(server, { ...FORTY, rest }),
    failure: await fleetOn(server, { ...FORTY, rest, names: failing }),
  };
}

/**
 * A run of one process: licenses that were begun after the request to cancel was written, or the failure was recorded, and those that were begun. A
 * lease that was taken in that moment is given back before anything is read: the log of such a license has no event.
 */
export async function haltedHere(fleet: Fleet, by: Halt['by']): Promise<Pick<Halted, 'late' | 'begun' | 'stopped'>> {
  await fleet.clear();
  const runs = join(fleet.cwd, '.chatform', 'fleet');
  await rm(runs, { recursive: true, force: true });
  const ended = fleet.run('apply', '--all', '--yes');
  await until(60, async () => ((await begunIn(fleet)) >= 3 ? true : null));
  const [run = ''] = await readdir(runs);
  const store = fileStore(join(runs, run, 'log.ndjson'));
  let halt = Date.now();
  if (by === 'cancel') {
    await store.cancel({ v: 1, at: new Date(halt).toISOString(), type: 'cancel', by: ANN });
    halt = Date.now();
  }
  await ended;
  const events = await store.read();
  const failed = events.find((event) => event.type === 'ended' && event.state === 'failed');
  return {
    late: await takenSince(fleet, by === 'cancel' ? halt : Date.parse(failed?.at ?? ''), 1),
    begun: await begunIn(fleet),
    stopped: stoppedBy(events.at(-1)),
  };
}

function stoppedBy(last: FleetEvent | undefined): string {
  return last?.type === 'stopped' ? last.because.kind : String(last?.type);
}

/** Licenses that were begun. */
async function begunIn({ url }: Fleet): Promise<number> {
  const rows = await ask(url(), "select from chatform.log where kind = 'ledger' and generation > 0");
  return rows.length;
}

/** Licenses whose lease was taken after a time, in milliseconds since the epoch, and whose log has so many events. */
async function takenSince({ url }: Fleet, at: number, events = 0): Promise<number> {
  const rows = await ask(
    url(),
    "select from chatform.log where kind = 'ledger' and extract(epoch from since) * 1000 > $1::float8 and head >= $2",
    [at, events],
  );
  return rows.length;
}

/** The moment at which a statement halts the run: what takes a lease later has seen it, or waits for it. */
const MOMENTS = `
create table public.halt (at timestamptz not null);
create function public.note_halt() returns trigger language plpgsql security definer as $$
begin
  insert into public.halt values (clock_timestamp());
  return null;
end $$;
create trigger note_halt after update on chatform.log for each row
  when (new.cancel is not null and old.cancel is null or new.failures > old.failures) execute function public.note_halt();
`;

/** Seconds that a run may take to its end: a killed worker holds the lease of the run for 16 s. */
const PATIENCE = 120;

export async function halted(fleet: Fleet, { by, kill, killed }: Halt): Promise<Halted> {
  await fleet.clear();
  await ask(fleet.url(), MOMENTS);
  const workers = await Promise.all([fleet.worker(), fleet.worker()]);
  const { code, stderr, stdout } = await fleet.run('apply', '--all', '--yes', '--workers', '--detach');
  if (code !== 0) throw new Error(stderr);
  const [, run = ''] = /^Run (\w+) began/m.exec(stdout) ?? [];
  const { [killed]: victim } = await drivenBy(fleet, workers);
  const haltedAt = async (): Promise<number | null> => {
    const [row] = await ask(fleet.url(), 'select extract(epoch from min(at))::float8 * 1000 as at from public.halt');
    return row?.['at'] == null ? null : Number(row['at']);
  };
  await until(60, async () => ((await begunIn(fleet)) >= 3 ? true : null));
  if (kill === 'before') await victim.kill();
  if (by === 'cancel') {
    const cancelled = await fleet.run('fleet', 'cancel', run);
    if (cancelled.code !== 0) throw new Error(cancelled.stderr);
  }
  const at = await until(60, haltedAt);
  const from = Date.now();
  if (kill === 'after') await victim.kill();
  const log = await overIn(fleet, run, PATIENCE);
  const seconds = (Date.now() - from) / 1_000;
  // What a dead worker left in the queue would be found by now.
  await pause(kill === null ? 500 : 5_000);
  const open = new Set<string>();
  for (const { event } of await runLog(fleet, run)) {
    if (event.type === 'started') open.add(event.target);
    if (event.type === 'ended' || event.type === 'unbegun') open.delete(event.target);
    // A driver that follows a dead one leaves what that had begun as it is.
    if (event.type === 'resumed') open.clear();
  }
  return {
    late: await takenSince(fleet, at),
    begun: await begunIn(fleet),
    stopped: stoppedBy(log.at(-1)?.event),
    open: [...open],
    seconds,
  };
}
