// A mapping with `<<` and a member that it shall not have any more in; the splices that write out what `<<` gives it, without that member, out.

import type { YAMLMap } from 'yaml';
import { holderOf, isFlow, pathOf, type YamlDocument } from './document.ts';
import { removing } from './entries.ts';
import { columnOf, entryEnd, entryStart, type Splice } from './layout.ts';
import { mergedMembers, mergeIndexes } from './values.ts';
import { memberIndex } from './way.ts';
import { type Style, written, writtenFlow, writtenKey } from './written.ts';

export function unmerging(document: YamlDocument, map: YAMLMap, name: string, style: Style): readonly Splice[] {
  const [first, ...others] = mergeIndexes(map);
  if (first === undefined) return [];
  const merged = [...mergedMembers(document, map)].filter(([key]) => key !== name && memberIndex(map, key) < 0);
  const own = memberIndex(map, name);
  const gone = [...others, ...(own < 0 ? [] : [own]), ...(merged.length === 0 ? [first] : [])];
  const cut = gone.flatMap((index) => removing(document, map, index));
  if (merged.length === 0) return cut;
  const start = entryStart(document, map, first);
  const column = columnOf(document.text, start);
  const path = pathOf(document, holderOf(document, map));
  const texts = merged.map(([key, value]) =>
    isFlow(map)
      ? `${writtenKey(key, true, style)}: ${writtenFlow(value, style)}`
      : written(value, [...path, key], column, style),
  );
  const text = texts.join(isFlow(map) ? ', ' : `${style.eol}${' '.repeat(column)}`);
  return [...cut, { start, end: entryEnd(document, map, first), text }];
}
