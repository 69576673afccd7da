// Input of a plan: desired, live, the ledger, and what the user decided about the target.

import type { Address, Desired, KindName, LedgerState, Live, Move, Reference } from '../base/model.ts';
import type { Maker } from '../kinds/kind.ts';
import type { KindLimits } from '../kinds/limits.ts';
import type { ProjectPages } from '../routing/pages.ts';
import type { Assumptions } from '../routing/rules.ts';
import type { Recovery } from './binding/recover.ts';
import type { StandingOf } from './diff.ts';
import type { Destroying } from './guards/destroy.ts';
import type { TokenOwner } from './guards/lockout.ts';

export interface RoutingOptions {
  readonly assumptions: Assumptions;
  /** `safe` sends more requests where that keeps every chat on its route meanwhile. */
  readonly reorder: 'minimal' | 'safe';
  /** The pages of examples; those that the rules name when left out. */
  readonly pages?: ProjectPages;
}

/** What the user decided about this target. */
export interface PlannerOptions {
  readonly target: string;
  /** What `--only` and `--except` select. */
  readonly selects: (address: Address) => boolean;
  /** What `protect:` covers. */
  readonly protects: (address: Address) => boolean;
  /** Whether it may cover objects of a kind, so that they are read where they may go with others; default: none. */
  readonly protectsKind?: (kind: KindName) => boolean;
  readonly prune: { readonly [kind in KindName]?: 'owned' | 'none' };
  /** An object that is deleted takes with it what was made from it on other licenses; default false. */
  readonly pruneInstalledBots?: boolean;
  readonly maxDeletes: number;
  readonly maxDeletePercent: number;
  /** Words, and what the addresses are about, as `subjectOf` returns it. */
  readonly acknowledged: ReadonlySet<string>;
  readonly hasSink: boolean;
  /** Whether secrets that are kept can be read; default true. */
  readonly readsSecrets?: boolean;
  readonly batchSize: number;
  /** Limits of the service, where the target has others than the table. */
  readonly limits?: Partial<KindLimits>;
  /** Owner of the token; unknown when left out. */
  readonly own?: TokenOwner;
  /** What the token is; default `bearer`. */
  readonly credential?: Maker['credential'];
  /** Whether the token can approve agents; default false. */
  readonly mayApprove?: boolean;
  /** What is known of the secrets that the manifest names; nothing when left out. */
  readonly standingOf?: StandingOf;
  /** The target that writes shared objects of an owner client; null where it is this one, which it always is when left out. */
  readonly writerOf?: (namespace: string) => string | null;
  /** How the rules are read and written; the assumptions of the specification when left out. */
  readonly routing?: RoutingOptions;
  /** An undo: `desired` is a part of what is owned; of the rest, the ledger keeps what was applied. */
  readonly partial?: true;
  /** Everything owned goes on purpose, and `desired` is empty; left out where undeclared objects are only pruned. */
  readonly destroying?: Destroying;
  /** The order of rules to reach, with unmanaged rules at their places, which stay; that of `desired` when left out. */
  readonly places?: readonly Reference[];
  /** Ends of edges that this run has written without effect: their edges must be written from the other end. */
  readonly spent?: ReadonlySet<Reference>;
}

export interface PlanInput {
  readonly desired: Desired;
  readonly live: Live;
  readonly ledger: LedgerState;
  /** Renamed keys: `to` takes what `from` owns. */
  readonly moved?: readonly Move[];
  /** What this reading shows of creates without an answer; those that are missing made nothing. */
  readonly recovery?: Recovery;
  readonly options: PlannerOptions;
}
