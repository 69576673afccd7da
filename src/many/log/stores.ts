// Where the log of a run over several targets is: in a file, or in a database.

import { isInDatabase, logKey } from '../../ledger/place.ts';
import type { Around } from '../../target/stores.ts';
import { fileStore } from './file-store.ts';
import { databaseStore } from './postgres.ts';
import type { FleetStore } from './store.ts';

/** Its driver appends only while it holds the lease of the log. */
export function fleetStoreAt(log: string, { databases, ...around }: Around): FleetStore {
  if (!isInDatabase(log)) return fileStore(log);
  const key = logKey(log);
  return databaseStore(databases.at(key.variable, around), key, databases.fence(log));
}
