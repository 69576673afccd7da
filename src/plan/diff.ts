// Differences between a bound resource and its object, field by field, each with the way to close it. Membership is compared elsewhere, as edges.

import { digest } from '../base/digest.ts';
import { equalJson, isObject } from '../base/json.ts';
import type {
  Address,
  Applied,
  DesiredResource,
  Json,
  LedgerState,
  LiveObject,
  ObjectId,
  Reference,
  Spec,
  Version,
} from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { type Field, perVersion } from '../kinds/field.ts';
import { mapNormalised } from '../kinds/fields.ts';
import { isMembership, KINDS } from '../kinds/index.ts';
import { type Kind, secretField } from '../kinds/kind.ts';
import { type KindLimits, sizeOf } from '../kinds/limits.ts';
import type { FieldChange, Reach } from './plan.ts';

export interface Translation {
  readonly referenceTo: (kind: string, id: ObjectId) => Reference;
  readonly idOf: (reference: Reference) => ObjectId | null;
}

/** Returns a live spec in the terms of the manifest: references to declared objects are addresses. */
export function liveSpec(kind: Kind, object: LiveObject, translation: Translation): Spec {
  return mapNormalised(kind, object.spec, (id, target) => translation.referenceTo(target, id));
}

/** Returns a desired spec, normalised, in the same terms: a reference to an undeclared object is its bare id. */
export function desiredSpec(kind: Kind, spec: Spec, translation: Translation): Spec {
  return mapNormalised(kind, spec, (reference, target) => {
    const id = translation.idOf(reference);
    return id === null ? reference : translation.referenceTo(target, id);
  });
}

/**
 * Returns a live spec with the values as they were written that the service keeps in another form. A value counts as that form only while it is exactly
 * the one that was read after the write; one that the manifest declares by now stays.
 */
export function withWrittenForms(
  { fields }: Kind,
  live: Spec,
  { spec, reads }: Pick<Applied, 'spec' | 'reads'>,
  desired: Spec | null,
): Spec {
  if (reads === undefined) return live;
  const kept = Object.entries(reads).flatMap(([name, read]) => {
    const [now, written] = [live[name] ?? fields[name]?.absent, spec[name]];
    const isKept = now !== undefined && written !== undefined && equalJson(now, read);
    return isKept && !equalJson(desired?.[name] ?? null, read) ? [[name, written] as const] : [];
  });
  return kept.length === 0 ? live : { ...live, ...Object.fromEntries(kept) };
}

/** Whether a value is exactly the form that was read after the declared one was written. */
export function isKeptForm(applied: Applied | undefined, field: string, declared: Json, read: Json): boolean {
  const kept = applied?.reads?.[field];
  return kept !== undefined && equalJson(kept, read) && equalJson(applied?.spec[field], declared);
}

interface Closing {
  readonly reach: Reach;
  readonly reason: string | null;
}

const WRITE: Closing = { reach: 'write', reason: null };

function unreachable(reason: string): Closing {
  return { reach: 'unreachable', reason };
}

export interface VersionLimits {
  readonly version: Version;
  readonly limits: KindLimits;
}

/** The same, and what the token can do there. */
export interface ServiceTerms extends VersionLimits {
  readonly mayApprove: boolean;
}

function closing(
  kind: Kind,
  name: string,
  field: Field,
  object: LiveObject,
  after: Json,
  { version, limits }: VersionLimits,
): Closing {
  const frozen = field.frozen?.(object) ?? null;
  if (frozen !== null) return unreachable(`${frozen}; leave it out`);
  switch (perVersion(field.writable, version)) {
    case 'always': {
      const limit = field.limit?.update;
      if (limit === undefined || sizeOf(after) <= limits[limit]) return WRITE;
      return unreachable(
        `${version} accepts at most ${limits[limit]} on an existing ${kind.noun.one}; declare that, unless \`limits: { ${limit} }\` in chatform.yaml says more`,
      );
    }
    case 'create': {
      const { noun, permanent, replacing } = kind;
      if (replacing === undefined)
        return unreachable(
          `${version} can set it only when the ${noun.one} is created; declare what it is, or leave it out`,
        );
      const kept = permanent?.(object) ?? null;
      const again = replacing.overlaps === undefined ? 'is deleted and made again' : 'is made again';
      return kept === null
        ? { reach: 'replace', reason: `it can be set only on create, so the ${noun.one} ${again}` }
        : unreachable(`${kept}; declare it as it is, or another ${noun.one}`);
    }
    case 'transition':
      return (kind.transitions?.[name]?.(after, object.id, version) ?? null) === null
        ? unreachable('no action of the service leads to this value; declare what it is, or leave it out')
        : { reach: 'transition', reason: null };
    case 'never':
      return unreachable(`${version} has no way to set it; leave it out`);
  }
}

