// A list of a document and the new order of its items in; the splices that put the items there, each with the comments that belong to it, out.

import type { YAMLSeq } from 'yaml';
import { isFlow, type Refused, refuse, type YamlDocument } from './document.ts';
import { entryEnd, entryStart, extentOf, type Splice } from './layout.ts';

export function ordering(document: YamlDocument, list: YAMLSeq, order: readonly number[]): readonly Splice[] | Refused {
  const { text } = document;
  const places = list.items.map((_, index) => placeOf(document, list, index));
  if (isFlow(list) && /#/.test(betweenPlaces(text, places, list))) {
    const message = 'nobody can tell which item of this list its comments belong to';
    return refuse(document, list, message, 'put the items in order by hand');
  }
  return places.flatMap(({ start, end }, slot) => {
    const from = places[order[slot] ?? slot];
    if (from === undefined || order[slot] === slot) return [];
    return [{ start, end, text: text.slice(from.start, from.end) }];
  });
}

interface Place {
  readonly start: number;
  readonly end: number;
}

function placeOf(document: YamlDocument, list: YAMLSeq, index: number): Place {
  if (isFlow(list)) return { start: entryStart(document, list, index), end: entryEnd(document, list, index) };
  const { top, end } = extentOf(document, list, index);
  return { start: top, end };
}

function betweenPlaces(text: string, places: readonly Place[], list: YAMLSeq): string {
  const ends = [...places.map(({ end }) => end), list.range?.[1] ?? text.length];
  return ends
    .map((end, index) =>
      text.slice(index === 0 ? (list.range?.[0] ?? 0) : (places[index - 1]?.end ?? end), places[index]?.start ?? end),
    )
    .join('\n');
}
