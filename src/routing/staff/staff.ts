// Who is in which group, and how many chats each member can take. Knows no clock: shifts.ts says when a member is there.
// Specification: "Group priority values".

import { grouped } from '../../base/grouped.ts';
import { byText, isList, isObject } from '../../base/json.ts';
import type { Json, KindName, Reference, Spec, Version } from '../../base/model.ts';
import { oncePer } from '../../base/once-per.ts';
import { isMembership, KIND_NAMES, KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import type { Bar, Serving } from '../../kinds/kind.ts';
import { PRIORITIES, type Priority, UNASSIGNED } from '../../kinds/priority.ts';
import type { HoursByDate } from './dates.ts';

/** One agent, bot or group of a manifest, a license or a plan. References in `spec` are spelled as `reference` is. */
export interface Placed {
  readonly reference: Reference;
  readonly kind: KindName;
  /** What a person calls it. */
  readonly name: string;
  /** A field that is absent is not known. */
  readonly spec: Spec;
  /** The fields that a manifest decides: a decided end of a membership outweighs an end that was only read. */
  readonly decides: readonly string[];
  /** The fields of `spec` that neither files nor license state: they hold what the service fills in. */
  readonly assumed?: readonly string[];
  /** Came with the license. */
  readonly builtin?: true;
  /** Hours by date, where they are known: those of `spec` are of one week. */
  readonly dated?: HoursByDate;
}

/** One span of a day, by the local clock. */
export interface Shift {
  /** `monday` ... `sunday`. */
  readonly day: string;
  /** HH:MM, as written. */
  readonly start: string;
  readonly end: string;
}

/** When an agent or bot works: by shifts (never, if none is switched on), at any time, or unknown. */
export type Hours =
  | {
      readonly status: 'shifts';
      readonly zone: string;
      readonly isZoneAssumed: boolean;
      /** Of one week. */
      readonly shifts: readonly Shift[];
      /** By date, where that is known. */
      readonly dated?: HoursByDate;
    }
  | { readonly status: 'none' }
  | { readonly status: 'unknown' };

/** An agent or a bot. */
export interface StaffPerson {
  readonly reference: Reference;
  readonly kind: KindName;
  readonly name: string;
  /** A bot: it is there all the time when it has no hours. */
  readonly tireless: boolean;
  readonly bar: Bar | null;
  /** What may keep it from chats, which nothing tells: it counts as getting them. Null when it is known to get them, or not to. */
  readonly doubt: Bar | null;
  /** How many chats at the same time; null when it is not known. */
  readonly slots: number | null;
  /** `slots` is not stated: it is what the service fills in. */
  readonly areSlotsAssumed: boolean;
  readonly hours: Hours;
  /** A manifest decides something of it. */
  readonly isDeclared: boolean;
  /** Whether `groups` are all of them; otherwise nothing decides them, and there may be others. */
  readonly isWhole: boolean;
  readonly groups: readonly Reference[];
}

export interface Member extends StaffPerson {
  readonly priority: Priority;
  /** Why no chat of this group is assigned to it; null when chats are. */
  readonly barred: Bar | 'supervisor' | 'no slots' | null;
  /** When the membership begins and ends, in milliseconds since the epoch; absent where it is there already, or stays. */
  readonly from?: number;
  readonly until?: number;
}

export interface GroupStaff {
  readonly reference: Reference;
  readonly name: string;
  /** Came with the license. */
  readonly builtin: boolean;
  /** A manifest decides something of it. */
  readonly isDeclared: boolean;
  /** Whether `members` are all of them; otherwise nothing decides them, and there may be others. */
  readonly isWhole: boolean;
  /** In the order in which they get chats, then by reference. */
  readonly members: readonly Member[];
}

export interface Staff {
  /** Sorted by reference. */
  readonly groups: readonly GroupStaff[];
  /** Sorted by reference, agents first. */
  readonly people: readonly StaffPerson[];
}

export interface StaffOptions {
  /** The zone of hours that do not state one. */
  readonly zone: string;
  /** The whole license was read: a member that no side names is not in the group. */
  readonly isRead: boolean;
  /** Of the service that keeps the hours. */
  readonly version: Version;
}

export function staffOf(placed: readonly Placed[], options: StaffOptions): Staff {
  const sorted = placed.toSorted((a, b) => byText(a.reference, b.reference));
  const groups = sorted.filter(({ kind }) => KINDS[kind] === MEMBERSHIP.right.kind);
  const relation = relationOf(groups);
  const people: StaffPerson[] = [];
  const members = new Map<Reference, Member[]>(groups.map(({ reference }) => [reference, []]));
  for (const kind of KIND_NAMES) {
    const { serving } = KINDS[kind];
    if (serving === undefined) continue;
    for (const worker of sorted.filter((each) => each.kind === kind)) {
      const edges = edgesOf(worker, serving, relation);
      const person = personOf(worker, serving, [...edges.keys()], options);
      people.push(person);
      for (const [group, priority] of edges) members.get(group)?.push(memberOf(person, priority));
    }
  }
  return {
    people,
    groups: groups.map(({ reference, name, builtin, decides }) => ({
      reference,
      name,
      builtin: builtin === true,
      isDeclared: decides.length > 0,
      isWhole: options.isRead || decides.includes(MEMBERSHIP.right.field),
      members: (members.get(reference) ?? []).sort(
        (a, b) => PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority),
      ),
    })),
  };
}

