// An ordered list as the manifest has it, and as it stands on the license, in; the list with the new items where they stand, out.

/** Each new item comes right behind what it stands behind on the license, as long as that stays where it is; or first. */
export function mergedOrder<T>(
  declared: readonly T[],
  live: readonly T[],
  { isNew, moves }: { readonly isNew: (item: T) => boolean; readonly moves: (item: T) => boolean },
): readonly T[] {
  const merged = [...declared];
  let before = -1;
  for (const item of live) {
    if (moves(item)) continue;
    if (isNew(item)) merged.splice(before + 1, 0, item);
    const place = merged.indexOf(item);
    if (place >= 0) before = place;
  }
  return merged;
}
