// JSON that a person wrote: its value, or the first place where it is wrong. Quotes nothing of the text, which may hold a secret.

import type { Json } from './model.ts';

export type WrittenJson =
  | { readonly value: Json }
  /** Such as `line 2, column 5: a comma or } is missing`. */
  | { readonly wrong: string };

/** Stricter than JSON.parse: refuses a member that stands twice, and a number that would be another one. RFC 8259. */
export function writtenJson(text: string): WrittenJson {
  const flaw = flawIn(text);
  if (flaw === null) return { value: JSON.parse(text) };
  const before = text.slice(0, flaw.at).split('\n');
  return { wrong: `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${flaw.what}` };
}

interface Flaw {
  /** Offset in the text. */
  readonly at: number;
  readonly what: string;
}

const SPACE = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has them as escapes only
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** No request is deeper, and every walk over a deeper value would end the program. */
const DEEPEST = 500;

function flawIn(text: string): Flaw | null {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const isNext = (sign: string): boolean => {
    take(SPACE);
    if (text[at] !== sign) return false;
    at += 1;
    return true;
  };
  const flaw = (what: string, place = at): Flaw => ({
    at: place,
    what: place < text.length ? what : 'it ends too early',
  });

  function scalar(): Flaw | null {
    const begin = at;
    if (text[at] === '"')
      return take(STRING) === '' ? flaw('the text does not end, or has a character that must be escaped') : null;
    const number = take(NUMBER);
    if (number !== '') return isExact(number) ? null : flaw('the number would be sent as another one', begin);
    return take(WORD) === '' ? flaw('a value is missing: a text stands in double quotes') : null;
  }

  function members(depth: number): Flaw | null {
    const names = new Set<string>();
    do {
      take(SPACE);
      const begin = at;
      const name = take(STRING);
      if (name === '') return flaw('the name of a member is missing, in double quotes');
      const said: string = JSON.parse(name);
      if (names.has(said)) return flaw('this member stands twice', begin);
      names.add(said);
      if (!isNext(':')) return flaw('a colon is missing');
      const wrong = value(depth);
      if (wrong !== null) return wrong;
    } while (isNext(','));
    return isNext('}') ? null : flaw('a comma or } is missing');
  }

  function items(depth: number): Flaw | null {
    do {
      const wrong = value(depth);
      if (wrong !== null) return wrong;
    } while (isNext(','));
    return isNext(']') ? null : flaw('a comma or ] is missing');
  }

  function value(depth: number): Flaw | null {
    if (depth > DEEPEST) return flaw(`it is nested more than ${DEEPEST} deep`);
    if (isNext('{')) return isNext('}') ? null : members(depth + 1);
    if (isNext('[')) return isNext(']') ? null : items(depth + 1);
    return scalar();
  }

  const wrong = value(0);
  if (wrong !== null) return wrong;
  take(SPACE);
  return at < text.length ? flaw('nothing may follow the value') : null;
}

/** Whether a program keeps the number. */
function isExact(number: string): boolean {
  const kept = Number(number);
  return /^-?\d+$/.test(number) ? BigInt(number) === BigInt(Number.isFinite(kept) ? kept : 0) : Number.isFinite(kept);
}
