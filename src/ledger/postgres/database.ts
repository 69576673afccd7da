// A database, by the variable that has its address. Waits for a server that comes back; pg is loaded with the first statement.

import type { Pool } from 'pg';
import { asError, ConnectionLost } from '../../base/errors.ts';
import type { Clock } from '../../base/model.ts';
import { until } from '../../base/until.ts';
import { addressIn, type Variable } from './address.ts';
import { type DatabaseName, explainedFailure, isLost } from './failure.ts';
import { requireSchema } from './migrate.ts';
import { openPool } from './pool.ts';

export type DatabaseRow = { readonly [column: string]: unknown };

export interface Database {
  /** The variable with its address. */
  readonly variable: string;
  /**
   * Asks for rows, and asks again when the connection is lost: for a statement that may be carried out twice.
   * @throws UsageError when the server does not come back, or refuses
   */
  readonly query: <R extends DatabaseRow>(sql: string, values: readonly unknown[]) => Promise<readonly R[]>;
  /** Asks once. @throws ConnectionLost when it is not known whether the statement took effect */
  readonly once: <R extends DatabaseRow>(sql: string, values: readonly unknown[]) => Promise<readonly R[]>;
  /** For the engine of workers, which has connections of its own. @throws UsageError unless the server answers, and has the tables of this chatform */
  readonly address: () => Promise<string>;
  /** Our clock, which can disagree with that of the server. */
  readonly now: () => number;
  readonly close: () => Promise<void>;
}

export interface DatabaseOptions extends Variable {
  readonly clock: Clock;
  /** Called when a server that answered before does not answer, and is asked again: once until it answers. */
  readonly onWait: (name: DatabaseName) => void;
}

/** Connections of one process. A server has 100 by default, and a pooler in front of it more. */
const CONNECTIONS = 5;

/** Milliseconds in which a server may come back. A lease without a renewal lasts about as long. */
const PATIENCE = 60_000;

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;

export function openDatabase({ variable, env, clock, onWait }: DatabaseOptions): Database {
  let opened: { readonly pool: Pool; readonly name: DatabaseName } | null = null;
  /** The server answered once, so it is the right one, and may come back. */
  let isKnown = false;
  /** It was said that the server does not answer, and it has not answered since. */
  let isTold = false;
  let checked: Promise<void> | null = null;

  async function pool(): Promise<{ readonly pool: Pool; readonly name: DatabaseName }> {
    if (opened !== null) return opened;
    const { address, name } = addressIn({ variable, env });
    const connections = await openPool(address, {
      max: CONNECTIONS,
      allowExitOnIdle: true,
      application_name: 'chatform',
    });
    opened ??= { name, pool: connections };
    return opened;
  }

  async function attempt<R extends DatabaseRow>(sql: string, values: readonly unknown[]): Promise<readonly R[]> {
    const { pool: connections } = await pool();
    try {
      const { rows } = await connections.query<R>(sql, [...values]);
      isKnown = true;
      isTold = false;
      return rows;
    } catch (error) {
      if (isKnown && isLost(error)) throw new ConnectionLost(asError(error).message);
      throw error;
    }
  }

  async function repeated<R extends DatabaseRow>(sql: string, values: readonly unknown[]): Promise<readonly R[]> {
    let pauses = 0;
    const ask = (): Promise<readonly R[] | ConnectionLost> =>
      attempt<R>(sql, values).catch((error: unknown) => {
        if (error instanceof ConnectionLost) return error;
        throw error;
      });
    const answer = await until(ask, {
      clock,
      deadline: clock.now() + PATIENCE,
      isEnough: (seen) => !(seen instanceof ConnectionLost),
      pause: () => Math.min(FIRST_PAUSE * 2 ** pauses++, LONGEST_PAUSE),
      onWait: () => {
        if (!isTold && opened !== null) onWait(opened.name);
        isTold = true;
      },
    });
    if (answer instanceof ConnectionLost) throw answer;
    return answer;
  }

  /** Before the first statement, whether the tables are those of this chatform. */
  function ready(): Promise<void> {
    checked ??= requireSchema(repeated, variable).catch((error: unknown) => {
      checked = null;
      throw error;
    });
    return checked;
  }

  async function explained<T>(work: () => Promise<T>, unless?: typeof ConnectionLost): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (opened === null || (unless !== undefined && error instanceof unless)) throw error;
      throw explainedFailure(error, opened.name);
    }
  }

  return {
    variable,
    query: (sql, values) =>
      explained(async () => {
        await ready();
        return repeated(sql, values);
      }),
    once: (sql, values) =>
      explained(async () => {
        await ready();
        return attempt(sql, values);
      }, ConnectionLost),
    address: () =>
      explained(async () => {
        await ready();
        return addressIn({ variable, env }).address;
      }),
    now: clock.now,
    close: async () => {
      await opened?.pool.end();
      opened = null;
      checked = null;
    },
  };
}

/** The clock of every lease, in milliseconds since the epoch. */
export async function serverTime({ query }: Pick<Database, 'query'>): Promise<number> {
  const [row] = await query<{ now: number }>('select extract(epoch from chatform.now())::float8 * 1000 as now', []);
  return row?.now ?? 0;
}
