// Content of every document: its members, and its findings last.

import type { Diagnostic } from './model.ts';

/** Characters of a source line that a document repeats at most: a generated manifest may be one line, with a thousand mistakes in it. */
const LONGEST_EXCERPT = 1000;

/** Content of a document, its findings last. A very long source line is left out whole, because `place` counts its columns. */
export function contentOf({
  diagnostics,
  ...content
}: {
  readonly diagnostics: readonly Diagnostic[];
  readonly [member: string]: unknown;
}): { readonly [member: string]: unknown } {
  const short = (excerpt: string | null): string | null =>
    excerpt !== null && excerpt.length > LONGEST_EXCERPT ? null : excerpt;
  return { ...content, diagnostics: diagnostics.map((each) => ({ ...each, excerpt: short(each.excerpt) })) };
}
