// Notes of a plan: what a user should know in addition to the changes.

import { groupedBy } from '../base/grouped.ts';
import { isObject } from '../base/json.ts';
import type {
  Address,
  Json,
  JsonObject,
  KindName,
  LedgerState,
  Live,
  LiveObject,
  SecretState,
  Version,
} from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { clear, few } from '../base/text.ts';
import { lookOf } from '../base/unseen.ts';
import { identityOfId, isAddress, isMembership, KIND_NAMES, KINDS, kindOf, MEMBERSHIP } from '../kinds/index.ts';
import { hasSecret, type Kind, secretField } from '../kinds/kind.ts';
import { keepsOthers, membersIn, namedMembers } from '../kinds/priority.ts';
import { valueText } from '../kinds/words.ts';
import type { Bindings } from './binding/bind.ts';
import { accountsIn } from './binding/people.ts';
import type { Recovered } from './binding/recover.ts';
import type { Comparison } from './compare.ts';
import { readsAsUnset, type ServiceTerms } from './diff.ts';
import { type Draft, type DraftOptions, optionsOf } from './draft.ts';
import { dangerLine, dangersOf } from './guards/guard.ts';
import type { Memberships } from './membership/edges.ts';
import type { Note, Unmanaged } from './plan.ts';
import { probableRename } from './renames.ts';

/** Phrases of one value in a note. */
const MOST_PHRASES = 4;

/**
 * Returns live objects that are neither declared nor owned, of the kinds that are managed. An external object is included only where everything else
 * undeclared goes.
 */
export function unmanagedObjects({ bindings, desired, ledger }: Comparison): readonly LiveObject[] {
  if (bindings.unmanaged.length === 0) return [];
  const managed = managedKinds({ desired, ledger });
  const lookedUp = new Set(desired.externals.map(({ kind, address }) => `${kind} ${bindings.ids.get(address)}`));
  return bindings.unmanaged
    .filter(({ kind, facts }) => managed.has(kind) && facts.builtin !== true)
    .filter((object) => !lookedUp.has(`${object.kind} ${object.id}`) || bindings.keptBecause.has(object))
    .filter((object) => !readsAsUnset(String(object.id), object, desired));
}

export function unmanagedEntry(object: LiveObject, { keptBecause }: Bindings): Unmanaged {
  return {
    type: object.kind,
    id: object.id,
    name: object.name,
    released: null,
    reason: keptBecause.get(object) ?? (object.facts.derived === true ? 'made by a bot template' : null),
  };
}

/** Kinds that are only read because something refers to them are not managed. */
export function managedKinds({ desired, ledger }: Pick<Comparison, 'desired' | 'ledger'>): ReadonlySet<KindName> {
  const managed = new Set(desired.complete);
  for (const { kind } of desired.resources) managed.add(kind);
  for (const address of ledger.bindings.keys()) managed.add(kindOf(address));
  return managed;
}

export function notesOf(drafts: readonly Draft[], edges: Memberships, terms: ServiceTerms): readonly Note[] {
  const own = drafts.flatMap((made): readonly Note[] => {
    const { address } = made;
    if (made.writer !== null && made.object === null)
      return [{ address, kind: 'left-out', message: `it is not there; only target ${made.writer} makes it` }];
    if (made.verb === 'none' && made.fields.length === 0) return standingNotes(made, terms);
    const dangers = dangersOf(made).flatMap((kind): readonly Note[] =>
      kind === 'destroy' ? [] : [{ address, kind, message: dangerLine(kind, made) }],
    );
    const outOfReach = made.fields.flatMap(({ field, reach, reason }): readonly Note[] =>
      reach === 'unreachable' || reach === 'unreadable' || reach === 'unverified'
        ? [{ address, kind: reach, message: `${field}: ${reason}` }]
        : [],
    );
    return [
      ...dangers,
      ...outOfReach,
      ...(made.verb === 'create' && made.lost !== null
        ? [
            {
              address,
              kind: 'recreating' as const,
              message: `${goneText(made)}, so it is created again`,
            },
          ]
        : []),
      ...manualStep(made),
      ...(made.verb === 'delete' && made.beyond === null && optionsOf(made.kind).length > 0
        ? [{ address, kind: 'left-out' as const, message: BOTS_STAY }]
        : []),
      ...sharedNotes(made),
      ...(made.verb === 'create' ? newcomerNotes(made, terms) : standingNotes(made, terms)),
    ];
  });
  const leftOut = edges.planned.uncovered.map(
    ({ left, right }): Note => ({
      address: right as Address,
      kind: 'left-out',
      message: `the membership of ${left} differs, and nothing selected may write it; select one of the two`,
    }),
  );
  return [...own, ...leftOut];
}

