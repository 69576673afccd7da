// The ledger of a target in a database. Its events are the lines of a file, letter for letter.

import { UsageError } from '../../base/errors.ts';
import { LEDGER } from '../file.ts';
import type { Backend } from '../ledger.ts';
import type { LogKey } from '../place.ts';
import type { Database } from './database.ts';
import { databaseLog, type Fence } from './log.ts';

export function databaseLedger(database: Database, key: LogKey, fence: Fence): Backend {
  return databaseLog(database, key, { format: LEDGER, fence, announces: ({ type }) => type === 'intent' });
}

/** Names of the targets that have a ledger in the database. */
export async function storedLedgers(database: Database, project: string): Promise<readonly string[]> {
  const rows = await database.query<{ name: string }>(
    "select name from chatform.log where project = $1 and kind = 'ledger' and head > 0 order by name",
    [project],
  );
  return rows.map(({ name }) => name);
}

/** Why ledgers of the database cannot be written; null when they can. */
export async function databaseRefusal(database: Database): Promise<string | null> {
  try {
    const [row] = await database.query<{ may: boolean }>(
      "select has_function_privilege('chatform.append(text, text, text, text, bigint, interval, text[])', 'execute') as may",
      [],
    );
    return row?.may === true
      ? null
      : `the user of ${database.variable} may only read: grant it the role chatform_apply`;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
