// The contract of a kind: everything the project knows about agents, groups, bots and the other kinds, one file each.
// Generic code reads these types and knows no kind by name.

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
import { oncePer } from '../base/once-per.ts';
import type { LicenseAction } from './actions.ts';
import type { Field, Fields, SpecOf, Unchecked } from './field.ts';
import type { LimitName } from './limits.ts';

type FieldOf<S> = keyof S & string;

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

/** Why a value is not accepted; `key`: because of its name. */
export interface ValueRefusal extends Refusal {
  readonly part?: 'key';
}

/** Objects to read in full: all of a kind, or those with one of these ids (of people, identities), or a name that looks like one (`lookOf`). */
export type WantedObject = 'all' | { readonly ids: ReadonlySet<ObjectId>; readonly looks: ReadonlySet<string> };

/** What a kind needs to read its objects. */
export interface KindReader {
  readonly version: Version;
  /** Calls a reading action; the same question is sent once per run. */
  readonly ask: (action: LicenseAction, body: JsonObject) => Promise<Json>;
  /** The fields of interest. */
  readonly fields: ReadonlySet<string>;
  /** Namespaces whose values are of interest. */
  readonly namespaces: readonly string[];
  /** Owner clients whose objects are listed: the namespaces that are not of the service. */
  readonly clients: readonly string[];
  /** Objects whose details are worth a request each. */
  readonly wanted: WantedObject;
  /** An object of this kind is about to go, so a value that only looks set must be told apart from one that is. */
  readonly losing: boolean;
  /** Objects that are about to go and that chatform did not create. */
  readonly adopted: ReadonlySet<ObjectId>;
  /** Whether every object must be told from those that another object made, which is worth a request for each owner. */
  readonly makers: boolean;
  /** Every unmanaged object of this kind goes, so a request each that tells its owner is worth it. */
  readonly complete: boolean;
  /** Whether another kind is read in the same run, so that its lists cost nothing more. */
  readonly reads: (kind: KindName) => boolean;
  /** Ids of the groups, for values that older versions list group by group. */
  readonly groupIds: () => Promise<readonly number[]>;
}

/** A request before it has a URL and a credential. */
export interface Call {
  readonly action: LicenseAction;
  readonly body: JsonObject;
}

/** The version and credential that a create is sent with: some creates depend on them. Specification: "Bots", Rules. */
export interface Maker {
  readonly version: Version;
  readonly credential: 'bearer' | 'basic';
}

/** Turns references into ids when a call is made. */
export type Resolve = (reference: Reference) => ObjectId;

/** Where a write puts an object of an ordered kind: directly before another one, or at the end of the list. */
export type Position = { readonly before: Reference } | { readonly last: true };

/** What a call needs in addition to the fields it sends. */
export interface CallContext {
  readonly key: string;
  /** The `id:` of the manifest; null without one. */
  readonly id: ObjectId | null;
  readonly version: Version;
  readonly resolve: Resolve;
  /** In an ordered kind, where the object goes; null keeps the order. */
  readonly position: Position | null;
  /** The secret that the create carries; null where it carries none, and where the call is not sent. */
  readonly secret: string | null;
}

/** One way to recognise a declared resource among the live objects; null when the resource or object has no such key. */
export interface NaturalKey<S> {
  /** What has to be equal, for people. */
  readonly about: string;
  readonly ofDesired: (
    resource: DesiredResource<S>,
    resolve: (reference: Reference) => ObjectId | null,
  ) => string | null;
  readonly ofLive: (object: LiveObject<S>) => string | null;
}

/** A field that changes by an action of its own; null when no action leads to the value. */
export type Transition<V> = (value: V, id: ObjectId, version: Version) => Call | null;

/** How several calls of one kind become one request. */
export interface Merge {
  /** Calls with equal keys can travel together. */
  readonly key: (call: Call) => string;
  readonly join: (bodies: readonly JsonObject[]) => JsonObject;
}

/** How an object gets a new secret, which ends the one it had. */
export interface SecretReset {
  readonly call: (id: ObjectId, how: { readonly owner: string | null; readonly installations: boolean }) => Call;
  /** Null when the reply lacks it. */
  readonly of: (reply: Json) => string | null;
  /** The field that names the owner client, and whether the request has to name it. */
  readonly owner: { readonly field: string; readonly isNeeded: (credential: Maker['credential']) => boolean };
  /** Objects on other licenses are made from it, and can be given the new secret as well. */
  readonly installations?: true;
}

