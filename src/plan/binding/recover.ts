// Creates that nobody knows the end of, and a reading of the license, in; which object each of them made, if any, out. Pure: whether the reading may
// lag is for the caller to know.

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
import type { Kind, Resolve } from '../../kinds/kind.ts';
import { listNames, narrowed } from './recognise.ts';

/** A create whose answer is lost, by the id of its intent. */
interface Open {
  readonly intent: string;
  readonly address: Address;
}

/** It arrived: this is the object it made. */
export interface Recovered extends Open {
  readonly id: ObjectId;
  /** Where the object's one-time secret is; null for an object that has none. */
  readonly secret: SecretState | null;
}

/** It may have made any of these: only a person can tell. */
export interface Undecided extends Open {
  readonly candidates: readonly LiveObject[];
}

/** What became of the open intents, as far as one reading shows. */
export interface Recovery {
  readonly recovered: readonly Recovered[];
  /** The reading shows nothing that they could have made. */
  readonly missing: readonly (Open & Pick<OpenIntent, 'at'>)[];
  readonly undecided: readonly Undecided[];
}

/**
 * Matches every open intent of a kind that was read with the objects that were not there before, and are nobody's. Equal intents made equal
 * objects: whichever gets which is right. `chosen` are the ids that the manifest binds by `id:`.
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
  const counts = countedByIdentity(intents.values());
  for (const [intent, open] of intents) {
    const { address, at } = open;
    const objects = live.objects[kindOf(address)];
    if (objects === undefined) continue;
    const own = bindings.get(address)?.id;
    const free = objects.filter(({ id }) => {
      const owner = taken.get(objectKey(address, id));
      return owner === undefined || (owner === address && id === own);
    });
    const all = candidatesOf(open, free);
    const meant = all.filter(({ id }) => id === own || id === chosen.get(address));
    const candidates = meant.length > 0 ? meant : all;
    const [first] = candidates;
    if (first === undefined) {
      missing.push({ intent, address, at });
    } else if (candidates.length > (counts.get(identityKey(open)) ?? 1)) {
      undecided.push({ intent, address, candidates });
    } else {
      const tells = KINDS[first.kind].secret?.versions.includes(live.version) === true;
      recovered.push({ intent, address, id: first.id, secret: tells ? 'lost' : null });
      taken.set(objectKey(address, first.id), address);
    }
    const left = (counts.get(identityKey(open)) ?? 1) - 1;
    counts.set(identityKey(open), left);
  }
  return { recovered, missing, undecided };
}

function candidatesOf(open: OpenIntent, objects: readonly LiveObject[]): readonly LiveObject[] {
  const kind = KINDS[kindOf(open.address)];
  const seen = new Set(open.seen);
  const made = madeBy(open, kind);
  const fresh = objects.filter(({ id, facts }) => !seen.has(id) && facts.builtin !== true && facts.derived !== true);
  const bare: Resolve = (reference) => reference;
  const level = kind.naturalKeys.findIndex((key) => key.ofDesired(made, bare) !== null);
  const key = kind.naturalKeys[level];
  if (key === undefined) return [];
  const wanted = key.ofDesired(made, bare);
  return narrowed(
    kind,
    level,
    made,
    fresh.filter((object) => key.ofLive(object) === wanted),
    bare,
  );
}

/** What the create asked for, as if a manifest declared it. */
function madeBy({ address, identity }: OpenIntent, kind: Kind): DesiredResource {
  const key = address.slice(address.indexOf('/') + 1);
  return { address, kind: kind.name, key, id: null, spec: identifiedBy(identity), place: NOWHERE };
}

const NOWHERE: Place = { file: '', line: 1, column: 1, length: 1 };

function objectKey(address: Address, id: ObjectId): string {
  return `${kindOf(address)} ${id}`;
}

function identityKey({ address, identity }: OpenIntent): string {
  return `${kindOf(address)} ${identity}`;
}

function countedByIdentity(intents: Iterable<OpenIntent>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const open of intents) counts.set(identityKey(open), (counts.get(identityKey(open)) ?? 0) + 1);
  return counts;
}

/** The ledger as if the run that was cut off had still recorded what it made. */
export function withRecovered(ledger: LedgerState, recovered: readonly Recovered[]): LedgerState {
  if (recovered.length === 0) return ledger;
  const bindings = new Map(ledger.bindings);
  const applied = new Map(ledger.applied);
  const secrets = new Map(ledger.secrets);
  const intents = new Map(ledger.intents);
  for (const { address, id, intent, secret } of recovered) {
    const asked = Date.parse(ledger.intents.get(intent)?.at ?? '');
    intents.delete(intent);
    // An object that its create names has the id of the one before it: what was applied to that one says nothing of this one.
    const isKnown = bindings.get(address)?.id === id && !(Date.parse(applied.get(address)?.at ?? '') < asked);
    if (isKnown) continue;
    bindings.set(address, { id, origin: 'created' });
    applied.delete(address);
    if (secret !== null) secrets.set(address, secret);
  }
  return { ...ledger, bindings, applied, secrets, intents };
}

/** The same, and without the intents that made nothing. */
export function afterRecovery(ledger: LedgerState, { recovered, missing }: Recovery): LedgerState {
  if (missing.length === 0) return withRecovered(ledger, recovered);
  const known = withRecovered(ledger, recovered);
  const isMissing = new Set(missing.map(({ intent }) => intent));
  return { ...known, intents: new Map([...known.intents].filter(([intent]) => !isMissing.has(intent))) };
}

/** An object that only a person can choose stops the plan: taking the wrong one would change it, and leave the right one an orphan. */
export function undecidedProblems(
  { undecided }: Recovery,
  placeOf: (address: Address) => Place | null,
): readonly Diagnostic[] {
  return undecided.map(({ address, candidates }) => ({
    code: 'ambiguous-match',
    severity: 'error',
    place: placeOf(address) ?? NOWHERE,
    message: `${address} was created by a request whose answer was lost, and it could be any of ${listNames(candidates)}`,
    remedy:
      placeOf(address) === null
        ? `delete what is not wanted, or \`chatform ledger forget ${address}\``
        : 'say which one with `id:`, and delete the others if they are not wanted',
    excerpt: null,
    related: [],
  }));
}
