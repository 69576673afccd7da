// Separation in an ordinary file: the blanks, line breaks, comments and marks between its nodes.

/** The end of the range, or the first offset with anything else than separation. A comment is skipped to its end, also beyond the range. */
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

/** Inside brackets, a comment that begins its line is not allowed everywhere. */
function mayBeComment(text: string, at: number, inBrackets: boolean): boolean {
  const before = text.charCodeAt(at - 1);
  return before === 0x20 || (!inBrackets && (at === 0 || before === 0x0a));
}

/** Whether there is a comment between two offsets, of which the second begins its line. The parsers read a text of several lines there differently. */
export function standsUnderComment(text: string, from: number, to: number): boolean {
  if (to - from <= 2) return false;
  const between = text.slice(from, to);
  return between.includes('#') && /#.*\n *$/s.test(between);
}

/** Whether a node may begin right after the character before `at`. */
export function mayFollow(text: string, at: number): boolean {
  return at === 0 || ' \n[{'.includes(text.charAt(at - 1));
}

/** Whether there are only blanks before it in its line, and as many as `column`. */
export function standsAtColumn(text: string, at: number, column: number): boolean {
  const start = at - column;
  for (let blank = start; blank < at; blank += 1) if (text.charCodeAt(blank) !== 0x20) return false;
  return start === 0 || (start > 0 && text.charCodeAt(start - 1) === 0x0a);
}

/** How many characters are before it in its line. */
export function columnOf(text: string, at: number): number {
  return at === 0 ? 0 : at - text.lastIndexOf('\n', at - 1) - 1;
}