/** What a person still has to do for a new object, which a field of it would do. */
function manualStep({ verb, kind, address, desired }: Draft): readonly Note[] {
  const { manualStep: step } = kind;
  const isOpen = verb === 'create' && step !== undefined && desired?.[step.unless] === undefined;
  return isOpen ? [{ address, kind: 'manual-step', message: step.text }] : [];
}

/** Whom else a change of a shared object reaches, and what happens where a replacement has no room to overlap. */
function sharedNotes({
  address,
  kind,
  verb,
  resource,
  former,
  clearedBy,
  object,
  desired,
  live,
}: Draft): readonly Note[] {
  if (verb === 'none' || kind.shared === undefined) return [];
  const spec = { ...live, ...desired };
  const owner = kind.namespace?.({ key: resource?.key ?? String(object?.id), spec }) ?? null;
  const { overlaps } = kind.replacing ?? {};
  return [
    { address, kind: 'shared', message: `it belongs to ${owner}: ${kind.shared.reaches} gets it` },
    ...(verb === 'replace' && former === undefined && overlaps !== undefined
      ? [{ address, kind: 'gap' as const, message: `there is no room for two, so the old one goes first: ${overlaps}` }]
      : []),
    ...(clearedBy !== undefined && overlaps !== undefined
      ? [{ address, kind: 'gap' as const, message: `there is no room for it before ${clearedBy} goes: ${overlaps}` }]
      : []),
  ];
}

const BY_A_PERSON =
  'waiting for approval, which an ordinary token cannot give; approve it in the application of the service';

const IF_IT_CAN = ', or set `may_approve: true` in chatform.yaml if the token can';

const BOTS_STAY =
  'bots that it made stay where they are; `prune_installed_bots: true` of the target deletes them with it';

/** What keeps a person from work that the plan does not change. */
function standingNotes(made: Draft, terms: ServiceTerms): readonly Note[] {
  if (made.verb === 'delete') return [];
  const { address } = made;
  const waiting = waitsFor(made, terms);
  return [
    ...(waiting === null ? [] : [{ address, kind: 'pending-approval' as const, message: waiting }]),
    ...(isSuspendedUnsaid(made) ? [{ address, kind: 'suspended' as const, message: SUSPENDED }] : []),
  ];
}

const SUSPENDED =
  'suspended on the license, so no chat is assigned; declare `suspended: false` to end it, or `suspended: true` to keep it';

/** One account is no longer declared, one is made, and both have one name: probably an address that changes. */
export function namesakeNotes({ drafts, released }: Comparison): readonly Note[] {
  const { kind } = MEMBERSHIP.left;
  const [gone, ...others] = released.filter(({ type }) => type === kind.name);
  const [fresh, ...more] = drafts.filter((made) => made.kind === kind && made.verb === 'create');
  if (gone === undefined || fresh === undefined || others.length + more.length > 0) return [];
  if (gone.released === null || gone.name === '' || gone.name !== fresh.desired?.['name']) return [];
  const moved = `moved: [{ from: ${gone.released}, to: ${fresh.address} }]`;
  const message = `is it the new address of ${gone.released}? Then \`${moved}\` also suspends the old account`;
  return [{ address: fresh.address, kind: 'account', message }];
}

/** Notes on agents whose address changes, as long as the change is not complete. */
export function accountNotes({ drafts, edges, live, bindings }: Comparison): readonly Note[] {
  const made = new Map(drafts.map((each) => [each.address, each]));
  const names = new Map(live.objects[MEMBERSHIP.right.kind.name]?.map(({ id, name }) => [String(id), name]));
  return drafts.flatMap(({ address: from, resource, object, verb }): readonly Note[] => {
    if (resource?.leaves?.by !== 'moved') return [];
    const { to } = resource.leaves;
    const isNew = made.get(to)?.verb === 'create';
    if (!isNew && (verb === 'none' || object === null)) return [];
    const joined = edges.inherited.flatMap(({ left, right, desired }) =>
      left === to ? [`${names.get(String(bindings.idOf(right))) ?? right} (${desired})`] : [],
    );
    const groups = joined.length === 0 ? '' : `; it also joins ${few(joined)}, as that one leaves, which no file says`;
    const message =
      object === null
        ? `takes the place of ${from}, which is not on the license`
        : `takes the place of ${from}, which is suspended: history and reports stay there${groups}`;
    return [{ address: to, kind: 'account', message }];
  });
}

