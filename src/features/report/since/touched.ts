// Groups whose chats a run may have changed, and how: from the events of the ledger alone.

import { grouped, groupedBy } from '../../../base/grouped.ts';
import { byText, equalJson } from '../../../base/json.ts';
import {
  type Address,
  type KindName,
  type ObjectId,
  type Reference,
  type Spec,
  VERSIONS,
} from '../../../base/model.ts';
import { mapReferences, referencesOf } from '../../../kinds/fields.ts';
import { isAddress, KINDS, kindOf, MEMBERSHIP, ORDERED, ROUTED } from '../../../kinds/index.ts';
import type { LedgerEvent } from '../../../ledger/events.ts';
import { footprintOf, ledgerAround, type OrderTrace, type ResourceTrace } from '../../../ledger/footprint.ts';
import type { Folded } from '../../../ledger/ledger.ts';
import type { RecordedRun } from '../../../ledger/runs.ts';
import { addressOf, keyOf } from '../../../plan/reference.ts';
import {
  type GroupChange,
  groupChanges,
  type MemberChange,
  memberChanges,
  reroutes,
  type WrittenResource,
} from '../../../plan/touched.ts';
import { type Cause, compareRouting } from '../../../routing/compare.ts';
import type { Assumptions, RoutingRule } from '../../../routing/rules.ts';
import { routingRule } from '../../../routing/sources.ts';
import { STAFFING } from '../../../routing/staff/placed.ts';
import { type Placed, type Staff, staffOf } from '../../../routing/staff/staff.ts';
import type { Followed } from './schema.ts';

/** What a change does to the chats of a group. */
type Influence = 'more-chats' | 'fewer-chats' | 'more-staff' | 'less-staff' | 'any';

