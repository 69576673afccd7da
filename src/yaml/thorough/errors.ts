// Errors of YAML's notation as diagnostics: where to look, what is wrong and what to write. The parser reports an open quote or bracket where it
// gives up, perhaps at the end of the file: here it is reported where it was opened.

import { type Document, isCollection, isScalar, type Node, type Scalar, visit, type YAMLError } from 'yaml';
import type { Diagnostic } from '../../base/model.ts';
import { gluedBracket } from '../conform.ts';
import { diagnose, type UnplacedDiagnostic } from '../diagnostics.ts';
import type { PlaceMark } from '../places.ts';

export function nestedTooDeeply(): UnplacedDiagnostic {
  const message = 'collections are nested too deeply';
  return { code: 'yaml-syntax', message, remedy: 'close the open brackets, or nest less deeply' };
}

export function badTag(tag: string): UnplacedDiagnostic {
  return { code: 'yaml-tag', message: `the tag \`${tag}\` is not supported`, remedy: 'remove the tag' };
}

/** Errors and warnings of the parser. Of several on one line only the first, because the others follow from it. */
export function notationErrors(
  document: Document.Parsed,
  text: string,
  mark: (start: number, end: number) => PlaceMark,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const lines = new Set<number>();
  const add = (at: PlaceMark, finding: UnplacedDiagnostic): void => {
    if (lines.has(at.place.line)) return;
    lines.add(at.place.line);
    found.push(diagnose(at, finding));
  };
  if (document.directives.yaml.version !== '1.2') {
    const message = `YAML ${document.directives.yaml.version} gives some texts other values than YAML 1.2`;
    add(mark(0, 5), { code: 'yaml-syntax', message, remedy: 'remove the directive: files are read as YAML 1.2' });
  }
  const lineFrom = (start: number): string => {
    const { place, excerpt } = mark(start, start);
    return excerpt?.slice(place.column - 1) ?? '';
  };
  const explain = explainer(document, lineFrom);
  const noBreak = document.errors.length === 0 ? -1 : text.search(NO_BREAK);
  let last: DashlessLine | null = null;
  let isTabbed = false;
  /** The last line that was taken for a value with members; the same is said of each line below it. */
  let nested = Number.NEGATIVE_INFINITY;
  // In the parser's order: of several open brackets on one line the inner one comes first, and the others follow from it.
  for (const error of [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])) {
    // Tags are checked where the values are read, which also refuses known tags that mean no JSON.
    if (error.code === 'TAG_RESOLVE_FAILED') continue;
    // The parser takes it for a letter, and misreads what follows.
    if (noBreak !== -1 && error.pos[1] >= noBreak) break;
    if (last !== null && followsFrom(last, text, error.pos[0])) continue;
    if (isTabbed && error.code === 'BAD_INDENT') continue;
    isTabbed ||= error.code === 'TAB_AS_INDENT';
    const dashless = error.code === 'BAD_INDENT' ? dashlessAt(text, error.pos[0]) : null;
    if (dashless !== null) {
      last = dashless;
      const at = dashless.start + dashless.indent;
      add(mark(at, at + dashless.word.length), noDash(dashless));
      continue;
    }
    if (error.message.startsWith('Sequence item without')) {
      const at = error.pos[0] + lineFrom(error.pos[0]).search(/\S|$/);
      add(mark(at, at + 1), lostDash(text.charAt(at)));
      continue;
    }
    const isTooMuch = FLOW_END.test(error.message);
    const glued = isTooMuch || error.code === 'MISSING_CHAR' ? gluedIn(text, error.pos[0]) : null;
    if (glued !== null) {
      const [said, todo] = gluedBracket(glued.key, text.charAt(glued.at));
      add(mark(glued.at, glued.at + 1), { code: 'yaml-syntax', message: said, remedy: todo });
      if (isTooMuch) break;
      continue;
    }
    const { start, end, message, remedy, isLost } = explain(error);
    const key = error.code === 'BAD_INDENT' ? keyAfter(text, start) : null;
    const at = key === null ? mark(start, end) : mark(key, key + 1);
    const { line } = at.place;
    const isBelow = line === nested + 1;
    if (message === HAS_MEMBERS) nested = line;
    if (isBelow && message === HAS_MEMBERS) continue;
    if (error.code === 'MULTILINE_IMPLICIT_KEY' && (isBelow || line === nested)) continue;
    add(at, { code: 'yaml-syntax', message, remedy });
    if (isLost) break;
  }
  if (noBreak !== -1) add(mark(noBreak, noBreak + 1), blankLetter(text.charAt(noBreak)));
  return found;
}