/** What the ledger knows of values that cannot be read. */
export interface LastApplied {
  /** null when the ledger has no record. */
  readonly applied: Applied | null;
  /** Fields that were not applied were never set, because chatform created the object. */
  readonly complete: boolean;
  /** Of a secret that the manifest names; left out where none is. */
  readonly secret?: KnownSecret;
}

/** Whether a secret is the one that was applied; `unset`: it is not here, so that is not known. */
export type SecretStanding = 'same' | 'changed' | 'unset' | 'unknown';

/** By the name of the variable, and the digest that the ledger has. */
export type StandingOf = (variable: string, digest: string | undefined) => SecretStanding;

export interface KnownSecret {
  readonly standingOf: StandingOf;
  /** chatform made the object. */
  readonly made: boolean;
  /** The run that made the object was cut off, so its secret is not certain; or `secrets rotate` asked for another one. */
  readonly lost: boolean;
  /** The object that the ledger knows is gone, and this one was made by another hand. */
  readonly isAnother: boolean;
  /** The user agreed that it is made again. */
  readonly asked: boolean;
  readonly address: Address;
}

/** The digest of the value that was last applied. The ledger keeps readable fields as values and the others as digests. */
export function appliedDigest(name: string, { applied }: Pick<LastApplied, 'applied'>): string | undefined {
  const value = applied?.spec[name];
  return value === undefined ? applied?.digests[name] : digest(value);
}

const LEFT_OUT: Closing = {
  reach: 'unreadable',
  reason: 'it is not in the snapshot, so whether it differs is unknown; a plan against the license itself shows it',
};

/**
 * Returns how to close a field that cannot be read; null when the ledger has the digest of the desired value. Without a digest only a harmless write
 * is made. `shows`: the field that may hide it changes, so that the next reading may have it.
 */
function unread(
  name: string,
  field: Field,
  after: Json,
  sure: LastApplied,
  verdict: Closing,
  shows: boolean,
): Closing | null {
  const applied = appliedDigest(name, sure);
  if (field.hiddenBy !== undefined && verdict.reach === 'transition' && (shows || applied === undefined))
    return { reach: verdict.reach, reason: 'it cannot be read now: set once to be sure' };
  if (applied === digest(after)) return null;
  if (applied !== undefined || sure.complete || verdict.reach === 'unreachable') return verdict;
  if (verdict.reach === 'write') {
    return {
      reach: 'unverified',
      reason: 'it cannot be read back: written once to be sure; leave it out to keep what is there',
    };
  }
  return {
    reach: 'unreadable',
    reason: 'it cannot be read back, and the ledger does not know it; compare it by hand, or leave it out',
  };
}

/** Returns how to close a secret that is not, or may not be, the one that was applied; null where it is the same. */
function secretClosing(name: string, after: Json, { applied, secret }: LastApplied): Closing | null {
  if (secret === undefined) return null;
  const from = isObject(after) ? String(after['env']) : null;
  const { standingOf, made, lost, isAnother } = secret;
  if (lost)
    return { reach: 'replace', reason: 'a run that was cut off left it unsure, or `secrets rotate` asked for another' };
  if (from === null) return isAnother ? unknownSecret('a new one', secret) : null;
  const digest = appliedDigest(name, { applied });
  const standing = standingOf(from, digest);
  if (standing === 'unset')
    return { reach: 'unreadable', reason: `${from} is not set here, so the secret is not compared` };
  if (digest !== undefined)
    return standing === 'same'
      ? null
      : { reach: 'replace', reason: `${from} has another secret than the one that was applied` };
  if (made) return { reach: 'replace', reason: `its secret is not the one of ${from}` };
  return unknownSecret(`the one of ${from}`, secret);
}

/** Of an object that chatform did not make. */
function unknownSecret(instead: string, { isAnother, asked, address }: KnownSecret): Closing {
  if (asked) return { reach: 'replace', reason: `its secret is unknown, and ${address} is acknowledged` };
  const why = isAnother ? 'another hand made it' : 'it was there before';
  return {
    reach: 'unreadable',
    reason: `its secret is unknown: ${why}; \`--acknowledge ${address}\` makes it again with ${instead}`,
  };
}

/** Whether a live value equals the desired one, compared only in what the desired one states. */
export function isAsWanted(field: Field, live: Json, wanted: Json, version: Version): boolean {
  return equalJson(field.align?.(live, wanted, version) ?? live, wanted);
}

/** Whether the value of a field waits for approval: it can be stated on create, and a person may still have to agree. */
export function isPending({ onCreate }: Field, { facts }: LiveObject): boolean {
  return facts.pendingApproval === true && onCreate === true;
}

