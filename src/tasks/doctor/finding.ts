// The checks by name, and what each can come to. Must not know what was seen.

/** Every check, in the order in which they are reported. Stable: people filter by them. */
export const CHECKS = [
  'project',
  'manifest',
  'ledger',
  'secrets',
  'address',
  'encryption',
  'version',
  'region',
  'clock',
  'credential',
  'read_scopes',
  'plan',
  'write_scopes',
  'limits',
] as const;

export type Check = (typeof CHECKS)[number];

/** `unchecked`: it could not be tried, or not without writing; the message says why. */
export const STATUSES = ['ok', 'warning', 'problem', 'unchecked'] as const;

export type Status = (typeof STATUSES)[number];

/** What one check came to. */
export interface Finding {
  readonly check: Check;
  readonly status: Status;
  /** One sentence without a full stop. */
  readonly message: string;
  /** What to do; null when nothing is to be done. */
  readonly remedy: string | null;
}

/** A finding that does not name its check yet. */
export type Verdict = Omit<Finding, 'check'>;

export const ok = (message: string): Verdict => ({ status: 'ok', message, remedy: null });
export const warning = (message: string, remedy: string): Verdict => ({ status: 'warning', message, remedy });
export const problem = (message: string, remedy: string): Verdict => ({ status: 'problem', message, remedy });
export const unchecked = (message: string, remedy: string | null = null): Verdict => ({
  status: 'unchecked',
  message,
  remedy,
});

/** `3 groups`, `1 group`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
