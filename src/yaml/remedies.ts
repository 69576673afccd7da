// One error of the YAML parser in; where a person has to look, what is wrong there and what would be right, out.
// The parser notices what is not closed where it gives up, which may be the end of the file: a person looks where it was opened.

import { type Document, isCollection, isScalar, type Node, type Scalar, visit, type YAMLError } from 'yaml';

/** What to say of an error, and of which characters. */
export interface Explained {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly remedy: string | null;
  /** Whether the parser has lost its way, so that whatever it says of the rest follows from this. */
  readonly isLost: boolean;
}

const INDENT = 'indent members of one collection equally, with spaces';
const NO_MIX = 'begin each entry with `-`, or none: a list and keys do not mix';
const NODE_END = "the text ended before this: put all of it in quotes; a `'` between single ones is written twice";
const CONFLICT = /^(<{7}|={7}|>{7})(\s|$)/;

const REMEDIES: { readonly [code: string]: string } = {
  BAD_INDENT: `${INDENT}; a list, with \`-\`, and keys do not mix`,
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put a text that contains `: ` in quotes, or begin a new line for the inner mapping',
  BLOCK_IN_FLOW: 'put `,` between the entries, and a text that contains `: ` in quotes',
  MULTIPLE_DOCS: 'keep one document per file: move what follows `---` to a file of its own',
  TAB_AS_INDENT: 'indent with spaces',
  RESOURCE_EXHAUSTION: 'nest less deeply',
  UNEXPECTED_TOKEN: 'put the text in quotes if it is one',
};

const UNCLOSED_TEXT = /^Missing closing ["']/;
const UNCLOSED_COLLECTION = /end with a [}\]]$/;

/** `lineFrom`: what the line says from an offset on. */
export function explainer(
  document: Document.Parsed,
  lineFrom: (at: number) => string,
): (error: YAMLError) => Explained {
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
    const message = error.message.charAt(0).toLowerCase() + error.message.slice(1);
    const isLost = CONFLICT.test(line) || error.message.includes('token in YAML stream');
    return { start, end, message, remedy: remedyOf(error, line, severalLines.has(start)), isLost };
  };
}

/** `onSeveralLines`: the parser took the lines below for a part of this one. */
function remedyOf({ code, message }: YAMLError, line: string, onSeveralLines: boolean): string | null {
  if (CONFLICT.test(line)) return 'decide the merge that git left here, and remove its marks';
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      if (message.startsWith('A block sequence')) return NO_MIX;
      return onSeveralLines ? `the lines below are indented further: ${INDENT}` : (REMEDIES[code] ?? null);
    case 'MISSING_CHAR':
    case 'MULTILINE_IMPLICIT_KEY':
      if (message.startsWith('Missing ,')) return 'put `,` between the items';
      if (/^[^\s:]+:\S/.test(line)) return 'put a space behind the `:`';
      return 'a key needs `: ` behind it, on its own line; is it a text, put all of it in quotes';
    case 'UNEXPECTED_TOKEN':
      if (message.endsWith('at node end')) return NODE_END;
      if (/flow-(map|seq)-end/.test(message)) return 'remove it: nothing is open that it would close';
      return REMEDIES[code] ?? null;
    default:
      return REMEDIES[code] ?? null;
  }
}

/** By where a text in quotes or a flow collection ends, where the innermost that ends there begins. */
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

function notClosed(at: number, line: string): Explained {
  const opener = line.charAt(0);
  const bracket = CLOSERS[opener];
  const message = `the \`${opener}\` here is never closed`;
  const remedy =
    bracket === undefined
      ? `put \`${opener}\` at the end of the text, too`
      : `put \`${bracket}\` behind its last entry; on a line of its own, not further left than its key`;
  return { start: at, end: at + 1, message, remedy, isLost: false };
}
