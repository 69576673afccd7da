// Creates whose answer was lost, matched with the objects that a reading shows. The caller decides whether the reading is current.

import { isSameButForm } from '../../base/forms.ts';
import { countedBy } from '../../base/grouped.ts';
import type {
  Address,
  DesiredResource,
  Diagnostic,
  LedgerState,
  Live,
  LiveObject,
  ObjectId,
  OpenIntent,
  Place,
  SecretState,
} from '../../base/model.ts';
import { identifiedBy } from '../../kinds/fields.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import { hasSecret, type Kind, type Resolve, secretField } from '../../kinds/kind.ts';
import { formerAddress, keyOf } from '../reference.ts';
import { NOWHERE, problem } from './claims.ts';
import { listNames, narrowed } from './recognise.ts';

/** A create whose answer is lost, by the id of its intent. */
interface OpenCreate {
  readonly intent: string;
  readonly address: Address;
}

/** A create that took effect, with the object that it made. */
export interface Recovered extends OpenCreate {
  readonly id: ObjectId;
  /** Where its one-time secret is; null for an object that has none. */
  readonly secret: SecretState | null;
  /** The object that it replaces, and that is still there. */
  readonly former?: ObjectId;
}

/** A create that may have made any of several objects. The user must choose. */
export interface Undecided extends OpenCreate {
  readonly candidates: readonly LiveObject[];
}

/** Results of the open intents, as far as one reading shows. */
export interface Recovery {
  readonly recovered: readonly Recovered[];
  /** The reading shows no object that they could have made. */
  readonly missing: readonly (OpenCreate & Pick<OpenIntent, 'at'>)[];
  readonly undecided: readonly Undecided[];
}

/**
 * Matches every open intent of a kind that was read with the objects that are new and not owned. Equal intents made equal objects, so either may get
 * either. `chosen` are the ids that the manifest binds by `id:`.
 */
export function recover(
  { bindings, intents }: Pick<LedgerState, 'bindings' | 'intents'>,
  live: Live,
  chosen: ReadonlyMap<Address, ObjectId>,
): Recovery {
  const recovered: Recovered[] = [];
  const missing: Recovery['missing'][number][] = [];
  const undecided: Undecided[] = [];
  const taken = new Map([...bindings].map(([address, { id }]) => [objectKey(address, id), address]));
  const counts = new Map(countedBy(intents.values(), identityKey));
  for (const [intent, open] of intents) {
    const { address, at } = open;
    const objects = live.objects[kindOf(address)];
    if (objects === undefined) continue;
    const own = bindings.get(address)?.id;
    const free = objects.filter(({ id }) => {
      const owner = taken.get(objectKey(address, id));
      return owner === undefined || (owner === address && id === own);
    });
    const all = objectsMadeBy(open, free);
    const meant = all.filter(({ id }) => id === own || id === chosen.get(address));
    const candidates = meant.length > 0 ? meant : all;
    const [first] = candidates;
    if (first === undefined) {
      missing.push({ intent, address, at });
    } else if (candidates.length > (counts.get(identityKey(open)) ?? 1)) {
      undecided.push({ intent, address, candidates });
    } else {
      const kind = KINDS[first.kind];
      const secret = hasSecret(kind, live.version) || secretField(kind) !== null ? 'lost' : null;
      const isThere = own !== undefined && own !== first.id && objects.some(({ id }) => id === own);
      const former = isThere && kind.replacing?.overlaps !== undefined ? { former: own } : {};
      recovered.push({ intent, address, id: first.id, secret, ...former });
      taken.set(objectKey(address, first.id), address);
    }
    const left = (counts.get(identityKey(open)) ?? 1) - 1;
    counts.set(identityKey(open), left);
  }
  return { recovered, missing, undecided };
}

