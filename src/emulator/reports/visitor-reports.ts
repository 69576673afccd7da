// The reports of visitors: how many there were, on which domains, and which carts they abandoned. No API of ours tells of these, so the description of the
// license does. today/reports.md, "Replies, members, totals", "For the emulator".

import { groupedBy } from '../../base/grouped.ts';
import { defineTable, type EmulatedKind, type EmulatedLicense } from '../engine/license.ts';
import * as s from '../engine/shape.ts';
import { type ReportQuery, timedReport } from './action.ts';
import { type ReportRecord, recordsOf } from './buckets.ts';
import { sumOf } from './chat-reports.ts';
import { isWithin } from './range.ts';
import type { TimeConditions } from './request.ts';
import { FEATURES } from './settings.ts';

type TimeQuery = ReportQuery<TimeConditions>;

/** `number`: its place in the description. Times are in ms. */
const viewRecord = s.object({ number: s.int(0), visitor: s.text, url: s.text, at: s.int(0) });
const viewTable = defineTable('pageViews', viewRecord, ({ number }) => String(number), {});
const cartRecord = s.object({ number: s.int(0), at: s.int(0), cents: s.int(0) });
const cartTable = defineTable('abandonedCarts', cartRecord, ({ number }) => String(number), {});

const seed = {
  page_views: s.described(
    {
      description:
        'Pages that visitors saw, who need not be customers. Times are RFC 3339. Reports of visitors count them.',
    },
    s.optional(s.list(s.closed({ visitor: s.text, url: s.webAddress, at: s.dateTime }))),
  ),
  abandoned_carts: s.described(
    { description: 'Carts that visitors left, with their value in cents of US dollars. Times are RFC 3339.' },
    s.optional(s.list(s.closed({ at: s.dateTime, cents: s.int(0) }))),
  ),
};

function plant(license: EmulatedLicense, { page_views, abandoned_carts }: s.ObjectShape<typeof seed>): void {
  for (const [number, { at, ...view }] of (page_views ?? []).entries())
    viewTable.of(license).set({ ...view, number, at: Date.parse(at) });
  for (const [number, { at, cents }] of (abandoned_carts ?? []).entries())
    cartTable.of(license).set({ number, at: Date.parse(at), cents });
}

export const visitorKind = { tables: [viewTable, cartTable], seed, plant } satisfies EmulatedKind;

/** What a report knows of by now, within its range. */
function known<T extends { readonly at: number }>({ range, context }: TimeQuery, all: readonly T[]): readonly T[] {
  return all.filter(({ at }) => at <= context.seenAt && isWithin(range, at));
}

const viewsOf = (query: TimeQuery) => known(query, viewTable.of(query.context.license).all(query.context.at));

const uniqueVisitors = timedReport(
  'customers',
  'unique_visitors',
  (query) => {
    const views = viewsOf(query);
    const visitors = new Set(views.map(({ visitor }) => visitor));
    return { summary: { unique_visitors: visitors.size, page_views: views.length } };
  },
  { versions: FEATURES.uniqueVisitors, called: 'visitors-report' },
);

const MOST_DOMAINS = 100;

const visitorDomains = timedReport(
  'stats',
  'visitor_domains',
  (query) => {
    const domains = Array.from(
      groupedBy(viewsOf(query), ({ url }) => new URL(url).hostname),
      ([domain, views]) => [domain, views.length] as const,
    );
    const most = domains.toSorted(([, one], [, other]) => other - one).slice(0, MOST_DOMAINS);
    return { summary: Object.fromEntries(most) };
  },
  { versions: FEATURES.visitorDomains },
);

const abandonedCarts = timedReport(
  'sales',
  'abandoned_carts',
  (query) => {
    const { buckets, settings, context } = query;
    const carts = known(query, cartTable.of(context.license).all(context.at));
    const value = (those: typeof carts): number => sumOf(those.map(({ cents }) => cents)) / 100;
    const found = Array.from(
      groupedBy(carts, ({ at }) => buckets.keyOf(at)),
      ([key, those]): [string, ReportRecord] => [
        key,
        { abandoned_cart_count: those.length, total_abandoned_value_usd: value(those) },
      ],
    );
    const none = { abandoned_cart_count: 0, total_abandoned_value_usd: 0 };
    return {
      records: recordsOf(buckets, new Map(found), settings, none),
      summary: { total_abandoned_cart_count: carts.length, total_abandoned_value_usd: value(carts) },
    };
  },
  { versions: FEATURES.abandonedCarts, called: 'abandoned_carts' },
);

export const visitorReports = [uniqueVisitors, visitorDomains, abandonedCarts];