/** What proves that a token of an object may be issued. */
export interface TokenClaim {
  /** Owner client of the object. */
  readonly client: string;
  readonly secret: string;
  readonly organization: string;
}

/** How a token is issued that acts as the object. Nothing takes it back before it ends. */
export interface TokenIssue {
  readonly call: (id: ObjectId, claim: TokenClaim) => Call;
  /** Null when the reply lacks it. */
  readonly of: (reply: Json) => string | null;
  /** Milliseconds until it ends. */
  readonly lasts: number;
}

/** What an account that can log in may do with the license. */
export interface AccountRights {
  /** A higher rank may do more; the number says nothing by itself. */
  readonly rank: number;
  /** May change the configuration of the license. */
  readonly administers: boolean;
  /** Can log in at all. */
  readonly active: boolean;
  /** The field that says the rank. */
  readonly by: string;
}

/** Why an agent or bot gets no chats, in any group. */
export const BARS = ['suspended', 'waiting for approval', 'offline', 'not accepting chats'] as const;
export type Bar = (typeof BARS)[number];

/** The fields by which an agent or bot serves the chats of groups. */
export interface Serving<S = Spec> {
  /** Group -> priority. */
  readonly groups: FieldOf<S>;
  /** How many chats at the same time. */
  readonly slots: FieldOf<S>;
  /** A work scheduler. */
  readonly hours: FieldOf<S>;
  /** Where hours have a zone of their own; elsewhere their zone cannot be read. */
  readonly zoned: readonly Version[];
  /** Whether it is a bot, which is there all the time unless it has hours; a person without hours may be there at any time. */
  readonly tireless: boolean;
  /** Null when chats are assigned to it. */
  readonly bar: (spec: S) => Bar | null;
  /** What may keep one that exists from chats, and was not read; null where the fields tell everything. */
  readonly doubt: (spec: S) => Bar | null;
}

/** What a kind knows of the rest of a license that is copied into an emulator. */
export interface SeedContext {
  readonly version: Version;
  /** Whether an object was read. */
  readonly has: (kind: KindName, id: string) => boolean;
  /** Ids of this kind that objects refer to and that were not read. */
  readonly missing: readonly string[];
}

/** How objects become what an emulator begins with, for a copy of a license. docs/reference/emulator.md, "A license in a file". */
export interface Seeding<S> {
  /** Sections of the seed. */
  readonly sections: (objects: readonly LiveObject<S>[], context: SeedContext) => JsonObject;
  /** The request that says what a seed cannot say of an object; null when the seed says it all. */
  readonly after?: (object: LiveObject<S>, version: Version) => Call | null;
}

/**
 * One kind. `S` is what its specs look like; generic code leaves it out and sees JSON. A capability is there or absent: a kind without `update`
 * cannot change an object that exists.
 */
