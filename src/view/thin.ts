// A document without its lightest sections, for a budget that not even their headings fit into.

import type { Block, Section, View } from './blocks.ts';
import { shortened } from './plain.ts';

/**
 * The document as `write` writes it, without as few of its sections as fit: folded ones go first, then the lightest, then the last. What is left out is
 * named. Without any section it may still be too large.
 */
export function thinned<T>(view: View, write: (view: View) => T, fits: (written: T) => boolean): T {
  let written = write(view);
  if (fits(written)) return written;
  const sections = view.body.filter((block): block is Section => block.type === 'section');
  const rank = (section: Section): number => (section.weight ?? 0) - (section.fold === undefined ? 0 : 1e6);
  const order = sections.toReversed().toSorted((one, other) => rank(one) - rank(other));
  let [least, most] = [0, order.length];
  written = write(without(view, order));
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    const tried = write(without(view, order.slice(0, middle)));
    if (fits(tried)) [written, most] = [tried, middle];
    else least = middle;
  }
  return written;
}

/** Characters of a title. */
const LONGEST = 80;

/** The names of the sections stand where the first of them stood. */
function without(view: View, sections: readonly Section[]): View {
  const gone = new Set<Block>(sections);
  const all = view.body.filter((block): block is Section => block.type === 'section' && gone.has(block));
  const names = all.map(({ title, count }) => shortened(count === undefined ? title : `${title} (${count})`, LONGEST));
  const text = ['Left out, because there is no room: ', { names }, '.'];
  return {
    ...view,
    body: view.body.flatMap((block): readonly Block[] => {
      if (!gone.has(block)) return [block];
      return block === all[0] ? [{ type: 'text', text }] : [];
    }),
  };
}
