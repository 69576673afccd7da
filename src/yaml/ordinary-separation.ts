// A text and a range of it in; how far nothing but separation stands there out: blanks, line breaks, comments, and the marks between members.

/** The end of the range, or the first offset with anything else. What a comment holds is passed over, also beyond the range. */
export function separationEnd(text: string, from: number, to: number, inBrackets: boolean): number {
  let at = from;
  while (at < to) {
    switch (text.charCodeAt(at)) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x2c:
      case 0x2d:
      case 0x3a:
        at += 1;
        break;
      case 0x23: {
        if (!mayBeComment(text, at, inBrackets)) return at;
        const end = text.indexOf('\n', at);
        at = end < 0 ? text.length : end;
        break;
      }
      default:
        return at;
    }
  }
  return at;
}

/** In brackets not everything may be followed by a comment that begins its line. */
function mayBeComment(text: string, at: number, inBrackets: boolean): boolean {
  const before = text.charCodeAt(at - 1);
  return before === 0x20 || (!inBrackets && (at === 0 || before === 0x0a));
}

/** Whether a comment stands between two offsets of which the second begins its line. There the parsers see multi-line texts differently. */
export function standsUnderComment(text: string, from: number, to: number): boolean {
  if (to - from <= 2) return false;
  const between = text.slice(from, to);
  return between.includes('#') && /#.*\n *$/s.test(between);
}

/** Whether something may begin right behind the character before `at`. */
export function mayFollow(text: string, at: number): boolean {
  return at === 0 || ' \n[{'.includes(text.charAt(at - 1));
}

/** Whether only blanks stand before it in its line, and as many as `column` says. */
export function standsAtColumn(text: string, at: number, column: number): boolean {
  const start = at - column;
  for (let blank = start; blank < at; blank += 1) if (text.charCodeAt(blank) !== 0x20) return false;
  return start === 0 || (start > 0 && text.charCodeAt(start - 1) === 0x0a);
}

/** How many characters stand before it in its line. */
export function columnOf(text: string, at: number): number {
  return at === 0 ? 0 : at - text.lastIndexOf('\n', at - 1) - 1;
}
