// What one look at a license found, as data: what `drift --json` prints, and what every other report is made from. Types only; it must not know who
// looks, or who is told.

import type { Json, KindName, ObjectId, Severity, Version } from '../../base/model.ts';
import type { Reach, SourcePlace } from '../../plan/plan.ts';
import type { DriftKind, Status } from '../../project/drift-settings.ts';

/** One way to end a difference: have the repository's word applied, take over the license's, declare again what is ours, or stop asking. */
export type WayOut = 'apply' | 'accept' | 'import' | 'ignore';

export const WAYS_OUT = ['apply', 'accept', 'import', 'ignore'] as const satisfies readonly WayOut[];

/** One difference between base (what was last applied), live and desired; three-way, and about one field, one object or one order. */
export interface Difference {
  readonly status: Status;
  readonly kind: DriftKind;
  /** Address of the resource; `<kind>/<id>` of an object that nothing declares; the bare kind for the order of its list. */
  readonly address: string;
  readonly type: KindName;
  /** What a person calls the object. */
  readonly name: string;
  /** Null for an object that does not exist. */
  readonly id: ObjectId | null;
  /** The field, and in a map the member; empty for a whole object, and for an order. */
  readonly path: readonly string[];
  /** In the plan's terms: references are addresses, or bare ids. Null where there is none, or nobody knows it. Orders are lists of references. */
  readonly base: Json;
  readonly live: Json;
  readonly desired: Json;
  /** How an apply would close it; null when there is nothing to write, or nothing but a whole object. */
  readonly reach: Reach | null;
  /** What a person has to know beside the values; null when they speak for themselves. */
  readonly reason: string | null;
  /** When the base was applied, RFC 3339; null without a base. */
  readonly applied_at: string | null;
  /** Where the manifest says it; null for what it does not. */
  readonly source: SourcePlace | null;
  readonly ways_out: readonly WayOut[];
}

/** A difference with what the project, and the looks before this one, say of it. */
export interface DriftItem extends Difference {
  /** The same for the same difference of the same target, whatever the values are: 32 hexadecimal digits. */
  readonly fingerprint: string;
  readonly severity: Severity;
  /** Of this uninterrupted stretch of looks that saw it; RFC 3339. */
  readonly first_seen: string;
  /** Looks of that stretch, this one included. */
  readonly seen_count: number;
  /** After how many applies that had closed it it came back. */
  readonly returned: number;
  /** It keeps coming back: somebody else writes the same thing. */
  readonly fight: boolean;
  /** Why the project does not want to be told; null for what counts. */
  readonly ignored: {
    readonly reason: string;
    /** The last day of the rule, YYYY-MM-DD; null for a rule without an end. */
    readonly until: string | null;
  } | null;
}

/** What a person should know beside the items, such as an ignore rule that has expired. */
export interface DriftNote {
  readonly kind: 'ignore-expired' | 'ignore-idle' | 'ledger-new' | 'secret-lost' | 'sightings-lost';
  readonly message: string;
  readonly source: SourcePlace | null;
}

/** One look that succeeded. */
export interface DriftReport {
  readonly format_version: string;
  readonly api_version: Version;
  readonly target: string;
  /** When the license was read, RFC 3339. */
  readonly at: string;
  /** No item is as severe as `fail_on`: exit code 0. */
  readonly in_sync: boolean;
  readonly fail_on: Severity;
  /** The most severe first, then as people read a license. */
  readonly items: readonly DriftItem[];
  /** What an ignore rule covers, in the same order. */
  readonly ignored: readonly DriftItem[];
  readonly notes: readonly DriftNote[];
  /** Of the items; `total` without the ignored ones. */
  readonly summary: { readonly [status in Status]: number } & {
    readonly total: number;
    readonly ignored: number;
    readonly fights: number;
    readonly by_severity: { readonly [severity in Severity]: number };
  };
  /** Reading requests that the look took. */
  readonly requests: number;
}

/** One look at a license, with whatever end: a look that failed is never in sync. */
export type Look =
  | { readonly outcome: 'seen'; readonly report: DriftReport }
  | {
      readonly outcome: 'failed';
      /** Null when it failed before that was known. */
      readonly target: string | null;
      /** RFC 3339. */
      readonly at: string;
      /** Why, without secrets and without control characters. */
      readonly message: string;
    };
