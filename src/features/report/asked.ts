// A report as a person asks for it: its name, time and distribution, and whether it shows figures of persons. Sends nothing.

import { UsageError } from '../../base/errors.ts';
import { listed, rightNames } from '../../base/nearest.ts';
import {
  type Distribution,
  distributionsOf,
  familyOf,
  isByAgent,
  isTimed,
  REPORT_NAMES,
  type ReportName,
  SHORT_NAMES,
} from '../../demand/forms.ts';
import { instantIn, lastRange, type ReportRange } from '../../demand/range.ts';

/** Flags, as they were written. */
export interface ReportFlags {
  readonly group?: readonly string[];
  readonly agent?: readonly string[];
  readonly tag?: readonly string[];
  readonly last?: string;
  readonly from?: string;
  readonly to?: string;
  readonly distribution?: string;
  readonly people?: boolean;
}

export interface AskedReport {
  readonly report: ReportName;
  readonly range: ReportRange;
  /** `day` also where the report has none. */
  readonly distribution: Distribution;
  readonly groups: readonly string[];
  readonly agents: readonly string[];
  readonly tags: readonly string[];
  /** Rows about persons are shown. */
  readonly isWithPeople: boolean;
}

const PRESET_TIME = '7d';

/** @throws UsageError for what there is not, and for figures of persons that were not asked for */
export function askedReport(name: string | null, flags: ReportFlags, zone: string, now: number): AskedReport {
  const report = reportMeant(name);
  const { group = [], agent = [], tag = [], people = false } = flags;
  const [, shortName] = report.split('/');
  const { filters } = familyOf(report);
  for (const [flag, names] of Object.entries({ group, agent, tag }))
    if (names.length > 0 && !filters.some((filter) => filter === `${flag}s`))
      throw new UsageError(`--${flag}: the service has no such filter for ${shortName}; leave it out`);
  if (agent.length > 0 && !people)
    throw new UsageError('--agent: this shows figures of a person; add --people if you may see them');
  if (agent.length > 1 && !isByAgent(report))
    throw new UsageError(
      `--agent: ${shortName} adds up all agents that are named, so figures of one could be computed from two such reports; name one agent`,
    );
  if (report === 'chats/ranking' && !people)
    throw new UsageError('ranking has nothing but figures of persons: add --people if you may see them');
  return {
    report,
    range: rangeMeant(flags, zone, now),
    distribution: distributionMeant(report, flags.distribution),
    groups: group,
    agents: agent,
    tags: tag,
    isWithPeople: people || !isByAgent(report),
  };
}

function reportMeant(name: string | null): ReportName {
  if (name === null) throw new UsageError(`report: say which one: ${SHORT_NAMES.join(', ')}`);
  const found = REPORT_NAMES.find((report) => report === name || report.endsWith(`/${name}`));
  if (found !== undefined) return found;
  throw new UsageError(`there is no report ${name}: ${rightNames(name.replace(/^.*\//, ''), SHORT_NAMES)}`);
}

function distributionMeant(report: ReportName, asked: string | undefined): Distribution {
  if (asked === undefined) return 'day';
  if (!isTimed(report)) throw new UsageError(`--distribution: the service distributes no ${report}; leave it out`);
  const allowed = distributionsOf(report);
  const found = allowed.find((distribution) => distribution === asked);
  if (found === undefined) throw new UsageError(`--distribution ${asked}: ${report} has ${listed(allowed)}`);
  return found;
}

function rangeMeant({ last, from, to }: ReportFlags, zone: string, now: number): ReportRange {
  if (from === undefined && to !== undefined)
    throw new UsageError(`--to ${to}: add --from, or ask for a time up to now with --last`);
  if (from === undefined) {
    const range = lastRange(last ?? PRESET_TIME, zone, now);
    if (range === null)
      throw new UsageError(`--last ${last}: write a number of days, weeks or hours, at most a year: 28d, 4w or 24h`);
    return range;
  }
  if (last !== undefined) throw new UsageError(`--last ${last}: leave it out, or leave out --from`);
  const begin = instant('--from', from, zone);
  const end = to === undefined ? now : instant('--to', to, zone);
  if (begin >= end)
    throw new UsageError(
      to === undefined ? `--from ${from} is not in the past` : `--to ${to} is not after --from ${from}: swap the two`,
    );
  return { zone, from: begin, to: end };
}

function instant(flag: '--from' | '--to', text: string, zone: string): number {
  const found = instantIn(zone, text, flag === '--from' ? 'from' : 'to');
  if (found !== null) return found;
  throw new UsageError(`${flag} ${text}: write a day such as 2026-10-25, or a time such as 2026-10-25T14:00`);
}
