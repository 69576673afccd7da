// A function of an object that computes each result once.

export function oncePer<K extends object, V>(answerTo: (about: K) => V): (about: K) => V {
  const known = new WeakMap<K, V>();
  return (about) => {
    const before = known.get(about);
    if (before !== undefined) return before;
    const answer = answerTo(about);
    known.set(about, answer);
    return answer;
  };
}