/** Whether a field was not read: it never can be in this version, this reading has no value, or the service refuses to show it. */
export function isUnread(name: string, field: Field, { facts, spec }: LiveObject, version: Version): boolean {
  if (perVersion(field.readable, version) === 'never' || facts.unread?.includes(name) === true) return true;
  return isRefused(name, field, spec);
}

/** Whether the service refuses to show the value of a field. */
export function isRefused(name: string, { hidden }: Field, live: Spec): boolean {
  return hidden !== undefined && live[name] === null;
}

/** Returns the fields in which a live object differs, or may differ, from its declaration; both specs are normalised. */
export function diffFields(
  kind: Kind,
  desired: Spec,
  object: LiveObject,
  live: Spec,
  sure: LastApplied,
  service: ServiceTerms,
): readonly FieldChange[] {
  const { version } = service;
  const changes: FieldChange[] = [];
  const differs = (name: string | undefined): boolean => {
    const [field, after] = name === undefined ? [] : [kind.fields[name], desired[name]];
    if (name === undefined || field === undefined || after === undefined) return false;
    return !isAsWanted(field, live[name] ?? field.absent ?? null, after, version);
  };
  // No Object.entries: this loop runs for every field of every declared object.
  for (const name of Object.keys(desired)) {
    const field = kind.fields[name];
    const after = desired[name];
    if (field === undefined || after === undefined || field.option === true) continue;
    if (isMembership(kind.name, name)) continue;
    if (isRefused(name, field, live)) {
      changes.push({ field: name, before: null, after, reach: 'unreadable', reason: field.hidden ?? null });
      continue;
    }
    if (field.secret === true) {
      const verdict = secretClosing(name, after, sure);
      if (verdict !== null) changes.push({ field: name, before: null, after, ...verdict });
      continue;
    }
    const isHidden = isUnread(name, field, object, version);
    const read = live[name] === undefined ? field.absent : live[name];
    const before = isHidden ? undefined : read;
    if (before !== undefined && isAsWanted(field, before, after, version)) continue;
    if (isPending(field, object) && !service.mayApprove) continue;
    const known = closing(kind, name, field, object, after, service);
    const isLeftOut = object.facts.withheld?.includes(name) === true;
    const verdict = isLeftOut
      ? LEFT_OUT
      : isHidden
        ? unread(name, field, after, sure, known, differs(field.hiddenBy))
        : known;
    if (verdict !== null) changes.push({ field: name, before: before ?? null, after, ...verdict });
  }
  const own = secretField(kind);
  const unsaid = own === null || desired[own] !== undefined ? null : secretClosing(own, null, sure);
  return own === null || unsaid === null ? changes : [...changes, { field: own, before: null, after: null, ...unsaid }];
}

/** Whether a request can close the difference, as far as it is known to be one. */
export function isInReach({ reach }: { readonly reach: Reach | null }): boolean {
  return reach !== 'unreachable' && reach !== 'unreadable';
}

const specsIn = oncePer(
  (resources: readonly Pick<DesiredResource, 'address' | 'spec'>[]): ReadonlyMap<string, Spec> =>
    new Map(resources.map(({ address, spec }) => [address, spec])),
);

/** Whether a live value reads like one that was never set, as far as the ledger knows: of a default, which the service does not list, it has a digest. */
export function readsAsUnsetBefore(
  key: string,
  object: LiveObject,
  { applied: known }: Pick<LedgerState, 'applied'>,
): boolean {
  const owner = KINDS[object.kind].definition?.of(key) as Address | undefined;
  const applied = owner === undefined ? undefined : known.get(owner);
  if (owner === undefined || applied === undefined) return readsAsUnset(key, object, { resources: [] });
  const shown = Object.entries(applied.digests).flatMap(([name, asDigest]) =>
    Object.values(object.spec).flatMap((value) => (digest(value) === asDigest ? [[name, value] as const] : [])),
  );
  const spec: Spec = { ...applied.spec, ...Object.fromEntries(shown) };
  return readsAsUnset(key, object, { resources: [{ address: owner, spec }] });
}

/**
 * Whether a live value reads like one that was never set. Where the service does not list the defaults of its definitions, the declared definition
 * decides. `key` names the value: a part of its address, or its id.
 */
export function readsAsUnset(
  key: string,
  { kind, spec, facts }: LiveObject,
  { resources }: { readonly resources: readonly Pick<DesiredResource, 'address' | 'spec'>[] },
): boolean {
  if (facts.possiblyUnset === true) return true;
  const { definition } = KINDS[kind];
  if (definition === undefined) return false;
  const owner = definition.of(key);
  const declared = specsIn(resources).get(owner);
  const unset = declared === undefined ? null : definition.unset(declared);
  return unset !== null && equalJson(unset, spec);
}
