// What becomes due in chats as time passes and the configuration changes: silence, departures, the queue.
// customer-and-reports-notes.md, section 4, rules 7, 9, 10 and 12.

import { MINUTE } from '../../base/zone.ts';
import { configuredValue } from '../configuration/property-values.ts';
import type { EmulatedLicense } from '../engine/license.ts';
import { noteAttendance } from './attendance.ts';
import {
  firstDue,
  holders,
  lookAt,
  openThread,
  queuedThreads,
  setOpenThread,
  takeDue,
  threadsOf,
} from './open-threads.ts';
import { chatTable, customerTable, type ThreadRecord, threadTable } from './records.ts';
import {
  agentFor,
  departureOf,
  destinationOf,
  hasFreeSlot,
  hasQueue,
  queueOf,
  type Routed,
  type RoutingView,
  staffWrites,
  wantedBy,
} from './routing.ts';
import type { ChatSettings } from './settings.ts';
import { nextPresenceChange } from './staff.ts';
import { nameOf, type SystemMessage } from './system-messages.ts';
import { type ChatContext, closeThread, move, say, setRouting, viewAt } from './threads.ts';

/** What is known of a license between requests; a license that is read again learns it again. */
interface DueState {
  /** How often staff and presence were written when they were last looked at, and with which settings. */
  writes: number;
  settings: ChatSettings | undefined;
  /** Moments at which a write takes effect, in ms. */
  readonly effects: number[];
  /** When presence changes by itself; undefined until it is asked for. */
  presence: number | null | undefined;
}

const states = new WeakMap<EmulatedLicense, DueState>();

function stateOf(license: EmulatedLicense): DueState {
  const known = states.get(license);
  if (known !== undefined) return known;
  const state: DueState = { writes: -1, settings: undefined, effects: [], presence: undefined };
  states.set(license, state);
  return state;
}

/** Does everything that is due by now, each at its own time. */
export function settleChats(context: ChatContext): void {
  const { license, propagation, settings } = context;
  const { now } = license.history;
  const state = stateOf(license);
  const writes = staffWrites(license);
  if (writes !== state.writes || settings !== state.settings) {
    state.writes = writes;
    state.settings = settings;
    state.presence = undefined;
    noteAttendance(viewAt(context, now));
    // Presence is that of the moment; what is configured takes its time.
    state.effects.push(now, ...(propagation === 0 ? [] : [now + propagation]));
  }
  for (let at = nextMoment(context, state); at <= now; at = nextMoment(context, state)) step(context, state, at);
  serveQueue(context, now);
}

function nextMoment(context: ChatContext, state: DueState): number {
  if (state.presence === undefined) state.presence = nextPresenceChange(viewAt(context, context.license.history.now));
  return Math.min(firstDue(context.license) ?? Infinity, state.presence ?? Infinity, ...state.effects);
}

function step(context: ChatContext, state: DueState, at: number): void {
  const { license } = context;
  const view = viewAt(context, at);
  const changes = state.effects.includes(at) || (state.presence ?? Infinity) <= at;
  if (changes) {
    state.effects.splice(0, state.effects.length, ...state.effects.filter((one) => one > at));
    state.presence = nextPresenceChange(view);
    dismiss(context, view);
  }
  const ended = takeDue(license, at).filter((id) => checkSilence(context, view, id));
  if (changes || ended.length > 0) serveQueue(context, at);
}

function routedThread({ license }: RoutingView, { chat_id, customer_id, group_ids, properties }: ThreadRecord): Routed {
  const recent = customerTable.of(license).get(customer_id)?.last_agent;
  return wantedBy(group_ids, properties, chatTable.of(license).get(chat_id)?.properties ?? {}, recent);
}

type Departure = NonNullable<ReturnType<typeof departureOf>>;

const assigned = (why: Departure, agent_removed: string, agent_added: string): SystemMessage =>
  why === 'other'
    ? { type: 'routing.assigned_other' }
    : { type: `routing.assigned_${why}`, vars: { agent_added, agent_removed } };

const unassigned = (why: Departure, agent: string): SystemMessage =>
  why === 'other' ? { type: 'routing.unassigned_other' } : { type: `routing.unassigned_${why}`, vars: { agent } };

