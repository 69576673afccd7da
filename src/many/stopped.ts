// Why an operation was not carried out: the answer of a person to its question, and the error of a run that stopped before anything was changed.

import { LeaseLost, UsageError } from '../base/errors.ts';
import type { Diagnostic } from '../base/model.ts';
import type { Declined, Stop } from '../target/lock.ts';
import type { Answer } from './operation.ts';

/** Null to go ahead. @param word - What the person was asked to type. */
export function declinedBy(answer: Answer, word: string): Declined | null {
  switch (answer) {
    case 'yes':
      return null;
    case 'no':
      return { reason: 'declined', message: 'it was not confirmed, so nothing was changed' };
    case 'unattended':
      return { reason: 'declined', message: unaskable(word) };
  }
}

export function unaskable(word: string): string {
  return `no person can confirm it here; use --yes to ${word} without asking`;
}

export function stopError({ reason, message }: Stop, diagnostics: readonly Diagnostic[] = []): LeaseLost | UsageError {
  return reason === 'lease-lost' ? new LeaseLost(message, diagnostics) : new UsageError(message, diagnostics);
}
