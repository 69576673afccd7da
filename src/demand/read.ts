// Demand of a target, read from its reports: hour by hour, with as few requests as possible, and whole past days only once.

import pLimit from 'p-limit';
import { ApiError, UsageError } from '../base/errors.ts';
import type { JsonObject } from '../base/model.ts';
import { clientOver, type Requests } from '../license/connect.ts';
import { openLine, type TargetLine } from '../license/transport.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { RunContext } from '../target/context.ts';
import { askReport, hasReport, type ReportsAccess, reportsAccess, requireFew } from './ask.ts';
import { type Bucket, type HourKeys, hourKeysIn, hoursIn, windowsOf } from './buckets.ts';
import { memoryCache, type ReportCache, reportCache } from './cache.ts';
import type {
  AgentFigures,
  ChatSelection,
  Hour,
  HourCounts,
  Measure,
  Measures,
  PresenceTimes,
  StaffSelection,
} from './hourly.ts';
import { type FilterQuestion, type KeptQuestion, keptHours, NOTHING_KEPT, withDays } from './kept.ts';
import {
  agentFigures,
  chatQuestion,
  isOfPersons,
  presenceQuestion,
  type ReportQuestion,
  staffFilters,
} from './questions.ts';
import { daysOf, hoursOf, type ReportRange } from './range.ts';
import { strangeReply } from './reply.ts';

/**
 * Reads what reports measure. One call is one request for all of its days that are not cached, and none when all are; where the keys of hours turn
 * out to have no date, it is one request for each such day. Pure types and sums: src/demand/hourly.ts; ranges, such as `28d`: range.ts there.
 * Every function throws ApiError for a request that failed (`authorization`: the token lacks the scope reports_read) or a reply that is not as specified
 * (`protocol`), and UsageError where it would take too many requests.
 */
export interface DemandReader {
  /** Every hour of the range in order, also those without a chat. */
  readonly chats: <M extends Measure>(
    measure: M,
    of: ChatSelection,
    range: ReportRange,
  ) => Promise<readonly Hour<Measures[M]>[]>;
  /** Minutes of every hour in which at least one of these agents, or of the agents of these groups, accepted chats. */
  readonly presence: (of: StaffSelection, range: ReportRange) => Promise<readonly Hour<PresenceTimes>[]>;
  /** Whether the version of the target has the report of the queue, without which `chats('queue', ...)` is a UsageError: 3.6 and later. */
  readonly hasQueue: boolean;
  /**
   * Whether the report of the queue counts one group alone when it is asked to, which no page says. It is asked once, by at most three requests, and
   * remembered next to the ledger: those of the group and those of all other groups must add up to all. Null where no visitor waited in the range.
   */
  readonly separatesQueue: (group: number, range: ReportRange) => Promise<boolean | null>;
  /** Figures of persons, of the whole range. One request, whose answer is kept nowhere but in this reader. */
  readonly performance: (of: StaffSelection, range: ReportRange) => Promise<readonly AgentFigures[]>;
  /** Requests that were sent so far, by report: each one is billed. */
  readonly requests: () => Requests;
  /** Milliseconds by which the service's clock is ahead of this machine's; null before an answer told the time. */
  readonly ahead: () => number | null;
}

export interface DemandOptions {
  /** Milliseconds after which a request that failed is not sent again; without it, as the run has time. */
  readonly patience?: number;
  /** What tells the license from every other, as a client of the target has learned it: without it, nothing that an emulator said earlier is used. */
  readonly identity?: string | null;
}

/**
 * Runs `work` with a reader of the target's demand, and closes its connections.
 * @throws UsageError where there is no token; and as `work` does
 */
export async function withDemand<T>(
  settings: TargetSettings,
  context: RunContext,
  work: (reader: DemandReader) => Promise<T>,
  options: DemandOptions = {},
): Promise<T> {
  const access = await reportsAccess(settings, context);
  const line = await openLine(settings, context);
  try {
    const cache = await reportCache(settings.localPath);
    return await work(demandReader({ line, access, cache }, settings, context, options));
  } finally {
    await line.close();
  }
}