/** Ends a thread that no member is there for. Where there is a queue, it goes there first. */
function abandon(context: ChatContext, view: RoutingView, thread: ThreadRecord, why: Departure, agent: string): void {
  if (thread.group_ids.some((group) => hasQueue(view, group))) {
    say(context, thread.id, unassigned(why, agent), view.now);
    closeThread(context, thread.id, { type: 'routing.archived_offline' }, view.now);
    return;
  }
  const archived: SystemMessage =
    why === 'other' ? { type: 'routing.archived_other' } : { type: `routing.archived_${why}`, vars: { agent } };
  closeThread(context, thread.id, archived, view.now);
}

/** Rule 10. Moves the chats of members who left, and ends those that no member is there for. */
function dismiss(context: ChatContext, view: RoutingView): void {
  const { license, now } = view;
  for (const member of holders(license)) {
    const why = departureOf(view, member);
    if (why === undefined) continue;
    const agent = nameOf(license, member);
    for (const id of threadsOf(license, member)) {
      const thread = threadTable.of(license).get(id);
      if (thread === undefined) continue;
      const destination = destinationOf(view, { ...routedThread(view, thread), leaving: member });
      switch (destination.to) {
        case 'member':
          move(context, id, destination, now);
          say(context, id, assigned(why, agent, nameOf(license, destination.member)), now);
          break;
        case 'queue':
        case 'unassigned':
          move(context, id, destination, now);
          setRouting(context, id, { unassigned: true });
          say(context, id, unassigned(why, agent), now);
          break;
        case 'nowhere':
          abandon(context, view, thread, why, agent);
      }
    }
  }
  for (const id of queuedThreads(license)) {
    const thread = threadTable.of(license).get(id);
    if (thread === undefined) continue;
    const destination = destinationOf(view, routedThread(view, thread));
    if (destination.to === 'unassigned') move(context, id, destination, now);
    if (destination.to === 'nowhere') closeThread(context, id, { type: 'routing.archived_offline' }, now);
  }
}

/** Rules 7 and 9. Gives free slots to the threads that wait. */
function serveQueue(context: ChatContext, at: number): void {
  if (queuedThreads(context.license).length === 0) return;
  const view = viewAt(context, at);
  for (const thread of queueOf(view)) {
    if (!hasFreeSlot(view)) return;
    const member = agentFor(view, routedThread(view, thread));
    if (member !== undefined) move(context, thread.id, { to: 'member', member }, at);
  }
}

/** Milliseconds of silence as the license says, else the setting, in minutes; null for never. */
function silence(view: RoutingView, name: string, standard: number): number | null {
  const said = configuredValue(view, null, 'chats', name);
  const minutes = typeof said === 'number' ? said : standard;
  return minutes < 0 ? null : minutes * MINUTE;
}

const minutes = (milliseconds: number) => ({ duration: String(Math.round(milliseconds / MINUTE)) });

/** Rule 12. A thread without a word for too long becomes idle, and ends. Returns whether it ended. */
function checkSilence(context: ChatContext, view: RoutingView, id: string): boolean {
  const { license, now, settings } = view;
  const open = openThread(license, id);
  const thread = threadTable.of(license).get(id);
  if (open === undefined || thread === undefined) return false;
  const isContinuous = thread.properties['routing']?.['continuous'] === true;
  const ends = isContinuous ? 'archive_offline_chat_after_min' : 'archive_chat_after_min';
  const idle = silence(view, 'chat_inactive_after_min', settings.idleAfterMinutes);
  const archive = silence(view, ends, settings.archiveAfterMinutes);
  const silent = now - open.last_event_at;
  if (archive !== null && silent >= archive) {
    closeThread(context, id, { type: 'routing.archived_inactive', vars: minutes(archive) }, now);
    return true;
  }
  const becomesIdle = idle !== null && !open.is_idle && silent >= idle;
  if (becomesIdle) {
    setOpenThread(license, { ...open, is_idle: true });
    setRouting(context, id, { idle: true });
    say(context, id, { type: 'routing.idle', vars: minutes(idle) }, now);
  }
  const isIdle = open.is_idle || becomesIdle;
  for (const limit of [isIdle ? null : idle, archive])
    if (limit !== null) lookAt(license, id, open.last_event_at + limit);
  return false;
}
