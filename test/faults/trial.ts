// One run over all licenses by two workers that something harms, and what is wrong after it.

import { setTimeout as pause } from 'node:timers/promises';
import { type Bouncer, pgbouncer } from '../ledger/postgres/bouncer.ts';
import { ask } from '../ledger/postgres/migrated.ts';
import { type PostgresServer, postgresServer } from '../ledger/postgres/server.ts';
import { type Fleet, fleetOn, NAMES, TWENTY, type WorkerProcess } from './fleet.ts';
import { HARMS, type Harm } from './harms.ts';
import { drivenBy, overIn, runLog, type Written } from './state.ts';
import { type License, licensesOf, wrongIn } from './wrong.ts';

export interface Trial {
  readonly wrong: readonly string[];
  /** Seconds from the harm, or from its end, to the next end of a target; null when there is none. */
  readonly moves: number | null;
  /** To the end of the run; null when it was over before. */
  readonly ends: number | null;
  readonly hit: Hit;
}

/** How much of the work the harm hit. */
export interface Hit {
  /** Licenses that more than one run wrote to. */
  readonly taken: number;
  /** Requests to create an object that were under way, so that a later run had to find out what became of them. */
  readonly doubts: number;
}

export interface Lane {
  /** Seconds of a run that nothing harms. */
  readonly seconds: number;
  /** @param share - The moment, as a share of a run that nothing harms. */
  readonly trial: (part: string, share: number) => Promise<Trial>;
  readonly close: () => Promise<void>;
}

/** Seconds that a run may take after its harm. */
const PATIENCE = 150;

/** Milliseconds for which a worker that was suspended is watched afterwards. */
const WATCHED = 6_000;

/** Trials of a lane go one after the other: it has one server, and one process of licenses. */
export async function openLane(): Promise<Lane> {
  const server = (await postgresServer({ durable: true })) as PostgresServer;
  const bouncer = (await pgbouncer(server)) as Bouncer;
  const fleet = await fleetOn(server, TWENTY);

  async function begun(through?: number) {
    await fleet.clear(through);
    const workers = await Promise.all([fleet.worker(), fleet.worker()]);
    const { code, stderr, stdout } = await fleet.run('apply', '--all', '--yes', '--workers', '--detach');
    if (code !== 0) throw new Error(stderr);
    const [, run = ''] = /^Run (\w+) began/m.exec(stdout) ?? [];
    return { run, workers, from: Date.now(), ...(await drivenBy(fleet, workers)) };
  }

  const { run, from } = await begun();
  const seconds = (endOf(await overIn(fleet, run, PATIENCE)) - from) / 1_000;
  const first = (await licensesOf(fleet)).get(NAMES[0] ?? '');
  if (first === undefined || first.created === 0) throw new Error('the run that nothing harms did nothing');
  const reference: License = first;
  const wrong = await wrongIn(fleet, run, reference);
  if (wrong.length > 0) throw new Error(`the run that nothing harms: ${wrong.join('\n')}`);

  /** The end of the run. One that stopped for failures is resumed by a person, as long as it stops. */
  async function over(run: string, { stops = false }: Harm): Promise<readonly Written[]> {
    for (let time = 0; time < 3; time += 1) {
      const log = await overIn(fleet, run, PATIENCE);
      const hasFailed = log.some(({ event }) => event.type === 'ended' && event.state !== 'done');
      if (!stops || !hasFailed) return log;
      const resumed = await fleet.run('apply', '--resume', run, '--retry', 'failed', '--workers');
      if (resumed.code === 0) return runLog(fleet, run);
    }
    throw new Error('the run does not end well when it is resumed');
  }

  async function trial(part: string, share: number): Promise<Trial> {
    const harm = HARMS[part];
    if (harm === undefined) throw new Error(`${part} is none of ${Object.keys(HARMS).join(', ')}`);
    const run = await begun(harm.isPooled === true ? bouncer.port : undefined);
    try {
      await pause(Math.max(0, run.from + seconds * share * 1_000 - Date.now()));
      const harmed = Date.now();
      const ended = harm.act({ fleet, server, ...run }).then(() => Date.now());
      const at = part === 'away' || part === 'server' ? await ended : harmed;
      await ended;
      const log = await over(run.run, harm);
      const suspended = harm.suspends === undefined ? [] : await afterwards(fleet, run[harm.suspends]);
      const found = [...(await wrongIn(fleet, run.run, reference)), ...suspended, ...(await endsOf(run, harm))];
      const said = found.length === 0 ? [] : run.workers.map(({ token, said }) => `${token}: ${said().slice(-1_500)}`);
      const end = (endOf(log) - at) / 1_000;
      const next = log.find(({ event, at: written }) => event.type === 'ended' && written > at);
      return {
        wrong: [...found, ...said],
        moves: next === undefined ? null : (next.at - at) / 1_000,
        ends: end > 0 ? end : null,
        hit: await hitIn(fleet),
      };
    } catch (error) {
      const said = run.workers.map(({ token, said: log }) => `${token}: ${log().slice(-1_500)}`);
      return { wrong: [String(error), ...said], moves: null, ends: null, hit: { taken: 0, doubts: 0 } };
    }
  }

  return {
    seconds,
    trial,
    close: async () => {
      await fleet.close();
      await bouncer.stop();
      await server.stop();
    },
  };
}

