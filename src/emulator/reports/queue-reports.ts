// The reports that came after 3.4: chats of groups, uses of tags, and who waited in the queue and who left it.
// today/reports.md, "Replies, members, totals", "For the emulator".

import { groupedBy } from '../../base/grouped.ts';
import { customerTable, type ThreadRecord } from '../chats/records.ts';
import { chatReport, pagedReport, type ReportQuery, tagReport } from './action.ts';
import { recordsOf, shownNumber } from './buckets.ts';
import { type CountedChat, countedChats, foundChats } from './counted.ts';
import { groupsAt, groupsOf, queueWaitOf } from './facts.ts';
import type { ChatConditions } from './request.ts';
import { FEATURES, type ReportSettings } from './settings.ts';

type ChatQuery = ReportQuery<ChatConditions>;

interface QueueVisit extends CountedChat {
  readonly seconds: number;
  readonly isServed: boolean;
}

function visitOf({ thread, at }: CountedChat, seenAt: number, settings: ReportSettings): readonly QueueVisit[] {
  const wait = queueWaitOf(thread, seenAt);
  if (wait === null) return [];
  const time = wait.ended_at - thread.created_at;
  const counted = settings.queuedBucket === 'ended' ? at + time : at;
  return [{ thread, at: counted, seconds: time / 1000, isServed: wait.isServed }];
}

function visitsOf(query: ChatQuery): readonly QueueVisit[] {
  const { seenAt } = query.context;
  return foundChats(query)
    .flatMap((chat) => visitOf(chat, seenAt, query.settings))
    .filter(({ at }) => at < query.range.to);
}

function waits(query: ChatQuery, visits: readonly QueueVisit[]) {
  const seconds = visits.map((visit) => visit.seconds);
  if (seconds.length === 0) return { count: 0, min: 0, max: 0, avg: 0 };
  const mean = seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
  return {
    count: seconds.length,
    min: Math.floor(Math.min(...seconds)),
    max: Math.floor(Math.max(...seconds)),
    avg: shownNumber(query.settings, mean),
  };
}

function half(query: ChatQuery, name: string, visits: readonly QueueVisit[]) {
  const isOmitted = visits.length === 0 && query.settings.queuedHalves === 'omitted';
  return isOmitted ? {} : { [name]: waits(query, visits) };
}

function detailsOf({ context: { license } }: ChatQuery, { thread, seconds }: QueueVisit) {
  const customer = customerTable.of(license).get(thread.customer_id);
  const { name, email, page, session_fields = [] } = customer ?? {};
  const fields = session_fields.flatMap((field) => Object.entries(field).map(([key, value]) => ({ key, value })));
  return {
    visitor: {
      id: thread.customer_id,
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
      ip: '127.0.0.1',
      ...(fields.length === 0 ? {} : { visitor_custom_variables: fields }),
    },
    queue: {
      duration: Math.floor(seconds),
      ...(page === undefined ? {} : { url: page }),
      group: thread.group_ids[0] ?? 0,
      start_date: `${new Date(thread.created_at).toISOString().slice(0, 19)}Z`,
    },
  };
}

function countedGroups(thread: ThreadRecord, settings: ReportSettings): readonly number[] {
  return settings.groupsReportCounts === 'first'
    ? groupsAt(thread, thread.created_at).slice(0, 1)
    : groupsOf(thread, settings);
}

const groupsReport = chatReport(
  'chats',
  'groups',
  (query) => {
    const { buckets, settings } = query;
    const chats = countedChats(query);
    const found = new Map<string, { readonly [group: string]: number }>();
    let total = 0;
    for (const [key, those] of groupedBy(chats, ({ at }) => buckets.keyOf(at))) {
      const groups = those.flatMap(({ thread }) => countedGroups(thread, settings).map(String));
      total += groups.length;
      found.set(
        key,
        Object.fromEntries(
          Array.from(
            groupedBy(groups, (group) => group),
            ([group, each]) => [group, each.length],
          ),
        ),
      );
    }
    return { total, records: recordsOf(buckets, found, settings) };
  },
  { versions: FEATURES.groups },
);

const chatUsage = tagReport(
  'tags',
  'chat_usage',
  (query) => {
    const tags = countedChats(query).flatMap(({ thread }) => thread.tags);
    return {
      records: Object.fromEntries(
        Array.from(
          groupedBy(tags, (tag) => tag),
          ([tag, each]) => [tag, each.length],
        ),
      ),
    };
  },
  { versions: FEATURES.chatUsage, called: 'tags-chat-usage-report' },
);

const queuedVisitors = chatReport(
  'chats',
  'queued_visitors',
  (query) => {
    const { buckets, settings } = query;
    const visits = visitsOf(query);
    const found = new Map(
      Array.from(
        groupedBy(visits, ({ at }) => buckets.keyOf(at)),
        ([key, those]) => [
          key,
          {
            ...half(
              query,
              'left_queue',
              those.filter(({ isServed }) => !isServed),
            ),
            ...half(
              query,
              'queued',
              those.filter(({ isServed }) => isServed),
            ),
          },
        ],
      ),
    );
    const served = visits.filter(({ isServed }) => isServed).length;
    const totals = { entered: served, left: visits.length - served, both: visits.length };
    return { total: totals[settings.queuedTotal], records: recordsOf(buckets, found, settings) };
  },
  { versions: FEATURES.queuedVisitors },
);

/** Those who left, page by page. */
const queuedVisitorsLeft = pagedReport(
  'chats',
  'queued_visitors_left',
  (query) => {
    const { settings, page } = query;
    const left = visitsOf(query).filter(({ isServed }) => !isServed);
    const shown = left.map((visit) => [visit.thread.chat_id, detailsOf(query, visit)] as const);
    const isUnnamed = ({ visitor }: ReturnType<typeof detailsOf>): boolean =>
      !('name' in visitor || 'email' in visitor);
    const size = settings.queuePage;
    const from = (Math.max(1, page) - 1) * size;
    return {
      total: left.length,
      summary: {
        left_without_details: shown.filter(([, details]) => isUnnamed(details)).length,
        total_pages: Math.ceil(left.length / size),
      },
      records: Object.fromEntries(shown.slice(from, from + size)),
    };
  },
  { versions: FEATURES.queuedVisitors },
);

export const queueReports = [groupsReport, chatUsage, queuedVisitors, queuedVisitorsLeft];