/** A reading of demand, as far as it came. */
export interface DemandSoFar {
  /** Why it ended before its end; null when it did not. */
  readonly missing: string | null;
  readonly requests: Requests;
}

/** As `withDemand`; what cannot be read ends the work and is the answer. @throws what is no answer of the service, and everything once the run is interrupted */
export async function demandSoFar(
  settings: TargetSettings,
  context: RunContext,
  work: (reader: DemandReader) => Promise<void>,
  options: DemandOptions = {},
): Promise<DemandSoFar> {
  let requests: Requests = {};
  const counting = async (reader: DemandReader): Promise<void> => {
    try {
      await work(reader);
    } finally {
      requests = reader.requests();
    }
  };
  try {
    await withDemand(settings, context, counting, options);
    return { missing: null, requests };
  } catch (error) {
    const missing = reasonOf(error, context);
    return { missing, requests };
  }
}

/** Why reports were not read, for a person. @throws what is no answer of the service, and everything once the run is interrupted */
function reasonOf(error: unknown, { signal }: Pick<RunContext, 'signal'>): string {
  if (signal.aborted) throw error;
  if (error instanceof UsageError) return `the reports were not read: ${error.message}`;
  if (!(error instanceof ApiError)) throw error;
  const { action, type, message } = error.failure;
  const remedy = type === 'authorization' ? '; give the token the scope reports_read' : '';
  const about = type === 'protocol' ? `${action}: ${message}` : `${type}: ${message}`;
  return `the reports were not read to the end: ${about}${remedy}`;
}

interface Reached {
  readonly line: Pick<TargetLine, 'exchange' | 'signal'>;
  readonly access: ReportsAccess;
  readonly cache: ReportCache;
}

