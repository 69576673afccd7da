// A run over forty licenses by two workers with one place each, which is cancelled, or fails, while a worker is killed: what was begun after that.

import { setTimeout as pause } from 'node:timers/promises';
import { manifestOf } from '../postgres/disturbed.ts';
import { ask } from '../postgres/migrated.ts';
import type { PostgresServer } from '../postgres/server.ts';
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

/** The licenses of both kinds of halt. */
export async function fleetsOn(server: PostgresServer): Promise<{ readonly [by in Halt['by']]: Fleet }> {
  const failing = names.map((name, index) => (index === 5 ? `l15${BROKEN}` : name));
  return { cancel: await fleetOn(server, FORTY), failure: await fleetOn(server, { ...FORTY, names: failing }) };
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
  const { code, stderr, stdout } = await fleet.run('apply', '--all', '--yes', '--on', 'postgres', '--detach');
  if (code !== 0) throw new Error(stderr);
  const [, run = ''] = /^Run (\w+) began/m.exec(stdout) ?? [];
  const { [killed]: victim } = await drivenBy(fleet, workers);
  const begun = () =>
    ask(fleet.url(), "select name from chatform.log where kind = 'ledger' and generation > 0") as Promise<
      readonly { readonly name: string }[]
    >;
  const isHalted = async () => ((await ask(fleet.url(), 'select from public.halt')).length > 0 ? true : null);
  await until(60, async () => ((await begun()).length >= 3 ? true : null));
  if (kill === 'before') await victim.kill();
  if (by === 'cancel') {
    const cancelled = await fleet.run('fleet', 'cancel', run);
    if (cancelled.code !== 0) throw new Error(cancelled.stderr);
  }
  await until(60, isHalted);
  const from = Date.now();
  if (kill === 'after') await victim.kill();
  const log = await overIn(fleet, run, PATIENCE);
  const seconds = (Date.now() - from) / 1_000;
  // What a dead worker left in the queue would be found by now.
  await pause(kill === null ? 500 : 5_000);
  const [row] = await ask(
    fleet.url(),
    "select count(*)::int as late from chatform.log where kind = 'ledger' and since > (select min(at) from public.halt)",
  );
  const open = new Set<string>();
  for (const { event } of await runLog(fleet, run)) {
    if (event.type === 'started') open.add(event.target);
    if (event.type === 'ended' || event.type === 'unbegun') open.delete(event.target);
    // A driver that follows a dead one leaves what that had begun as it is.
    if (event.type === 'resumed') open.clear();
  }
  const last = log.at(-1)?.event;
  return {
    late: Number(row?.['late']),
    begun: (await begun()).length,
    stopped: last?.type === 'stopped' ? last.because.kind : String(last?.type),
    open: [...open],
    seconds,
  };
}
