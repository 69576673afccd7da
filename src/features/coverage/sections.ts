// Sections of the view of coverage, left out where there is nothing to say.

import type { Block, FactsBlock, Section, Text } from '../../view/blocks.ts';

/** Times that a terminal names without `--details`. */
export const MOST_TIMES = 8;

export function section(id: string, title: string, body: readonly Block[]): Section {
  return { type: 'section', id, title, body };
}

export function factsSection(id: string, title: string, facts: FactsBlock['facts']): readonly Section[] {
  return facts.length === 0 ? [] : [section(id, title, [{ type: 'facts', facts }])];
}

export function listSection(id: string, title: string, texts: readonly Text[]): readonly Section[] {
  return texts.length === 0 ? [] : [section(id, title, [{ type: 'list', texts }])];
}
