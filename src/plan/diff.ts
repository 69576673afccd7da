// One bound resource in, its differing fields out, each with the way it can be closed. Membership is compared as edges, elsewhere.

import { digest } from '../base/digest.ts';
import { equalJson } from '../base/json.ts';
import type { Applied, Json, LiveObject, ObjectId, Reference, Spec, Version } from '../base/model.ts';
import { mapNormalised } from '../kinds/fields.ts';
import { isMembership } from '../kinds/index.ts';
import { type Field, type Kind, perVersion } from '../kinds/kind.ts';
import { type Limits, sizeOf } from '../kinds/limits.ts';
import type { FieldChange, Reach } from './plan.ts';

/** How ids and addresses translate into each other. */
export interface Translation {
  readonly referenceTo: (kind: string, id: ObjectId) => Reference;
  readonly idOf: (reference: Reference) => ObjectId | null;
}

/** A live spec in the manifest's terms: objects that are declared are called by their address. */
export function liveSpec(kind: Kind, object: LiveObject, translation: Translation): Spec {
  return mapNormalised(kind, object.spec, (id, target) => translation.referenceTo(target, id));
}

/** A desired spec, normalised, in the same terms: a reference to something undeclared becomes its bare id. */
export function desiredSpec(kind: Kind, spec: Spec, translation: Translation): Spec {
  return mapNormalised(kind, spec, (reference, target) => {
    const id = translation.idOf(reference);
    return id === null ? reference : translation.referenceTo(target, id);
  });
}

interface Verdict {
  readonly reach: Reach;
  readonly reason: string | null;
}

const WRITE: Verdict = { reach: 'write', reason: null };

function unreachable(reason: string): Verdict {
  return { reach: 'unreachable', reason };
}

/** What the service of one target is like. */
export interface Service {
  readonly version: Version;
  readonly limits: Limits;
}

/** How a known difference of one field can be closed. */
function closing(
  kind: Kind,
  name: string,
  field: Field,
  object: LiveObject,
  after: Json,
  { version, limits }: Service,
): Verdict {
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
      return kept === null
        ? {
            reach: 'replace',
            reason: `it can be set only on create, so the ${noun.one} is deleted and made again`,
          }
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

/** What the ledger says of the values that cannot be read. */
export interface Sure {
  /** What was applied; null when nothing is known of it. */
  readonly applied: Applied | null;
  /** Fields that were not applied were never set: we made the object, and all of it. */
  readonly complete: boolean;
}

/** A field that can be read as a rule is kept as it was applied, any other as a digest. */
export function appliedDigest(name: string, { applied }: Pick<Sure, 'applied'>): string | undefined {
  const value = applied?.spec[name];
  return value === undefined ? applied?.digests[name] : digest(value);
}

const LEFT_OUT: Verdict = {
  reach: 'unreadable',
  reason:
    'it is not in the snapshot, so nobody can tell here whether it differs; a plan against the license itself does',
};

/** What to do about a field that cannot be read: the digest of what was applied decides; without one only a harmless write is made. */
function unread(name: string, field: Field, after: Json, sure: Sure, verdict: Verdict): Verdict | null {
  const applied = appliedDigest(name, sure);
  if (applied === digest(after)) return null;
  if (applied !== undefined || sure.complete || verdict.reach === 'unreachable') return verdict;
  if (verdict.reach === 'write' && field.readable !== 'sometimes') {
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

/** Whether a live value is the wanted one, in what the wanted one speaks of. */
export function isAsWanted(field: Field, live: Json, wanted: Json, version: Version): boolean {
  return equalJson(field.align?.(live, wanted, version) ?? live, wanted);
}

/** Whether a field can be read at all: never in this version, or not this time. */
export function isUnread(name: string, field: Field, { facts }: LiveObject, version: Version): boolean {
  return perVersion(field.readable, version) === 'never' || facts.unread?.includes(name) === true;
}

/** The fields in which a live object differs, or may differ, from its declaration; both specs are normalised. */
export function diffFields(
  kind: Kind,
  desired: Spec,
  object: LiveObject,
  live: Spec,
  sure: Sure,
  service: Service,
): readonly FieldChange[] {
  const { version } = service;
  const changes: FieldChange[] = [];
  // Without the entries: this is done for every field of every object that is declared.
  for (const name of Object.keys(desired)) {
    const field = kind.fields[name];
    const after = desired[name];
    if (field === undefined || after === undefined || field.option === true) continue;
    if (isMembership(kind.name, name)) continue;
    const isHidden = isUnread(name, field, object, version);
    const read = live[name] === undefined ? field.absent : live[name];
    const before = isHidden ? undefined : read;
    if (before !== undefined && isAsWanted(field, before, after, version)) continue;
    const known = closing(kind, name, field, object, after, service);
    const isLeftOut = object.facts.withheld?.includes(name) === true;
    const verdict = isLeftOut ? LEFT_OUT : isHidden ? unread(name, field, after, sure, known) : known;
    if (verdict !== null) changes.push({ field: name, before: before ?? null, after, ...verdict });
  }
  return changes;
}