/** A blank that is no usual one, before the first word of a line or behind the colon of a key. */
const NO_BREAK = /(?<=^[ \t]*(?:- )?|^[ \t-]*[^\s"'#:]+:)[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/m;

function blankLetter(character: string): UnplacedDiagnostic {
  const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const what = /[\u00a0\u202f]/.test(character) ? 'a no-break space' : 'a character that only looks like a space';
  const remedy = 'put a space in its place; text that is copied from a page or a chat often has such characters';
  return { code: 'yaml-syntax', message: `here is ${what} (${code}), which YAML reads as a letter`, remedy };
}

/** Where the first line with content begins: the parser reports a wrong indent at the blank lines and comments above it. */
function keyAfter(text: string, from: number): number {
  const skipped = /(?:[^\S\n]*(?:#[^\n]*)?\n)*[^\S\n]*/y;
  skipped.lastIndex = from;
  return from + (skipped.exec(text)?.[0].length ?? 0);
}

/** The bracket that follows the colon of the first key of the line without a space: it opens nothing, so the closing one is too much. */
function gluedIn(text: string, offset: number): { readonly key: string; readonly at: number } | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [before = '', key] = /^\s*(?:-\s+)?([^\s:'"{}[\],#]+):(?=[{[])/.exec(lineAt(text, start)) ?? [];
  return key === undefined ? null : { key, at: start + before.length };
}

function noDash({ word }: DashlessLine): UnplacedDiagnostic {
  const message = `\`${word}\` stands in a list, where each item begins with \`-\``;
  const remedy = `put \`- \` before \`${word}\` if an item begins here; otherwise indent it as far as the text after the \`-\` above`;
  return { code: 'yaml-syntax', message, remedy };
}

/** `opener`: the first character of the item. */
function lostDash(opener: string): UnplacedDiagnostic {
  const message = `\`${opener}\` begins an item of a list without its \`-\``;
  return { code: 'yaml-syntax', message, remedy: `put \`- \` before it, below the \`-\` of the item above` };
}

/** What to say of an error, and which characters it means. */
interface ErrorExplanation {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly remedy: string | null;
  /** Whether the parser misreads everything after this error. */
  readonly isLost: boolean;
}

const INDENT = 'indent members of one collection equally, with spaces';
const HAS_MEMBERS = 'a value cannot have members below it';
const NO_MIX = 'begin each entry with `-`, or none: a list and keys do not mix';
const NODE_END = "the text ended before this: put all of it in quotes; write a `'` inside of single quotes twice";
const FLOW_END = /flow-(map|seq)-end/;
const CONFLICT = /^(<{7}|={7}|>{7})(\s|$)/;

const REMEDIES: { readonly [code: string]: string } = {
  BAD_INDENT: `${INDENT}; a list, with \`-\`, and keys do not mix`,
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put a text that contains `: ` in quotes, or begin a new line for the inner mapping',
  BLOCK_IN_FLOW: 'put `,` between the entries, and a text that contains `: ` in quotes',
  MULTIPLE_DOCS: 'keep one document per file: move what follows `---` to its own file',
  TAB_AS_INDENT: 'indent with spaces',
  RESOURCE_EXHAUSTION: 'nest less deeply',
  UNEXPECTED_TOKEN: 'if it is a text, put it in quotes',
};

const UNCLOSED_TEXT = /^Missing closing ["']/;
const UNCLOSED_COLLECTION = /end with a [}\]]$/;

/** `lineFrom`: the rest of the line from an offset on. */
function explainer(
  document: Document.Parsed,
  lineFrom: (at: number) => string,
): (error: YAMLError) => ErrorExplanation {
  const severalLines = new Set(
    document.errors.flatMap(({ code, pos }) => (code === 'MULTILINE_IMPLICIT_KEY' ? [pos[0]] : [])),
  );
  let openers: Openers | null = null;
  const openerOf = ({ message, pos }: YAMLError): number | undefined => {
    const isText = UNCLOSED_TEXT.test(message);
    if (!isText && !UNCLOSED_COLLECTION.test(message)) return undefined;
    openers ??= openersIn(document);
    return openers[isText ? 'texts' : 'collections'].get(pos[0]);
  };
  return (error) => {
    const opener = openerOf(error);
    if (opener !== undefined) return notClosed(opener, lineFrom(opener));
    const [start, end] = error.pos;
    const line = lineFrom(start);
    const message = worded(error, severalLines.has(start));
    const isLost = CONFLICT.test(line) || error.message.includes('token in YAML stream');
    return { start, end, message, remedy: remedyOf(error, line, severalLines.has(start)), isLost };
  };
}

/** What the parser calls the parts of a text, and what people call them. */
const PARTS: { readonly [part: string]: string } = {
  'flow-seq-start': '`[`',
  'flow-seq-end': '`]`',
  'flow-map-start': '`{`',
  'flow-map-end': '`}`',
  'seq-item-ind': '`-`',
  'map-value-ind': '`:`',
  'explicit-key-ind': '`?`',
  'doc-start': '`---`',
  'doc-end': '`...`',
  comma: '`,`',
  scalar: 'text',
  'single-quoted-scalar': 'text in quotes',
  'double-quoted-scalar': 'text in quotes',
  'block-scalar': 'text',
  'block-map': 'mapping',
  'block-seq': 'list',
  'flow-collection': 'bracket',
};

/** The parser's message without what only programmers know. `onSeveralLines`: the parser took the lines below for a part of this one. */
function worded({ code, message }: YAMLError, onSeveralLines: boolean): string {
  if (code === 'MULTIPLE_DOCS') return 'the file has more than one document';
  if (message.startsWith('Nested mappings')) return onSeveralLines ? HAS_MEMBERS : 'a line has more than one `: `';
  if (message.startsWith('All mapping items')) return 'this key is not indented like the keys before it';
  if (code === 'MULTILINE_IMPLICIT_KEY' && message.startsWith('Implicit keys'))
    return 'this key has no `: ` on its line';
  const said = message
    .replace(/^Unexpected ([a-z-]+)/, (_, part: string) => `Unexpected ${PARTS[part] ?? part}`)
    .replace(/^Unexpected (.+) token in YAML stream/s, (_, part: string) => `Unexpected ${part} here`)
    .replace(' at node end', ' after the end of a value');
  return said.charAt(0).toLowerCase() + said.slice(1);
}

/** `onSeveralLines`: the parser took the lines below for a part of this one. */
function remedyOf({ code, message }: YAMLError, line: string, onSeveralLines: boolean): string | null {
  if (CONFLICT.test(line)) return 'resolve this merge conflict of git, and remove its markers';
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      if (message.startsWith('A block sequence')) return NO_MIX;
      return onSeveralLines ? `the lines below are indented further: ${INDENT}` : (REMEDIES[code] ?? null);
    case 'MISSING_CHAR':
    case 'MULTILINE_IMPLICIT_KEY':
      if (message.startsWith('Missing ,')) return 'put `,` between the items';
      if (/^[^\s:]+:\S/.test(line)) return 'put a space after the `:`';
      return 'put `: ` after a key, on the same line; put a text in quotes';
    case 'UNEXPECTED_TOKEN':
      if (message.endsWith('at node end')) return NODE_END;
      if (FLOW_END.test(message)) return 'remove it: there is no open bracket to close';
      return REMEDIES[code] ?? null;
    default:
      return REMEDIES[code] ?? null;
  }
}

/** By where a quoted text or a flow collection ends, where the innermost that ends there begins. */
interface Openers {
  readonly texts: ReadonlyMap<number, number>;
  readonly collections: ReadonlyMap<number, number>;
}

function openersIn(document: Document.Parsed): Openers {
  const texts = new Map<number, number>();
  const collections = new Map<number, number>();
  visit(document, {
    Node: (_, node: Node) => {
      const [start, end] = node.range ?? [0, 0];
      if (isScalar(node) && isQuoted(node)) texts.set(end, start);
      if (isCollection(node) && node.flow === true) collections.set(end, start);
    },
  });
  return { texts, collections };
}

function isQuoted({ type }: Scalar): boolean {
  return type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
}

const CLOSERS: { readonly [opener: string]: string } = { '{': '}', '[': ']' };

function notClosed(at: number, line: string): ErrorExplanation {
  const opener = line.charAt(0);
  const bracket = CLOSERS[opener];
  const message = `the \`${opener}\` here is never closed`;
  const remedy =
    bracket === undefined
      ? `put \`${opener}\` at the end of the text`
      : `put \`${bracket}\` after its last entry; on a line of its own, not further left than its key`;
  return { start: at, end: at + 1, message, remedy, isLost: false };
}

/** Such a line, with the columns before its text and the first word of it. */
interface DashlessLine {
  readonly start: number;
  readonly indent: number;
  readonly word: string;
}

/** Of the line of an offset: null where no line above it, with as many columns before it, begins with `-`. */
function dashlessAt(text: string, offset: number): DashlessLine | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = lineAt(text, start);
  const indent = indentOf(line);
  if (isBlank(line) || isItem(line)) return null;
  for (let end = start - 1; end > 0; ) {
    const before = text.lastIndexOf('\n', end - 1) + 1;
    const above = lineAt(text, before);
    end = before - 1;
    if (isBlank(above) || indentOf(above) > indent) continue;
    if (indentOf(above) < indent) return null;
    if (isItem(above)) return { start, indent, word: /[^\s:]+/.exec(line)?.[0] ?? '' };
  }
  return null;
}

/** Whether the line of a later offset follows from it: it belongs to the same item, or is the next one of the list. */
function followsFrom({ start, indent }: DashlessLine, text: string, offset: number): boolean {
  const later = text.lastIndexOf('\n', offset - 1) + 1;
  const between = text.slice(start, later).split('\n');
  const isWithin = between.every((line) => isBlank(line) || (indentOf(line) >= indent && !isItem(line)));
  return isWithin && indentOf(lineAt(text, later)) === indent;
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isItem(line: string): boolean {
  return /^\s*-\s/.test(line);
}

/** A line without content, or with a remark only. */
function isBlank(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}