/** The groups, and for each agent or bot the groups that name it. */
interface GroupRelation {
  readonly groups: ReadonlyMap<Reference, Placed>;
  readonly naming: ReadonlyMap<Reference, readonly Reference[]>;
}

function relationOf(groups: readonly Placed[]): GroupRelation {
  const naming = grouped(
    groups.flatMap(({ reference, spec }) =>
      namesIn(spec[MEMBERSHIP.right.field]).map((worker) => [worker, reference] as const),
    ),
  );
  return { groups: new Map(groups.map((group) => [group.reference, group])), naming };
}

function namesIn(edges: Json | undefined): readonly Reference[] {
  return isObject(edges) ? Object.keys(edges) : [];
}

function edgesOf(
  worker: Placed,
  serving: Serving,
  { groups, naming }: GroupRelation,
): ReadonlyMap<Reference, Priority> {
  const own = namesIn(worker.spec[serving.groups]);
  const either = new Set([...own, ...(naming.get(worker.reference) ?? [])]);
  const edges = new Map<Reference, Priority>();
  for (const reference of [...either].sort(byText)) {
    const group = groups.get(reference);
    const priority = group === undefined ? null : priorityIn(group, worker, serving);
    if (priority !== null) edges.set(reference, priority);
  }
  return edges;
}

export function memberOf(person: StaffPerson, priority: Priority): Member {
  const barred = person.bar ?? (priority === UNASSIGNED ? 'supervisor' : person.slots === 0 ? 'no slots' : null);
  return { ...person, priority, barred };
}

/**
 * The priority of a worker in a group. An end that is decided names all its neighbours, first the worker: a group may keep members whom it does not
 * name. Two ends that were read complete each other.
 */
function priorityIn(group: Placed, worker: Placed, { groups }: Serving): Priority | null {
  const { field } = MEMBERSHIP.right;
  const workerDecides = worker.decides.includes(groups);
  // A group lists agents under their ids; whether it lists bots is not specified.
  const groupDecides = group.decides.includes(field) && isMembership(worker.kind, groups);
  const isUndecided = !workerDecides && !groupDecides;
  const own = workerDecides || isUndecided ? priorityAt(worker.spec[groups], group.reference) : null;
  if (workerDecides) return own;
  return own ?? (groupDecides || isUndecided ? priorityAt(group.spec[field], worker.reference) : null);
}

function priorityAt(edges: Json | undefined, reference: Reference): Priority | null {
  const value = isObject(edges) ? edges[reference] : undefined;
  return PRIORITIES.find((known) => known === value) ?? null;
}

function personOf(
  { reference, kind, name, spec, decides, assumed = [], dated }: Placed,
  serving: Serving,
  groups: readonly Reference[],
  { zone, isRead, version }: StaffOptions,
): StaffPerson {
  const slots = spec[serving.slots];
  const bar = serving.bar(spec);
  const hours = hoursOf(spec[serving.hours], zone, serving.zoned.includes(version));
  return {
    reference,
    kind,
    name,
    tireless: serving.tireless,
    bar,
    doubt: bar === null ? serving.doubt(spec) : null,
    slots: typeof slots === 'number' ? slots : null,
    areSlotsAssumed: typeof slots === 'number' && assumed.includes(serving.slots),
    hours: hours.status === 'shifts' && dated !== undefined ? { ...hours, dated } : hours,
    isDeclared: decides.length > 0,
    isWhole: isRead || decides.includes(serving.groups),
    groups,
  };
}

/** An empty scheduler limits nothing; one whose hours are all switched off allows nothing. */
function hoursOf(scheduler: Json | undefined, assumed: string, isZoned: boolean): Hours {
  if (!isObject(scheduler)) return { status: 'unknown' };
  const { schedule: listed, timezone } = scheduler;
  const schedule = isList(listed) ? listed : [];
  if (!schedule.some(isObject)) return { status: 'none' };
  const zone = typeof timezone === 'string' && timezone !== '' ? timezone : null;
  return {
    status: 'shifts',
    zone: zone ?? assumed,
    isZoneAssumed: zone === null || !isZoned,
    shifts: shiftsIn(schedule),
  };
}

/** Of those that are switched on. */
const shiftsIn = oncePer((schedule: readonly Json[]): readonly Shift[] =>
  schedule.flatMap((item): readonly Shift[] => {
    if (!isObject(item) || item['enabled'] === false) return [];
    const { day, start, end } = item;
    return [{ day: String(day), start: String(start), end: String(end) }];
  }),
);