/** Whether a person who is declared is suspended, and no file says so. */
function isSuspendedUnsaid({ kind: { serving, retired = {} }, resource, object, desired }: Draft): boolean {
  if (object === null || resource === null || resource.leaves !== undefined) return false;
  return (
    serving?.bar(object.spec) === 'suspended' && Object.keys(retired).every((name) => desired?.[name] === undefined)
  );
}

/** Whether a new object waits is known before it is there: only a token that may approve can create an approved one. */
function newcomerNotes({ address, kind, desired }: Draft, { mayApprove }: ServiceTerms): readonly Note[] {
  const field = approvalField(kind);
  if (field === null || (mayApprove && desired?.[field] === false)) return [];
  const wait = 'will wait until a person approves it in the application of the service';
  const message = mayApprove
    ? `will wait for approval; declare \`${field}: false\` to give it`
    : `${wait}${desired?.[field] === false ? IF_IT_CAN : ''}`;
  return [{ address, kind: 'pending-approval', message }];
}

/** The field that says whether an object waits for approval; null for kinds that need none. */
function approvalField({ fields }: Kind): string | null {
  return Object.keys(fields).find((name) => fields[name]?.onCreate === true) ?? null;
}

/** What an object waits for that the plan does not give it; null when there is nothing. */
export function waitsFor({ kind, resource, object, desired }: Draft, { mayApprove }: ServiceTerms): string | null {
  if (object?.facts.pendingApproval !== true || resource?.leaves !== undefined) return null;
  const field = approvalField(kind) ?? '';
  const isDeclared = desired?.[field] === false;
  if (mayApprove) return isDeclared ? null : `waiting for approval; declare \`${field}: false\` to give it`;
  return isDeclared ? `${BY_A_PERSON}${IF_IT_CAN}` : BY_A_PERSON;
}

/** Notes on objects that an interrupted run made and did not record. */
export function recoveredNotes(recovered: readonly Recovered[]): readonly Note[] {
  return recovered.map(({ address, id }) => ({
    address,
    kind: 'recovered',
    message: `created as ${id} by a run that was cut off, so it is owned and is not created again`,
  }));
}

/** An object whose create carries its secret is made again where the secret is lost, which the plan shows as a change. */
export function secretNotes(secrets: LedgerState['secrets'], { bound }: Bindings): readonly Note[] {
  return [...secrets].flatMap(([address, state]): readonly Note[] =>
    bound.has(address) && state !== 'kept' && !(state === 'lost' && secretField(KINDS[kindOf(address)]) !== null)
      ? [{ address, kind: 'secret-lost', message: whereSecretIs(address, state) }]
      : [],
  );
}

function whereSecretIs(address: Address, state: Exclude<SecretState, 'kept'>): string {
  return state === 'rescued'
    ? 'its secret is in a rescue file and not yet in the sink'
    : `its secret is lost; \`chatform secrets rotate ${address}\` makes a new one`;
}

/** A person who administers the license, and of whom no file says it. */
export interface Administrator {
  readonly object: LiveObject;
  readonly address: Address;
  /** Null for a person whom no file declares. */
  readonly declared: Draft | null;
  /** Whether they did at the last apply. */
  readonly since: 'before' | 'now' | 'unknown';
}

/** Returns those whom the plan does not delete, and whose rank it does not change. */
export function administratorsUnsaid({ live, drafts, bindings, ledger }: Comparison): readonly Administrator[] {
  const known = ledger.administrators;
  const draftOf = new Map(drafts.map((made) => [made.object, made]));
  const people = KIND_NAMES.filter((kind) => KINDS[kind].standing !== undefined).flatMap(
    (kind) => live.objects[kind] ?? [],
  );
  return people.flatMap((object): readonly Administrator[] => {
    const { kind, id, spec, facts } = object;
    const standing = KINDS[kind].standing?.(spec, facts);
    const made = draftOf.get(object) ?? null;
    const isSaid = standing !== undefined && made?.desired?.[standing.by] !== undefined;
    if (standing?.administers !== true || made?.verb === 'delete' || isSaid) return [];
    const reference = bindings.referenceTo(kind, id);
    return [
      {
        object,
        address: made?.address ?? (isAddress(reference) ? reference : `${kind}/${id}`),
        declared: made,
        since: known === null ? 'unknown' : known.has(id) ? 'before' : 'now',
      },
    ];
  });
}

