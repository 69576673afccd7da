// The contract of a kind: everything that is known about agents, groups, bots, ... is declared through these types, one file per kind.
// Planner, manifest, live and apply read the contract; none of them may know a kind by name.

import type { Schema } from '../base/documents.ts';
import type {
  DesiredResource,
  DiagnosticCode,
  Facts,
  Json,
  JsonObject,
  KindName,
  LiveObject,
  ObjectId,
  Reference,
  Spec,
  Version,
} from '../base/model.ts';
import type { ActionName } from '../service/actions.ts';
import type { FieldLimit, LimitName } from './limits.ts';

/** A value that holds in both versions, or one for each. */
export type PerVersion<T extends string> = T | { readonly [version in Version]: T };

/**
 * Where a field can be read back: with the kind's list call, only with its call for a single object, in some installations only, or nowhere.
 * What cannot be read is compared with the ledger's digest of what was applied.
 */
export type Readable = 'list' | 'get' | 'sometimes' | 'never';

/**
 * When a field can be written: on create and update, on create only, by an action of its own (`Transition`), or never in that version.
 */
export type Writable = 'always' | 'create' | 'transition' | 'never';

/** How two values of a field are compared: order counts in a `list`, and in nothing else. */
export type Shape = 'scalar' | 'set' | 'map' | 'list' | 'object';

/** One field of a kind, declared once. Specification: "Resources and their fields". */
export interface Field {
  /** Shown as hover help in editors: one or two sentences. */
  readonly about: string;
  /** Of one value, as people write it. */
  readonly schema: Schema;
  readonly shape: Shape;
  readonly readable: PerVersion<Readable>;
  readonly writable: PerVersion<Writable>;
  /** What the service fills in when a create leaves the field out; for people and for import. */
  readonly default?: Json;
  /** What it means when a reading leaves the field out; without it such a reading says nothing. */
  readonly absent?: Json;
  /** How large the value can be, per operation: of a number itself, of a text its characters. */
  readonly limit?: FieldLimit;
  /** Which kind the value points at, and where the references stand: the keys of a map, or the items of a list, perhaps one member deep. */
  readonly references?: { readonly kind: KindName; readonly at: 'keys' | 'items'; readonly under?: string };
  /** One side of the membership relation: compared and written as edges, never as a value. */
  readonly membership?: true;
  /** Says how a write is done and is no state of the object: never compared. */
  readonly option?: true;
  /** Plans of other objects depend on it, so a snapshot has it of what nothing declares, too. */
  readonly structural?: true;
  /** A field that changes by a transition, yet can also travel with a create. */
  readonly onCreate?: true;
  /** Once written it can never be taken back. */
  readonly irreversible?: true;
  /** Lists what others may do with the object: each item, or each member down to an item, is a right. */
  readonly grants?: true;
  /** Why no request can give this object another value; null when one can. */
  readonly frozen?: (object: LiveObject) => string | null;
  /** Brings a normalised value to the one spelling in which equal things are equal. Idempotent. */
  readonly canonical?: (value: Json) => Json;
  /** The live value as far as the desired one speaks of it, for members that may be left out of a declared value. */
  readonly align?: (live: Json, desired: Json, version: Version) => Json;
}

export type Fields = { readonly [name: string]: Field };

/** Reports one finding about an entry; `path` leads from the entry to the member. */
export type Report = (
  path: readonly (string | number)[],
  code: DiagnosticCode,
  message: string,
  remedy?: string,
  severity?: Refusal['severity'],
) => void;

/** Why something is not accepted. */
export interface Refusal {
  /** `warning`: the service may refuse it, and the specification does not say. */
  readonly severity: 'error' | 'warning';
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly remedy: string | null;
}

/** One declared entry as it stands in the manifest, after overlays and substitution; its shape already fits the schema. */
export interface Entry {
  readonly key: string;
  readonly value: Json;
}

/** Objects that somebody wants to know in full: all of a kind, or those with one of these ids or names. */
export type Wanted = 'all' | { readonly ids: ReadonlySet<ObjectId>; readonly names: ReadonlySet<string> };

