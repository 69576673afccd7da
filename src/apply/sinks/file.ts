// Secrets sink that is a JSON file: one object, address -> `{ id, secret }`.

import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Address, Json, JsonObject } from '../../base/model.ts';
import type { SecretsSink, StoredSecret } from '../secrets.ts';
import { privateFile } from './private-file.ts';

export function fileSink(path: string): SecretsSink {
  const what = whatIs(path);
  const file = privateFile(path, what);
  return {
    probe: () => file.probe((text) => keptIn(text, what)),
    store: async (entries) => {
      if (entries.length > 0) await file.change((text) => textOf({ ...keptIn(text, what), ...membersOf(entries) }));
    },
    holds: async (address, id) => {
      const kept = keptIn(await file.read(), what)[address];
      return isObject(kept) && kept['id'] === id && typeof kept['secret'] === 'string';
    },
  };
}

/** Returns the mode of the file, null when there is none. Writes nothing. @throws UsageError when `store` could not work */
export function inspectFile(path: string): Promise<number | null> {
  return privateFile(path, whatIs(path)).inspect((text) => keptIn(text, whatIs(path)));
}

function whatIs(path: string): string {
  return `the secrets file ${path}`;
}

/** Returns the text of a file with only these entries. */
export function documentOf(entries: readonly StoredSecret[]): string {
  return textOf(membersOf(entries));
}

/** Returns the entries of a text that `documentOf` wrote. `what` names the file. @throws UsageError for any other text */
export function entriesIn(text: string, what: string): readonly StoredSecret[] {
  return Object.entries(keptIn(text, what)).map(([address, kept]) => {
    const { id, secret } = isObject(kept) ? kept : {};
    if ((typeof id !== 'string' && typeof id !== 'number') || typeof secret !== 'string')
      throw new UsageError(`${what} has no id and secret for one of its members`);
    return { address: address as Address, id, secret };
  });
}

function membersOf(entries: readonly StoredSecret[]): JsonObject {
  return Object.fromEntries(entries.map(({ address, id, secret }) => [address, { id, secret }]));
}

/** Sorted by address. */
function textOf(kept: JsonObject): string {
  const sorted = Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

function keptIn(text: string, what: string): JsonObject {
  const kept = parse(text);
  if (kept === null)
    throw new UsageError(`${what} is not a JSON object: it was not written by chatform, and is not changed`);
  // A license or a ledger of one line is an object as well.
  if (!Object.values(kept).every((entry) => isObject(entry) && 'secret' in entry))
    throw new UsageError(
      `${what} has members that are no secrets: it was not written by chatform, and is not changed; name another file`,
    );
  return kept;
}

function parse(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // The parser's own message quotes the text, which holds secrets.
    return null;
  }
}
