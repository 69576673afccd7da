// One report of a target as a table, with addresses in the place of ids.

import { UsageError } from '../../base/errors.ts';
import { timestamp } from '../../base/week.ts';
import { isTimezone } from '../../base/zone.ts';
import { askReport, FEWER_DAYS, reportsAccess, requireFew } from '../../demand/ask.ts';
import { hourKeysIn } from '../../demand/buckets.ts';
import { isTimed, type ReportName } from '../../demand/forms.ts';
import { chatFilters } from '../../demand/questions.ts';
import { daysOf, type ReportRange } from '../../demand/range.ts';
import type { ReportReply } from '../../demand/reply.ts';
import { type ReportTable, tableOf } from '../../demand/tables.ts';
import { zoneRemedy } from '../../kinds/scheduler.ts';
import { clientOver, type Requests } from '../../license/connect.ts';
import { openLine } from '../../license/transport.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../../target/context.ts';
import { type AskedReport, askedReport, type ReportFlags } from './asked.ts';
import { shownFigures } from './persons.ts';
import { type ReportNames, reportNames } from './read-names.ts';
import type { ShownReport } from './schema.ts';

export interface ReportChoice extends ReportFlags {
  /** IANA name; default the project's. */
  readonly timezone?: string;
}

export interface ReportRead {
  readonly report: ShownReport;
  readonly requests: Requests;
}

/** Sends one request and returns its answer. */
type AskReport = (report: ReportName, range: ReportRange) => Promise<ReportReply>;

/**
 * Reads one report, by its name with or without its resource.
 * @throws UsageError for no name, a name, a group or an agent that there is not, and for figures of persons that were not asked for; ApiError
 */
export async function readReport(
  name: string | null,
  choice: ReportChoice,
  settings: TargetSettings,
  context: RunContext,
): Promise<ReportRead> {
  const zone = choice.timezone ?? settings.routing.timezone;
  if (!isTimezone(zone)) throw new UsageError(`--timezone ${zone} is not an IANA time zone: ${zoneRemedy(zone)}`);
  const asked = askedReport(name, choice, zone, context.clock.now());
  const access = await reportsAccess(settings, context);
  const names = await reportNames(asked, settings, context);
  const filters = chatFilters(
    { groups: names.groups.map(({ id }) => Number(id)), agents: names.agents.map(({ id }) => id), tags: asked.tags },
    settings.chatMark,
  );
  const line = await openLine(settings, context);
  try {
    const connection = clientOver(line, access, settings, context);
    const ask: AskReport = (report, range) => askReport(connection, { report, filters }, asked.distribution, range);
    const reply = await wholeReply(asked.report, asked, ask);
    const chats = saysNoChats(asked) ? await chatsByBucket(asked, ask) : new Map<string, number>();
    const report = shown(asked, reply, { chats, names, target: settings.name });
    return { report, requests: { ...names.requests, ...connection.client.requests() } };
  } finally {
    await line.close();
  }
}

/** The reply; of hours whose keys turn out to have no date, one made of a reply for each day. @throws UsageError for too many days */
async function wholeReply(
  report: ReportName,
  { distribution, range }: Pick<AskedReport, 'distribution' | 'range'>,
  ask: AskReport,
): Promise<ReportReply> {
  const reply = await ask(report, range);
  const days = daysOf(range);
  const keys = reply.rows.flatMap((row) => row.keys);
  if (distribution !== 'hour' || !isTimed(report) || days.length === 1 || hourKeysIn(keys) !== 'undated') return reply;
  requireFew(days.length, FEWER_DAYS);
  const replies: ReportReply[] = [];
  for (const { date, from, to } of days) {
    const ofDay = await ask(report, { zone: range.zone, from, to });
    const rows = ofDay.rows.map(({ keys: [hour = '', ...rest], values }) => ({
      keys: [`${date} ${hour}`, ...rest],
      values,
    }));
    replies.push({ ...ofDay, rows });
  }
  const total = replies.reduce((sum, ofDay) => sum + (ofDay.total ?? 0), 0);
  return { ...reply, total, rows: replies.flatMap(({ rows }) => rows) };
}

/** Whether figures of a person stand on chats that the report itself does not say. */
function saysNoChats({ report, agents }: AskedReport): boolean {
  return report === 'agents/availability' && agents.length > 0;
}

async function chatsByBucket(asked: AskedReport, ask: AskReport): Promise<ReadonlyMap<string, number>> {
  const { rows } = await wholeReply('chats/total_chats', asked, ask);
  return new Map(rows.map(({ keys: [key = ''], values }) => [key, values['total'] ?? 0]));
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
  reply: ReportReply,
  about: {
    readonly chats: ReadonlyMap<string, number>;
    readonly names: ReportNames;
    readonly target: string;
  },
): ShownReport {
  const { chats, names, target } = about;
  const table = tableOf(report, reply.rows, distribution);
  const choice = { report, distribution, agents: names.agents.length, isWithPeople, chats };
  const { rows, sums, total, notes } = shownFigures(choice, table, reply);
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
    rows: withAddresses({ ...table, rows }, names).rows,
    sums,
    notes: names.unchecked === null ? notes : [...notes, `Names were not checked: ${names.unchecked}.`],
  };
}
