// What reports see in a thread: its agents, its groups, and their answers. Everything is derived from the thread itself.
// customer-and-reports-notes.md, section 5.

import type { ChatMember, ThreadRecord } from '../chats/records.ts';
import type { ReportSettings } from './settings.ts';

/** Whether a member of a chat counts as an agent of it. */
export const isAgent = ({ kind }: ChatMember, { reportBots }: ReportSettings): boolean =>
  kind === 'agent' || (kind === 'bot' && reportBots !== 'none');

/** Everyone who had the thread or wrote in it. */
export const agentsOf = (thread: ThreadRecord, settings: ReportSettings): readonly ChatMember[] =>
  thread.members.filter((member) => isAgent(member, settings));

export function groupsOf({ group_ids, former_group_ids = [] }: ThreadRecord, settings: ReportSettings) {
  if (settings.transferredChats === 'last_groups' || former_group_ids.length === 0) return group_ids;
  return Array.from(new Set([...former_group_ids, ...group_ids]));
}

/** The groups of a thread at a moment. One of an older state does not say when it was transferred: then all that it was in. */
export function groupsAt({ group_ids, former_group_ids = [], transfers }: ThreadRecord, at: number): readonly number[] {
  if (transfers === undefined) return Array.from(new Set([...former_group_ids, ...group_ids]));
  return transfers.find((transfer) => at < transfer.at)?.from ?? group_ids;
}

/** An answer of an agent: the first message after those of the customer. */
export interface AgentAnswer {
  readonly member: ChatMember;
  /** When it came, in ms. */
  readonly at: number;
  /** How long the customer had waited for it, in ms. */
  readonly wait: number;
}

/** The answers of agents in a thread, in order. Messages that only agents see answer nothing. */
export function answersOf(thread: ThreadRecord, settings: ReportSettings): readonly AgentAnswer[] {
  const found: AgentAnswer[] = [];
  const waitsAlready = thread.started_by === undefined && settings.firstResponseFrom === 'chat';
  let since = waitsAlready ? thread.created_at : undefined;
  for (const { author, created_at, recipients, deleted } of thread.events) {
    if (author === undefined || deleted === true) continue;
    if (author.kind === 'customer') since ??= created_at;
    else if (since !== undefined && recipients !== 'agents' && isAgent(author, settings)) {
      found.push({ member: author, at: created_at, wait: created_at - since });
      since = undefined;
    }
  }
  return found;
}

/** A wait in the queue: it ended with a member who took the chat, or with the end of the chat. */
export interface QueueWait {
  /** In ms. */
  readonly ended_at: number;
  readonly isServed: boolean;
}

/** Null for a thread that did not wait, or that still waits: how that ends is not known. */
export function queueWaitOf(thread: ThreadRecord, seenAt: number): QueueWait | null {
  const { created_at, held = [], members, properties, closed_at = Infinity } = thread;
  const isContinuous = properties['routing']?.['continuous'] === true;
  // A thread of an older state does not say when a member took it.
  if (isContinuous || (held.length === 0 && members.some(({ kind }) => kind !== 'customer'))) return null;
  const taken = held[0]?.from ?? Infinity;
  const ended_at = Math.min(taken, closed_at);
  return ended_at > seenAt || ended_at <= created_at ? null : { ended_at, isServed: taken <= closed_at };
}

/** How long a thread has lasted by a moment, in ms. */
export const durationOf = ({ created_at, closed_at = Infinity }: ThreadRecord, seenAt: number): number =>
  Math.max(0, Math.min(closed_at, seenAt) - created_at);

/** A stretch of time in which an agent had a thread; in ms. */
export interface HeldSpan {
  readonly member: ChatMember;
  readonly from: number;
  readonly to: number;
}

/** When agents had a thread, by a moment. In a thread of an older state, each of its agents had it from its beginning. */
export function heldSpans(thread: ThreadRecord, settings: ReportSettings, seenAt: number): readonly HeldSpan[] {
  const end = Math.min(thread.closed_at ?? Infinity, seenAt);
  const { held } = thread;
  const spans =
    held === undefined
      ? agentsOf(thread, settings).map((member) => ({ member, from: thread.created_at, to: end }))
      : held
          .map(({ kind, id, from, until = Infinity }) => ({ member: { kind, id }, from, to: Math.min(until, end) }))
          .filter(({ member }) => isAgent(member, settings));
  return spans.filter(({ from, to }) => from < to);
}

/** Whether a thread was rated, and how. */
export function ratingOf({ properties }: ThreadRecord): 'good' | 'bad' | undefined {
  const score = properties['rating']?.['score'];
  if (score === 1) return 'good';
  return score === 0 ? 'bad' : undefined;
}