/** What a kind needs to read its objects. */
export interface Reader {
  readonly version: Version;
  /** Calls a reading action; the same question is sent once per run. */
  readonly ask: (action: ActionName, body: JsonObject) => Promise<Json>;
  /** The fields that somebody wants to know. */
  readonly fields: ReadonlySet<string>;
  /** Owner clients to look at. */
  readonly namespaces: readonly string[];
  /** Objects whose details are worth a request each. */
  readonly wanted: Wanted;
  /** Something of this kind is on its way out, so what only looks as if it were there must be told apart. */
  readonly losing: boolean;
  /** Everything undeclared of this kind goes, so what tells whose it is is worth a request each. */
  readonly complete: boolean;
  /** Whether another kind is read in the same run, so that its lists cost nothing more. */
  readonly reads: (kind: KindName) => boolean;
  /** Ids of the groups, for values that older versions list group by group. */
  readonly groupIds: () => Promise<readonly number[]>;
}

/** A request before it has an address and a credential. */
export interface Call {
  readonly action: ActionName;
  readonly body: JsonObject;
}

/** Who creates something: some creates depend on it. Specification: "Bots", Rules. */
export interface Maker {
  readonly version: Version;
  readonly credential: 'bearer' | 'basic';
}

/** Turns references into ids when a call is made. */
export type Resolve = (reference: Reference) => ObjectId;

/** What a call is made from: the fields to send, and who they belong to. */
export interface Target {
  readonly key: string;
  /** The `id:` of the manifest; null without one. */
  readonly id: ObjectId | null;
  readonly version: Version;
  readonly resolve: Resolve;
  /** In an ordered kind, the id to stand before, or `''` for the end of the list; null leaves the order alone. */
  readonly next: string | null;
}

/** One way to recognise a declared resource among the live objects; null when the resource or object has no such key. */
export interface NaturalKey {
  /** What has to be equal, for people. */
  readonly about: string;
  readonly ofDesired: (resource: DesiredResource, resolve: (reference: Reference) => ObjectId | null) => string | null;
  readonly ofLive: (object: LiveObject) => string | null;
}

/** A field that changes by an action of its own; null when no action leads to the value. */
export type Transition = (value: Json, id: ObjectId, version: Version) => Call | null;

/** How several calls of one kind become one request. */
export interface Merge {
  /** Calls with equal keys can travel together. */
  readonly key: (call: Call) => string;
  readonly join: (bodies: readonly JsonObject[]) => JsonObject;
}

/** How an object gets another secret, which ends the one it had. */
export interface SecretReset {
  readonly call: (id: ObjectId, how: { readonly owner: string | null; readonly installations: boolean }) => Call;
  /** Null when the reply lacks it. */
  readonly of: (reply: Json) => string | null;
  /** The field that names the owner client, and whether the request has to name it. */
  readonly owner: { readonly field: string; readonly isNeeded: (credential: Maker['credential']) => boolean };
  /** Objects on other licenses are made from it, and can be given the new secret as well. */
  readonly installations?: true;
}

/** What somebody who can log in may do with the license. */
export interface Standing {
  /** Who has a higher one may do more; says nothing by itself. */
  readonly rank: number;
  /** May change the configuration of the license. */
  readonly administers: boolean;
  /** Can log in at all. */
  readonly active: boolean;
}

/** Why nothing is assigned to somebody, in whatever group. */
export type Bar = 'suspended' | 'awaiting approval';

/** The fields by which one of these serves the chats of groups, and what keeps it from that. */
export interface Serving {
  /** Group -> priority. */
  readonly groups: string;
  /** How many chats at the same time. */
  readonly slots: string;
  /** A work scheduler. */
  readonly hours: string;
  /** Where hours have a zone of their own; elsewhere nobody can read which one they are in. */
  readonly zoned: readonly Version[];
  /** Whether it is there all the time unless it has hours; nobody can say when a person without hours is. */
  readonly tireless: boolean;
  /** Null when chats are assigned to it. */
  readonly bar: (spec: Spec) => Bar | null;
}

