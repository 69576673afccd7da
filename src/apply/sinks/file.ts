// The sink that is a JSON file: one object, address -> `{ id, secret }`. In: secrets; out: that file, merged.

import { UsageError } from '../../errors.ts';
import type { Json, JsonObject } from '../../model.ts';
import type { SecretsSink, StoredSecret } from '../secrets.ts';
import { type PrivateFile, privateFile } from './private-file.ts';

export function fileSink(path: string): SecretsSink {
  const file = fileOf(path);
  return {
    probe: () => file.probe((text) => keptIn(text, path)),
    store: async (entries) => {
      if (entries.length > 0) await file.change((text) => documentOf({ ...keptIn(text, path), ...members(entries) }));
    },
    holds: async (address, id) => {
      const kept = keptIn(await file.read(), path)[address];
      return isObject(kept) && kept['id'] === id && typeof kept['secret'] === 'string';
    },
  };
}

/** The rights of the file, null when there is none yet. Writes nothing. @throws UsageError when `store` could not work */
export function inspectFile(path: string): Promise<number | null> {
  return fileOf(path).inspect((text) => keptIn(text, path));
}

function fileOf(path: string): PrivateFile {
  return privateFile(path, whatIs(path));
}

function whatIs(path: string): string {
  return `the secrets file ${path}`;
}

function members(entries: readonly StoredSecret[]): JsonObject {
  return Object.fromEntries(entries.map(({ address, id, secret }) => [address, { id, secret }]));
}

/** Sorted by address. */
function documentOf(kept: JsonObject): string {
  const sorted = Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

function keptIn(text: string, path: string): JsonObject {
  const kept = parse(text);
  if (kept === null)
    throw new UsageError(`${whatIs(path)} is not a JSON object: it was not written by chatform, and is left alone`);
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

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
