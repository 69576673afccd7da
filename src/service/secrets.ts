// Secrets in answers: where they stand, and texts and replies without them.

import { replacedInside } from '../base/encodings.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';

/** What stands in the place of a secret. */
const WITHHELD = '[withheld]';

/** The secrets in an answer, which are told once only: the members `secret` and `token`, in a slot or not. */
export function secretsIn(result: Json): readonly string[] {
  if (isList(result)) return result.flatMap(secretsIn);
  if (!isObject(result)) return [];
  return Object.entries(result).flatMap(([name, member]) =>
    (name === 'secret' || name === 'token') && typeof member === 'string' && member !== ''
      ? [member]
      : secretsIn(member),
  );
}

/** The secrets that a request carries. */
export function secretsSent(body: Json): readonly string[] {
  if (!isObject(body)) return [];
  return ['secret_key', 'bot_secret'].flatMap((name) => {
    const member = body[name];
    return typeof member === 'string' && member !== '' ? [member] : [];
  });
}

/** The text without words that could be a secret; words that the request itself said stay. */
export function withoutSecretWords(text: string, said: string): string {
  return replacedInside(text, /[\w+/=-]{16,}/g, WITHHELD, (word) => /\d/.test(word) && !said.includes(word));
}

/** Names of members that hold a secret wherever they stand. */
const SECRET_NAME = /(^|_)(secret|secret_key|token|password)$/i;

/** Names of members that identify an object, and so are needed. */
const ID_NAME = /(^|_)id$/;

/** A value without secrets, and how many were replaced. */
export interface WithheldSecret {
  readonly value: Json;
  readonly count: number;
}

/**
 * The value without the members whose names say that they are secret. `answersSecret`: an answer that has one, perhaps elsewhere than it should, so
 * it has no word that could be one either, except in ids.
 */
export function withheld(
  value: Json,
  { answersSecret, said }: { readonly answersSecret: boolean; readonly said: string },
): WithheldSecret {
  let count = 0;
  const scrub = (text: string): string => {
    const rest = answersSecret ? withoutSecretWords(text, said) : text;
    if (rest !== text) count += 1;
    return rest;
  };
  // A member of another answer may have the name of a property that is called so.
  const mayBeSecret = (member: Json): boolean =>
    typeof member === 'string' || typeof member === 'number' || (answersSecret && member !== null);
  const walk = (member: Json, isId: boolean): Json => {
    if (typeof member === 'string') return isId ? member : scrub(member);
    if (isList(member)) return member.map((item) => walk(item, false));
    if (!isObject(member)) return member;
    return Object.fromEntries(
      Object.entries(member).map(([name, inner]) => {
        if (!SECRET_NAME.test(name) || !mayBeSecret(inner)) return [name, walk(inner, ID_NAME.test(name))];
        count += 1;
        return [name, WITHHELD];
      }),
    );
  };
  return { value: walk(value, false), count };
}
