// A value in, the same without what must not be seen of it out: the user and the password of a URL, and what the environment gave to the files.

import { isList, isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';

/** What stands before the `@` of a URL, up to the last one before its path. */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi;

export const MASK = 'withheld';

/** `secrets` are texts that are not to be seen wherever they stand in the value. */
export function masked<T extends Json>(value: T, secrets: readonly string[] = []): T {
  return change(value, (text) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text).replaceAll(USER_INFO, `$1${MASK}@`),
  ) as T;
}

function change(value: Json, text: (value: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (isList(value)) return value.map((item) => change(item, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, text)]));
}

/** Those of the texts that stand in the value. */
export function textsIn(value: Json, texts: readonly string[]): readonly string[] {
  if (typeof value === 'string') return texts.filter((text) => value.includes(text));
  if (isList(value)) return value.flatMap((item) => textsIn(item, texts));
  return isObject(value) ? Object.values(value).flatMap((member) => textsIn(member, texts)) : [];
}
