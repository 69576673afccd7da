// The parser's code of a syntax error in, what to do about it out.

const REMEDIES: { readonly [code: string]: string } = {
  BAD_INDENT: 'indent members of one collection equally, with spaces',
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put a text that contains `: ` in quotes, or begin a new line for the inner mapping',
  MISSING_CHAR: 'close what was opened; a key needs `:` behind it',
  MULTILINE_IMPLICIT_KEY: 'keep the key on one line; is a `:` missing above?',
  MULTIPLE_DOCS: 'keep one document per file: move what follows `---` to a file of its own',
  TAB_AS_INDENT: 'indent with spaces',
  RESOURCE_EXHAUSTION: 'nest less deeply',
  UNEXPECTED_TOKEN: 'put the text in quotes if it is one',
};

/** Null when the message says it all. */
export function syntaxRemedy(code: string): string | null {
  return REMEDIES[code] ?? null;
}