/** Objects that a create made, or could have made: new ones that equal what it asked for. */
export function objectsMadeBy(
  open: Pick<OpenIntent, 'address' | 'identity' | 'seen'>,
  objects: readonly LiveObject[],
): readonly LiveObject[] {
  const kind = KINDS[kindOf(open.address)];
  const seen = new Set(open.seen);
  const made = madeBy(open, kind);
  const fresh = objects.filter(({ id, facts }) => !seen.has(id) && facts.builtin !== true && facts.derived !== true);
  const bare: Resolve = (reference) => reference;
  const key = kind.naturalKeys.find((each) => each.ofDesired(made, bare) !== null);
  if (key === undefined) return [];
  const wanted = key.ofDesired(made, bare);
  const equal = fresh.filter((object) => key.ofLive(object) === wanted);
  // The service may keep another form of what it was asked for: a second one must not be made because of that.
  const alike = equal.length > 0 ? equal : fresh.filter((object) => key.ofLive(asAsked(object, made)) === wanted);
  return narrowed(kind, made, alike, bare);
}

/** The object with the texts of a create in the place of those that differ from them only in form. */
function asAsked(object: LiveObject, { spec }: DesiredResource): LiveObject {
  const meant = Object.entries(spec).filter(([name, asked]) => isSameButForm(asked, object.spec[name] ?? null));
  const { name } = Object.fromEntries(meant);
  const inAskedForm = { ...object, spec: { ...object.spec, ...Object.fromEntries(meant) } };
  return typeof name === 'string' ? { ...inAskedForm, name } : inAskedForm;
}

/** The object that the create asked for, as a declared resource. */
function madeBy({ address, identity }: Pick<OpenIntent, 'address' | 'identity'>, kind: Kind): DesiredResource {
  const key = keyOf(address);
  return { address, kind: kind.name, key, id: null, spec: identifiedBy(identity), place: NOWHERE };
}

function objectKey(address: Address, id: ObjectId): string {
  return `${kindOf(address)} ${id}`;
}

function identityKey({ address, identity }: OpenIntent): string {
  return `${kindOf(address)} ${identity}`;
}

/** The ledger as if the interrupted run had recorded what it made. */
export function withRecovered(ledger: LedgerState, recovered: readonly Recovered[]): LedgerState {
  if (recovered.length === 0) return ledger;
  const bindings = new Map(ledger.bindings);
  const applied = new Map(ledger.applied);
  const secrets = new Map(ledger.secrets);
  const intents = new Map(ledger.intents);
  for (const { address, id, intent, secret, former } of recovered) {
    const asked = Date.parse(ledger.intents.get(intent)?.at ?? '');
    intents.delete(intent);
    // A key that is the whole identity gives the new object the id of the former one, and what was applied to the former one no longer counts.
    const isKnown = bindings.get(address)?.id === id && !(Date.parse(applied.get(address)?.at ?? '') < asked);
    if (isKnown) continue;
    if (former !== undefined) bindings.set(formerAddress(kindOf(address), former), { id: former, origin: 'created' });
    bindings.set(address, { id, origin: 'created' });
    applied.delete(address);
    if (secret !== null) secrets.set(address, secret);
  }
  return { ...ledger, bindings, applied, secrets, intents };
}

/** The same ledger, without the intents that made nothing. */
export function afterRecovery(ledger: LedgerState, { recovered, missing }: Recovery): LedgerState {
  if (missing.length === 0) return withRecovered(ledger, recovered);
  const known = withRecovered(ledger, recovered);
  const isMissing = new Set(missing.map(({ intent }) => intent));
  return { ...known, intents: new Map([...known.intents].filter(([intent]) => !isMissing.has(intent))) };
}

/** An undecided create stops the plan: the wrong choice would change one object and leave another one unmanaged. */
export function undecidedProblems(
  { undecided }: Recovery,
  placeOf: (address: Address) => Place | null,
): readonly Diagnostic[] {
  return undecided.map(({ address, candidates }) => {
    const place = placeOf(address);
    return problem(
      'ambiguous-match',
      place,
      `${address} was created by a request whose answer was lost, and it could be any of ${listNames(candidates)}`,
      place === null
        ? `delete what is not wanted, or run \`chatform ledger forget ${address}\``
        : 'choose one with `id:`, and delete the others if they are not wanted',
    );
  });
}
