// A small service of reports for tests of the client: it counts chats of a list, and names buckets as it is told. Shares no code with the client or the
// emulator.

import type { Exchange } from '../../src/service/exchange.ts';

export interface CountedChat {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  readonly group: number;
  /** Null where no agent took it. */
  readonly agent: string | null;
  /** Seconds. */
  readonly duration: number;
  /** Seconds until the first response; null without one. */
  readonly answered: number | null;
  readonly rating: 'good' | 'bad' | null;
  readonly tags?: readonly string[];
  /** Seconds in the queue, until an agent took it or the visitor left; none without it. */
  readonly queued?: number;
}

export interface ReportServiceOptions {
  readonly chats: readonly CountedChat[];
  readonly keys?: 'dated' | 'undated';
  /** What the report of the queue does with a filter by group; default `filters`. */
  readonly queueGroups?: 'filters' | 'ignores' | 'refuses';
  /** Further headers of every reply. */
  readonly headers?: { readonly [name: string]: string };
}

interface Asked {
  readonly distribution: string;
  readonly timezone: string;
  readonly filters: {
    readonly from: string;
    readonly to: string;
    readonly groups?: { readonly values?: readonly number[]; readonly exclude_values?: readonly number[] };
    readonly agents?: { readonly values?: readonly string[]; readonly exists?: boolean };
    readonly tags?: { readonly values: readonly string[] };
    readonly agent_response?: { readonly exists: boolean };
  };
}

/** The hour that a zone shows, such as `2026-10-25 02:00`. */
function hourShown(zone: string, at: number): string {
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return `${shown.format(at).slice(0, 'YYYY-MM-DD HH'.length)}:00`;
}

function bucketOf({ distribution, timezone }: Asked, keys: 'dated' | 'undated', at: number): string {
  const hour = hourShown(timezone, at);
  if (distribution === 'month') return hour.slice(0, 7);
  if (distribution !== 'hour') return hour.slice(0, 10);
  return keys === 'dated' ? hour : hour.slice(11);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const present = <T>(value: T | null): value is T => value !== null;

function waits(chats: readonly CountedChat[]) {
  const seconds = chats.map((chat) => chat.queued).filter((wait) => wait !== undefined);
  if (seconds.length === 0) return { count: 0, min: 0, max: 0, avg: 0 };
  return { count: seconds.length, min: Math.min(...seconds), max: Math.max(...seconds), avg: mean(seconds) };
}

/** The members of one bucket, as the service leaves out what is zero. */
function bucketFor(report: string, chats: readonly CountedChat[]): { readonly [member: string]: number | object } {
  const answered = chats.map((chat) => chat.answered).filter(present);
  const counts = (good: number, bad: number) => ({
    ...(good + bad > 0 ? { chats: good + bad } : {}),
    ...(good > 0 ? { good } : {}),
    ...(bad > 0 ? { bad } : {}),
  });
  const rated = (rating: 'good' | 'bad') => chats.filter((chat) => chat.rating === rating).length;
  const duration = mean(chats.map((chat) => chat.duration));
  switch (report) {
    case 'chats/total_chats':
      return { total: chats.length };
    case 'chats/duration':
      return { count: chats.length, duration, agents_chatting_duration: duration / 2 };
    case 'chats/first_response_time':
      return answered.length === 0 ? {} : { count: answered.length, first_response_time: mean(answered) };
    case 'chats/ratings':
      return counts(rated('good'), rated('bad'));
    case 'chats/tags': {
      const tags = chats.flatMap((chat) => chat.tags ?? []);
      return Object.fromEntries(tags.map((tag) => [tag, tags.filter((other) => other === tag).length]));
    }
    case 'chats/queued_visitors': {
      const queued = chats.filter((chat) => chat.queued !== undefined);
      if (queued.length === 0) return {};
      return {
        queued: waits(queued.filter(({ agent }) => agent !== null)),
        left_queue: waits(queued.filter(({ agent }) => agent === null)),
      };
    }
    case 'agents/availability':
      return { minutes: Math.min(60, 10 * chats.length) };
    default:
      return {};
  }
}

function performance(chats: readonly CountedChat[]) {
  const agents = [...new Set(chats.map(({ agent }) => agent).filter(present))];
  const figures = (own: readonly CountedChat[]) => ({
    chats_count: own.length,
    chats_rated_good: own.filter(({ rating }) => rating === 'good').length,
    first_response_chats_count: own.filter(({ answered }) => answered !== null).length,
    accepting_chats_time: 3600,
    logged_in_time: 7200,
  });
  const records = agents.map((agent) => [agent, figures(chats.filter((chat) => chat.agent === agent))]);
  return { name: 'performance-report', summary: figures(chats), records: Object.fromEntries(records) };
}

/** An exchange that answers from the chats, and everything that it was asked. */
export function reportService({ chats, keys = 'dated', queueGroups = 'filters', headers = {} }: ReportServiceOptions) {
  const asked: (Asked & { readonly report: string })[] = [];
  const exchange: Exchange = async ({ url, body = '' }) => {
    const report = /\/v3\.\d\/reports\/(.+)$/.exec(url)?.[1] ?? '';
    const request: Asked = JSON.parse(body);
    asked.push({ ...request, report });
    const { from, to, groups, agents, tags, agent_response: response } = request.filters;
    const isQueue = report === 'chats/queued_visitors';
    const ofGroups = isQueue && queueGroups === 'ignores' ? undefined : groups;
    if (isQueue && queueGroups === 'refuses' && groups !== undefined)
      return { status: 400, headers, body: '{"error":{"type":"validation","message":"no groups"}}' };
    const counted = chats.filter(
      ({ at, group, agent, answered, tags: own = [] }) =>
        // The last microsecond counts, and chats begin at whole milliseconds.
        at >= Date.parse(from) &&
        at <= Date.parse(to) &&
        ofGroups?.values?.includes(group) !== false &&
        ofGroups?.exclude_values?.includes(group) !== true &&
        (agents?.values === undefined || (agent !== null && agents.values.includes(agent))) &&
        (agents?.exists === undefined || agents.exists === (agent !== null)) &&
        (tags === undefined || own.some((tag) => tags.values.includes(tag))) &&
        (response === undefined || response.exists === (answered !== null)),
    );
    const reply = (content: unknown) => ({ status: 200, headers, body: JSON.stringify(content) });
    if (report === 'agents/performance') return reply(performance(counted));
    const buckets = new Map<string, CountedChat[]>();
    for (const chat of counted) {
      const key = bucketOf(request, keys, chat.at);
      buckets.set(key, [...(buckets.get(key) ?? []), chat]);
    }
    const records = [...buckets].map(([key, own]) => [key, bucketFor(report, own)]);
    // A bucket without data is an empty object, also one before the range.
    const empty = bucketOf(request, keys, Date.parse(from));
    const rated = counted.filter(({ rating }) => rating !== null);
    return reply({
      name: 'a-report',
      request: { ...request },
      total: report === 'chats/ratings' ? rated.length : counted.length,
      records: { [empty]: {}, ...Object.fromEntries(records) },
    });
  };
  return { exchange, asked };
}