export interface Kind {
  readonly name: KindName;
  readonly versions: readonly Version[];
  readonly noun: { readonly one: string; readonly many: string };
  /** Hover help of the section. */
  readonly about: string;
  /** Path of one entry in the manifest: `*` is a part of the key, `#` a list item that names its own `key`. */
  readonly at: readonly string[];
  /** Whether an entry is a mapping of fields, or itself the value of the field `value`. */
  readonly entry: 'fields' | 'value';
  readonly fields: Fields;
  /** What people look for first in a list of these, beside the name. */
  readonly columns: readonly string[];
  /** Members that the service alone decides: never declared, never compared. */
  readonly computed?: { readonly [name: string]: { readonly about: string; readonly versions: readonly Version[] } };
  /** Fields that a create cannot do without. */
  readonly required: readonly string[];
  /** Fields that every later write must carry beside the id. */
  readonly identifying?: readonly string[];
  /** Type of `id:`; absent when the key alone identifies an entry. */
  readonly id?: 'string' | 'integer';
  /** The last part of a key may contain slashes; no other part ever does. */
  readonly slashes?: true;
  /** An entry may be `{ external: { id | name } }`: an object that is looked up and never written. */
  readonly external?: true;
  /** Fields that no two entries may share together; entries without the first one are not compared. */
  readonly unique?: readonly string[];
  /** How many objects there can be, on the license or in each namespace. */
  readonly capacity?: { readonly limit: LimitName; readonly per: 'license' | 'namespace' };
  /** How the license namespace `limits` names what it allows of these. Service notes: "Properties". */
  readonly allowance?: string;
  /** The declared resource that an entry is a value of, and why that refuses it; null when it does not. */
  readonly definition?: {
    readonly of: (key: string) => Reference;
    readonly refusal: (definition: Spec, spec: Spec) => Refusal | null;
    /** What an entry that was never set, or was deleted, reads as; null when it reads as nothing. */
    readonly unset: (definition: Spec) => Spec | null;
  };
  /** What is undeclared and owned is deleted, or forgotten. */
  readonly prune: 'owned' | 'none';
  /** Why nobody can say that what is declared is all there should be, so that `prune: all` is refused. */
  readonly incomplete?: string;
  /** What to declare of an object that is no longer needed and yet not to be deleted. */
  readonly retired?: Spec;
  /** Whether a difference in a create-only field can be closed by deleting and making the object again, at the price of what hangs on it. */
  readonly replaceable?: (object: LiveObject) => boolean;
  /** What may be lost then, and how not to lose it. */
  readonly loses?: string;
  /** What a deleted object does not get back when it is made again, beside its id and its secret. */
  readonly forfeits?: string;
  /** What a write may have done beyond the object, which no later write takes back. */
  readonly lasting?: string;
  /** What the object is made again with: the desired fields, and of the live ones those that are not declared and still fit. */
  readonly remade?: (live: Spec, desired: Spec) => Spec;
  /** We choose the id of a new object: it is the key, unless `id:` says another, and an `id:` that does not exist yet is no mistake. */
  readonly choosesId?: true;
  /** Objects can be listed only per owner client, which this names: the namespaces an entry belongs to. */
  readonly namespace?: (resource: { readonly key: string; readonly spec: Spec }) => string | null;
  /** The objects form one ordered list, the order of which is desired too. */
  readonly ordered?: true;
  /** Rules beyond the schema, and what the version cannot express. */
  readonly check: (entry: Entry, report: Report, version: Version) => void;
  /** What a version or a credential demands of a create beyond `required`, however its values are spelled; null when nothing is missing. */
  readonly creatable?: (spec: Spec, maker: Maker) => Refusal | null;
  /** What a key can be made of where an object need not have a name; `nameOf` is what a person calls another object. */
  readonly describe?: (object: LiveObject, nameOf: (kind: KindName, id: ObjectId) => string) => string;
  /** From the most telling key to the least. */
  readonly naturalKeys: readonly NaturalKey[];
  /**
   * What the natural keys look at, where the service chooses the id: an object is recognised by it when the answer to its create is lost. Absent
   * where the request itself names what it creates.
   */
  readonly identity?: readonly string[];
  readonly read: (reader: Reader) => Promise<readonly LiveObject[]>;
  readonly create: (fields: Spec, target: Target) => Call;
  readonly update: (id: ObjectId, fields: Spec, target: Target) => Call;
  readonly remove: (id: ObjectId, fields: Spec, target: Target) => Call;
  /** The id of the object that a create made. */
  readonly createdId: (reply: Json, target: Target) => ObjectId;
  /** Objects have a secret, in these versions, that is told once: in the reply to a create, which may lack it all the same, or to a reset. */
  readonly secret?: {
    readonly versions: readonly Version[];
    readonly of: (reply: Json) => string | null;
    readonly reset: SecretReset;
  };
  readonly transitions?: { readonly [field: string]: Transition };
  readonly merge?: Merge;
  /** Addresses this key depends on although no field says so. */
  readonly parents?: (key: string) => readonly Reference[];
  /** What one of these may do; absent in kinds that cannot log in. */
  readonly standing?: (spec: Spec, facts: Facts) => Standing;
  /** How one of these serves chats; absent in kinds that do not. */
  readonly serving?: Serving;
  /** What a person still has to do after a create; null when nothing. */
  readonly manualStep?: string;
}

/** The value for one version. */
export function perVersion<T extends string>(value: PerVersion<T>, version: Version): T {
  return typeof value === 'object' ? value[version] : value;
}