function endOf(log: readonly Written[]): number {
  return log.findLast(({ event: { type } }) => type === 'done')?.at ?? Number.NaN;
}

async function hitIn({ url }: Fleet): Promise<Hit> {
  const [row] = await ask(
    url(),
    `select (select count(*)::int from (
               select from chatform.log l join chatform.event e on e.log = l.id
                where l.kind = 'ledger' group by l.id having count(distinct e.run) > 1) t) as taken,
            (select count(*)::int from chatform.event i
              where i.body ->> 'type' = 'intent' and not exists (
                select from chatform.event d where d.log = i.log and d.run = i.run
                   and d.body ->> 'type' = 'done' and d.body ->> 'intent' = i.body ->> 'id')) as doubts`,
  );
  return row as unknown as Hit;
}

/** What a worker does that goes on after its work was done by others. */
async function afterwards(fleet: Fleet, { process, token }: WorkerProcess): Promise<readonly string[]> {
  const [{ now = null } = {}] = await ask(fleet.url(), 'select clock_timestamp()::text as now');
  const at = Date.now();
  process.kill('SIGCONT');
  await pause(WATCHED);
  const writes = (await fleet.licenses.asked()).filter(
    (asked) => asked.by === token && asked.at > at && !/^(?:list|get)_/.test(asked.action),
  );
  const events = await ask(
    fleet.url(),
    `select l.name, e.body ->> 'type' as type from chatform.log l join chatform.event e on e.log = l.id
      where e.at > $1::timestamptz order by l.name, e.seq`,
    [now],
  );
  return [
    ...writes.map(({ license, action }) => `a suspended worker sent ${action} to ${license}`),
    ...events.map((event) => `a suspended worker wrote ${JSON.stringify(event)}`),
  ];
}

/** Whether each worker lives that was not ended, and ends with 0 when it is told to. */
async function endsOf({ workers, coordinator, other }: Began, { ends }: Harm): Promise<readonly string[]> {
  const gone = { coordinator: [coordinator], other: [other], both: workers };
  const left = workers.filter((worker) => ends === undefined || !gone[ends].includes(worker));
  const ran = await Promise.all(left.map(({ stop }) => stop()));
  return ran.flatMap(({ code, stderr }) => (code === 0 ? [] : [`a worker ended with ${code}: ${stderr}`]));
}

interface Began {
  readonly workers: readonly WorkerProcess[];
  readonly coordinator: WorkerProcess;
  readonly other: WorkerProcess;
}
