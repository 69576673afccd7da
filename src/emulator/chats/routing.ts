// The routing of chats: rules 1 to 10 of the state machine, in their order. Decides only; lifecycle.ts writes.
// customer-and-reports-notes.md, section 4.

import { agentTable } from '../configuration/agents.ts';
import { botTable } from '../configuration/bots.ts';
import { agentMemberships, botMemberships, type GroupPriority } from '../configuration/memberships.ts';
import { configuredValue } from '../configuration/property-values.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { presenceOf } from './attendance.ts';
import { decidingRule, type Visit } from './matching.ts';
import { loadOf, openThread, queuedThreads } from './open-threads.ts';
import {
  assignmentTable,
  type ChatMember,
  memberKey,
  type PropertyValues,
  presenceTable,
  sameMember,
  type ThreadRecord,
  threadTable,
} from './records.ts';
import type { ChatSettings } from './settings.ts';
import { type StaffMember, type StaffView, staffMember, staffOf } from './staff.ts';

/** A license as the routing of chats sees it. */
export interface RoutingView extends StaffView {
  readonly settings: ChatSettings;
}

/** Group 0, to which everyone belongs. */
const EVERYONE = 0;

/** A member of a group as the routing of one chat sees it. */
interface GroupMember {
  readonly staff: StaffMember;
  readonly priority: GroupPriority;
}

/** What a chat asks of the routing. */
export interface Wanted {
  readonly group_ids: readonly number[];
  /** The customer's last agent or bot. */
  readonly recent: string | undefined;
  /** Thread property `routing.ignore_bots`. */
  readonly ignoreBots: boolean;
  /** Who has just left the chat, and does not get it again. */
  readonly leaving?: ChatMember;
  /** Whether members without a free slot are asked about as well: they get the chat once it has waited. */
  readonly evenBusy?: boolean;
}

/** Members of groups, and those of them who accept chats, as long as no write has changed them and the settings are the same. */
interface Roster {
  readonly writes: number;
  readonly settings: StaffView['settings'];
  readonly members: Map<number, readonly GroupMember[]>;
  readonly accepting: Map<number, readonly GroupMember[]>;
}
const rosters = new WeakMap<EmulatedLicense, Roster>();

/** What is known already; of a license whose configuration takes effect later, that is nothing. */
function rosterOf({ license, settings, effectiveAt }: StaffView): Roster {
  const writes = staffWrites(license);
  const known = effectiveAt === Infinity ? rosters.get(license) : undefined;
  if (known?.writes === writes && known.settings === settings) return known;
  const roster: Roster = { writes, settings, members: new Map(), accepting: new Map() };
  if (effectiveAt === Infinity) rosters.set(license, roster);
  return roster;
}

const STAFF_TABLES = [agentTable, botTable, agentMemberships, botMemberships, presenceTable];

/** How often the staff of a license and its presence were written. */
export function staffWrites(license: EmulatedLicense): number {
  let writes = 0;
  for (const table of STAFF_TABLES) writes += table.of(license).writes();
  return writes;
}

/** Members of a group with their priorities; a member of no group has `normal` in group 0, and a bot its default priority. */
function membersOf(view: StaffView, group: number): readonly GroupMember[] {
  const { members } = rosterOf(view);
  const found = members.get(group) ?? readMembers(view, group);
  members.set(group, found);
  return found;
}

function readMembers(view: StaffView, group: number): readonly GroupMember[] {
  const { license, effectiveAt } = view;
  const listed = (relation: typeof agentMemberships | typeof botMemberships, kind: ChatMember['kind']) =>
    relation
      .ofGroup(license, group, effectiveAt)
      .map(({ member, priority }) => [memberKey({ kind, id: member }), priority] as const);
  const priorities = new Map([...listed(agentMemberships, 'agent'), ...listed(botMemberships, 'bot')]);
  return staffOf(view).flatMap((staff) => {
    const said = priorities.get(staff.key);
    if (said === undefined && group !== EVERYONE) return [];
    return [{ staff, priority: said ?? staff.defaultPriority ?? 'normal' }];
  });
}

/** The members of a group who get chats when they have a free slot. */
function acceptingIn(view: StaffView, group: number): readonly GroupMember[] {
  const accepts = ({ staff, priority }: GroupMember): boolean =>
    priority !== 'supervisor' && presenceOf(view, staff) === 'accepting_chats';
  // Working hours begin and end without a write.
  if (view.settings.presence === 'schedule') return membersOf(view, group).filter(accepts);
  const { accepting } = rosterOf(view);
  const found = accepting.get(group) ?? membersOf(view, group).filter(accepts);
  accepting.set(group, found);
  return found;
}

const hasSlot = ({ license }: StaffView, { staff }: GroupMember): boolean => loadOf(license, staff.key) < staff.slots;

