// A question in; whether the person at the keyboard said the word out. `--yes` is the word, said before.

import { showError } from './report.ts';
import type { ExitCode, Terminal } from './terminal.ts';

/** Why it is not done. */
export interface Refused {
  readonly code: ExitCode;
  readonly message: string;
}

/** Null to go ahead. */
export async function confirm(
  {
    question,
    word,
    so = 'go ahead',
    yes,
  }: {
    readonly question: string;
    readonly word: string;
    /** What saying it does. */
    readonly so?: string;
    readonly yes: boolean;
  },
  terminal: Terminal,
): Promise<Refused | null> {
  if (yes) return null;
  const answer = await terminal.ask(`\n${question}\nType ${terminal.paintErr('strong', word)} to ${so}: `);
  if (answer === null) {
    const message = `nobody is there to confirm; use --yes to ${word} without asking`;
    showError(message, terminal);
    return { code: 1, message };
  }
  if (answer.trim() === word) return null;
  terminal.err('Nothing was changed.\n');
  return { code: terminal.signal.aborted ? 130 : 1, message: 'not confirmed' };
}
