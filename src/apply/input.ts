// Input of an apply, and the events that it emits.

import type { Address, Clock, Desired, Live, Place, Version } from '../base/model.ts';
import type { LedgerEvent, RunSigning } from '../ledger/events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LicenseClient } from '../license/connect.ts';
import type { Ask } from '../license/reading/live.ts';
import type { PlannerOptions } from '../plan/input.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Rescue } from '../target/secrets/rescue.ts';
import type { SecretsSink } from '../target/secrets/secrets.ts';
import type { GivenSecret } from './given-secrets.ts';
import type { StepResult, Unsettled } from './outcome.ts';

export type ApplyEvent =
  | { readonly type: 'sending'; readonly steps: readonly Step[] }
  | { readonly type: 'ended'; readonly results: readonly StepResult[] }
  | { readonly type: 'waiting'; readonly elapsed: number; readonly unsettled: readonly Unsettled[] };

/** Settings of a reading that is repeated until the license shows something. */
export interface RepeatedReading {
  readonly ask: Ask;
  readonly version: Version;
  readonly clock: Clock;
  /** Aborting it ends the reading. */
  readonly signal: AbortSignal;
  readonly onWait: (wait: { readonly elapsed: number; readonly unsettled: readonly Unsettled[] }) => void;
}

export interface ApplyInput {
  /** Id of the run in the ledger. */
  readonly run: string;
  /** Name of the run in the ledger; default `apply`. */
  readonly command?: string;
  /** Id of the run that this run takes back; left out when it is no undo. */
  readonly undoes?: string;
  /** Neither `--only` nor `--except` leaves anything out: runs that were cut short before come to their end with this one. */
  readonly isWhole?: boolean;
  /** What the plan was made from: an agent is told by its account, where the service tells it. */
  readonly live?: Live;
  /** What the ledger says of who started the run; nothing when left out. */
  readonly signing?: RunSigning;
  readonly plan: Plan;
  readonly desired: Desired;
  readonly options: PlannerOptions;
  readonly client: LicenseClient;
  readonly ledger: Ledger;
  /** All events of the ledger, when no other run can have written since they were read; read again when left out. */
  readonly past?: readonly LedgerEvent[];
  /** The sink for one-time secrets; null when the plan creates none. */
  readonly sink: SecretsSink | null;
  /** The secrets that creates of the plan carry; none when left out. */
  readonly given?: ReadonlyMap<Address, GivenSecret>;
  /** The rescue files for when the sink fails; without them the secrets are lost then. */
  readonly rescue?: Rescue | null;
  readonly clock: Clock;
  /** Stops the sending; requests in flight are waited for. */
  readonly signal: AbortSignal;
  /** Milliseconds that a reading may lag behind a write; SETTLE_WINDOW for a service that does not state its delay. */
  readonly window: number;
  /** Where the manifest declares a field; left out by what has no manifest. */
  readonly placeOf?: (address: Address, field: string) => Place | null;
  /** Milliseconds that a write may take to read back; null skips the verification. */
  readonly propagationTimeout: number | null;
  readonly onEvent: (event: ApplyEvent) => void;
  /** Why the client refused to send a write, as `leased` does; null when it refused none. */
  readonly refused?: () => string | null;
}
