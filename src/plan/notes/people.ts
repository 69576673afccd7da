// Notes on people: who cannot work and why, whose address changes, who administers the license, and who is there twice.

import type { Address, Live, LiveObject } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { identityOfId, isAddress, KIND_NAMES, KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { accountsIn } from '../binding/people.ts';
import type { Comparison } from '../compare.ts';
import type { ServiceTerms } from '../diff.ts';
import type { Draft } from '../draft.ts';
import type { Note } from '../plan.ts';

const BY_A_PERSON =
  'waiting for approval, which an ordinary token cannot give; approve it in the application of the service';

const IF_IT_CAN = ', or set `may_approve: true` in chatform.yaml if the token can';

const SUSPENDED =
  'suspended on the license, so no chat is assigned; declare `suspended: false` to end it, or `suspended: true` to keep it';

/** What keeps a person from work that the plan does not change. */
export function standingNotes(made: Draft, terms: ServiceTerms): readonly Note[] {
  if (made.verb === 'delete') return [];
  const { address } = made;
  const waiting = waitsFor(made, terms);
  return [
    ...(waiting === null ? [] : [{ address, kind: 'pending-approval' as const, message: waiting }]),
    ...(isSuspendedUnsaid(made) ? [{ address, kind: 'suspended' as const, message: SUSPENDED }] : []),
  ];
}

/** Whether a new object waits is known before it is there: only a token that may approve can create an approved one. */
export function newcomerNotes({ address, kind, desired }: Draft, { mayApprove }: ServiceTerms): readonly Note[] {
  const field = approvalField(kind);
  if (field === null || (mayApprove && desired?.[field] === false)) return [];
  const wait = 'will wait until a person approves it in the application of the service';
  const message = mayApprove
    ? `will wait for approval; declare \`${field}: false\` to give it`
    : `${wait}${desired?.[field] === false ? IF_IT_CAN : ''}`;
  return [{ address, kind: 'pending-approval', message }];
}

/** Whether a person who is declared is suspended, and no file says so. */
function isSuspendedUnsaid({ kind: { serving, retired = {} }, resource, object, desired }: Draft): boolean {
  if (object === null || resource === null || resource.leaves !== undefined) return false;
  return (
    serving?.bar(object.spec) === 'suspended' && Object.keys(retired).every((name) => desired?.[name] === undefined)
  );
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
  const people = drafts.filter(
    ({ kind, resource, selected }) => kind.choosesId === true && selected && resource !== null,
  );
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
