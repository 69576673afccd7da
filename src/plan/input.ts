// Input of a plan: desired, live, the ledger, and what the user decided about the target.

import type { Address, Desired, KindName, LedgerState, Live, Reference } from '../base/model.ts';
import type { Maker } from '../kinds/kind.ts';
import type { Limits } from '../kinds/limits.ts';
import type { Assumptions } from '../routing/rules.ts';
import type { Move } from './binding/moves.ts';
import type { Recovery } from './binding/recover.ts';
import type { Own } from './guards/own-agent.ts';

export interface RoutingOptions {
  readonly assumptions: Assumptions;
  /** Whether more requests are worth it, so that no chat goes astray while they are sent. */
  readonly reorder: 'minimal' | 'safe';
}

/** What the user decided about this target. */
export interface PlanOptions {
  readonly target: string;
  /** What `--only` and `--except` leave in. */
  readonly selects: (address: Address) => boolean;
  /** What `protect:` covers. */
  readonly protects: (address: Address) => boolean;
  readonly prune: { readonly [kind in KindName]?: 'owned' | 'none' };
  readonly maxDeletes: number;
  readonly maxDeletePercent: number;
  readonly acknowledged: ReadonlySet<string>;
  readonly hasSink: boolean;
  readonly batchSize: number;
  /** What the service takes, where the target knows better than the table. */
  readonly limits?: Partial<Limits>;
  /** Owner of the token; unknown when left out. */
  readonly own?: Own;
  /** What the token is; default `bearer`. */
  readonly credential?: Maker['credential'];
  /** How the rules are read and written; as the specification is understood when left out. */
  readonly routing?: RoutingOptions;
  /** Desired is a part of what is declared: of the rest, the ledger keeps what was applied. */
  readonly partial?: true;
  /** Ends of edges that this run has written already, in vain: their edges must be written from the other end. */
  readonly spent?: ReadonlySet<Reference>;
}

export interface PlanInput {
  readonly desired: Desired;
  readonly live: Live;
  readonly ledger: LedgerState;
  /** Renamed keys: what `from` owns becomes `to`'s. */
  readonly moved?: readonly Move[];
  /** What this reading says about creates without an answer; those that are missing made nothing. */
  readonly recovery?: Recovery;
  readonly options: PlanOptions;
}
