// Words and numbers of a report: its title, its time, its amounts, and rows that become one line.

import type { ShownReport } from './schema.ts';

type ReportName = ShownReport['report'];

export const REPORT_TITLES: { readonly [report in ReportName]: string } = {
  'chats/total_chats': 'Chats',
  'chats/duration': 'Chats, and how long they take',
  'chats/ratings': 'Ratings',
  'chats/ranking': 'Ranking of agents by ratings',
  'chats/engagement': 'Chats, and who began them',
  'chats/greetings_conversion': 'Greetings',
  'chats/tags': 'Tags',
  'chats/surveys': 'Surveys',
  'chats/forms': 'Forms',
  'chats/groups': 'Chats of each group',
  'chats/queued_visitors': 'Visitors in the queue',
  'chats/response_time': 'Time until a response',
  'chats/first_response_time': 'Time until the first response',
  'agents/availability': 'Time in which chats are accepted',
  'agents/performance': 'Performance of agents',
  'customers/unique_visitors': 'Visitors',
  'tags/chat_usage': 'Uses of tags',
  'sales/abandoned_carts': 'Abandoned carts',
  'stats/visitor_domains': 'Page views by domain',
};

/** Titles of columns that are not the name of the member. */
const COLUMN_TITLES: { readonly [column: string]: string } = {
  count: 'chats',
  total: 'chats',
  agents_chatting_duration: 'agents chat',
  chats_count: 'chats',
  chats_rated_good: 'good',
  chats_rated_bad: 'bad',
  first_response_chats_count: 'answered',
  first_response_time: 'first response',
  response_time: 'response',
  accepting_chats_time: 'accepting',
  chatting_time: 'chatting',
  logged_in_time: 'logged in',
  not_accepting_chats_time: 'not accepting',
  started_by_customer_without_greeting: 'by customer',
  started_by_customer_from_greeting: 'from greeting',
  started_by_agent: 'by agent',
  'queued.count': 'served',
  'queued.avg': 'wait',
  'queued.min': 'least',
  'queued.max': 'longest',
  'left_queue.count': 'left',
  'left_queue.avg': 'wait',
  'left_queue.min': 'least',
  'left_queue.max': 'longest',
  unique_visitors: 'visitors',
  page_views: 'page views',
  abandoned_cart_count: 'carts',
  total_abandoned_value_usd: 'value',
};

/** Where one word means something else than in other reports. */
const OWN_TITLES: { readonly [report in ReportName]?: { readonly [column: string]: string } } = {
  'chats/ranking': { total: 'rated' },
};

export function columnTitle({ report }: Pick<ShownReport, 'report'>, column: string): string {
  return OWN_TITLES[report]?.[column] ?? COLUMN_TITLES[column] ?? column;
}

/** `2026-10-26 to 2026-11-22, Europe/Warsaw`; with times where it is not whole days. */
export function rangeText({ from, to, timezone }: Pick<ShownReport, 'from' | 'to' | 'timezone'>): string {
  const isWhole = [from, to].every((time) => time.slice('YYYY-MM-DD'.length).startsWith('T00:00:00'));
  const shown = (time: string): string => time.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
  const last = isWhole ? dayFrom(to, -1) : shown(to);
  const first = isWhole ? from.slice(0, 'YYYY-MM-DD'.length) : shown(from);
  return `${first === last ? first : `${first} to ${last}`}, ${timezone}`;
}

/** The date so many days after that of a time. */
function dayFrom(time: string, days: number): string {
  const day = Date.parse(`${time.slice(0, 'YYYY-MM-DD'.length)}T00:00:00Z`);
  return new Date(day + days * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** What a report is about. */
export function aboutText({ groups, agents, tags }: Pick<ShownReport, 'groups' | 'agents' | 'tags'>): string {
  const parts = [...groups, ...agents, ...tags.map((tag) => `tag ${JSON.stringify(tag)}`)];
  return parts.length === 0 ? 'all groups' : parts.join(', ');
}

/** Rows that are one line: the hours of a day, the days of a month, or the buckets of one tag or greeting. */
export interface Series {
  readonly label: string;
  readonly values: readonly number[];
  readonly total: number;
}

/** More buckets than these have no row each. */
const MOST_BUCKETS = 60;

/** Of hours and days, characters of the key that many of them share. */
const SHARED: { readonly [dimension: string]: number } = { hour: 'YYYY-MM-DD'.length, day: 'YYYY-MM'.length };

/** What a line of `seriesOf` is about: the second dimension, or the time that its buckets are in. */
export function seriesLabel({ dimensions: [bucket, second] }: ShownReport): string {
  return second ?? (bucket === 'hour' ? 'day' : 'month');
}

/** One series for each day of many hours, each month of many days, or each tag and greeting, over the same buckets; null for a report whose rows stand for themselves. */
export function seriesOf(report: ShownReport): readonly Series[] | null {
  const { rows, columns, dimensions } = report;
  const column = columns[0]?.name ?? '';
  const isDivided = dimensions.length === 2;
  const shared = SHARED[dimensions[0] ?? ''];
  if (!isDivided && (shared === undefined || rows.length <= MOST_BUCKETS)) return null;
  const found = new Map<string, Map<string, number>>();
  for (const { keys, values } of rows) {
    const [bucket = '', second = ''] = keys;
    const [label, place] = isDivided ? [second, bucket] : [bucket.slice(0, shared), bucket.slice(shared)];
    found.set(label, (found.get(label) ?? new Map()).set(place, values[column] ?? 0));
  }
  const seen = [...found.values()].flatMap((each) => [...each.keys()]);
  const places = [...new Set([...(isDivided ? daysIn(report) : []), ...seen])].sort();
  return [...found]
    .map(([label, values]) => {
      const all = places.map((place) => values.get(place) ?? 0);
      return { label, values: all, total: all.reduce((sum, value) => sum + value, 0) };
    })
    .toSorted((one, other) => (isDivided ? other.total - one.total : 0));
}

/** The days of a report by day: one without a tag has no row. */
function daysIn({ distribution, from, to }: ShownReport): readonly string[] {
  const days: string[] = [];
  if (distribution === 'day')
    for (let day = from.slice(0, 10); day < to.slice(0, 10); day = dayFrom(day, 1)) days.push(day);
  return days;
}
