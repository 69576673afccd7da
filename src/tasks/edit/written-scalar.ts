// A scalar in; how a person would write it in YAML out: as plain as it can be and still be read as the same value, here and by older readers.

/** What keeps a text from being plain. */
export interface Manner {
  /** Inside of `{}` or `[]`. */
  readonly flow: boolean;
  readonly quote: Quote;
  /** Quoted although it would not need to be. */
  readonly quoted: boolean;
}

export type Quote = '"' | "'";

/** Read as something else by the core schema, or by YAML 1.1, which many other tools read. */
const OTHERWISE =
  /^(~|null|true|false|yes|no|on|off|y|n|[-+]?\.inf|\.nan|<<|=|[-+]?(0[box])?[\d_.]+|[-+]?[\d_]*\.?[\d_]*e[-+]?\d+|0x[\da-f_]+|\d{4}-\d\d?-\d\d?([Tt\s].*)?|[-+]?\d[\d_]*(:[0-5]?\d)+(\.\d*)?)$/i;

/** Begins with a letter, a digit or a sign that has no meaning in YAML; signs that open something are left out. */
const PLAIN_START = /^[\p{L}\p{N}\p{So}\p{Sc}_/.(+<^;\\]|^[-?:](?=[\p{L}\p{N}_/.])/u;

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\u0085\uFEFF]/u;

export function writtenScalar(value: null | boolean | number | string, manner: Manner): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return !manner.quoted && isPlain(value, manner.flow) ? value : quotedText(value, manner.quote);
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

/** The lines of a literal block (`|`) with its header; null for a text that such a block cannot carry, or that needs none. */
export function literalBlock(text: string): { readonly header: string; readonly lines: readonly string[] } | null {
  const body = text.replace(/\n$/, '');
  const lines = body.split('\n');
  if (lines.length < 2 && body === text) return null;
  // Empty lines at the end would depend on what follows.
  if (/^\s|\n$/.test(body) || body === '') return null;
  if (lines.some((line) => UNPRINTABLE.test(line) || /^\s+$/.test(line))) return null;
  return { header: body === text ? '|-' : '|', lines };
}
