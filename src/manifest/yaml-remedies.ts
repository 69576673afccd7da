// One error of the YAML parser in; where a person has to look, what is wrong there and what would be right, out.
// The parser notices what is not closed where it gives up, which may be the end of the file: a person looks where it was opened.

import { type Document, isCollection, isScalar, type Node, type Scalar, visit, type YAMLError } from 'yaml';

/** What to say of an error, and of which characters. */
export interface Explained {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly remedy: string | null;
}

const INDENT = 'indent members of one collection equally, with spaces';
const NO_MIX = 'begin each entry with `-`, or none: a list and keys do not mix';

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

/** `lineFrom`: what the line says from an offset on. */
export function explained(error: YAMLError, document: Document.Parsed, lineFrom: (at: number) => string): Explained {
  const [start, end] = error.pos;
  const unclosed = closer(error) === null ? null : openedBefore(document, error);
  if (unclosed !== null) return notClosed(unclosed, lineFrom(unclosed));
  const message = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  return { start, end, message, remedy: remedyOf(error, document, lineFrom(start)) };
}

function remedyOf({ code, message, pos }: YAMLError, document: Document.Parsed, line: string): string | null {
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY': {
      if (message.startsWith('A block sequence')) return NO_MIX;
      const several = document.errors.some(({ code, pos: [at] }) => code === 'MULTILINE_IMPLICIT_KEY' && at === pos[0]);
      return several ? `the lines below are indented further: ${INDENT}` : (REMEDIES[code] ?? null);
    }
    case 'MISSING_CHAR':
    case 'MULTILINE_IMPLICIT_KEY':
      if (message.startsWith('Missing ,')) return 'put `,` between the items';
      if (/^[^\s:]+:\S/.test(line)) return 'put a space behind the `:`';
      return 'a key needs `: ` behind it, on its own line; is it a text, put all of it in quotes';
    case 'UNEXPECTED_TOKEN':
      if (/flow-(map|seq)-end/.test(message)) return 'remove it: nothing is open that it would close';
      return REMEDIES[code] ?? null;
    default:
      return REMEDIES[code] ?? null;
  }
}

/** The character that the parser waited for in vain; null when it waited for none. */
function closer({ message }: YAMLError): string | null {
  return (
    /^Missing closing (["'])|end with a ([}\]])/
      .exec(message)
      ?.slice(1)
      .find((found) => found !== undefined) ?? null
  );
}

/** Where the innermost text or collection begins that ends, unclosed, where the error is; null when there is none. */
function openedBefore(document: Document.Parsed, error: YAMLError): number | null {
  const quote = error.message.startsWith('Missing');
  let opened: number | null = null;
  visit(document, {
    Node: (_, node: Node) => {
      const isOne = quote ? isScalar(node) && isQuoted(node) : isCollection(node) && node.flow === true;
      if (isOne && node.range?.[1] === error.pos[0]) opened = node.range[0];
    },
  });
  return opened;
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
  return { start: at, end: at + 1, message, remedy };
}