export interface Kind<S = Spec> {
  readonly name: KindName;
  readonly versions: readonly Version[];
  readonly noun: { readonly one: string; readonly many: string };
  /** Hover help of the section. */
  readonly about: string;
  /** Path of one entry in the manifest: `*` is a part of the key, `#` a list item that names its own `key`. */
  readonly at: readonly string[];
  /** Whether an entry is a mapping of fields, or itself the value of the field `value`. */
  readonly entry: 'fields' | 'value';
  readonly fields: { readonly [name in FieldOf<S>]: Field };
  /** What people look for first in a list of these, in addition to the name. */
  readonly columns: readonly FieldOf<S>[];
  /** An object in one line, part by part; `said` is a field in words, undefined where there is nothing to say. */
  readonly summary: (spec: S, said: (field: FieldOf<S>) => string | undefined) => readonly (string | undefined)[];
  /**
   * Members that the service alone decides: never declared, never compared. People look for a `listed` one in a list of these also. `isChanger`: it
   * says who changed the object last.
   */
  readonly computed?: {
    readonly [name: string]: {
      readonly about: string;
      readonly versions: readonly Version[];
      readonly listed?: true;
      readonly isChanger?: true;
    };
  };
  /** What to write in place of fields that people look for, and the service does not have. */
  readonly instead?: { readonly [name: string]: string };
  /** Fields that a create cannot do without. */
  readonly required: readonly FieldOf<S>[];
  /** Fields that every later write must carry in addition to the id. */
  readonly identifying?: readonly FieldOf<S>[];
  /** Type of `id:`; absent when the key alone identifies an entry. */
  readonly id?: 'string' | 'integer';
  /** The last part of a key may contain slashes; no other part ever does. */
  readonly slashes?: true;
  /** An entry may be `{ external: { id | name } }`: an object that is looked up and never written. */
  readonly external?: true;
  /** Fields that no two entries may share together; of a list, its first item counts. Entries without the first field are not compared. */
  readonly unique?: readonly FieldOf<S>[];
  /** How many objects there can be, on the license or in each namespace. */
  readonly capacity?: {
    readonly limit: LimitName;
    readonly per: 'license' | 'namespace';
    /** Only objects with equal values of these fields are counted together. */
    readonly among?: readonly FieldOf<S>[];
  };
  /** How the license namespace `limits` names what it allows of these. Service notes: "Properties". */
  readonly allowance?: string;
  /** The declared resource that an entry is a value of, and why it refuses the entry; null when it accepts it. */
  readonly definition?: {
    readonly of: (key: string) => Reference;
    /** Why a value of a default property is refused; null when it fits, undefined for a property of a client. */
    readonly builtin: (key: string, spec: Unchecked<S>) => ValueRefusal | null | undefined;
    /** Schemas of the namespaces whose properties are known. */
    readonly known: { readonly [namespace: string]: Schema };
    readonly refusal: (definition: Spec, spec: Unchecked<S>) => Refusal | null;
    /** What an entry that was never set, or was deleted, reads as; null when it reads as nothing. */
    readonly unset: (definition: Spec) => Spec | null;
  };
  /** What is undeclared and owned is deleted, or forgotten. */
  readonly prune: 'owned' | 'none';
  /** Objects that nothing declares are usual, because licenses are often managed in part. */
  readonly inPart?: true;
  /** Why a manifest cannot name all there is, so that `prune: all` is refused. */
  readonly incomplete?: string;
  /** What to declare of an object that is no longer needed and must not be deleted. */
  readonly retired?: S;
  /** The member of an entry that lists the groups to which it hands chats over: a note that is checked and never sent. */
  readonly handsOver?: string;
  /** What an entry with `from` or `until` is outside of its days: not desired, or retired. Absent where entries have no days. */
  readonly outside?: 'absent' | 'retired';
  /** Why this object can be neither deleted nor made again; null when it can. */
  readonly permanent?: (object: LiveObject<S>) => string | null;
  /** How a difference that no write closes is closed: by deleting the object and making it again. Absent where it stays open. */
  readonly replacing?: {
    /** What may be lost then, and how not to lose it: each replacement has to be acknowledged. Null when nothing is lost. */
    readonly loses: string | null;
    /** The fields of the new object: the desired ones, and of the live ones those that are not declared and still fit. */
    readonly remade: (live: S, desired: S) => S;
    /** The new object is made before the old one goes, where `capacity` has room for both. Otherwise the old one goes first, and this is what it means. */
    readonly overlaps?: string;
  };
  /** These belong to an owner client and not to a license, so one target writes those of a client. */
  readonly shared?: {
    /** Whom a change reaches. */
    readonly reaches: string;
    /** The request that lists those of a client, and is answered alike on all its licenses. */
    readonly listed: (client: string) => Call;
  };
  /**
   * While the license has one of these, what none of them names is shut out. So the first one and the end of the last one change more than themselves:
   * both are withheld until they are acknowledged, and none goes before the new ones are there.
   */
  readonly restricts?: {
    /** What the first one does, and the end of the last one, after `so`. */
    readonly first: string;
    readonly last: string;
    /** The property of the license that tells whether anything is shut out. */
    readonly flag: string;
  };
  /** These are made after objects of that kind are, and go before they do. */
  readonly follows?: KindName;
  /** The field that names the object with which the service deletes these. */
  readonly goesWith?: FieldOf<S>;
  /** The kind of the templates that make some of these, each with its own id, and may take them along when they are deleted. */
  readonly madeBy?: KindName;
  /** What a deleted object does not get back when it is made again, in addition to its id and its secret. */
  readonly forfeits?: string;
  /** What a write may have done beyond the object, which no later write takes back. */
  readonly lasting?: string;
  /** The manifest chooses the id of a new object: its key, unless `id:` says another. An `id:` that does not exist yet is no mistake. */
  readonly choosesId?: true;
  /** Why the manifest cannot declare this key, or as a warning, should not; null when it can. With `choosesId`: an `id:` counts for the key. */
  readonly refusedKey?: (key: string) => Refusal | null;
  /**
   * The key is a name of which the license has one spelling: a create is refused for a name that differs from another one only in case, an update and
   * a delete need the exact one, and no action renames. `loses`: what another spelling or name costs.
   */
  readonly soleSpelling?: { readonly loses: string };
  /** Why a create can find an object that no list shows, and what to do. Absent where a list has every object. */
  readonly unlisted?: string;
  /** Why an object that is not in the list may still be there. */
  readonly hidden?: string;
  /** The namespace of an entry, where objects can be listed only per owner client. */
  readonly namespace?: (resource: { readonly key: string; readonly spec: Unchecked<S> }) => string | null;
  /** Rules beyond the schema, and what the version cannot express. */
  readonly check?: (written: Unchecked<S>, report: Report, version: Version) => void;
  /** What a version or a credential demands of a create beyond `required`; null when nothing is missing. */
  readonly creatable?: (spec: Unchecked<S>, maker: Maker) => Refusal | null;
  /** A text to make a key of, where an object need not have a name; `nameOf` is what a person calls another object. */
  readonly describe?: (object: LiveObject<S>, nameOf: (kind: KindName, id: ObjectId) => string) => string;
  /** From the most telling key to the least. */
  readonly naturalKeys: readonly NaturalKey<S>[];
  /**
   * The fields that the natural keys look at, where the service chooses the id: they recognise an object when the answer to its create is lost.
   * Absent where the request itself names what it creates.
   */
  readonly identity?: readonly FieldOf<S>[];
  readonly read: (reader: KindReader) => Promise<readonly LiveObject[]>;
  readonly create: (fields: S, context: CallContext) => Call;
  readonly update?: (id: ObjectId, fields: S, context: CallContext) => Call;
  readonly remove: (id: ObjectId, fields: S, context: CallContext) => Call;
  /** The id of the object that a create made. */
  readonly createdId: (reply: Json, context: CallContext) => ObjectId;
  /** Objects have a secret in these versions. Only the reply to a create, which may lack it, or to a reset carries it. */
  readonly secret?: {
    readonly versions: readonly Version[];
    readonly of: (reply: Json) => string | null;
    readonly reset: SecretReset;
    readonly token?: TokenIssue;
  };
  readonly transitions?: { readonly [field in keyof S]?: Transition<Exclude<S[field], undefined>> };
  readonly merge?: Merge;
  /** Addresses this key depends on although no field says so. */
  readonly parents?: (key: string) => readonly Reference[];
  /** What one of these may do; absent in kinds that cannot log in. */
  readonly standing?: (spec: S, facts: Facts) => AccountRights;
  /** How one of these serves chats; absent in kinds that do not. */
  readonly serving?: Serving<S>;
  /** Absent where an emulator cannot begin with objects of the kind. */
  readonly seed?: Seeding<S>;
  /** What a person still has to do after a create that does not declare `unless`. */
  readonly manualStep?: { readonly text: string; readonly unless: FieldOf<S> };
}

