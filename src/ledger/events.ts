// The events of the ledger, as types, and as lines of a log. It must not know where a log is kept, or what the events add up to.

import type {
  Address,
  JsonObject,
  KindName,
  ObjectId,
  Origin,
  SecretState,
  Spec,
  StepOperation,
} from '../base/model.ts';

/** The version of the log's format that is written here. */
export const FORMAT = 1;

export interface Stamp {
  readonly v: typeof FORMAT;
  /** RFC 3339. */
  readonly at: string;
}

/** From now on `address` is the object `id`; written before its `applied`, for it ends what was known of another object. */
export interface Bound extends Stamp {
  readonly type: 'bound';
  readonly address: Address;
  readonly id: ObjectId;
  readonly origin: Origin;
}

/** What was written to the object of `address`: the spec as far as it reads back, SHA-256 digests of the fields that do not. */
export interface AppliedSpec extends Stamp {
  readonly type: 'applied';
  readonly address: Address;
  readonly spec: Spec;
  readonly digests: { readonly [field: string]: string };
}

/** `address` owns nothing any more: its object is deleted, or was let go. */
interface Forgotten extends Stamp {
  readonly type: 'forgotten';
  readonly address: Address;
  /** `deleted`: by us, so a list that shows it still lags. */
  readonly because?: string;
}

/**
 * A request of `run` that changes the object of `address` is about to leave; `spec` is what the object was before, as far as it was compared or is
 * deleted, null when there was none. Until what follows says how it ended, nobody knows whether the request arrived.
 */
export interface Before extends Stamp {
  readonly type: 'before';
  readonly run: string;
  readonly address: Address;
  /** Null when there was none. */
  readonly id: ObjectId | null;
  readonly spec: Spec | null;
}

/**
 * The object of `address` is about to be deleted, and made again as `spec`: what is undeclared of it stands nowhere else as soon as it is gone. Ends
 * with the next `bound`.
 */
export interface Remaking extends Stamp {
  readonly type: 'remaking';
  readonly address: Address;
  readonly spec: Spec;
}

/** The order of a list: as it was before `run` changed it, or as it was applied. What is not ours has no place in it. */
export interface Order extends Stamp {
  readonly type: 'order';
  readonly moment: 'before' | 'applied';
  readonly run: string;
  readonly kind: KindName;
  readonly order: readonly Address[];
}

/** What became of the one-time secret of the object `id`. */
export interface Secret extends Stamp {
  readonly type: 'secret';
  readonly address: Address;
  readonly id: ObjectId;
  readonly state: SecretState;
}

/** What `from` owned is owned by `to`, with all that is known of it; `from` owns nothing any more. */
export interface Moved extends Stamp {
  readonly type: 'moved';
  readonly from: Address;
  readonly to: Address;
}

/** A request that must not be sent twice is about to leave; until its `done`, nobody knows whether it arrived. */
export interface Intent extends Stamp {
  readonly type: 'intent';
  readonly id: string;
  readonly address: Address;
  /** That of the address. */
  readonly kind: KindName;
  readonly operation: StepOperation;
  /** What the object would be known by, as JSON text. */
  readonly identity: string;
  /** Ids of the kind's objects that were there before, so that none of them is taken for the new one. */
  readonly seen: readonly ObjectId[];
}

interface DoneStamp extends Stamp {
  readonly type: 'done';
  /** Id of the intent. */
  readonly intent: string;
}

/**
 * It is decided what became of an intent; written after the `bound` of what was created, or else a crash between the two would lose it. `unknown`:
 * nobody will find out any more, and a person has said so.
 */
type Done =
  | (DoneStamp & { readonly outcome: 'created'; readonly created: ObjectId })
  | (DoneStamp & { readonly outcome: 'refused' | 'unknown' });

/** A command that wrote, or tried to, has ended. */
interface Run extends Stamp {
  readonly type: 'run';
  readonly id: string;
  readonly command: string;
  readonly outcome: RunOutcome;
  /** What was written in part, or perhaps: a reading that shows it as before may lag. */
  readonly unsure?: readonly Address[];
}

/** `failed`: nothing was changed; `partial`: some resources failed or were skipped; `unsettled`: all was sent, but did not become readable in time. */
export type RunOutcome = 'done' | 'failed' | 'partial' | 'unsettled' | 'interrupted';

/** An event that only a newer chatform knows: kept as it stands, and without meaning here. */
interface Unknown {
  readonly type: 'unknown';
  readonly event: JsonObject;
}

export type LedgerEvent =
  | Bound
  | AppliedSpec
  | Forgotten
  | Moved
  | Intent
  | Done
  | Before
  | Remaking
  | Order
  | Secret
  | Run
  | Unknown;

/** One line of the log, without its end. */
export function writeEvent(event: LedgerEvent): string {
  return JSON.stringify(event.type === 'unknown' ? event.event : event);
}
