// The snapshot: what a plan needs of a license and of its ledger, to be planned against where neither can be asked. A document in, sealed text out.

import type { Address, KindName, ObjectId, Origin, SecretState, Spec, Version } from '../../base/model.ts';
import { sealedText } from '../saved/sealed.ts';

/** One object of the license, as far as it is shown. References are bare ids. */
export interface SeenObject {
  readonly id: ObjectId;
  readonly name: string;
  readonly spec: Spec;
  readonly owner?: true;
  readonly derived?: true;
  readonly builtin?: true;
  readonly pending_approval?: true;
  readonly possibly_unset?: true;
  readonly members?: { readonly [id: string]: string };
  readonly spared?: string;
  /** Fields that the service did not return. */
  readonly unread?: readonly string[];
  /** Fields that it returned without a value, for they were never set. What is in none of these lists, and has no value, is left out. */
  readonly unset?: readonly string[];
  /** Fields whose value stands there without what must not be seen of it. */
  readonly masked?: readonly string[];
}

/** What the ledger says, as far as it is shown. */
export interface SeenLedger {
  readonly bindings: readonly { readonly address: Address; readonly id: ObjectId; readonly origin: Origin }[];
  readonly applied: readonly {
    readonly address: Address;
    readonly spec: Spec;
    readonly digests: { readonly [field: string]: string };
    readonly at: string;
  }[];
  readonly secrets: readonly { readonly address: Address; readonly state: SecretState }[];
}

/** schemas/snapshot.schema.json describes it. */
export interface Snapshot {
  readonly format_version: string;
  readonly chatform_version: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly target: string;
  readonly api_version: Version;
  /** Digest of the address of the service. */
  readonly service: string;
  /** `version:` of chatform.yaml. */
  readonly project_version: number;
  /** Nothing was left out. */
  readonly full: boolean;
  /** The owner clients that were looked at. */
  readonly namespaces: readonly string[];
  /** What a token needed for this reading. */
  readonly scopes: readonly string[];
  /** A kind that is not there was not looked at. */
  readonly objects: { readonly [kind in KindName]?: readonly SeenObject[] };
  /** Ids of the rules, first match first. */
  readonly rule_order: readonly string[];
  /** Whose the token is that the license is changed with, where its account said so. */
  readonly own: { readonly type: KindName; readonly id: ObjectId } | null;
  /** How many objects stand here under a number instead of their id. */
  readonly nameless: { readonly [kind in KindName]?: number };
  readonly ledger: SeenLedger;
  /** Of everything but `created_at` and `chatform_version`: the same license has the same digest. */
  readonly digest: string;
}

/** The same license gives the same bytes, but for when and by which version it was written. */
export function snapshotText(content: Omit<Snapshot, 'digest'>): { readonly text: string; readonly digest: string } {
  return sealedText(content);
}
