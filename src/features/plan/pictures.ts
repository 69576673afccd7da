// The license around a plan as a page draws it: the rules in both orders, who is in which group, and demand over cover.

import type { Reference } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { TouchedGroupImpact } from '../../plan/impact.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Mark, OrderEntry, Picture, Section } from '../../view/blocks.ts';
import { ACTIONS } from '../../view/words/actions.ts';
import { chatsWithin, worseText } from '../../view/words/impact.ts';
import { priorityMark } from '../../view/words/staff.ts';
import { hoursMap } from '../coverage/maps.ts';
import type { CoverageReport, CoverReport, GroupReport, MemberReport } from '../coverage/report.ts';

export interface ListedRule {
  readonly reference: Reference;
  /** What a person calls it. */
  readonly name: string;
  readonly groups: readonly Reference[];
}

/** The rules in the order in which they are asked. */
export interface RuleOrder {
  readonly before: readonly ListedRule[];
  readonly after: readonly ListedRule[];
}

/** What was read of the license around a plan. */
export interface PlanPictures {
  readonly rules: RuleOrder;
  /** Who can get chats in a week, before and after. */
  readonly cover: CoverageReport;
  /** The same as a part of the page; null without groups. */
  readonly weeks: Section | null;
}

/** Nothing where the order stays. */
export function orderSection(plan: Plan, pictures: PlanPictures | null): readonly Section[] {
  const { before, after } = pictures?.rules ?? namedIn(plan);
  const orderOf = (list: readonly ListedRule[]): string => list.map(({ reference }) => reference).join();
  if (orderOf(before) === orderOf(after)) return [];
  const was = placesOf(before);
  const is = placesOf(after);
  const moved = new Set<string>(plan.reorder?.moved ?? []);
  const changed = new Set<string>(
    plan.resource_changes.filter(({ fields }) => fields.length > 0).map(({ address }) => address),
  );
  const place = (way: 'to' | 'from', at: number, other: number | undefined): Mark => ({
    ...ACTIONS.moved,
    // Another rule is gone or new.
    word: at === other ? 'moved past others' : `${way} position ${at + 1}`,
  });
  const marksBefore = ({ reference }: ListedRule): readonly Mark[] => {
    const to = is.get(reference);
    if (to === undefined) return [{ ...ACTIONS.destroyed, word: 'removed' }];
    return moved.has(reference) ? [place('to', to, was.get(reference))] : [];
  };
  const marksAfter = ({ reference }: ListedRule): readonly Mark[] => {
    const from = was.get(reference);
    if (from === undefined) return [{ ...ACTIONS.created, word: 'new' }];
    return [
      ...(moved.has(reference) ? [place('from', from, is.get(reference))] : []),
      ...(changed.has(reference) ? [ACTIONS.changed] : []),
    ];
  };
  const sides = [
    { title: 'Before', entries: before.map((rule) => ruleEntry(rule, marksBefore(rule))) },
    { title: 'After', entries: after.map((rule) => ruleEntry(rule, marksAfter(rule))) },
  ] as const;
  const picture = { kind: 'order', name: 'Order of the rules', sides, moved: [...moved] } as const;
  return [
    {
      type: 'section',
      id: 'order',
      title: 'Order of the rules',
      body: [{ type: 'picture', picture, instead: [] }],
      weight: 10,
    },
  ];
}

/** A plan without the license knows the declared rules, and only when some of them move. */
function namedIn({ reorder, resource_changes: changes }: Plan): RuleOrder {
  const names = new Map<string, string>(changes.map(({ address, name: called }) => [address, called]));
  const named = (references: readonly Reference[] = []): readonly ListedRule[] =>
    references.map((reference) => ({ reference, name: names.get(reference) ?? reference, groups: [] }));
  return { before: named(reorder?.before), after: named(reorder?.after) };
}

function placesOf(rules: readonly ListedRule[]): ReadonlyMap<Reference, number> {
  return new Map(rules.map(({ reference }, index) => [reference, index]));
}

function ruleEntry({ reference, name, groups }: ListedRule, marks: readonly Mark[]): OrderEntry {
  const to = groups.map((each) => (each.startsWith('group/') ? each.slice('group/'.length) : `group ${each}`));
  return {
    key: reference,
    label: { text: name, as: 'name' },
    ...(to.length === 0 ? {} : { about: ['→ ', { text: to.join(' + '), as: 'name' }] }),
    marks,
  };
}

