// The limit on open brackets that both parsers share.

/** Many more open brackets would exhaust the stack of the thorough parser, and end the process. */
const UNCLOSED = 1000;

/** Where too many brackets are open; null when nowhere. Brackets in texts count as well, so the limit is wide. */
export function unclosedAt(text: string): number | null {
  let open = 0;
  const bracket = /[[\]{}]/g;
  while (bracket.test(text)) {
    const at = bracket.lastIndex - 1;
    const character = text.charCodeAt(at);
    if (character === 0x5b || character === 0x7b) open += 1;
    else if (open > 0) open -= 1;
    if (open > UNCLOSED) return at;
  }
  return null;
}
