// What the service tells once and never again, and what a place that keeps it must do. It must not know any such place.

import type { Address, ObjectId } from '../base/model.ts';

export interface StoredSecret {
  readonly address: Address;
  readonly id: ObjectId;
  readonly secret: string;
}

/** Where one-time secrets are kept. One conformance suite holds for all of them: test/apply/sinks/conformance.ts. No error quotes a secret. */
export interface SecretsSink {
  /** Proves what can be proven of `store` for these addresses without a secret, before one comes to be. @throws UsageError */
  readonly probe: (addresses: readonly Address[]) => Promise<void>;
  /** Adds `entries` to what is kept, the newest of an address replacing older ones; kept once it resolves, and all or none. @throws UsageError */
  readonly store: (entries: readonly StoredSecret[]) => Promise<void>;
  /** Whether a secret of this very object is kept; absent where nobody can tell. @throws UsageError */
  readonly holds?: (address: Address, id: ObjectId) => Promise<boolean>;
}
