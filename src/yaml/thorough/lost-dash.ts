// Lines that stand where an item of a list begins, without its `-`.

/** Such a line, with the columns before its text and the first word of it. */
export interface DashlessLine {
  readonly start: number;
  readonly indent: number;
  readonly word: string;
}

/** Of the line of an offset: null where no line above it, with as many columns before it, begins with `-`. */
export function dashlessAt(text: string, offset: number): DashlessLine | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = lineAt(text, start);
  const indent = indentOf(line);
  if (isBlank(line) || isItem(line)) return null;
  for (let end = start - 1; end > 0; ) {
    const before = text.lastIndexOf('\n', end - 1) + 1;
    const above = lineAt(text, before);
    end = before - 1;
    if (isBlank(above) || indentOf(above) > indent) continue;
    if (indentOf(above) < indent) return null;
    if (isItem(above)) return { start, indent, word: /[^\s:]+/.exec(line)?.[0] ?? '' };
  }
  return null;
}

/** Whether the line of a later offset follows from it: it belongs to the same item, or is the next one of the list. */
export function followsFrom({ start, indent }: DashlessLine, text: string, offset: number): boolean {
  const later = text.lastIndexOf('\n', offset - 1) + 1;
  const between = text.slice(start, later).split('\n');
  const isWithin = between.every((line) => isBlank(line) || (indentOf(line) >= indent && !isItem(line)));
  return isWithin && indentOf(lineAt(text, later)) === indent;
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? text.length : end);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function isItem(line: string): boolean {
  return /^\s*-\s/.test(line);
}

/** A line without content, or with a remark only. */
function isBlank(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}
