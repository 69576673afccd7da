// Scalars as a person would write them in YAML: without quotes wherever YAML 1.1 and 1.2 both read the same value.

/** How a scalar is written. */
export interface ScalarNotation {
  /** Inside of `{}` or `[]`. */
  readonly flow: boolean;
  readonly quote: Quote;
  /** In quotes also where none are needed. */
  readonly quoted: boolean;
}

export type Quote = '"' | "'";

/** Texts that the core schema, or YAML 1.1, which many tools use, reads as other values. */
const OTHERWISE =
  /^(~|null|true|false|yes|no|on|off|y|n|[-+]?\.inf|\.nan|<<|=|[-+]?(0[box])?[\d_.]+|[-+]?[\d_]*\.?[\d_]*e[-+]?\d+|0x[\da-f_]+|\d{4}-\d\d?-\d\d?([Tt\s].*)?|[-+]?\d[\d_]*(:[0-5]?\d)+(\.\d*)?)$/i;

/** Begins with a letter, a digit or a sign without meaning in YAML. Signs that open something are not in it. */
const PLAIN_START = /^[\p{L}\p{N}\p{So}\p{Sc}_/.(+<^;\\]|^[-?:](?=[\p{L}\p{N}_/.])/u;

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\u0085\uFEFF]/u;

export function writtenScalar(value: null | boolean | number | string, notation: ScalarNotation): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return !notation.quoted && isPlain(value, notation.flow) ? value : quotedText(value, notation.quote);
}

function isPlain(text: string, flow: boolean): boolean {
  if (OTHERWISE.test(text) || !PLAIN_START.test(text) || UNPRINTABLE.test(text)) return false;
  if (/: |:$| #|^\s|\s$|^(---|\.\.\.)/.test(text)) return false;
  return !flow || !/[,[\]{}]|^[-?:]|:[,[\]{}]/.test(text);
}

export function quotedText(text: string, quote: Quote): string {
  if (quote === "'" && !UNPRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}\u0085\uFEFF]/gu, escaped);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The header and the lines of a literal block (`|`); null for a text that cannot be one, or needs none. */
export function literalBlock(text: string): { readonly header: string; readonly lines: readonly string[] } | null {
  const body = text.replace(/\n$/, '');
  const lines = body.split('\n');
  if (lines.length < 2 && body === text) return null;
  // How many empty lines the end has would depend on what follows.
  if (/^\s|\n$/.test(body) || body === '') return null;
  if (lines.some((line) => UNPRINTABLE.test(line) || /^\s+$/.test(line))) return null;
  return { header: body === text ? '|-' : '|', lines };
}
