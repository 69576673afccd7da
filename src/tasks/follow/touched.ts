// Groups whose chats a run may have changed, and how: from the events of the ledger alone.

import { byText, canonicalJson, isList, isObject } from '../../base/json.ts';
import type { Address, Json, ObjectId, Spec } from '../../base/model.ts';
import { KINDS, kindOf, MEMBERSHIP, ORDERED, ROUTED } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import { groupProperty } from '../../kinds/property-values.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import type { Folded } from '../../ledger/ledger.ts';
import type { RecordedRun } from '../../ledger/runs.ts';
import { addressOf } from '../../plan/reference.ts';
import { type Cause, compareRouting } from '../../routing/compare.ts';
import type { Assumptions, RoutingRule } from '../../routing/rules.ts';
import { routingRule } from '../../routing/sources.ts';
import { footprintOf, ledgerAround, type OrderTrace, type ResourceTrace } from '../undo/footprint.ts';
import type { Followed } from './schema.ts';

/** What a change does to the chats of a group. */
type Influence = 'more-chats' | 'fewer-chats' | 'more-staff' | 'less-staff' | 'any';

/** One change of a run, and what it may do to a group. */
export interface Effect {
  readonly by: Address;
  readonly influence: Influence;
  /** One sentence without a full stop. */
  readonly text: string;
}

/** A group that a run may have changed something for. */
export interface AffectedGroup {
  readonly address: Address;
  /** Null where the ledger does not know it. */
  readonly id: ObjectId | null;
  readonly name: string;
  readonly effects: readonly Effect[];
}

export interface Affected {
  /** Sorted by address. */
  readonly groups: readonly AffectedGroup[];
  /** False: there may be more, because the rules are too many to compare. */
  readonly isWhole: boolean;
}

type Move = 'rises' | 'falls';

/** Which way each measure goes. */
const MOVES: { readonly [influence in Exclude<Influence, 'any'>]: { readonly [measure in Followed]?: Move } } = {
  'more-chats': { arrivals: 'rises', taken: 'falls', unanswered: 'rises', first_response: 'rises', ratings: 'falls' },
  'fewer-chats': { arrivals: 'falls', taken: 'rises', unanswered: 'falls', first_response: 'falls', ratings: 'rises' },
  'more-staff': { taken: 'rises', unanswered: 'falls', first_response: 'falls', ratings: 'rises' },
  'less-staff': { taken: 'falls', unanswered: 'rises', first_response: 'rises', ratings: 'falls' },
};

export function fits({ influence }: Pick<Effect, 'influence'>, measure: Followed, move: Move): boolean {
  return influence === 'any' || MOVES[influence][measure] === move;
}

/** The default group of a license. Service notes: "Groups", group 0. */
const DEFAULT_GROUP = addressOf(ROUTED.name, '0') as Address;

export function affectedBy(events: readonly LedgerEvent[], run: RecordedRun, assumptions: Assumptions): Affected {
  const { traces, order } = footprintOf(events, { run, begun: null });
  const around = aroundOf(ledgerAround(events, run));
  const { rerouted, isWhole } = reroutedBy(traces, order, around, assumptions);
  const found = [...rerouted, ...traces.flatMap((trace) => ofTrace(trace, around))];
  const groups = new Map<Address, Effect[]>();
  for (const [named, effect] of found) {
    const group = around.knownAs(named);
    const known = groups.get(group) ?? [];
    const isKnown = known.some((each) => each.by === effect.by && each.text === effect.text);
    groups.set(group, isKnown ? known : [...known, effect]);
  }
  return {
    isWhole,
    groups: [...groups]
      .sort(([one], [other]) => byText(one, other))
      .map(([address, effects]) => ({ ...namedGroup(address, traces, around), effects })),
  };
}

interface Around {
  readonly before: Folded;
  readonly after: Folded;
  /** The address under which the ledger knows a group that is named by its id. */
  readonly knownAs: (address: Address) => Address;
}

function aroundOf({ before, after }: Pick<Around, 'before' | 'after'>): Around {
  const bound = new Map([...before.bound, ...after.bound]);
  const byId = new Map(
    [...bound].flatMap(([address, { id }]) =>
      kindOf(address) === ROUTED.name ? [[addressOf(ROUTED.name, String(id)), address] as const] : [],
    ),
  );
  return { before, after, knownAs: (address) => (bound.has(address) ? address : (byId.get(address) ?? address)) };
}

type Affecting = readonly [group: Address, effect: Effect];

