// Input of an apply, and the events that it tells.

import type { Clock, Desired } from '../base/model.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PlanOptions } from '../plan/input.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { ConfigurationClient } from '../service/configuration.ts';
import type { Ended } from './ended.ts';
import type { Rescue } from './rescue.ts';
import type { SecretsSink } from './secrets.ts';
import type { Unsettled } from './verify.ts';

export type ApplyEvent =
  | { readonly type: 'sending'; readonly steps: readonly Step[] }
  | { readonly type: 'ended'; readonly results: readonly Ended[] }
  | { readonly type: 'waiting'; readonly elapsed: number; readonly unsettled: readonly Unsettled[] };

export interface ApplyInput {
  /** What the ledger calls the run; default `apply`. */
  readonly command?: string;
  readonly plan: Plan;
  readonly desired: Desired;
  readonly options: PlanOptions;
  readonly client: ConfigurationClient;
  readonly ledger: Ledger;
  /** All that the ledger says, when nobody else can have written to it since that was read; read once more when left out. */
  readonly past?: readonly LedgerEvent[];
  /** Where one-time secrets go; null when the plan creates none. */
  readonly sink: SecretsSink | null;
  /** Where they wait when the sink fails; null, or left out, when they are lost then. */
  readonly rescue?: Rescue | null;
  readonly clock: Clock;
  /** Stops the sending; what is in flight is waited for. */
  readonly signal: AbortSignal;
  /** Milliseconds that a reading may lag behind a write; SETTLE_WINDOW for a service that does not say its delay. */
  readonly window: number;
  /** Milliseconds that what was written may take to read back; null skips the look. */
  readonly propagationTimeout: number | null;
  readonly onEvent: (event: ApplyEvent) => void;
  /** Why the client let a write not leave, as `leased` does; null when it let all. */
  readonly refused?: () => string | null;
}
