// The reports of agents: when they accepted chats, and what they did. Specification: "availability", "performance".

import { grouped } from '../../base/grouped.ts';
import { HOUR, type Interval, MINUTE } from '../../base/zone.ts';
import { attendanceSpans, attendants, type StatusSpan } from '../chats/attendance.ts';
import { type ChatMember, memberKey, type ThreadRecord } from '../chats/records.ts';
import type { StaffView } from '../chats/staff.ts';
import { agentMemberships, botMemberships } from '../configuration/memberships.ts';
import { agentReport, type ReportAction, type ReportQuery } from './action.ts';
import { type ReportRecord, recordsOf, shownNumber, shownRecord } from './buckets.ts';
import { isListed } from './chat-reports.ts';
import { knownThreads } from './counted.ts';
import { type AgentAnswer, agentsOf, answersOf, groupsOf, heldSpans, isAgent, ratingOf } from './facts.ts';
import { isWithin } from './range.ts';
import type { AgentConditions } from './request.ts';
import { clipped, lengthOf, unionOf } from './spans.ts';

type AgentQuery = ReportQuery<AgentConditions>;

/** The part of the range of which reports know. */
function knownRange({ range, context: { seenAt } }: AgentQuery): Interval {
  return { from: range.from, to: Math.max(range.from, Math.min(range.to, seenAt)) };
}

const viewOf = ({ context: { license }, settings, context: { at } }: AgentQuery): StaffView => ({
  license,
  settings,
  now: at,
  effectiveAt: at,
});

/** Whether the times of a member count: those of bots only where the settings say so. */
const hasTimes = ({ kind }: ChatMember, { settings }: AgentQuery): boolean =>
  kind === 'agent' || settings.reportBots === 'chats_and_times';

/** Group 0, to which everyone belongs. */
const EVERYONE = 0;

/** Whether a member gets chats of one of the groups, by its present memberships: a supervisor gets none. */
function isInGroups({ context: { license, at } }: AgentQuery, groups: readonly number[], { kind, id }: ChatMember) {
  const relation = kind === 'bot' ? botMemberships : agentMemberships;
  const own = relation.groupsOf(license, id, at);
  return groups.some((group) => {
    const priority = own.find((item) => item.id === group)?.priority;
    return priority === undefined ? group === EVERYONE : priority !== 'supervisor';
  });
}

/** When a member was there, within the range. */
const spansOf = (query: AgentQuery, member: ChatMember): readonly StatusSpan[] => {
  const { from, to } = knownRange(query);
  return attendanceSpans(viewOf(query), member, from, to);
};

const isAccepting = ({ status }: StatusSpan): boolean => status === 'accepting_chats';

const availability = agentReport('agents', 'availability', (query) => {
  const { context, settings, filters, buckets, distribution } = query;
  const groups = filters.groups?.values;
  const members = attendants(context.license, viewOf(query)).filter(
    (member) =>
      hasTimes(member, query) &&
      isListed(filters.agents ?? {}, member.id) &&
      (groups === undefined || isInGroups(query, groups, member)),
  );
  const available = unionOf(members.flatMap((member) => spansOf(query, member).filter(isAccepting)));
  const times = new Map<string, number>();
  for (const { from, to } of available)
    for (const { key, time } of buckets.split(from, to)) times.set(key, (times.get(key) ?? 0) + time);
  const [unit, name] = distribution === 'hour' ? [MINUTE, 'minutes'] : [HOUR, 'hours'];
  const found = Array.from(times, ([key, time]): [string, ReportRecord] => [
    key,
    { [name]: shownNumber(settings, time / unit) },
  ]);
  const totalUnit = settings.availabilityTotal === 'hours' ? HOUR : unit;
  return {
    total: shownNumber(settings, lengthOf(available) / totalUnit),
    records: recordsOf(buckets, new Map(found), settings, { [name]: 0 }),
  };
});

/** A thread with what performance counts in it. */
interface PerformedChat {
  readonly thread: ThreadRecord;
  readonly agents: readonly ChatMember[];
  readonly first: AgentAnswer | undefined;
}

/** Figures of chats; `waits` are those for first responses, in ms. */
function chatFigures(
  { settings }: AgentQuery,
  chats: readonly PerformedChat[],
  waits: readonly number[],
  weightOf: (chat: PerformedChat) => number = () => 1,
): ReportRecord {
  const rated = (rating: 'good' | 'bad'): number =>
    chats.filter(({ thread }) => ratingOf(thread) === rating).reduce((sum, chat) => sum + weightOf(chat), 0);
  const waited = waits.reduce((sum, wait) => sum + wait, 0);
  return {
    chats_count: chats.reduce((sum, chat) => sum + weightOf(chat), 0),
    chats_rated_good: rated('good'),
    chats_rated_bad: rated('bad'),
    first_response_chats_count: waits.length,
    first_response_time: waits.length === 0 ? 0 : shownNumber(settings, waited / waits.length / 1000),
  };
}

