// One report of a target as a table, with addresses in the place of ids.

import { ApiError, UsageError, unstatedFailure } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/model.ts';
import { isTimezone } from '../kinds/scheduler.ts';
import type { TargetSettings } from '../project/settings.ts';
import { timestamp } from '../staff/week.ts';
import { type AskedReport, askedReport, type ReportFlags } from '../tasks/reports/asked.ts';
import { hourKeysIn } from '../tasks/reports/buckets.ts';
import { LEAST_CHATS } from '../tasks/reports/demand.ts';
import { chatFilters, type ReportName } from '../tasks/reports/questions.ts';
import { daysOf, type ReportRange, timesOf } from '../tasks/reports/range.ts';
import type { ShownReport } from '../tasks/reports/schema.ts';
import { isByAgent, isTimed, type ReportTable, tableOf } from '../tasks/reports/tables.ts';
import type { Requests } from './apply.ts';
import { clientOver } from './connect.ts';
import { reportsAccess } from './demand.ts';
import { openLine } from './line.ts';
import { type ReportNames, reportNames } from './report-names.ts';
import type { Surroundings } from './surroundings.ts';

export interface ReportChoice extends ReportFlags {
  /** IANA name; default the project's. */
  readonly timezone?: string;
}

export interface ReportRead {
  readonly report: ShownReport;
  readonly requests: Requests;
}

/** Sends one request and returns its answer. */
type AskReport = (report: ReportName, distribution: string, range: ReportRange) => Promise<JsonObject>;

/**
 * Reads one report, by its name with or without its resource.
 * @throws UsageError for a name, a group or an agent that there is not, and for figures of persons that were not asked for; ApiError
 */
export async function readReport(
  name: string,
  choice: ReportChoice,
  settings: TargetSettings,
  surroundings: Surroundings,
): Promise<ReportRead> {
  const zone = choice.timezone ?? settings.routing.timezone;
  if (!isTimezone(zone))
    throw new UsageError(`--timezone ${zone} is not an IANA time zone: write one such as Europe/Warsaw`);
  const asked = askedReport(name, choice, zone, surroundings.clock.now());
  const access = await reportsAccess(settings, surroundings);
  const names = await reportNames(asked, settings, surroundings);
  const filters = chatFilters(
    { groups: names.groups.map(({ id }) => Number(id)), agents: names.agents.map(({ id }) => id), tags: asked.tags },
    settings.chatMark,
  );
  const line = await openLine(settings, surroundings);
  try {
    const { client, signal } = clientOver(line, access, settings, surroundings);
    const ask: AskReport = async (report, distribution, range) => {
      const body = { distribution, timezone: zone, filters: { ...filters, ...timesOf(range) } };
      const reply = await client.call(report, body, { signal });
      if (isObject(reply) && isObject(reply['records'] ?? {})) return reply;
      throw new ApiError(unstatedFailure({ action: report, type: 'protocol', message: 'the reply is no report' }));
    };
    const reply = await wholeReply(asked, ask);
    const chats = names.agents.length === 0 ? null : await chatsOf(asked, reply, ask);
    const table = tableOf(asked.report, recordsIn(reply), asked.distribution);
    const requests = { ...names.requests, ...client.requests() };
    return {
      report: shown(asked, withAddresses(table, names), { reply, chats, names, target: settings.name }),
      requests,
    };
  } finally {
    await line.close();
  }
}

function recordsIn(reply: JsonObject): JsonObject {
  const { records } = reply;
  return isObject(records) ? records : {};
}

/** The reply; of hours whose keys turn out to have no date, one made of a reply for each day. */
async function wholeReply({ report, distribution, range }: AskedReport, ask: AskReport): Promise<JsonObject> {
  const reply = await ask(report, distribution, range);
  const days = daysOf(range);
  const keys = Object.keys(recordsIn(reply));
  if (distribution !== 'hour' || days.length === 1 || hourKeysIn(keys) !== 'undated') return reply;
  const records: { [key: string]: Json } = {};
  let total = 0;
  for (const { date, from, to } of days) {
    const ofDay = await ask(report, distribution, { zone: range.zone, from, to });
    total += Number(ofDay['total'] ?? 0);
    for (const [key, bucket] of Object.entries(recordsIn(ofDay))) records[`${date} ${key}`] = bucket;
  }
  return { ...reply, total, records };
}

/** How many chats of the named agents there are: below a number of them, no figure is shown. Reports that say it need no other request. */
async function chatsOf({ report, range }: AskedReport, reply: JsonObject, ask: AskReport): Promise<number> {
  const saysChats = report === 'chats/total_chats' || report === 'chats/duration';
  const { total } = saysChats ? reply : await ask('chats/total_chats', 'day', range);
  return typeof total === 'number' ? total : 0;
}

function withAddresses(table: ReportTable, { addressOf }: ReportNames): ReportTable {
  const rows = table.rows.map(({ keys, values }) => ({
    keys: keys.map((key, place) => addressOf(table.dimensions[place] ?? '', key) ?? key),
    values,
  }));
  return { ...table, rows };
}

function shown(
  { report, distribution, range, tags, isWithPeople }: AskedReport,
  table: ReportTable,
  about: {
    readonly reply: JsonObject;
    readonly chats: number | null;
    readonly names: ReportNames;
    readonly target: string;
  },
): ShownReport {
  const { reply, chats, names, target } = about;
  const { rows, sums, total, notes } = withoutPersons(report, table, reply, { isWithPeople, chats });
  return {
    target,
    report,
    distribution: isTimed(report) ? distribution : null,
    timezone: range.zone,
    from: timestamp(range.zone, range.from),
    to: timestamp(range.zone, range.to),
    groups: names.groups.map(({ address }) => address),
    agents: names.agents.map(({ address }) => address),
    tags,
    total,
    dimensions: table.dimensions,
    columns: table.columns,
    rows,
    sums,
    notes: names.unchecked === null ? notes : [...notes, `Names were not checked: ${names.unchecked}.`],
  };
}

/** Chats that the figures of one agent stand on. */
const CHATS_OF_AGENT: { readonly [report in ReportName]?: string } = {
  'agents/performance': 'chats_count',
  'chats/ranking': 'total',
};

/** What may be shown of persons. */
function withoutPersons(
  report: ReportName,
  { rows, sums }: ReportTable,
  { total, summary }: JsonObject,
  { isWithPeople, chats }: { readonly isWithPeople: boolean; readonly chats: number | null },
): Pick<ShownReport, 'rows' | 'sums' | 'total' | 'notes'> {
  const said = typeof total === 'number' && total >= 0 ? total : null;
  const few = `fewer than ${LEAST_CHATS} chats: figures of a person are not shown below that`;
  if (chats !== null && chats < LEAST_CHATS) return { rows: [], sums: {}, total: null, notes: [`There are ${few}.`] };
  if (!isByAgent(report)) return { rows, sums, total: said, notes: [] };
  const all = isObject(summary) ? { ...sums, ...numbersIn(summary) } : sums;
  if (!isWithPeople)
    return { rows: [], sums: all, total: said, notes: ['Figures of persons are left out: --people shows them.'] };
  const column = CHATS_OF_AGENT[report] ?? '';
  const kept = rows.filter(({ values }) => (values[column] ?? 0) >= LEAST_CHATS);
  const hidden = rows.length - kept.length;
  const note = hidden === 1 ? `1 agent is left out, with ${few}.` : `${hidden} agents are left out, each with ${few}.`;
  return { rows: kept, sums: all, total: said, notes: hidden === 0 ? [] : [note] };
}

function numbersIn(object: JsonObject): { readonly [name: string]: number } {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : [])),
  );
}
