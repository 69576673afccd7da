// The text of an env file in; its lines, and which of them assign what, out. Shells, docker, systemd and the dotenv libraries read such files, each in
// its own way: what they disagree about is not guessed.

export interface EnvLine {
  /** Without its end. */
  readonly text: string;
  /** `''` for a last line that has none. */
  readonly end: '\n' | '\r\n' | '';
  /** A quote is not closed, or a backslash stands at the end: for some readers it goes on in the next line. */
  readonly isOpen: boolean;
}

export function linesOf(text: string): readonly EnvLine[] {
  return Array.from(text.matchAll(/([^\n]*?)(\r?\n|$)/g), ([, line = '', end = '']) => ({
    text: line,
    end: end as EnvLine['end'],
    isOpen: isOpen(line),
  })).filter(({ text: line, end }) => line !== '' || end !== '');
}

/** The name is as shells take it, also before the colon that some readers allow; the value as it stands, with its quotes. Null for any other line. */
export function assignmentOf(line: string): { readonly name: string; readonly value: string } | null {
  const [, name, value = ''] = /^\ufeff?\s*(?:export\s+)?([A-Za-z_]\w*)\s*(?:=|:\s)\s*(.*?)\s*$/s.exec(line) ?? [];
  return name === undefined ? null : { name, value };
}

/** So that every reader takes it for the same text; null when no spelling does that. */
export function quoted(value: string): string | null {
  if (/^[A-Za-z0-9_.:/@%+=,-]+$/.test(value)) return value;
  return /^[^'\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u.test(value) ? `'${value}'` : null;
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
