// The plan: the one statement of what an apply would do. Plain JSON with Terraform's names where it has one, so that saving it is printing it.

import type {
  Address,
  Json,
  KindName,
  ObjectId,
  Place,
  Reference,
  Spec,
  StepOperation,
  Verdict,
  Version,
} from '../base/model.ts';
import type { Rerouted } from '../routing/compare.ts';
import type { Recovered } from './binding/recover.ts';
import type { Exposed } from './order/course.ts';

/** What happens to one resource, in Terraform's words; `["delete", "create"]` is a replace. */
export type Actions =
  | readonly ['no-op']
  | readonly ['create']
  | readonly ['update']
  | readonly ['delete']
  | readonly ['delete', 'create'];

/**
 * How a difference in a field is closed: by a write, by an action of its own, by replacing the object, by a write that is only made because the
 * field cannot be read back (`unverified`), not at all because no request can (`unreachable`), or not at all because nobody can tell whether it
 * is a difference (`unreadable`).
 */
export type Reach = 'write' | 'transition' | 'replace' | 'unverified' | 'unreachable' | 'unreadable';

/** One field of one resource whose live value is not, or may not be, the desired one. */
export interface FieldChange {
  readonly field: string;
  /** Live value; null when there is none or it cannot be read. */
  readonly before: Json;
  readonly after: Json;
  readonly reach: Reach;
  /** Why the field is out of reach, and what the user can do; null when it is in reach. */
  readonly reason: string | null;
}

/** Why a change deserves a second look before it is made. */
export type Danger = 'irreversible' | 'other-licenses' | 'data-loss' | 'destroy';

/** An object of the license that refers to another one: a rule that routes to a group, an agent in it. */
export interface Referrer {
  readonly type: KindName;
  /** Its address, or the bare id of what nothing declares. */
  readonly reference: Reference;
  readonly name: string;
}

/** Where the files say something. */
export type SourcePlace = Pick<Place, 'file' | 'line' | 'column'>;

/** What would happen to one resource. */
export interface ResourceChange {
  readonly address: Address;
  readonly type: KindName;
  /** What a person calls the object. */
  readonly name: string;
  /** Id on the license; null for an object that does not exist yet. */
  readonly id: ObjectId | null;
  readonly change: {
    readonly actions: Actions;
    /** Live values of the managed fields; null for an object that does not exist. */
    readonly before: Spec | null;
    /** Desired values of the managed fields; null for an object that is deleted. */
    readonly after: Spec | null;
    /** What the service will choose. */
    readonly after_unknown: { readonly [field: string]: true };
  };
  readonly fields: readonly FieldChange[];
  /** Positions in the list of rules, first is 1; null when the resource does not move. */
  readonly moved: { readonly from: number; readonly to: number } | null;
  /** The object exists, was found by its natural key, and becomes ours. */
  readonly adopting: boolean;
  /** The ledger knew an object that is no longer there. */
  readonly recreating: boolean;
  readonly danger: readonly Danger[];
  /** Of a dangerous change: what refers to the object on the license, declared or not. */
  readonly referred_by: readonly Referrer[];
  /** Where the manifest declares it; null when it no longer does. */
  readonly source: SourcePlace | null;
}

/** What somebody changed on the license since the last apply, and the plan replaces. */
export interface ResourceDrift {
  /** Of a resource; the bare kind for the order of its list, which is `order` then. */
  readonly address: string;
  readonly type: KindName;
  /** What a person calls it. */
  readonly name: string;
  /** Null for an object that is gone. */
  readonly id: ObjectId | null;
  readonly change: {
    /** What somebody did. */
    readonly actions: readonly ['update'] | readonly ['delete'];
    /** As it was applied: only what is different now. */
    readonly before: Spec;
    /** As it is; null for an object that is gone. */
    readonly after: Spec | null;
  };
  /** RFC 3339; null when the ledger does not know. */
  readonly applied_at: string | null;
}

/** The order of the rules, with the proof that no shorter list of moves exists: the heaviest subsequence that can stay. */
export interface Reorder {
  readonly before: readonly Reference[];
  readonly after: readonly Reference[];
  readonly kept: readonly Reference[];
  readonly moved: readonly Reference[];
}

/** One write on one object. Bodies hold references, which become ids when the step is sent. */
export interface Step {
  /** Unique in the plan, and readable: `create group/sales`. */
  readonly id: string;
  readonly operation: StepOperation;
  readonly type: KindName;
  /** What is written, declared or on its way out; null for an undeclared object that stays, such as an agent that leaves a declared group. */
  readonly address: Address | null;
  /** Id of the object; null for one that the step creates. */
  readonly object: ObjectId | null;
  /** The `id:` to create it with; null when the service chooses. */
  readonly chosen_id: ObjectId | null;
  readonly fields: Spec;
  /** Place in the ordered list; null leaves the order alone. */
  readonly position: { readonly before: Reference } | { readonly last: true } | null;
  /** The resources whose change this step makes true. */
  readonly serves: readonly Address[];
  /** Steps that must have succeeded before this one is sent. */
  readonly after: readonly string[];
}

