// What a project says of its differences. Types only.

import type { IgnoreRule, Severity } from '../../base/model.ts';
import type { DriftKind, Status } from './report.ts';

/** How much a difference matters; what a rule does not name, it holds for. The first that covers a difference decides. */
export interface SeverityRule {
  /** Address, or a bare kind; `*` stands for anything. */
  readonly address: string | null;
  readonly kind: DriftKind | null;
  readonly status: Status | null;
  readonly severity: Severity;
}

export interface DriftSettings {
  /** From this severity on, a difference is one that counts: exit code 2. */
  readonly failOn: Severity;
  /** Those of the target, then those of all. */
  readonly severity: readonly SeverityRule[];
  readonly ignore: readonly IgnoreRule[];
}
