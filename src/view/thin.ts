// A document without its lightest sections, for a budget that not even their headings fit into.

import type { Block, Section, View } from './blocks.ts';

/** The document, then without one section after the other: folded ones first, then the lightest, then the last. Each is named in its place. */
export function* thinned(view: View): Generator<View> {
  yield view;
  const sections = view.body.filter((block): block is Section => block.type === 'section');
  const rank = (section: Section): number => (section.weight ?? 0) - (section.fold === undefined ? 0 : 1e6);
  const order = sections.toReversed().toSorted((one, other) => rank(one) - rank(other));
  const gone = new Set<Block>();
  for (const section of order) {
    gone.add(section);
    const names = sections.filter((each) => gone.has(each)).map(nameOf);
    const text = `Left out, because there is no room: ${names.join(', ')}.`;
    yield { ...view, body: [...view.body.filter((block) => !gone.has(block)), { type: 'text', text }] };
  }
}

function nameOf({ title, count }: Section): string {
  return count === undefined ? title : `${title} (${count})`;
}