/** The fields that a write changes on an object that exists, in some version. */
type Changeable<F> = {
  [name in keyof F]: F[name] extends { readonly writable: infer W }
    ? 'always' extends (W extends string ? W : W[keyof W])
      ? name
      : never
    : never;
}[keyof F];

/**
 * A kind whose specs are as its fields describe them, for code that knows no kind. One that has a field to change must have `update`. The cast holds
 * because manifests are validated against the schemas before a kind sees them, and readings come from the kind itself.
 */
export function defineKind<const F extends Fields>(
  fields: F,
  kind: Omit<Kind<SpecOf<F>>, 'fields'> &
    ([Changeable<F>] extends [never] ? object : Required<Pick<Kind<SpecOf<F>>, 'update'>>),
): Kind {
  return { ...kind, fields } as unknown as Kind;
}

/** Whether the service gives objects of the kind a secret in a version. */
export function hasSecret({ secret }: Kind, version: Version): boolean {
  return secret?.versions.includes(version) === true;
}

/** The field that says where the secret is that a create carries; null for kinds whose creates carry none. */
export const secretField = oncePer(({ fields }: Kind): string | null => {
  return Object.keys(fields).find((name) => fields[name]?.secret === true) ?? null;
});

/** Whether a create with these fields leaves a secret that must be kept: one that the service answers, or that chatform makes. */
export function makesSecret(kind: Kind, version: Version, fields: Spec): boolean {
  const own = secretField(kind);
  return hasSecret(kind, version) || (own !== null && fields[own] === undefined);
}
