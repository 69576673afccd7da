// One-time secrets, and what a sink for them must do. Knows no sink.

import type { Address, ObjectId } from '../../base/model.ts';

/** The object that a secret belongs to. */
export interface SecretSubject {
  readonly address: Address;
  readonly id: ObjectId;
}

export interface StoredSecret extends SecretSubject {
  readonly secret: string;
}

/** The secret of an object that was just created or reset; null when the reply lacks it. */
export interface ReturnedSecret extends SecretSubject {
  readonly secret: string | null;
}

/** A token of a bot. */
export interface StoredToken extends SecretSubject {
  readonly token: string;
  /** When it ends, RFC 3339. */
  readonly until: string;
}

/** A place for one-time secrets. One conformance suite holds for all of them: test/target/secrets/conformance.ts. No error quotes a secret. */
export interface SecretsSink {
  /** Checks, before a secret exists, that `store` will work for these addresses, as far as possible. @throws UsageError */
  readonly probe: (addresses: readonly Address[]) => Promise<void>;
  /** Adds `entries`, which replace older ones of the same address; durable once it resolves, all or none. @throws UsageError */
  readonly store: (entries: readonly StoredSecret[]) => Promise<void>;
  /** The objects whose secrets are kept under these addresses; absent where that cannot be known. @throws UsageError */
  readonly kept?: (addresses: readonly Address[]) => Promise<readonly SecretSubject[]>;
  /** Whether a secret of this very object is kept; absent where that cannot be known. @throws UsageError */
  readonly holds?: (address: Address, id: ObjectId) => Promise<boolean>;
  /** Removes what is kept of these very objects; absent where that cannot be done. @throws UsageError */
  readonly remove?: (subjects: readonly SecretSubject[]) => Promise<void>;
}

/** A place that keeps tokens of bots also: next to the secret of the bot, neither in the place of the other. */
export interface TokenSink extends SecretsSink {
  /** Checks, before a token exists, that `storeToken` will work, as far as possible. @throws UsageError */
  readonly probeToken: (bot: SecretSubject) => Promise<void>;
  /** Keeps the token instead of an older one of the address; durable once it resolves. @throws UsageError */
  readonly storeToken: (entry: StoredToken) => Promise<void>;
  /** The kept secret of this very object, null when it has none; absent where it cannot be read. @throws UsageError */
  readonly secretOf?: (address: Address, id: ObjectId) => Promise<string | null>;
}