/** Whether chats of a group may wait: as the group says (-1 says nothing), else the license, else the setting. */
export function hasQueue(view: RoutingView, group: number): boolean {
  const own = configuredValue(view, group, 'chats', 'queue.enabled.override');
  if (own === 0 || own === 1) return own === 1;
  const said = configuredValue(view, null, 'chats', 'queue.enabled');
  return typeof said === 'boolean' ? said : view.settings.queue;
}

/** Whether a group of customers can wait: the queue is on and below its limit. */
function mayWait(view: RoutingView, group: number): boolean {
  const { limits } = view.settings;
  if (!hasQueue(view, group)) return false;
  if (limits.queuedChats === -1) return true;
  return queueOf(view).filter(({ group_ids }) => group_ids.includes(group)).length < limits.queuedChats;
}

export type CustomerGroupStatus = 'online' | 'online_for_queue' | 'offline';
export type AgentGroupStatus = 'accepting_chats' | 'not_accepting_chats' | 'offline';

/** Rule 2. Status of a group as customers see it. */
export function groupStatus(view: RoutingView, group: number): CustomerGroupStatus {
  const accepting = acceptingIn(view, group);
  if (accepting.some((member) => hasSlot(view, member))) return 'online';
  return accepting.length > 0 && mayWait(view, group) ? 'online_for_queue' : 'offline';
}

/** Whether a bot of a group accepts chats. */
export const hasAcceptingBot = (view: RoutingView, group: number): boolean =>
  acceptingIn(view, group).some(({ staff }) => staff.member.kind === 'bot');

/** Rule 2. Status of a group as agents see it. */
export function routingStatus(view: StaffView, group: number): AgentGroupStatus {
  const shown = membersOf(view, group).map(({ staff }) => presenceOf(view, staff));
  if (shown.includes('accepting_chats')) return 'accepting_chats';
  return shown.includes('not_accepting_chats') ? 'not_accepting_chats' : 'offline';
}

/** Rule 3. Groups of a new thread: those that the request gives, else those of the first rule that matches, else group 0. */
export function groupsOf(view: RoutingView, given: readonly number[] | undefined, visit: Visit): readonly number[] {
  if (given !== undefined && given.length > 0) return given;
  const groups = decidingRule(view, visit)?.groups ?? [];
  return groups.length > 0 ? groups : [EVERYONE];
}

const ORDER: readonly GroupPriority[] = ['first', 'normal', 'last'];

/** Whether agents pick the chats of a group by themselves: as the group says (-1 says nothing), else the license. */
function picksByHand(view: RoutingView, group: number): boolean {
  const own = configuredValue(view, group, 'chats', 'manual_routing.override');
  if (own === 0 || own === 1) return own === 1;
  return configuredValue(view, null, 'chats', 'manual_routing') === true;
}

/** Rule 4. Members who can get the chat now, of one group. */
function candidates(view: RoutingView, group: number, wanted: Wanted): readonly GroupMember[] {
  if (picksByHand(view, group)) return [];
  const { ignoreBots, leaving, evenBusy = false } = wanted;
  return acceptingIn(view, group).filter(
    (member) =>
      (evenBusy || hasSlot(view, member)) &&
      !(ignoreBots && member.staff.member.kind === 'bot') &&
      !(leaving !== undefined && sameMember(leaving, member.staff.member)),
  );
}

/** Rule 5. */
const prefersRecent = (view: RoutingView): boolean =>
  configuredValue(view, null, 'chats', 'prefer_recent_agent') === true;

/** When a member last got a chat, in ms: the longest idle comes first. */
const idleSince = (license: EmulatedLicense, { key }: StaffMember): number =>
  assignmentTable.of(license).get(key)?.at ?? 0;

/** Rules 5 and 6. Who gets a chat; undefined when no member has a free slot. */
export function agentFor(view: RoutingView, wanted: Wanted): ChatMember | undefined {
  const { license, settings } = view;
  const byGroup = wanted.group_ids.map((group) => candidates(view, group, wanted));
  const first = byGroup.find((found) => found.length > 0) ?? [];
  const open = settings.groupsOfChat === 'best_priority' ? byGroup.flat() : first;
  const recent = prefersRecent(view) ? wanted.recent : undefined;
  const ranks: readonly ((member: GroupMember) => number)[] = [
    ({ priority }) => ORDER.indexOf(priority),
    ({ staff }) => (staff.member.id === recent ? 0 : 1),
    ({ staff }) => loadOf(license, staff.key),
    ({ staff }) => idleSince(license, staff),
  ];
  const precedes = (one: GroupMember, other: GroupMember): boolean => {
    for (const rank of ranks) {
      const difference = rank(one) - rank(other);
      if (difference !== 0) return difference < 0;
    }
    return one.staff.member.id < other.staff.member.id;
  };
  let [best] = open;
  for (const member of open) if (best === undefined || precedes(member, best)) best = member;
  return best?.staff.member;
}