/** One request: a single call, a batch of calls of one action, or several calls joined into one. */
export interface Request {
  readonly action: string;
  readonly form: 'single' | 'batch' | 'joined';
  readonly steps: readonly string[];
  readonly wave: number;
}

/** What a plan does to the ways of visitors to groups. Groups and rules by reference. */
export interface PlannedRouting {
  /** Whose chats go to other groups afterwards; empty when nobody's do. */
  readonly rerouted: readonly Rerouted[];
  /** False when there may be more of them than were found. */
  readonly exact: boolean;
  /** Whether somebody's chats go astray while the rules are written; `unknown` when there are too many rules to tell. */
  readonly way: 'safe' | 'exposed' | 'unknown';
  /** Whose, after which of the writes. */
  readonly exposed: readonly Exposed[];
  /**
   * What would expose nobody: so many requests more (`reorder: safe` takes them), or these rules under new keys, so that they are made before the
   * old ones go. Null when nobody is exposed, or no such way was found.
   */
  readonly longer: { readonly requests: number; readonly anew: readonly Reference[] } | null;
}

/** A live object that nothing declares and that stays. */
export interface Unmanaged {
  readonly type: KindName;
  readonly id: ObjectId;
  readonly name: string;
  /** What the ledger, which says that it is ours, calls it; null for a stranger. */
  readonly released: Address | null;
  /** Why it stays although it is ours, or nothing undeclared is to be there; null when nobody could expect it to go. */
  readonly reason: string | null;
}

/** A guard's veto: nothing is applied while it stands. */
export interface Withheld {
  readonly guard:
    | 'max_deletes'
    | 'max_delete_percent'
    | 'empty-manifest'
    | 'protected'
    | 'own-agent'
    | 'last-administrator'
    | 'last-member'
    | 'still-routed'
    | 'irreversible'
    | 'other-licenses'
    | 'data-loss'
    | 'secrets-sink'
    | 'policy';
  /** Empty for a policy, which is about the whole plan. */
  readonly addresses: readonly Address[];
  readonly message: string;
  /** What would let it go. */
  readonly remedy: string;
}

/** Something a person should know beside the changes, in one line that says what can be done. */
export interface Note {
  readonly address: Address;
  readonly kind:
    | Exclude<Danger, 'destroy'>
    | 'unreachable'
    | 'unreadable'
    | 'unverified'
    | 'manual-step'
    | 'pending-approval'
    | 'left-out'
    | 'recreating'
    | 'recovered'
    | 'secret-lost'
    | 'own-agent'
    | 'stranger'
    | 'rebinding'
    | 'rename'
    | 'not-in-snapshot';
  /** Why, and after a semicolon or colon what the user can do. */
  readonly message: string;
}

/** The snapshot that a plan was made from, instead of the license and the ledger themselves. */
export interface Against {
  /** RFC 3339. */
  readonly taken_at: string;
  /** How old it was when the plan was made; null when by the clock there it had not been taken yet. */
  readonly age_seconds: number | null;
  readonly digest: string;
  /** Nothing was left out of it. */
  readonly full: boolean;
  /** How many objects of a kind it has under a number instead of their id. */
  readonly nameless: { readonly [kind in KindName]?: number };
}

/** What an apply would do to one license, complete. */
export interface Plan {
  readonly format_version: string;
  readonly api_version: Version;
  readonly target: string;
  /** Left out of a plan that was made from the license itself; what has it shows what would happen and cannot be applied. */
  readonly against?: Against;
  /** Resources with something to say, by kind, then by address, rules in their desired order; a no-op is listed only when it adopts, has differences out of reach, or is not known to have been applied. */
  readonly resource_changes: readonly ResourceChange[];
  /** Of what the plan replaces: what it was before somebody changed it. */
  readonly resource_drift: readonly ResourceDrift[];
  readonly reorder: Reorder | null;
  /** Null when no rule is written. */
  readonly routing: PlannedRouting | null;
  readonly steps: readonly Step[];
  readonly requests: {
    readonly total: number;
    readonly by_action: { readonly [action: string]: number };
    readonly plan: readonly Request[];
  };
  /** Scopes the token needs to plan and apply this. */
  readonly scopes: readonly string[];
  readonly unmanaged: readonly Unmanaged[];
  readonly withheld: readonly Withheld[];
  /** Every policy that was asked, in the order of the project; empty when there is none. */
  readonly policies: readonly Verdict[];
  readonly notes: readonly Note[];
  /** What an apply writes into the ledger without a request: what became of creates whose answers were lost, renames, adoptions, objects that are gone. */
  readonly bindings: {
    readonly recover: readonly Recovered[];
    /** Intents that made nothing. */
    readonly absent: readonly string[];
    readonly move: readonly { readonly from: Address; readonly to: Address }[];
    readonly adopt: readonly { readonly address: Address; readonly id: ObjectId }[];
    readonly forget: readonly Address[];
  };
  /** The rules as they are, first match first, in the plan's terms. */
  readonly live_order: readonly Reference[];
  /** Address -> id of everything declared that exists. */
  readonly references: { readonly [address: string]: ObjectId };
  readonly summary: { readonly add: number; readonly change: number; readonly destroy: number; readonly adopt: number };
}