/** Times of an agent in seconds. */
function timeFigures(query: AgentQuery, spans: readonly StatusSpan[], held: readonly Interval[]): ReportRecord {
  const { settings } = query;
  const seconds = (those: readonly Interval[]): number => shownNumber(settings, lengthOf(those) / 1000);
  return {
    accepting_chats_time: seconds(spans.filter(isAccepting)),
    chatting_time: seconds(settings.chattingTime === 'union' ? unionOf(held) : held),
    logged_in_time: seconds(spans),
    not_accepting_chats_time: seconds(spans.filter((span) => !isAccepting(span))),
  };
}

/** The threads that touch the range, of the groups of the filter, and of all of its agents where it says so. */
function askedThreads(query: AgentQuery): readonly ThreadRecord[] {
  const { context, settings, filters, range } = query;
  const { require_every_value = false, values = [] } = filters.agents ?? {};
  const groups = settings.performanceGroups === 'chats' ? filters.groups?.values : undefined;
  return knownThreads(context, -Infinity, range.to).filter((thread) => {
    if ((thread.closed_at ?? Infinity) <= range.from && thread.created_at < range.from) return false;
    if (groups !== undefined && !groupsOf(thread, settings).some((group) => groups.includes(group))) return false;
    if (!require_every_value) return true;
    const ids = agentsOf(thread, settings).map(({ id }) => id);
    return values.every((id) => ids.includes(id));
  });
}

const performance = agentReport('agents', 'performance', (query) => {
  const { context, settings, filters, range } = query;
  const known = knownRange(query);
  const groups = filters.groups?.values;
  const onlyMembers = settings.performanceGroups === 'members';
  /** Everyone who was asked about, and whether the filters let the member through. */
  const asked = new Map<string, { readonly member: ChatMember; readonly isShown: boolean }>();
  const isShown = (member: ChatMember): boolean => {
    const key = memberKey(member);
    const known = asked.get(key);
    if (known !== undefined) return known.isShown;
    const isNamed = isListed(filters.agents ?? {}, member.id);
    const found = isNamed && !(onlyMembers && groups !== undefined && !isInGroups(query, groups, member));
    asked.set(key, { member, isShown: found });
    return found;
  };
  const chats: PerformedChat[] = [];
  const takenChats: (readonly [string, PerformedChat])[] = [];
  const heldTimes: (readonly [string, Interval])[] = [];
  for (const thread of askedThreads(query)) {
    for (const { member, ...span } of heldSpans(thread, settings, context.seenAt)) {
      const part = isShown(member) ? clipped(span, known) : undefined;
      if (part !== undefined) heldTimes.push([memberKey(member), part]);
    }
    const agents = isWithin(range, thread.created_at) ? agentsOf(thread, settings).filter(isShown) : [];
    if (agents.length === 0) continue;
    const [first] = answersOf(thread, settings);
    const chat = { thread, agents, first: first !== undefined && isShown(first.member) ? first : undefined };
    chats.push(chat);
    for (const agent of agents) takenChats.push([memberKey(agent), chat]);
  }
  const [taken, held] = [grouped(takenChats), grouped(heldTimes)];
  const everyone = attendants(context.license, viewOf(query)).filter((member) => isAgent(member, settings));
  for (const member of everyone) isShown(member);
  const shown = Array.from(asked).filter(([, one]) => one.isShown);
  const records = shown.flatMap(([key, { member }]): readonly [string, ReportRecord][] => {
    const own = taken.get(key) ?? [];
    const waits = own.flatMap(({ first }) => (first?.member.id === member.id ? [first.wait] : []));
    const spans =
      hasTimes(member, query) && (groups === undefined || own.length > 0 || isInGroups(query, groups, member))
        ? spansOf(query, member)
        : [];
    const record = { ...chatFigures(query, own, waits), ...timeFigures(query, spans, held.get(key) ?? []) };
    const isEmpty = Object.values(record).every((value) => value === 0);
    return isEmpty && settings.zeroMembers !== 'shown'
      ? []
      : [[member.id, shownRecord(record, settings, 'zeros sampled')]];
  });
  const waits = chats.flatMap(({ first }) => (first === undefined ? [] : [first.wait]));
  const weightOf = settings.performanceSummary === 'sum' ? ({ agents }: PerformedChat) => agents.length : undefined;
  return {
    summary: chatFigures(query, chats, waits, weightOf),
    records: Object.fromEntries(records),
  };
});

export const agentReports: readonly ReportAction[] = [availability, performance];
