// Secrets sink that is a JSON file: one object, address -> `{ id, secret }`, with `token` and `token_expires_at` of a bot that has a token.

import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Address, Json, JsonObject } from '../../base/model.ts';
import { privateFile } from './private-file.ts';
import type { SecretSubject, StoredSecret, TokenSink } from './secrets.ts';

export function fileSink(path: string): TokenSink {
  const what = whatIs(path);
  const file = privateFile(path, what);
  const secretOf: TokenSink['secretOf'] = async (address, id) => {
    const { secret } = ofObject(keptIn(await file.read(), what), { address, id });
    return typeof secret === 'string' ? secret : null;
  };
  return {
    probe: () => file.probe((text) => keptIn(text, what)),
    store: async (entries) => {
      const added = (kept: JsonObject, { secret, ...of }: StoredSecret): JsonObject =>
        withMembers(kept, of, { secret });
      if (entries.length > 0) await file.change((text) => textOf(entries.reduce(added, keptIn(text, what))));
    },
    kept: async (addresses) => {
      const kept = keptIn(await file.read(), what);
      return addresses.flatMap((address) => {
        const own = kept[address];
        const id = isObject(own) && 'secret' in own ? own['id'] : undefined;
        return typeof id === 'string' || typeof id === 'number' ? [{ address, id }] : [];
      });
    },
    holds: async (address, id) => (await secretOf(address, id)) !== null,
    remove: (subjects) => file.change((text) => textOf(withoutObjects(keptIn(text, what), subjects))),
    probeToken: (bot) => file.probe((text) => keptFor(bot, text, what)),
    storeToken: async ({ token, until, ...of }) =>
      file.change((text) => textOf(withMembers(keptFor(of, text, what), of, { token, token_expires_at: until }))),
    secretOf,
  };
}

/** Returns the mode of the file, null when there is none. Writes nothing. @throws UsageError when `store` could not work */
export function inspectFile(path: string): Promise<number | null> {
  return privateFile(path, whatIs(path)).inspect((text) => keptIn(text, whatIs(path)));
}

function whatIs(path: string): string {
  return `the secrets file ${path}`;
}

/** The members of this very object. */
function ofObject(kept: JsonObject, { address, id }: SecretSubject): JsonObject {
  const own = kept[address];
  return isObject(own) && own['id'] === id ? own : {};
}

/** What is kept, where a token of the bot takes the place of no secret. @throws UsageError otherwise */
function keptFor({ address, id }: SecretSubject, text: string, what: string): JsonObject {
  const kept = keptIn(text, what);
  const own = kept[address];
  if (!isObject(own) || own['id'] === id || !('secret' in own)) return kept;
  throw new UsageError(
    `${what} keeps the secret of another ${address}, with the id ${JSON.stringify(own['id'] ?? null)}: remove that member if it is no longer needed, or name another file`,
  );
}

function withoutObjects(kept: JsonObject, subjects: readonly SecretSubject[]): JsonObject {
  const isGone = (address: string): boolean =>
    subjects.some((subject) => subject.address === address && 'id' in ofObject(kept, subject));
  return Object.fromEntries(Object.entries(kept).filter(([address]) => !isGone(address)));
}

/** Adds what is new of an object to what is kept of it; of another object of that address nothing stays. */
function withMembers(kept: JsonObject, { address, id }: SecretSubject, members: JsonObject): JsonObject {
  return { ...kept, [address]: { ...ofObject(kept, { address, id }), id, ...members } };
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
  if (!Object.values(kept).every((entry) => isObject(entry) && ('secret' in entry || 'token' in entry)))
    throw new UsageError(
      `${what} has members that are no secrets: it was not written by chatform, and is not changed; name another file`,
    );
  return kept;
}

function parse(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    const value: Json = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(value) ? value : null;
  } catch {
    // The parser's own message quotes the text, which holds secrets.
    return null;
  }
}
