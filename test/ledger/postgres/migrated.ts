// Migrated databases of tests, and what their tables say.

import { Client } from 'pg';
import { migrateDatabase } from '../../../src/ledger/postgres/migrate.ts';
import { systemClock } from '../../../src/service/patience/clock.ts';
import type { SharedServer } from './server.ts';

/** Makes a database with the tables of chatform, and returns its address. */
export async function migratedDatabase(server: SharedServer): Promise<string> {
  const url = await server.newDatabase();
  await migrateDatabase({ variable: 'DATABASE_URL', env: { DATABASE_URL: url } }, { clock: systemClock });
  return url;
}

export type Answer = readonly { readonly [column: string]: unknown }[];

/** The rows that a statement returns. */
export async function ask(url: string, sql: string, values: readonly unknown[] = []): Promise<Answer> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** A row for each hole in the events of the logs of a database, and for each head that is not that of the last event. */
export function holesIn(url: string): Promise<Answer> {
  return ask(
    url,
    `select l.name, e.seq from chatform.log l join chatform.event e on e.log = l.id
      where e.seq > l.compacted + 1 and not exists (select from chatform.event b where b.log = e.log and b.seq = e.seq - 1)
     union all
     select l.name, l.head from chatform.log l
      where l.head <> coalesce((select max(seq) from chatform.event e where e.log = l.id), l.compacted)`,
  );
}
