// The active threads of a license: who has them, which wait, and when each must be looked at. Knows no rule of routing.

import type { EmulatedLicense } from '../engine/license.ts';
import { type ChatMember, memberKey, type OpenThreadRecord, openThreadTable } from './records.ts';

/** A moment at which a thread may have been silent for too long. */
interface Due {
  readonly at: number;
  readonly thread: string;
}

/** What is derived from the table, so that no request walks through all active threads. */
interface OpenThreadIndex {
  /** Ids of the threads of each member. */
  readonly held: Map<string, Set<string>>;
  /** Ids of the threads in the queue, the longest wait first. */
  readonly queued: Set<string>;
  /** A binary heap, earliest first. A thread may be in it several times; the last one counts. */
  readonly due: Due[];
}

const indexes = new WeakMap<EmulatedLicense, OpenThreadIndex>();

function indexOf(license: EmulatedLicense): OpenThreadIndex {
  const known = indexes.get(license);
  if (known !== undefined) return known;
  const index: OpenThreadIndex = { held: new Map(), queued: new Set(), due: [] };
  const waiting = (record: OpenThreadRecord): number => record.queued_at ?? 0;
  const all = openThreadTable
    .of(license)
    .all()
    .toSorted((one, other) => waiting(one) - waiting(other));
  for (const record of all) {
    enter(index, record);
    push(index.due, { at: record.last_event_at, thread: record.thread_id });
  }
  indexes.set(license, index);
  return index;
}

function enter({ held, queued }: OpenThreadIndex, { thread_id, assignee, queued_at }: OpenThreadRecord): void {
  if (queued_at !== undefined) queued.add(thread_id);
  if (assignee === undefined) return;
  const key = memberKey(assignee);
  const threads = held.get(key);
  if (threads === undefined) held.set(key, new Set([thread_id]));
  else threads.add(thread_id);
}

function leave({ held, queued }: OpenThreadIndex, { thread_id, assignee }: OpenThreadRecord): void {
  queued.delete(thread_id);
  const key = assignee === undefined ? '' : memberKey(assignee);
  const threads = held.get(key);
  threads?.delete(thread_id);
  if (threads?.size === 0) held.delete(key);
}

function push(heap: Due[], entry: Due): void {
  let at = heap.length;
  heap.push(entry);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || above.at <= entry.at) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = entry;
}

function pop(heap: Due[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    const child = right !== undefined && left !== undefined && right.at < left.at ? right : left;
    if (child === undefined || child.at >= last.at) break;
    heap[at] = child;
    at = child === right ? 2 * at + 2 : 2 * at + 1;
  }
  heap[at] = last;
}

export function openThread(license: EmulatedLicense, thread: string): OpenThreadRecord | undefined {
  return openThreadTable.of(license).get(thread);
}

/** Writes where a thread stands. */
export function setOpenThread(license: EmulatedLicense, record: OpenThreadRecord): void {
  const index = indexOf(license);
  const present = openThread(license, record.thread_id);
  // A thread that waits keeps its turn among those that wait as long.
  const stays = present !== undefined && present.queued_at === record.queued_at && present.assignee === record.assignee;
  if (present !== undefined && !stays) leave(index, present);
  if (!stays) enter(index, record);
  openThreadTable.of(license).set(record);
}

export function dropOpenThread(license: EmulatedLicense, thread: string): void {
  const present = openThread(license, thread);
  if (present === undefined) return;
  leave(indexOf(license), present);
  openThreadTable.of(license).delete(thread);
}

/** How many active chats a member has, who is named by `memberKey`. */
export const loadOf = (license: EmulatedLicense, member: string): number =>
  indexOf(license).held.get(member)?.size ?? 0;

/** Ids of the active threads of a member, in the order in which they came. */
export const threadsOf = (license: EmulatedLicense, member: ChatMember): readonly string[] =>
  Array.from(indexOf(license).held.get(memberKey(member)) ?? []);

/** Everyone who has a chat. */
export function holders(license: EmulatedLicense): readonly ChatMember[] {
  return Array.from(indexOf(license).held.values()).flatMap((threads) => {
    const [first = ''] = threads;
    return openThread(license, first)?.assignee ?? [];
  });
}

/** Ids of the threads in the queue, the longest wait first. */
export const queuedThreads = (license: EmulatedLicense): readonly string[] => Array.from(indexOf(license).queued);

/** Asks for a look at a thread at a moment. */
export const lookAt = (license: EmulatedLicense, thread: string, at: number): void =>
  push(indexOf(license).due, { at, thread });

/** The earliest moment at which a thread must be looked at; null when there is none. */
export const firstDue = (license: EmulatedLicense): number | null => indexOf(license).due[0]?.at ?? null;

/** Takes the threads out that are due by `at`. */
export function takeDue(license: EmulatedLicense, at: number): readonly string[] {
  const { due } = indexOf(license);
  const found = new Set<string>();
  for (let first = due[0]; first !== undefined && first.at <= at; first = due[0]) {
    found.add(first.thread);
    pop(due);
  }
  return Array.from(found);
}
