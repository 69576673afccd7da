// Cautions of a plan: destruction, irreversible changes, credentials that begin or end, and agents or programs that gain or gained rights. They need only the
// plan, so that a saved one has them as well.

import { groupedBy } from '../../base/grouped.ts';
import { isList, isObject } from '../../base/json.ts';
import type { Address, Json, KindName, Spec, Version } from '../../base/model.ts';
import { hasLookalikes } from '../../base/unseen.ts';
import type { Field } from '../../kinds/field.ts';
import { KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import { hasSecret, type Kind, secretField } from '../../kinds/kind.ts';
import type { Danger, Note, Plan, Referrer, ResourceChange, SourcePlace } from '../plan.ts';

/** From the worst to the least. */
export const CAUTIONS = [
  'data-loss',
  'irreversible',
  'other-licenses',
  'restriction',
  'lookalike',
  'destroy',
  'leaver',
  'emptied',
  'credential',
  'access',
] as const;

export interface Caution {
  readonly what: (typeof CAUTIONS)[number];
  readonly address: Address;
  readonly type: KindName;
  readonly name: string;
  /** Its meaning in one line; empty when the word says it all. */
  readonly message: string;
  readonly source: SourcePlace | null;
  readonly referred_by: readonly Referrer[];
}

type CautionText = Pick<Caution, 'what' | 'message'>;

/** Returns the worst first, then in the order of the plan. */
export function cautionsOf(plan: Plan): readonly Caution[] {
  const notes = groupedBy(plan.notes, ({ address }) => address);
  const found = plan.resource_changes.flatMap((change): readonly Caution[] => {
    const { address, type, name, source, referred_by } = change;
    const kind = KINDS[type];
    return [
      ...change.danger.map((danger) => dangerous(danger, kind, notes.get(address) ?? [])),
      ...emptied(change, kind),
      ...credentials(change, kind, plan.api_version),
      ...(widening(change, kind) ?? []),
      ...disguised(change, kind),
    ].map((text) => ({ ...text, address, type, name, source, referred_by }));
  });
  const all = [...found, ...noted(plan)];
  return CAUTIONS.flatMap((what) => all.filter((caution) => caution.what === what));
}

function dangerous(danger: Danger, kind: Kind, notes: readonly Note[]): CautionText {
  if (danger === 'destroy') return { what: danger, message: kind.forfeits ?? '' };
  return { what: danger, message: notes.find((note) => note.kind === danger)?.message ?? '' };
}

/** A group that stays, and loses its last member. */
function emptied({ change: { before, after } }: ResourceChange, kind: Kind): readonly CautionText[] {
  const { kind: group, field } = MEMBERSHIP.right;
  if (kind !== group || before === null || after === null) return [];
  const isEmpty = (members: Json | undefined): boolean => isObject(members) && Object.keys(members).length === 0;
  const isLosing = isObject(before[field]) && !isEmpty(before[field]) && isEmpty(after[field]);
  return isLosing ? [{ what: 'emptied', message: 'no agent is left in it' }] : [];
}

function credentials(changed: ResourceChange, kind: Kind, version: Version): readonly CautionText[] {
  const own = secretField(kind);
  if (own !== null) return givenSecret(changed, own);
  if (!hasSecret(kind, version)) return [];
  const { change } = changed;
  const what = 'credential';
  if (change.actions[0] === 'create') return [{ what, message: 'a new secret is made, and goes to the sink' }];
  if (change.actions[0] === 'delete') return [{ what, message: 'its secret stops working' }];
  return [];
}

/** A new secret that others must learn, such as what receives the deliveries of a webhook. A new object with one of the environment is no news to them. */
function givenSecret({ change, fields }: ResourceChange, own: string): readonly CautionText[] {
  const isMade = change.actions[0] === 'create';
  const isChanged = fields.some(({ field, reach }) => field === own && reach === 'replace');
  if (!isMade && !isChanged) return [];
  const given = change.after?.[own];
  const variable = isObject(given) ? String(given['env']) : null;
  if (variable !== null && isMade) return [];
  const now =
    variable === null
      ? `${isMade ? 'a' : 'a new'} secret is made, and goes to the sink`
      : `its secret becomes the one of ${variable}`;
  return [{ what: 'credential', message: `${now}: tell it to what receives the deliveries` }];
}

const NOTED: { readonly [kind in Note['kind']]?: Caution['what'] } = {
  'secret-lost': 'credential',
  administrator: 'access',
};

/** Objects whose secret is lost or not in its sink, and new administrators, changed by the plan or not. */
function noted({ notes, resource_changes: changes, unmanaged }: Plan): readonly Caution[] {
  const sources = new Map(changes.map(({ address, source }) => [address, source]));
  const names = new Map(unmanaged.map(({ type, id, name }) => [`${type}/${id}`, name]));
  return notes.flatMap(({ kind, address, message }): readonly Caution[] => {
    const what = NOTED[kind];
    const type = Object.values(KINDS).find(({ name }) => address.startsWith(`${name}/`))?.name;
    if (what === undefined || type === undefined) return [];
    const [name, source] = [names.get(address) ?? address, sources.get(address) ?? null];
    return [{ what, message, address, type, name, source, referred_by: [] }];
  });
}

/** null when no agent or program gains rights. */
function widening({ change, fields }: ResourceChange, kind: Kind): readonly CautionText[] | null {
  if (change.after === null || change.actions[0] === 'no-op') return null;
  const closed = { ...change.before, ...change.after };
  const raised = raisedStanding(change.before, closed, kind);
  const granted = fields.flatMap(({ field, before, after, reach }) =>
    reach === 'unreachable' || reach === 'unreadable' ? [] : newRights(field, kind.fields[field], before, after),
  );
  const message = [...raised, ...granted].join('; ');
  return message === '' ? null : [{ what: 'access', message }];
}

function raisedStanding(before: Spec | null, after: Spec, kind: Kind): readonly string[] {
  if (kind.standing === undefined) return [];
  const is = kind.standing(after, {});
  if (before === null) return is.administers ? ['is made with the right to change the configuration'] : [];
  const was = kind.standing(before, {});
  if (!is.active) return [];
  return [
    ...(is.rank > was.rank
      ? [is.administers && !was.administers ? 'may change the configuration' : 'gets a higher role']
      : []),
    ...(was.active ? [] : ['can log in again']),
  ];
}

/** An agent that gains a role under a name that may pass for another. */
function disguised({ address, name, change: { before, after } }: ResourceChange, kind: Kind): readonly CautionText[] {
  if (after === null || kind.standing === undefined) return [];
  const isGaining = before === null || raisedStanding(before, { ...before, ...after }, kind).length > 0;
  if (!isGaining || ![address, name].some(hasLookalikes)) return [];
  return [{ what: 'lookalike', message: 'letters of another script look like Latin ones in its name or address' }];
}

function newRights(name: string, field: Field | undefined, before: Json, after: Json): readonly string[] {
  if (field?.grants !== true) return [];
  const had = new Set(rights(before, name));
  const gained = rights(after, name).filter((right) => !had.has(right));
  return before === null || gained.length === 0 ? [] : [`grants ${gained.join(', ')}`];
}

/** `access.chat.agent.read`. */
function rights(value: Json, path: string): readonly string[] {
  if (isList(value)) return value.flatMap((item) => rights(item, path));
  if (isObject(value)) return Object.entries(value).flatMap(([name, inner]) => rights(inner, `${path}.${name}`));
  return value === null ? [] : [`${path}.${String(value)}`];
}
