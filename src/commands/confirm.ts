// Question before a change: the person at the keyboard types the word that confirms it, or the change is not made.

import type { Declined } from '../run/apply.ts';
import { showError } from './result.ts';
import type { Terminal } from './terminal.ts';

/** What is asked. */
export interface Confirmation {
  readonly question: string;
  /** The word to type. */
  readonly word: string;
  /** What typing it does; default `go ahead`. */
  readonly so?: string;
  /** `--yes`: the word was given before. */
  readonly yes: boolean;
}

/** Null to go ahead. Says why not. */
export async function confirm(
  { question, word, so = 'go ahead', yes }: Confirmation,
  terminal: Terminal,
): Promise<Declined | null> {
  if (yes) return null;
  const answer = await terminal.ask(`\n${question}\nType ${terminal.paintErr('strong', word)} to ${so}: `);
  if (answer === null) {
    const message = `no person can confirm it here; use --yes to ${word} without asking`;
    showError(message, terminal);
    return { reason: 'declined', message };
  }
  if (answer.trim() === word) return null;
  terminal.err('Nothing was changed.\n');
  return { reason: 'declined', message: 'not confirmed' };
}
