// Lines of an env file, and their assignments. Shells, docker, systemd and dotenv libraries read such files in different ways; where they disagree,
// nothing is guessed.

export interface EnvLine {
  /** Without the line end. */
  readonly text: string;
  /** `''` for a last line that has none. */
  readonly end: '\n' | '\r\n' | '';
  /** A quote is not closed, or the line ends with a backslash: for some readers it continues in the next line. */
  readonly isOpen: boolean;
}

export function linesOf(text: string): readonly EnvLine[] {
  return Array.from(text.matchAll(/([^\n]*?)(\r?\n|$)/g), ([, line = '', end = '']) => ({
    text: line,
    end: end as EnvLine['end'],
    isOpen: isOpen(line),
  })).filter(({ text: line, end }) => line !== '' || end !== '');
}

/**
 * Returns the assignment of a line: the name as shells read it, also before the colon that some readers allow, and the value with its quotes. Null
 * for any other line.
 */
export function assignmentOf(line: string): { readonly name: string; readonly value: string } | null {
  const [, name, value = ''] = /^\ufeff?\s*(?:export\s+)?([A-Za-z_]\w*)\s*(?:=|:\s)\s*(.*?)\s*$/s.exec(line) ?? [];
  return name === undefined ? null : { name, value };
}

/** Whether a line is blank, a comment, an assignment, or a name whose value the reader has. Anything else is of another kind of file, such as YAML. */
export function isOfEnvFile(line: string): boolean {
  return /^\ufeff?\s*(?:#.*|(?:export\s+)?[A-Za-z_][\w.-]*\s*(?:=.*)?|[A-Z_][A-Z0-9_]*:\s.*)?$/s.test(line);
}

/** Returns a spelling that every reader takes for the same text; null when there is none. */
export function quoted(value: string): string | null {
  if (/^[A-Za-z0-9_.:/@%+=,-]+$/.test(value)) return value;
  return /^[^'\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u.test(value) ? `'${value}'` : null;
}

/** Returns the text of a value that `quoted` spelled; null for any other spelling, which readers may take for different texts. */
export function unquoted(value: string): string | null {
  const text = /^'(.*)'$/s.exec(value)?.[1] ?? value;
  return quoted(text) === value ? text : null;
}

function isOpen(line: string): boolean {
  if (/\\$/.test(line) || line.includes('\0')) return true;
  if (/^\ufeff?\s*(#|$)/.test(line)) return false;
  let quote: string | null = null;
  for (let index = line.indexOf('=') + 1; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '\\' && quote !== "'") index += 1;
    else if (quote !== null) quote = character === quote ? null : quote;
    else if (/["'`]/.test(character)) quote = character;
    else if (character === '#' && /\s/.test(line.charAt(index - 1))) return false;
  }
  return quote !== null;
}
