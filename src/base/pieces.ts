// Long texts in pieces that are made as they are written, so that a process never holds the whole.

/** A text, whole or in pieces. */
export type Pieces = string | Iterable<string>;

export function piecesOf(text: Pieces): Iterable<string> {
  return typeof text === 'string' ? [text] : text;
}

export function textOf(text: Pieces): string {
  return typeof text === 'string' ? text : [...text].join('');
}

/** Characters of a piece. */
const PIECE = 1 << 16;

/** The same text in pieces of a useful size, each of whole parts. */
export function* joinedParts(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The text of `JSON.stringify(value, null, indent)`. A generator in it is a list. No name and no text is in two pieces. */
export function jsonPieces(value: unknown, indent: '' | '  ' = ''): Iterable<string> {
  return joinedParts(jsonParts(value, indent, '', 0));
}

/** Items of a list that are parts by themselves, and how deep parts are looked for in shorter ones. */
const LONG_LIST = 50;
const DEEPEST = 6;

function* jsonParts(value: unknown, indent: '' | '  ', margin: string, depth: number): Generator<string> {
  const isMade = isGenerator(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value || (depth === DEEPEST && !isMade)) {
    const text = JSON.stringify(value, null, indent) ?? 'null';
    yield indent === '' ? text : text.replaceAll('\n', `\n${margin}`);
    return;
  }
  const isList = isMade || Array.isArray(value);
  const inner = margin + indent;
  const line = indent === '' ? '' : `\n${inner}`;
  const below = isMade || (Array.isArray(value) && value.length >= LONG_LIST) ? DEEPEST : depth + 1;
  let before = isList ? '[' : '{';
  for (const [name, member] of isList ? unnamed(value as Iterable<unknown>) : Object.entries(value)) {
    if (!isList && (member === undefined || typeof member === 'function')) continue;
    const key = isList ? '' : `${JSON.stringify(name)}:${indent === '' ? '' : ' '}`;
    yield before + line + key;
    before = ',';
    yield* jsonParts(member, indent, inner, below);
  }
  const end = isList ? ']' : '}';
  yield before === ',' ? (indent === '' ? end : `\n${margin}${end}`) : before + end;
}

function* unnamed(items: Iterable<unknown>): Generator<readonly [null, unknown]> {
  for (const item of items) yield [null, item];
}

function isGenerator(value: unknown): value is Generator {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';
}