/** Notes on people who administer the license and did not at the last apply: the next one records them, and drift then no longer warns. */
export function administratorNotes(compared: Comparison): readonly Note[] {
  return administratorsUnsaid(compared).flatMap(({ address, declared, since }): readonly Note[] => {
    if (since !== 'now') return [];
    const why = declared === null ? 'is not managed' : 'no file says so';
    const message = `administers the license, ${why}, and did not at the last apply; an apply accepts it`;
    return [{ address, kind: 'administrator', message }];
  });
}

/** The only sentence about a person whose address has other capitals on the license: equal for all of them, so that outputs say it once. */
const OTHER_CAPITALS =
  'the address on the license differs only in case: it is the same person, and the license keeps its spelling';

/** Notes on people whom the license writes in other capitals, or has twice. */
export function alikeNotes(drafts: readonly Draft[], { objects }: Live): readonly Note[] {
  const people = drafts.filter(({ kind, object, resource, selected }) => {
    return kind.choosesId === true && selected && object !== null && resource !== null;
  });
  if (people.length === 0) return [];
  const own = new Set(people.map(({ object }) => object));
  const accounts = accountsIn([...new Set(people.map(({ kind }) => kind.name))].flatMap((name) => objects[name] ?? []));
  return people.flatMap(({ kind, address, object, resource }): readonly Note[] => {
    if (object === null) return [];
    const others = (accounts.get(identityOfId(kind.name, object.id)) ?? []).filter((each) => !own.has(each));
    const { id } = object;
    if (others.length === 0)
      return id === (resource?.id ?? resource?.key) ? [] : [{ address, kind: 'alike', message: OTHER_CAPITALS }];
    const message = `the license also has ${few(others.map((each) => String(each.id)))}, which differs only in case from ${id}: one person with two accounts, of which only ${id} is managed; suspend the other one by hand, or delete it`;
    return [{ address, kind: 'alike', message }];
  });
}

/** Notes on objects that are made next to one that people take for the same, live or new: its name, or what else it is known by, looks equal. */
export function secondNotes(drafts: readonly Draft[], { objects }: Live, { idOf }: Bindings): readonly Note[] {
  const going = new Set(drafts.flatMap(({ verb, object }) => (verb === 'delete' ? [object] : [])));
  const likeIn = oncePer(({ naturalKeys, name }: Kind) => {
    const staying = (objects[name] ?? []).filter((object) => !going.has(object));
    return naturalKeys.map(({ ofLive }) => groupedBy(staying, (object) => lookOf(ofLive(object) ?? '')));
  });
  const made = new Map<string, { readonly own: string; readonly address: Address }>();
  return drafts.flatMap(({ verb, kind, resource, address }): readonly Note[] => {
    if (verb !== 'create' || resource === null || kind.choosesId === true) return [];
    for (const [level, key] of kind.naturalKeys.entries()) {
      const own = key.ofDesired(resource, idOf);
      if (own === null) continue;
      const look = lookOf(own);
      const other = likeIn(kind)
        [level]?.get(look)
        ?.find((object) => key.ofLive(object) !== own);
      const first = made.get(`${kind.name} ${level} ${look}`) ?? { own, address };
      made.set(`${kind.name} ${level} ${look}`, first);
      if (other === undefined && first.own === own) continue;
      const remedy = kind.id === undefined ? 'use that key' : `add \`id: ${other?.id}\``;
      const message =
        other === undefined
          ? `it differs only in capitals or blanks from ${first.address}, which is made as well; if they are the same, keep one of them`
          : `the license has the ${kind.noun.one} ${clear(other.name)}, which differs only in capitals or blanks, and a second one is made; if they are the same, ${remedy}`;
      return [{ address, kind: 'second', message }];
    }
    return [];
  });
}

/** Notes on objects that were never owned, on adoptions in place of lost objects, and on probable renames. */
export function ownershipNotes(drafts: readonly Draft[], bindings: Bindings, options: DraftOptions): readonly Note[] {
  const comingOrGoing = drafts.filter(({ verb }) => verb === 'create' || verb === 'delete');
  return [
    ...drafts.filter(({ neverOwned, rival }) => neverOwned && rival === null).map(neverOwnedNote),
    ...drafts.flatMap((made) => rebindingNote(made, bindings, options.version)),
    ...Object.values(KINDS).flatMap((kind) => renameNote(kind, comingOrGoing, options)),
  ];
}

/**
 * Notes on fields that were applied and that the manifest no longer declares: they keep their values. A value that was not read is
 * the one that was applied: to read it can cost a request. An edge of a membership that the other end declares is still managed.
 */
