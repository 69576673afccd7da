// The lease of a log in a database, by the clock of its server: machines whose clocks disagree agree here.

import { ConnectionLost } from '../../base/errors.ts';
import type { Lease, LeaseHolder, LeaseRecord, LeaseTimes } from '../lease.ts';
import type { LogKey } from '../place.ts';
import type { Database } from './database.ts';
import { asJob, type KnownJob } from './jobs.ts';
import type { Fence } from './log.ts';

/** Times of the server, in milliseconds since the epoch. */
type LeaseRow = {
  readonly generation: number;
  readonly run: string;
  readonly holder: string;
  readonly since: number;
  readonly renewed: number;
  readonly until: number | null;
  /** When the row was read. */
  readonly now: number;
};

/** The clock of the server is read with each row: clocks are set while a command runs. */
const TIMES = Object.entries({ since: 'since', renewed: 'renewed', until: 'until', now: 'chatform.now()' })
  .map(([name, time]) => `extract(epoch from ${time})::float8 * 1000 as ${name}`)
  .join(', ');

/** Short, because all go by one clock: the work of a killed worker waits for the end of its lease. */
const TIMES_OF_LEASES: LeaseTimes = { heartbeat: 5_000, tolerance: 1_000, shortest: 15_000 };

/**
 * @param need - Milliseconds that a request of its holder takes at most.
 * @param job - What begins with the first record.
 */
export function databaseLease(
  database: Database,
  key: LogKey,
  fence: Fence,
  need: number,
  job: KnownJob | null = null,
): Lease {
  const named = [key.project, key.kind, key.name];

  async function read(): Promise<LeaseRecord | null> {
    const asked = database.now();
    const [row] = await database.query<LeaseRow>(
      `select generation::float8 as generation, run, holder::text as holder, ${TIMES}
       from chatform.log where project = $1 and kind = $2 and name = $3 and generation > 0`,
      named,
    );
    if (row === undefined) return null;
    // A process can be suspended until it has the reply: its own lease must end no later than it does, and that of another no earlier.
    return recordOf(row, row.run === fence.run ? asked : database.now());
  }

  /** Whether a swap without a reply took effect; null when it did not, and can still. */
  async function outcomeOf({ generation, run }: LeaseRecord): Promise<boolean | null> {
    const newest = await read();
    if ((newest?.generation ?? 0) === generation - 1) return null;
    return newest?.generation === generation && newest.run === run;
  }

  async function replace(record: LeaseRecord): Promise<boolean> {
    const { generation, run, holder, renewed, until } = record;
    const ttl = until === null ? null : Date.parse(until) - Date.parse(renewed);
    const begins = fence.run === null && until !== null ? job : null;
    let isLost = false;
    for (;;) {
      try {
        const [row] = await asJob(begins, () =>
          database.once<{ won: boolean }>(
            "select chatform.replace_lease($1, $2, $3, $4, $5, $6, $7 * interval '1 ms', $8) as won",
            [...named, generation, run, JSON.stringify(holder), ttl, begins === null ? null : jobText(begins)],
          ),
        );
        // A swap whose reply was lost can take effect after it was looked for, and then refuses the next one.
        return row?.won === true || (isLost && (await outcomeOf(record)) === true);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        isLost = true;
        const outcome = await outcomeOf(record);
        if (outcome !== null) return outcome;
      }
    }
  }

  return {
    read,
    times: TIMES_OF_LEASES,
    beginsJob: job !== null,
    replace: async (record) => {
      const isKept = await replace(record);
      if (isKept) {
        fence.run = record.until === null ? null : record.run;
        fence.need = need;
      }
      return isKept;
    },
  };
}

function jobText({ run, target, attempt, failures }: KnownJob): string {
  return JSON.stringify({ run: run.name, target, attempt, failures: failures() });
}

/** `read`: when the row was read, by our clock, which is between the question and the reply. */
function recordOf({ generation, run, holder, since, renewed, until, now }: LeaseRow, read: number): LeaseRecord {
  const ours = (time: number): string => new Date(Math.round(read + time - now)).toISOString();
  return {
    generation,
    run,
    holder: JSON.parse(holder) as LeaseHolder,
    since: ours(since),
    renewed: ours(renewed),
    until: until === null ? null : ours(until),
  };
}
