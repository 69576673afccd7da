// The sightings of a target in the database of its ledger, as one text.

import { UsageError } from '../../base/errors.ts';
import { type LogKey, placeName } from '../place.ts';
import type { SightingsPlace } from '../sightings-file.ts';
import type { Database } from './database.ts';

/** @param key - That of the ledger. */
export function databaseSightings(database: Database, key: LogKey): SightingsPlace {
  const { project, name: target } = key;
  const name = placeName(key);

  async function replace(text: string | null): Promise<void> {
    try {
      await database.query('select chatform.keep_sightings($1, $2, $3)', [project, target, text]);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(`the sightings ${name} cannot be written: ${error.message}`);
    }
  }

  return {
    name,
    read: async () => {
      try {
        const [row] = await database.query<{ body: string }>(
          'select body::text as body from chatform.sightings where project = $1 and target = $2',
          [project, target],
        );
        return { text: row?.body ?? null };
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return { problem: `cannot be read (${error.message})`, isReplaceable: true };
      }
    },
    write: replace,
    remove: () => replace(null),
  };
}