function namedGroup(address: Address, traces: readonly ResourceTrace[], { before, after }: Around) {
  const key = address.slice(ROUTED.name.length + 1);
  const trace = traces.find((each) => each.address === address);
  const owned = after.bound.get(address)?.id ?? before.bound.get(address)?.id ?? trace?.id ?? null;
  const id = owned ?? (/^\d+$/.test(key) ? Number(key) : null);
  const spec = after.applied.get(address)?.spec ?? before.applied.get(address)?.spec ?? trace?.before;
  const listed = after.license?.groups[String(id)];
  const name = spec?.['name'];
  return { address, id, name: typeof name === 'string' ? name : (listed ?? (id === 0 ? 'General' : key)) };
}

/** Before and after the run; null where there was, or is, none. */
function specsOf(
  { address, before, known, left }: ResourceTrace,
  { after }: Around,
): { readonly before: Spec | null; readonly after: Spec | null } {
  const was = before === null ? null : { ...known?.spec, ...before };
  const is =
    left.state === 'applied' ? left.spec : left.state === 'deleted' ? null : (after.applied.get(address)?.spec ?? was);
  return { before: was, after: is };
}

interface Rerouting {
  readonly rerouted: readonly Affecting[];
  readonly isWhole: boolean;
}

const CAUSES: { readonly [what in Cause['what']]: string } = {
  reordered: 'was moved',
  added: 'is new',
  removed: 'was removed',
  conditions: 'has other conditions',
  groups: 'has other groups',
};

/** Visitors whose chats go to other groups, by the rules that the ledger knows. */
function reroutedBy(
  traces: readonly ResourceTrace[],
  order: OrderTrace | null,
  around: Around,
  assumptions: Assumptions,
): Rerouting {
  const changed = new Map(
    traces
      .filter(({ address }) => kindOf(address) === ORDERED.name)
      .map((trace) => [trace.address, specsOf(trace, around)]),
  );
  if (changed.size === 0 && order === null) return { rerouted: [], isWhole: true };
  const listed = (
    folded: Folded,
    owned: readonly Address[] | undefined,
    side: 'before' | 'after',
  ): readonly RoutingRule[] => {
    const known = [...folded.applied.keys()].filter((address) => kindOf(address) === ORDERED.name);
    const names = new Set([...(owned ?? folded.orders.get(ORDERED.name)?.order ?? []), ...known, ...changed.keys()]);
    return [...names].flatMap((address) => {
      const own = changed.get(address);
      const spec = own === undefined ? (folded.applied.get(address)?.spec ?? null) : own[side];
      return spec === null ? [] : [routingRule(address, spec)];
    });
  };
  const lists = {
    before: listed(around.before, order?.before.owned, 'before'),
    after: listed(around.after, order?.left?.owned, 'after'),
  };
  const { rerouted, exact } = compareRouting(lists.before, lists.after, assumptions);
  return {
    isWhole: exact,
    rerouted: rerouted.flatMap(({ before, after, cause: { what, rule } }): readonly Affecting[] => {
      const [from, to] = [before.groups, after.groups].map((groups) => groupsOf(groups).map(around.knownAs));
      const by = rule as Address;
      const effect = (influence: Influence, toWhere: string): Effect => ({
        by,
        influence,
        text: `it ${CAUSES[what]}, and ${toWhere}`,
      });
      return [
        ...(from ?? [])
          .filter((group) => to?.includes(group) !== true)
          .map((group): Affecting => [group, effect('fewer-chats', `visitors of ${group} go to ${to?.join(', ')}`)]),
        ...(to ?? [])
          .filter((group) => from?.includes(group) !== true)
          .map((group): Affecting => [group, effect('more-chats', `visitors of ${from?.join(', ')} come to ${group}`)]),
      ];
    }),
  };
}

function groupsOf(references: readonly string[]): readonly Address[] {
  if (references.length === 0) return [DEFAULT_GROUP];
  return references.map((reference) => addressOf(ROUTED.name, reference) as Address);
}

function ofTrace(trace: ResourceTrace, around: Around): readonly Affecting[] {
  const { address } = trace;
  const kind = KINDS[kindOf(address)];
  const { before, after } = specsOf(trace, around);
  if (kind === ROUTED) return ofGroup(address, before, after);
  if (kind === groupProperty) {
    const [group] = splitName(address.slice(kind.name.length + 1));
    return [[`${ROUTED.name}/${group}` as Address, { by: address, influence: 'any', text: 'it was changed' }]];
  }
  return kind.serving === undefined ? [] : ofMember(trace, { before, after }, around);
}

