// A list and a source of randomness come in, the list in a random order goes out. Knows nothing else.

/** Fisher-Yates, over a copy. `random` is uniform in [0, 1). */
export function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const rest = items.slice();
  const found: T[] = [];
  while (rest.length > 0) {
    const [drawn] = rest.splice(Math.floor(random() * rest.length), 1);
    if (drawn !== undefined) found.push(drawn);
  }
  return found;
}