/** A reader over a line that is open. */
export function demandReader(
  { line, access, cache }: Reached,
  settings: TargetSettings,
  context: RunContext,
  { patience, identity = null }: DemandOptions,
): DemandReader {
  const { clock } = context;
  const connection = clientOver(line, access, settings, context, patience === undefined ? {} : { patience });
  const { client } = connection;
  const ofPersons = memoryCache();
  const performances = new Map<string, readonly AgentFigures[]>();
  // No limit is published, so requests leave one after the other; a question that is asked twice finds its first answer.
  const inTurn = pLimit(1);
  let keys: HourKeys = 'dated';
  let singleDays = 0;

  const identityNow = (): string | null => client.identity() ?? identity;

  /** The hours of a span, as the service says them now. The first answer tells the form of the keys. */
  async function read<C extends HourCounts>(
    question: ReportQuestion<C>,
    span: ReportRange,
  ): Promise<readonly Hour<C>[]> {
    const windows = windowsOf(span, keys);
    if (keys === 'undated') singleDays += windows.length;
    requireFew(singleDays, 'choose a shorter range, or fewer groups');
    const found = new Map<number, Bucket>();
    for (const [index, window] of windows.entries()) {
      const { rows } = await askReport(connection, question, 'hour', window);
      if (keys === 'dated' && hourKeysIn(rows.flatMap((row) => row.keys)) === 'undated') {
        keys = 'undated';
        if (windowsOf(span, keys).length > windows.length) return read(question, span);
      }
      const hours = hoursIn(rows, window);
      if ('wrong' in hours) throw strangeReply(question.report, hours.wrong);
      // Within an hour that a clock change cuts, the later window begins where the rest of it does.
      for (const [at, bucket] of hours) found.set(index === 0 ? at : Math.max(at, window.from), bucket);
    }
    return hoursOf(span).map((at) => ({ ...question.read(found.get(at) ?? {}), at }));
  }

  async function hours<C extends HourCounts>(
    question: ReportQuestion<C>,
    range: ReportRange,
  ): Promise<readonly Hour<C>[]> {
    const { zone } = range;
    const now = clock.now();
    const asked = keptQuestion(question, zone, settings);
    const place = isOfPersons(question) ? ofPersons : cache;
    const recalled = await place.recall(asked);
    const kept = recalled.identity === identityNow() ? recalled : NOTHING_KEPT;
    const days = daysOf(range);
    const members = question.read({});
    const lag = settings.reportsLag + question.settles;
    const known = new Map(
      days.flatMap((day) => {
        const own = day.isWhole ? keptHours(kept, day, { zone, now, lag, members }) : null;
        return own === null ? [] : [[day.date, own] as const];
      }),
    );
    const missing = days.filter(({ date }) => !known.has(date));
    const [first, last] = [missing[0], missing.at(-1)];
    if (first === undefined || last === undefined) return days.flatMap(({ date }) => known.get(date) ?? []);
    const span = { zone, from: first.from, to: last.to };
    const fresh = await read(question, span);
    // A day is over when it is so by both clocks.
    const over = now + Math.min(0, client.ahead() ?? 0);
    await place.keep(asked, withDays(recalled, daysOf(span), fresh, { identity: identityNow(), now: over, lag }));
    // The first answer of an emulator says which one it is: what another one said does not count.
    if (known.size > 0 && kept.identity !== identityNow()) return hours(question, range);
    return days.flatMap(
      ({ date, from, to }) => known.get(date) ?? fresh.filter(({ at }) => isWithin(at, from, to, span.from)),
    );
  }

  async function separatesQueue(group: number, range: ReportRange): Promise<boolean | null> {
    const { baseUrl, licenseId, organizationId } = settings;
    const { report } = chatQuestion('queue', { groups: [] }, settings.chatMark);
    const question: FilterQuestion = {
      base_url: baseUrl,
      account: organizationId ?? licenseId,
      version: access.version,
      report,
      filter: 'groups',
    };
    const known = await cache.support(question);
    if (known !== null && known.identity === identityNow()) return known.works;
    const waited = async (filters: JsonObject): Promise<number> => {
      const { rows } = await askReport(connection, { report, filters }, 'day', range);
      return rows.reduce(
        (sum, { values }) => sum + (values['queued.count'] ?? 0) + (values['left_queue.count'] ?? 0),
        0,
      );
    };
    const all = await waited({});
    if (all === 0) return null;
    const works = await inParts(waited, group, all);
    await cache.keepSupport(question, { identity: identityNow(), works });
    return works;
  }

  async function performance(of: StaffSelection, range: ReportRange): Promise<readonly AgentFigures[]> {
    const asked = JSON.stringify([of, range]);
    const known = performances.get(asked);
    if (known !== undefined) return known;
    const question = { report: 'agents/performance', filters: staffFilters(of) } as const;
    const { rows } = await askReport(connection, question, 'day', range);
    const figures = rows.map(({ keys: [agent = ''], values }) => agentFigures(agent, values));
    performances.set(asked, figures);
    return figures;
  }

  return {
    chats: (measure, of, range) => inTurn(() => hours(chatQuestion(measure, of, settings.chatMark), range)),
    presence: (of, range) => inTurn(() => hours(presenceQuestion(of), range)),
    hasQueue: hasReport(access.version, 'chats/queued_visitors'),
    separatesQueue: (group, range) => inTurn(() => separatesQueue(group, range)),
    performance: (of, range) => inTurn(() => performance(of, range)),
    requests: client.requests,
    ahead: client.ahead,
  };
}

/** Whether a group and all others add up to all; a service that refuses to tell them apart does not. */
async function inParts(waited: (filters: JsonObject) => Promise<number>, group: number, all: number): Promise<boolean> {
  try {
    const within = await waited({ groups: { values: [group] } });
    const outside = await waited({ groups: { exclude_values: [group] } });
    return within + outside === all;
  } catch (error) {
    if (error instanceof ApiError && error.failure.type === 'validation') return false;
    throw error;
  }
}

/** The first hour of a span can begin before it. */
function isWithin(at: number, from: number, to: number, begin: number): boolean {
  return Math.max(at, begin) >= from && at < to;
}

function keptQuestion(
  { report, filters }: ReportQuestion<unknown>,
  zone: string,
  { baseUrl, licenseId, organizationId }: TargetSettings,
): KeptQuestion {
  return {
    base_url: baseUrl,
    account: organizationId ?? licenseId,
    report,
    zone,
    filters,
  };
}