/** The priority of one person in one group; null for none. */
interface MembershipChange {
  readonly before: MemberReport['priority'] | null;
  readonly after: MemberReport['priority'] | null;
}

interface GroupMember {
  readonly address: string;
  readonly name: string;
  /** By the address of the group. */
  readonly groups: ReadonlyMap<string, MembershipChange>;
}

/** Who is in which group, joins, leaves and changes priority; nothing without a member. */
export function membersSection({ cover: { groups } }: PlanPictures): readonly Section[] {
  const people = peopleOf(groups);
  if (people.length === 0) return [];
  const changing = people.filter((person) => [...person.groups.values()].some(({ before, after }) => before !== after));
  const picture: Picture = {
    kind: 'matrix',
    name: 'People and groups',
    labels: ['Name', 'Address'],
    columns: groups.map(({ name }) => name),
    rows: people.map(({ address, name, groups: own }) => ({
      labels: [
        { text: name, as: 'name' },
        { text: address.slice(address.indexOf('/') + 1), as: 'code' },
      ],
      cells: groups.map((group) => {
        const change = own.get(group.address);
        return change === undefined ? null : priorityMark(change.before, change.after);
      }),
    })),
  };
  const about = 'Chats go to first, then normal, then last; a supervisor gets none assigned.';
  return [
    {
      type: 'section',
      id: 'members',
      title: 'Group members',
      count: changing.length,
      body: [
        { type: 'text', text: about },
        { type: 'picture', picture, instead: [] },
      ],
      ...(changing.length === 0
        ? { fold: { brief: 'No agent joins or leaves a group, or changes priority in one.' } }
        : {}),
      weight: 10,
    },
  ];
}

function peopleOf(groups: readonly GroupReport[]): readonly GroupMember[] {
  const people = new Map<string, { readonly name: string; readonly groups: Map<string, MembershipChange> }>();
  const note = (side: CoverReport | null, group: string, when: keyof MembershipChange): void => {
    for (const { address, name: called, priority } of side?.members ?? []) {
      const person = people.get(address) ?? { name: called, groups: new Map() };
      people.set(address, person);
      person.groups.set(group, { before: null, after: null, ...person.groups.get(group), [when]: priority });
    }
  };
  for (const { address, before, cover } of groups) {
    note(before, address, 'before');
    note(cover, address, 'after');
  }
  const sorted = [...people].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([address, person]) => ({ address, ...person }));
}

/** Groups with a picture: those in which chats would wait longer before the others. */
const DRAWN = 40;

const WORSE = 'chats would wait longer';

/** Demand over cover of each group that the plan touches. */
export function demandSection({ impact }: Plan): readonly Section[] {
  if (impact === undefined) return [];
  const drawn = impact.groups
    .filter(({ demand, worse }) => worse.length > 0 || demand.after.some((load) => load > 0))
    .toSorted((one, other) => other.worse.length - one.worse.length || other.chats - one.chats)
    .slice(0, DRAWN);
  const groups = drawn.map((group, index) => demandOf(group, index === 0, impact.days));
  if (groups.length === 0) return [];
  const fold = { brief: counted(groups.length, 'group') };
  return [{ type: 'section', id: 'demand', title: 'Demand over cover', body: groups, fold, weight: -5 }];
}

function demandOf(group: TouchedGroupImpact, isFirst: boolean, days: number): Section {
  const { group: address, chats, worse, demand, slots, is_new: isNew } = group;
  const picture = hoursMap({
    name: `Chats at once of ${address} by hour of the week`,
    demand: demand.after,
    slots: slots.after ?? slots.before,
    marked: new Set(worse.map(({ weekday, hour }) => weekday * 24 + hour)),
    mark: WORSE,
    legend: isFirst
      ? [
          ['s1', 'few chats at once on average'],
          ['s4', 'the most chats at once'],
          ['lost', WORSE],
        ]
      : [],
  });
  const hours = worse.map((hour) => worseText(hour, group));
  return {
    type: 'section',
    id: `demand-of-${address}`,
    title: `${address}, ${isNew === true ? 'new' : chatsWithin(chats, days)}`,
    body: [picture, ...(hours.length === 0 ? [] : [{ type: 'list', texts: hours } as const])],
  };
}