/** One change of a run, and what it may do to a group. */
export interface ChatEffect {
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
  readonly effects: readonly ChatEffect[];
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

export function fits({ influence }: Pick<ChatEffect, 'influence'>, measure: Followed, move: Move): boolean {
  return influence === 'any' || MOVES[influence][measure] === move;
}

export function affectedBy(events: readonly LedgerEvent[], run: RecordedRun, assumptions: Assumptions): Affected {
  const { traces, order } = footprintOf(events, { run, begun: null });
  const around = aroundOf(ledgerAround(events, run), traces);
  const { rerouted, isWhole } = reroutedBy(order, around, assumptions);
  const found = [...rerouted, ...byGroups(around), ...byStaff(around)];
  const groups = grouped(found.map(([group, effect]) => [around.knownAs(group), effect]));
  return {
    isWhole,
    groups: [...groups]
      .sort(([one], [other]) => byText(one, other))
      .map(([address, effects]) => ({
        ...namedGroup(address, traces, around),
        effects: [...new Map(effects.map((effect) => [`${effect.by} ${effect.text}`, effect])).values()],
      })),
  };
}

/** The ledger before a run, or after it. */
interface Side {
  readonly folded: Folded;
  /** Null for what there is not. */
  readonly specs: ReadonlyMap<Address, Spec | null>;
}

interface Around {
  readonly before: Side;
  readonly after: Side;
  readonly written: readonly WrittenResource[];
  /** The address under which the ledger knows a group that is named by its id. */
  readonly knownAs: (address: Address) => Address;
}

function aroundOf({ before, after }: ReturnType<typeof ledgerAround>, traces: readonly ResourceTrace[]): Around {
  const written = traces.map((trace) => writtenIn(trace, after));
  const bound = new Map([...before.bound, ...after.bound]);
  const byId = new Map(
    [...bound].flatMap(([address, { id }]) =>
      kindOf(address) === ROUTED.name ? [[addressOf(ROUTED.name, String(id)), address]] : [],
    ),
  );
  const sideOf = (folded: Folded, side: 'before' | 'after'): Side => ({
    folded,
    specs: new Map<Address, Spec | null>([
      ...[...folded.applied].map(([address, { spec }]) => [address, spec] as const),
      ...written.map((each) => [each.address, each[side]] as const),
    ]),
  });
  return {
    before: sideOf(before, 'before'),
    after: sideOf(after, 'after'),
    written,
    knownAs: (address) => (bound.has(address) ? address : (byId.get(address) ?? address)),
  };
}

type Affecting = readonly [group: Address, effect: ChatEffect];

function namedGroup(address: Address, traces: readonly ResourceTrace[], around: Around) {
  const [before, after] = [around.before.folded, around.after.folded];
  const key = keyOf(address);
  const trace = traces.find((each) => each.address === address);
  const owned = after.bound.get(address)?.id ?? before.bound.get(address)?.id ?? trace?.id ?? null;
  const id = owned ?? (/^\d+$/.test(key) ? Number(key) : null);
  const spec = after.applied.get(address)?.spec ?? before.applied.get(address)?.spec ?? trace?.before;
  const listed = after.license?.groups[String(id)];
  const name = spec?.['name'];
  return { address, id, name: typeof name === 'string' ? name : (listed ?? (id === 0 ? 'General' : key)) };
}

/** A field that one side does not have is the same on both, as far as the ledger knows. */
function writtenIn({ address, before, known, left }: ResourceTrace, after: Folded): WrittenResource {
  const was = before === null ? null : { ...known?.spec, ...before };
  const is =
    left.state === 'applied' ? left.spec : left.state === 'deleted' ? null : (after.applied.get(address)?.spec ?? was);
  if (was === null || is === null) return { address, before: was, after: is, fields: Object.keys(was ?? is ?? {}) };
  const fields = Object.keys(was).filter((name) => name in is && !equalJson(was[name] ?? null, is[name] ?? null));
  return { address, before: { ...is, ...was }, after: { ...was, ...is }, fields };
}

const CAUSES: { readonly [what in Cause['what']]: string } = {
  reordered: 'was moved',
  added: 'is new',
  removed: 'was removed',
  conditions: 'has other conditions',
  groups: 'has other groups',
};

/** Visitors whose chats go to other groups, by the rules that the ledger knows. */
function reroutedBy(order: OrderTrace | null, around: Around, assumptions: Assumptions) {
  if (order === null && around.written.every(({ address }) => kindOf(address) !== ORDERED.name))
    return { rerouted: [], isWhole: true };
  const before = rulesIn(around.before, order?.before.owned);
  const after = rulesIn(around.after, order?.left?.owned);
  const { rerouted, exact } = compareRouting(before, after, assumptions);
  const groupOf = (reference: Reference): Address => around.knownAs(addressOf(ROUTED.name, reference));
  const found = reroutes(rerouted, groupOf).flatMap(({ from, to, losing, gaining, cause: { what, rule } }) => {
    const effect = (group: Address, influence: Influence, where: string): Affecting => {
      return [group, { by: rule as Address, influence, text: `it ${CAUSES[what]}, and ${where}` }];
    };
    return [
      ...losing.map((group) => effect(group, 'fewer-chats', `visitors of ${group} go to ${to.join(', ')}`)),
      ...gaining.map((group) => effect(group, 'more-chats', `visitors of ${from.join(', ')} come to ${group}`)),
    ];
  });
  return { rerouted: found, isWhole: exact };
}

function rulesIn({ folded, specs }: Side, owned: readonly Address[] | undefined): readonly RoutingRule[] {
  const listed = owned ?? folded.orders.get(ORDERED.name)?.order ?? [];
  return [...new Set([...listed, ...specs.keys()])].flatMap((address) => {
    const spec = specs.get(address) ?? null;
    return spec === null || kindOf(address) !== ORDERED.name ? [] : [routingRule(address, spec)];
  });
}

/** By what a group is, and by its own values. Its members are told by `byStaff`. */
function byGroups({ written }: Around): readonly Affecting[] {
  return written.flatMap((each) =>
    groupChanges([each], new Map()).flatMap(({ group, by, what }): readonly Affecting[] => {
      if (what !== 'fields') return [[group, { by, ...GROUP_EFFECTS[what] }]];
      const others = each.fields.filter((name) => name !== MEMBERSHIP.right.field);
      return others.length === 0 ? [] : [[group, { by, influence: 'any', text: `${others.join(', ')} changed` }]];
    }),
  );
}

const GROUP_EFFECTS: { readonly [what in Exclude<GroupChange['what'], 'fields'>]: Omit<ChatEffect, 'by'> } = {
  made: { influence: 'more-chats', text: 'it is new' },
  removed: { influence: 'fewer-chats', text: 'it was deleted' },
  value: { influence: 'any', text: 'it was changed' },
};

/** Who gets chats of a group, and how many: by the group where the run wrote its list of members, otherwise by the member. */
function byStaff(around: Around): readonly Affecting[] {
  const { before, after, written } = around;
  const fields = new Map(written.map((each) => [each.address, each.fields]));
  if ([...fields.keys()].every((address) => !STAFFING.has(kindOf(address)))) return [];
  const staffIn = (side: Side): Staff => staffAt(side, fields, around);
  const changes = memberChanges(staffIn(before), staffIn(after), addressOf).flatMap((change) => {
    const { group, member, was, is } = change;
    // That it is new, or was deleted, says more than its members.
    if (before.specs.get(group) === null || after.specs.get(group) === null) return [];
    const isListed = fields.get(group)?.includes(MEMBERSHIP.right.field) === true && was?.priority !== is?.priority;
    if (!isListed && !fields.has(member)) return [];
    const [influence, text] = memberEffect(change);
    const by = isListed ? group : member;
    return influence === null ? [] : [{ group, by, influence, text, member }];
  });
  const alike = groupedBy(changes, ({ group, by, text }) => `${group} ${by} ${text}`);
  return [...alike.values()].map((those): Affecting => {
    const [{ group, by, influence, text }] = those;
    const subject = by === group ? those.map(({ member }) => member).join(', ') : 'it';
    return [group, { by, influence, text: `${subject} ${text}` }];
  });
}

/** The text is a predicate. Null where no chat goes to the member, before and afterwards. */
function memberEffect({ group, was, is }: MemberChange): readonly [Influence | null, string] {
  const [had, has] = [was?.barred === null, is?.barred === null];
  const influence = had === has ? 'any' : has ? 'more-staff' : 'less-staff';
  if (!had && !has) return [null, ''];
  if (is === null) return [influence, `left ${group}`];
  if (was === null) return [influence, `joined ${group}`];
  if (was.priority !== is.priority) return [influence, `got another priority in ${group}`];
  if (had !== has) return [influence, has ? 'gets chats again' : 'gets no chats any more'];
  if (was.slots === is.slots || was.slots === null || is.slots === null) return ['any', 'works at other hours'];
  const slots = KINDS[is.kind].serving?.slots;
  return [is.slots > was.slots ? 'more-staff' : 'less-staff', `has another ${slots}: ${was.slots} -> ${is.slots}`];
}

/** The staff that the ledger knows. An end of a membership that the run wrote outweighs one that an earlier run wrote. */
function staffAt({ specs }: Side, written: ReadonlyMap<Address, readonly string[]>, { knownAs }: Around): Staff {
  const staffed = [...specs].filter(([address]) => STAFFING.has(kindOf(address)));
  const spelled = staffed.map(([address, spec]): readonly [Address, Spec | null] => {
    const rename = (reference: Reference, to: KindName): Address => knownAs(addressOf(to, reference));
    return [address, spec && mapReferences(KINDS[kindOf(address)], spec, rename)];
  });
  const named = spelled.flatMap(([address, spec]) => (spec === null ? [] : referencesOf(KINDS[kindOf(address)], spec)));
  const placed = new Map<Address, Spec | null>([
    ...named.filter(isAddress).map((name) => [name, {}] as const),
    ...spelled,
  ]);
  return staffOf(
    [...placed].flatMap(([reference, spec]): readonly Placed[] => {
      const decides = written.get(reference) ?? [];
      return spec === null ? [] : [{ reference, kind: kindOf(reference), name: reference, spec, decides }];
    }),
    { zone: 'UTC', isRead: true, version: VERSIONS[0] },
  );
}
