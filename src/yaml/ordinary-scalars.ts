// A scalar as the parser found it in; its value by the core schema of YAML 1.2, its name as a key, and its range in the text out.

import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';

export function isPlain({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.PLAIN;
}

const NULL = /^(?:~|[Nn]ull|NULL)?$/;
const FLAG = /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/;
const LONGEST_WORD = 'false'.length;
const INTEGER = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const NUMBER = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const UNENDING = /^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/;

/** Whether both parsers read a scalar alike: no width or kept end of a block, no break that is escaped. */
export function isOrdinary(text: string, start: number, { style, fast, valueEnd }: ScalarEvent): boolean {
  switch (style) {
    case SCALAR_STYLE.PLAIN:
    case SCALAR_STYLE.SINGLE_QUOTED:
      return true;
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return fast || !/\\\r?\n/.test(text.slice(start, valueEnd));
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK:
      return /^[|>]-?[ \r\n]/.test(text.slice(start, valueEnd));
  }
}

/** What a plain scalar says; undefined for numbers that cannot be sent. */
export function scalarOf(text: string): string | number | boolean | null | undefined {
  const first = text.charCodeAt(0);
  // Digits, signs and the dot; of the other first characters only those of `~`, `null`, `true` and `false` say anything.
  if (first >= 0x2b && first <= 0x39) return numberOf(text);
  if (text.length > LONGEST_WORD) return text;
  switch (text[0]) {
    case '~':
    case 'n':
    case 'N':
      return NULL.test(text) ? null : text;
    case 't':
    case 'T':
    case 'f':
    case 'F':
      return FLAG.test(text) ? text[0] === 't' || text[0] === 'T' : text;
    default:
      return text;
  }
}

function numberOf(text: string): string | number | undefined {
  if (!INTEGER.test(text) && !NUMBER.test(text)) return UNENDING.test(text) ? undefined : text;
  const number = /^0[ox]/.test(text) ? Number(text) : Number.parseFloat(text);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : undefined;
}

/** More characters before its colon than this, and the other parser would refuse a key. */
const LONGEST = 1000;

/** The name of a key on one line; null for the merge key, undefined for one that is no name or may not be one. */
export function keyOf(text: string, event: ScalarEvent): string | null | undefined {
  const { style, valueStart, valueEnd, fast } = event;
  if (valueStart < 0 || valueEnd - valueStart > LONGEST) return undefined;
  if (!isPlain(event) && !isQuoted(event)) return undefined;
  if (!isColonAt(text, endOf(event)) || !(fast || isOnOneLine(text, event))) return undefined;
  const name = getScalarValue(text, event);
  if (name === '__proto__') return undefined;
  if (style !== SCALAR_STYLE.PLAIN) return name;
  if (name === '<<') return null;
  return scalarOf(name) === null ? undefined : name;
}

function isColonAt(text: string, at: number): boolean {
  return text.startsWith(':', at) || text.startsWith(' :', at);
}

function isOnOneLine(text: string, { valueStart, valueEnd }: ScalarEvent): boolean {
  return !text.slice(valueStart, valueEnd).includes('\n');
}

function isQuoted({ style }: ScalarEvent): boolean {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
}

/** With its quotes; a block scalar begins at its `|` or `>`, which is looked for from `after`. */
export function startOf(text: string, { style, valueStart }: ScalarEvent, after: number): number {
  switch (style) {
    case SCALAR_STYLE.PLAIN:
      return valueStart;
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return valueStart - 1;
    case SCALAR_STYLE.LITERAL_BLOCK:
      return text.indexOf('|', after);
    case SCALAR_STYLE.FOLDED_BLOCK:
      return text.indexOf('>', after);
  }
}

/** With its quotes. */
export function endOf(event: ScalarEvent): number {
  return isQuoted(event) ? event.valueEnd + 1 : event.valueEnd;
}