/** Rule 7. The threads in the queue in their order: by the highest `chats.queue.routing_priority` of their groups, then by time. */
export function queueOf(view: RoutingView): readonly ThreadRecord[] {
  const threads = queuedThreads(view.license).flatMap((id) => threadTable.of(view.license).get(id) ?? []);
  const priorities = new Map<number, number>();
  const ofGroup = (group: number): number => {
    const known = priorities.get(group);
    if (known !== undefined) return known;
    const said = configuredValue(view, group, 'chats', 'queue.routing_priority');
    const priority = typeof said === 'number' ? said : 0;
    priorities.set(group, priority);
    return priority;
  };
  const ranked = threads.map((thread) => ({ thread, priority: Math.max(...thread.group_ids.map(ofGroup)) }));
  return ranked.toSorted((one, other) => other.priority - one.priority).map(({ thread }) => thread);
}

export interface QueuePlace {
  /** 1 for the next. */
  readonly position: number;
  /** Estimated seconds. */
  readonly wait_time: number;
  /** In ms. */
  readonly queued_at: number;
}

/** Rule 7. Place of a thread among those that wait for a group of it; undefined for one that does not wait. */
export function placeInQueue(view: RoutingView, thread: ThreadRecord): QueuePlace | undefined {
  const queued_at = openThread(view.license, thread.id)?.queued_at;
  if (queued_at === undefined) return undefined;
  const rivals = queueOf(view).filter(({ group_ids }) => group_ids.some((group) => thread.group_ids.includes(group)));
  const position = rivals.findIndex(({ id }) => id === thread.id) + 1;
  const serving = new Map(
    thread.group_ids.flatMap((group) => acceptingIn(view, group)).map(({ staff }) => [staff.key, staff.slots]),
  );
  const slots = Array.from(serving.values()).reduce((sum, one) => sum + one, 0);
  const wait_time = Math.round((position * view.settings.meanChatSeconds) / Math.max(1, slots));
  return { position, wait_time, queued_at };
}

/** Where a chat goes: to a member, into the queue, to no member for now, or nowhere, with the error that says so. */
export type ChatDestination =
  | { readonly to: 'member'; readonly member: ChatMember }
  | { readonly to: 'queue' | 'unassigned' }
  | { readonly to: 'nowhere'; readonly type: 'groups_offline' | 'group_unavailable' };

export interface Routed extends Wanted {
  /** Whether the chat may be without an agent. */
  readonly continuous: boolean;
  /** Chat property `routing.ignore_agents_routing`. */
  readonly ignoreAgents: boolean;
}

/** What a thread of these groups asks, by its own properties and those of its chat. */
export function wantedBy(
  group_ids: readonly number[],
  thread: PropertyValues,
  chat: PropertyValues,
  recent: string | undefined,
): Routed {
  return {
    group_ids,
    recent,
    continuous: thread['routing']?.['continuous'] === true,
    ignoreBots: thread['routing']?.['ignore_bots'] === true,
    ignoreAgents: chat['routing']?.['ignore_agents_routing'] === true,
  };
}

/** Rules 4 to 8. Where a chat of these groups goes now. */
export function destinationOf(view: RoutingView, wanted: Routed): ChatDestination {
  if (wanted.ignoreAgents) return { to: 'unassigned' };
  const member = agentFor(view, wanted);
  if (member !== undefined) return { to: 'member', member };
  const isAccepting = (group: number): boolean => acceptingIn(view, group).length > 0;
  // Rule 7: a slot may become free in a group where a member accepts chats.
  const waits = (group: number): boolean => picksByHand(view, group) || mayWait(view, group);
  if (wanted.group_ids.some((group) => isAccepting(group) && waits(group))) return { to: 'queue' };
  // Rule 8.
  if (wanted.continuous) return { to: 'unassigned' };
  return { to: 'nowhere', type: wanted.group_ids.some(isAccepting) ? 'group_unavailable' : 'groups_offline' };
}

/** Rule 9. Whether any member has a free slot: otherwise the queue stays as it is. */
export function hasFreeSlot(view: StaffView): boolean {
  return membersOf(view, EVERYONE).some(
    (member) => hasSlot(view, member) && presenceOf(view, member.staff) === 'accepting_chats',
  );
}

/** Rule 10. Why a member does not have the chats any more; undefined for one who is there. */
export function departureOf(view: StaffView, member: ChatMember): 'deleted' | 'signed_out' | 'other' | undefined {
  const staff = staffMember(view, member);
  if (staff === undefined) return 'deleted';
  if (!staff.isActive) return 'other';
  return presenceOf(view, staff) === 'offline' ? 'signed_out' : undefined;
}
