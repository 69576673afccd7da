// A field of a kind: how it is written, read, compared and said. The types of a kind's specs follow from its fields.

import { inVersion, type Since } from '../base/api-versions.ts';
import type { Schema } from '../base/documents.ts';
import type { Json, KindName, LiveObject, Reference, Version } from '../base/model.ts';
import type { FieldLimit } from './limits.ts';

/** A value that holds in every version, or one since each version that is named. */
export type PerVersion<T extends string> = T | Since<T>;

/**
 * Where a field can be read back: in the kind's list call, only in its call for a single object, on some licenses only, or nowhere.
 * A value that cannot be read is compared with the ledger's digest of the value that was applied.
 */
export type Readable = 'list' | 'get' | 'sometimes' | 'never';

/**
 * When a field can be written: on create and update, on create only, by an action of its own (`Transition`), or never in that version.
 */
export type Writable = 'always' | 'create' | 'transition' | 'never';

/** How two values of a field are compared: order counts in a `list`, and in nothing else. */
export type FieldShape = 'scalar' | 'set' | 'map' | 'list' | 'object';

/** What people call a referenced object. */
export type Named = (reference: Reference) => string;

/** One thing that a value says: of what, and what. A single value says something of nothing else; an item of a set is a subject alone. */
export interface Phrase {
  /** What tells it from the other phrases of the value. */
  readonly key: string;
  readonly about: string;
  readonly says: string;
  /** Shorter, where no other side says more of the same: `off`. */
  readonly brief?: string;
}

/** One field of a kind, declared once. Specification: "Resources and their fields". */
export interface Field {
  /** Shown as hover help in editors: one or two sentences. */
  readonly about: string;
  /** Of one value. */
  readonly schema: Schema;
  /** Of one value in a manifest, where people may write more than the value: names, or what depends on the date. */
  readonly written?: Schema;
  readonly shape: FieldShape;
  readonly readable: PerVersion<Readable>;
  readonly writable: PerVersion<Writable>;
  /** What the service fills in when a create leaves the field out; for people and for import. */
  readonly default?: Json;
  /** What a reading without the field means; without `absent` such a reading says nothing. */
  readonly absent?: Json;
  /** The service may choose a value of its own when a create leaves the field out, so a value there need not be of a person. */
  readonly chosen?: true;
  /** What a live null means: a value that the service refuses to show, and that no write may replace. */
  readonly hidden?: string;
  /** How large the value can be, per operation: a number itself, a text by its characters. */
  readonly limit?: FieldLimit;
  /** The kind that the value points at, and where the references are: keys of a map, or items of a list, perhaps in the member `under`; or the value itself. */
  readonly references?: {
    readonly kind: KindName;
    readonly at: 'keys' | 'items' | 'value';
    readonly under?: string;
    /** The one key of a map that is no reference. */
    readonly besides?: string;
  };
  /** Says how to write and is no state of the object: never compared. Switched on, it reaches other licenses. */
  readonly option?: true;
  /** Plans of other objects depend on it, so a snapshot keeps it for unmanaged objects also. */
  readonly structural?: true;
  /** Changes by a transition, yet can also travel with a create. */
  readonly onCreate?: true;
  /** A field whose value may hide this one. To set this one again does no harm, so it is set to be sure where the ledger does not know it, or that field changes. */
  readonly hiddenBy?: string;
  /** Says where a secret is that a create carries. The ledger keeps a slow digest of the secret, and compares that. */
  readonly secret?: true;
  /** Once written it can never be taken back. */
  readonly irreversible?: true;
  /** Lists what others may do with the object: each item, or each member down to an item, is a right. */
  readonly grants?: true;
  /** What a value says to people; default: what its shape says. */
  readonly phrases?: (value: Json, named: Named) => readonly Phrase[];
  /** Subjects of phrases in their order; neighbours that say the same are told together: `Mon-Fri`. */
  readonly sequence?: readonly string[];
  /** Why no request can give this object another value; null when a request can. */
  readonly frozen?: (object: LiveObject) => string | null;
  /** Brings a value to the one spelling in which equal things are equal. Idempotent. */
  readonly canonical?: (value: Json) => Json;
  /** How a person would write a value, where that differs: what is imported or accepted is written so. */
  readonly authored?: (value: Json) => Json;
  /** What a write of the value carries over from the live one, which no comparison looks at. */
  readonly carried?: (value: Json, live: Json) => Json;
  /** The live value as far as the desired one speaks of it, for members that may be left out of a declared value. */
  readonly align?: (live: Json, desired: Json, version: Version) => Json;
}

/** What most fields are: one value, in every list, written at any time. The others state what differs. */
export const PLAIN = { shape: 'scalar', readable: 'list', writable: 'always' } as const satisfies Partial<Field>;

export type Fields = { readonly [name: string]: Field };

interface Scalars {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
}

/** The values that a JSON Schema describes, for the keywords that fields use. */
export type FieldValue<S> = S extends { readonly enum: readonly (infer V)[] }
  ? V
  : S extends { readonly $ref: string }
    ? Reference
    : S extends { readonly type: keyof Scalars }
      ? Scalars[S['type']]
      : S extends { readonly type: readonly (keyof Scalars)[] }
        ? Scalars[S['type'][number]]
        : S extends { readonly items: infer I }
          ? readonly FieldValue<I>[]
          : S extends { readonly properties: infer P }
            ? string extends keyof P
              ? { readonly [name: string]: FieldValue<P[keyof P]> }
              : { readonly [name in keyof P]?: FieldValue<P[name]> }
            : S extends { readonly additionalProperties: infer V }
              ? { readonly [name: string]: FieldValue<V> }
              : Json;

/** The specs of a kind with these fields, as valid manifests and normalised readings have them. A field left out is not managed, or not read. */
export type SpecOf<F> = {
  readonly [name in keyof F]?: F[name] extends { readonly schema: infer S } ? FieldValue<S> : Json;
};

/** The same fields in a manifest that may have errors: the values need not fit their schemas. */
export type Unchecked<S> = { readonly [name in keyof S]?: Json };

/** The value for one version. */
export function perVersion<T extends string>(value: PerVersion<T>, version: Version): T {
  return typeof value === 'object' ? inVersion(value, version) : value;
}
