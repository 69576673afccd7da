// A function of an object that computes each result once: readers of documents depend on the APIs only, and are made for every license.

export function oncePer<K extends object, V extends object>(resultFor: (about: K) => V): (about: K) => V {
  const known = new WeakMap<K, V>();
  return (about) => {
    const before = known.get(about);
    if (before !== undefined) return before;
    const result = resultFor(about);
    known.set(about, result);
    return result;
  };
}