function ofGroup(address: Address, before: Spec | null, after: Spec | null): readonly Affecting[] {
  const effect = (influence: Influence, text: string): Affecting => [address, { by: address, influence, text }];
  if (before === null) return [effect('more-chats', 'it is new')];
  if (after === null) return [effect('fewer-chats', 'it was deleted')];
  const { field } = MEMBERSHIP.right;
  const [had, has] = [before[field], after[field]];
  const differing = fieldsThatDiffer(before, after);
  const others = differing.filter((name) => name !== field);
  const staff = differing.includes(field) && has !== undefined ? staffEffects(keysOf(had), keysOf(has)) : [];
  return [
    ...staff.map(([influence, text]) => effect(influence, text)),
    ...(others.length === 0 ? [] : [effect('any', `${others.join(', ')} changed`)]),
  ];
}

function staffEffects(had: readonly string[], has: readonly string[]): readonly (readonly [Influence, string])[] {
  const nameOf = (reference: string): string => addressOf(MEMBERSHIP.left.kind.name, reference);
  const gone = had.filter((each) => !has.includes(each)).map(nameOf);
  const come = has.filter((each) => !had.includes(each)).map(nameOf);
  return [
    ...(gone.length === 0 ? [] : [['less-staff', `without ${gone.join(', ')}`] as const]),
    ...(come.length === 0 ? [] : [['more-staff', `now with ${come.join(', ')}`] as const]),
    ...(gone.length + come.length === 0 ? [['any', 'priorities of its members changed'] as const] : []),
  ];
}

/** An agent or a bot: the groups that it was in, and those that it is in now. */
function ofMember(
  { address }: ResourceTrace,
  { before, after }: { readonly before: Spec | null; readonly after: Spec | null },
  around: Around,
): readonly Affecting[] {
  const kind = KINDS[kindOf(address)];
  const { serving } = kind;
  if (serving === undefined) return [];
  const was = placesOf(address, before, around.before, around);
  const is = placesOf(address, after, around.after, around);
  const names = fieldsThatDiffer(before ?? {}, after ?? {}).filter((name) => name !== serving.groups);
  const serves = ({ bar }: NonNullable<typeof serving>, spec: Spec): boolean => bar(spec as never) === null;
  const change = (): readonly [Influence, string] | null => {
    if (before === null || after === null || names.length === 0) return null;
    const [had, has] = [serves(serving, before), serves(serving, after)];
    if (had !== has) return has ? ['more-staff', 'it gets chats again'] : ['less-staff', 'it gets no chats any more'];
    const [more, fewer] = [Number(after[serving.slots]), Number(before[serving.slots])];
    const slots = `${serving.slots} ${fewer} -> ${more}`;
    if (names.includes(serving.slots) && Number.isFinite(more - fewer))
      return [more > fewer ? 'more-staff' : 'less-staff', slots];
    return names.includes(serving.hours) ? ['any', 'it works at other hours'] : null;
  };
  const changed = change();
  const effect = (group: Address, influence: Influence, text: string): Affecting => [
    group,
    { by: address, influence, text },
  ];
  return [
    ...was.filter((group) => !is.includes(group)).map((group) => effect(group, 'less-staff', `it left ${group}`)),
    ...is.filter((group) => !was.includes(group)).map((group) => effect(group, 'more-staff', `it joined ${group}`)),
    ...(changed === null ? [] : is.filter((group) => was.includes(group)).map((group) => effect(group, ...changed))),
  ];
}

/** Memberships are said by the member, or by the group. */
function placesOf(address: Address, spec: Spec | null, { applied }: Folded, { knownAs }: Around): readonly Address[] {
  if (spec === null) return [];
  const kind = KINDS[kindOf(address)];
  const { serving } = kind;
  const own = serving === undefined ? [] : keysOf(spec[serving.groups] ?? applied.get(address)?.spec[serving.groups]);
  const { field } = MEMBERSHIP.right;
  const key = address.slice(kind.name.length + 1);
  const named = [...applied].flatMap(([group, { spec: each }]) => {
    const members = kindOf(group) === ROUTED.name ? keysOf(each[field]) : [];
    return members.includes(address) || members.includes(key) ? [group] : [];
  });
  return [...new Set([...groupsIn(own), ...named].map(knownAs))].sort(byText);
}

function groupsIn(references: readonly string[]): readonly Address[] {
  return references.map((reference) => addressOf(ROUTED.name, reference) as Address);
}

function keysOf(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : isList(value) ? value.map(String) : [];
}

function fieldsThatDiffer(before: Spec, after: Spec): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter(
    (name) => name in after && canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null),
  );
}