export function releasedNotes(drafts: readonly Draft[], { partial, applied: all }: DraftOptions): readonly Note[] {
  if (partial) return [];
  const declaring = new Set(
    Object.values(MEMBERSHIP).flatMap(({ kind, field }) =>
      drafts.flatMap((made) => (made.kind === kind && made.desired?.[field] !== undefined ? [made.address] : [])),
    ),
  );
  return drafts.flatMap(({ address, kind, verb, resource, selected, desired, live, lost }): readonly Note[] => {
    const applied = lost === null ? all.get(address) : undefined;
    if (applied === undefined || desired === null || live === null || !selected) return [];
    if (verb === 'replace' || resource?.leaves !== undefined) return [];
    const names = [...Object.keys(applied.spec), ...Object.keys(applied.digests)];
    const kept = names.flatMap((name): readonly string[] => {
      const field = kind.fields[name];
      const isNamed = keepsOthers(desired[name]);
      if (field === undefined || field.secret === true || field.option === true) return [];
      if (desired[name] !== undefined && !isNamed) return [];
      const value = live[name] ?? applied.spec[name] ?? null;
      const own =
        isMembership(kind.name, name) && isObject(value)
          ? undeclaredMembers(value, applied.spec[name], desired[name], declaring)
          : value;
      if (isObject(own) && Object.keys(own).length === 0) return [];
      return [own === null ? name : `${name} ${valueText(field, own, MOST_PHRASES)}`];
    });
    return kept.length === 0 ? [] : [{ address, kind: 'released', message: kept.join(', ') }];
  });
}

/** Members of a live map that the other end does not declare. Of a map that keeps the others, only those that were applied and are no longer named. */
function undeclaredMembers(
  live: JsonObject,
  applied: Json | undefined,
  desired: Json | undefined,
  declaring: ReadonlySet<Address>,
): JsonObject {
  const named = isObject(desired) ? namedMembers(desired) : null;
  const before = isObject(applied) ? membersIn(applied) : {};
  const isOpen = (end: string): boolean => named === null || (!named.has(end) && before[end] !== undefined);
  return Object.fromEntries(Object.entries(live).filter(([end]) => !declaring.has(end as Address) && isOpen(end)));
}

/** Says that an object is gone, and where a list may hide it, when it is not. */
export function goneText({ kind, lost }: Draft): string {
  const text = `${kind.noun.one} ${lost} is gone from the license`;
  return kind.hidden === undefined ? text : `${text}, ${kind.hidden}`;
}

function neverOwnedNote({ address, kind }: Draft): Note {
  const message = `it was never owned; \`prune: { ${kind.name}: all }\` deletes what is not declared, unless \`protect:\` names it`;
  return { address, kind: 'never-owned', message };
}

/** An object that was deleted and created again by hand. Only a natural key recognises it, and what refers to the old id does not follow. */
function rebindingNote(made: Draft, bindings: Bindings, version: Version): readonly Note[] {
  const { address, kind, object, lost, adopting } = made;
  if (!adopting || object === null || lost === null) return [];
  const recognisedBy = bindings.bound.get(address)?.recognisedBy ?? null;
  // A key that is the whole identity names the same object again.
  if (recognisedBy === null || kind.id === undefined) return [];
  const secret = hasSecret(kind, version) ? ', and the stored secret belongs to the old one: reset it' : '';
  const message = `${kind.noun.one} ${lost} is gone; ${kind.noun.one} ${object.id} is adopted in its place, known by ${recognisedBy}. What points at ${lost} and is not declared does not follow${secret}`;
  return [{ address, kind: 'rebinding', message }];
}

/** How the manifest keeps an object that is probably renamed. Of a kind that the service renames nothing of, a guard speaks. */
function renameNote(kind: Kind, drafts: readonly Draft[], options: DraftOptions): readonly Note[] {
  const pair = kind.soleSpelling === undefined ? probableRename(kind, drafts, options) : null;
  if (pair === null) return [];
  const [from, to] = [pair.gone.address, pair.fresh.address];
  const secret = secretField(kind);
  // Another URL is another webhook, whatever its key: a rename keeps a secret that chatform made, and nothing else.
  if (secret !== null && pair.fresh.desired?.[secret] !== undefined) return [];
  const whole = hasSecret(kind, options.version) ? 'the object, its id and its secret' : 'the object and its id';
  const kept = secret === null ? whole : 'its secret';
  const message = `is it ${to} now? Then \`moved: [{ from: ${from}, to: ${to} }]\` keeps ${kept}`;
  return [{ address: from, kind: 'rename', message }];
}
