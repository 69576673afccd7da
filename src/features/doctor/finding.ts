// Results of checks.

import type { DoctorFinding } from './schema.ts';

/** A finding that does not name its check yet. */
export type CheckResult = Omit<DoctorFinding, 'check'>;

export const ok = (message: string): CheckResult => ({ status: 'ok', message, remedy: null });
export const warning = (message: string, remedy: string): CheckResult => ({ status: 'warning', message, remedy });
export const problem = (message: string, remedy: string): CheckResult => ({ status: 'problem', message, remedy });
export const unchecked = (message: string, remedy: string | null = null): CheckResult => ({
  status: 'unchecked',
  message,
  remedy,
});
