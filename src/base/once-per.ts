// Functions of an object, or of a text, that compute each result once.

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

/** The same for texts, of which the last ones are remembered: at most `most`, none longer than `longest`. */
export function oncePerText<V>(most = 1_000, longest = 4_000): (text: string, answer: () => V) => V {
  const known = new Map<string, V>();
  return (text, answer) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = answer();
    if (text.length > longest) return made;
    if (known.size >= most) known.clear();
    known.set(text, made);
    return made;
  };
}
