// Following an apply: waits until the reports show the hours since, and reads each touched group once. Changes nothing.

import { milliseconds } from '../../../base/duration.ts';
import { UsageError } from '../../../base/errors.ts';
import { addCounts } from '../../../base/grouped.ts';
import { rightNames } from '../../../base/nearest.ts';
import { until } from '../../../base/until.ts';
import { timestamp } from '../../../base/week.ts';
import { HOUR } from '../../../base/zone.ts';
import { type DemandReader, withDemand } from '../../../demand/read.ts';
import { ROUTED } from '../../../kinds/index.ts';
import { runMeant } from '../../../ledger/named-run.ts';
import { recordedRuns } from '../../../ledger/runs.ts';
import type { Requests } from '../../../license/connect.ts';
import { groupsOfLedger } from '../../../license/group-ids.ts';
import { limited } from '../../../license/transport.ts';
import { keyOf } from '../../../plan/reference.ts';
import type { TargetSettings } from '../../../project/settings.ts';
import type { RunContext } from '../../../target/context.ts';
import { ledgerAt } from '../../../target/stores.ts';
import { followedRun, followReport, type ReadGroup } from './follow.ts';
import type { FollowReport } from './schema.ts';
import { type AffectedGroup, affectedBy } from './touched.ts';
import { type FollowWindow, MOST_HOURS, rangeOf, windowSince } from './window.ts';

export interface FollowOptions {
  /** A run of the ledger, or how its id begins; null for the last. */
  readonly run: string | null;
  /** Keys, addresses, ids or names of touched groups; all of them without any. */
  readonly groups: readonly string[];
  /** Hours since the run that are waited for; null compares what the reports show now. */
  readonly hours: number | null;
}

export interface FollowedChats {
  readonly report: FollowReport;
  readonly requests: Requests;
}

/** @throws UsageError for what is no number of whole hours */
export function hoursMeant(flag: string, text: string): number {
  const hours = (milliseconds(text) ?? 0) / HOUR;
  if (Number.isInteger(hours) && hours >= 1 && hours <= MOST_HOURS) return hours;
  throw new UsageError(`${flag} ${text}: write whole hours such as 4h, from 1h to ${MOST_HOURS}h, which is a week`);
}

/** What was asked of the service before its reports. */
interface AskedBefore {
  readonly requests: Requests;
  /** Milliseconds by which the service's clock is ahead of this machine's; null where no answer told the time. */
  readonly ahead: number | null;
}

/**
 * Requires that the reports of the target can be read, by one request for the hour that has begun.
 * @throws UsageError where there is no token; ApiError where it may not read them
 */
export async function requireReports(settings: TargetSettings, context: RunContext): Promise<AskedBefore> {
  const { timezone: zone } = settings.routing;
  const to = context.clock.now();
  return withDemand(settings, context, async (reader) => {
    await reader.chats('not_taken', { groups: [] }, { zone, from: to - HOUR, to });
    return { requests: reader.requests(), ahead: reader.ahead() };
  });
}

/** What `apply` found out before it changed anything. */
export interface FollowAhead {
  readonly settings: TargetSettings;
  readonly hours: number;
  readonly asked: AskedBefore;
}

/** Follows the apply that has just given its lease back. The requests include that before it. @throws as `followTarget` */
export async function followApply(
  { settings, hours, asked }: FollowAhead,
  context: RunContext,
): Promise<FollowedChats> {
  return follow(settings, { run: null, groups: [], hours }, asked, context);
}

/**
 * Follows a run: every group that it touched is read once, at the end, because each further look would have its own chance of a false alarm. An
 * interrupt ends the waiting; then the hours that the reports show by now are compared.
 * @throws UsageError for a run or a group that there is not, without a token, or for a license that is not the ledger's; ApiError for a request that failed
 */
export async function followTarget(
  settings: TargetSettings,
  options: FollowOptions,
  context: RunContext,
): Promise<FollowedChats> {
  return follow(settings, options, null, context);
}

/**
 * Goes by the service's clock, because its reports do. `before`: what a run has asked that held the license against the ledger; null where none has.
 */
async function follow(
  settings: TargetSettings,
  { run: wanted, groups: names, hours }: FollowOptions,
  before: AskedBefore | null,
  context: RunContext,
): Promise<FollowedChats> {
  const events = await ledgerAt(settings.ledger, context).read();
  const followed = followedRun(runMeant(events, recordedRuns(events), wanted, 'followed'), events);
  const { assumptions, timezone: zone } = settings.routing;
  const { reportsLag: lag } = settings;
  const affected = affectedBy(events, followed.run, assumptions);
  const chosen = chosenGroups(affected.groups, names);
  const time = { since: followed.since, lag, zone, wanted: hours };
  const { requests: asked, ahead } =
    before ?? (chosen.some(hasId) ? await groupsOfLedger(events, settings, context) : NOTHING_ASKED);
  const served = (): number => context.clock.now() + (ahead ?? 0);
  const interrupted = chosen.length > 0 && (await untilShown(time, served, context));
  const now = served();
  const window = windowSince({ ...time, now });
  // The signal that ended the waiting must not end the reading as well; a service that hangs must not hold it.
  const signal = interrupted
    ? limited(new AbortController().signal, LAST_READING * settings.requestTimeout).signal
    : context.signal;
  const { groups, requests } = await readGroups(chosen, window, settings, { ...context, signal });
  // Another run may have begun meanwhile.
  const later = await ledgerAt(settings.ledger, context).read();
  const report = followReport({
    target: settings.name,
    followed,
    window,
    wanted: hours,
    interrupted,
    groups,
    isWhole: affected.isWhole,
    events: later,
    assumptions,
    now,
    lag,
  });
  return { report, requests: addCounts([asked, requests]) };
}

const NOTHING_ASKED: AskedBefore = { requests: {}, ahead: null };

/** A reading after an interrupt may take as long as so many requests that time out. */
const LAST_READING = 2;

/** The reports of a group are asked for by its id. */
function hasId(group: AffectedGroup): group is AffectedGroup & { readonly id: number } {
  return typeof group.id === 'number';
}

/** @throws UsageError for a group that the run did not touch */
function chosenGroups(groups: readonly AffectedGroup[], names: readonly string[]): readonly AffectedGroup[] {
  if (names.length === 0) return groups;
  const calledOf = ({ address, id, name }: AffectedGroup): readonly string[] => [
    address,
    keyOf(address),
    String(id),
    `${ROUTED.name}/${id}`,
    name,
  ];
  const known = groups.flatMap(calledOf);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `the run touched no group ${unknown}; ${rightNames(
        unknown,
        groups.map(({ address }) => address),
      )}`,
    );
  return groups.filter((group) => calledOf(group).some((called) => names.includes(called)));
}

/** Waits, with a notice each hour and no request. Returns whether it was interrupted. */
async function untilShown(
  time: Omit<Parameters<typeof windowSince>[0], 'now'>,
  served: () => number,
  { clock, signal, notice }: RunContext,
): Promise<boolean> {
  const look = async () => {
    const now = served();
    const { end, hours } = windowSince({ ...time, now });
    return { left: end === null ? 0 : end - now, end: end ?? now, hours };
  };
  const { left } = await until(look, {
    clock,
    signal,
    isEnough: (seen) => seen.left <= 0,
    pause: (_elapsed, seen) => Math.min(HOUR, seen.left),
    onWait: (_elapsed, { hours, end }) =>
      notice({ type: 'following', hours, wanted: time.wanted ?? hours, until: timestamp(time.zone, end) }),
  });
  return left > 0;
}

interface GroupsRead {
  readonly groups: readonly ReadGroup[];
  readonly requests: Requests;
}

async function readGroups(
  groups: readonly AffectedGroup[],
  window: FollowWindow,
  settings: TargetSettings,
  context: RunContext,
): Promise<GroupsRead> {
  if (window.hours === 0 || !groups.some(hasId))
    return { groups: groups.map((group) => ({ ...group, hours: null })), requests: {} };
  return withDemand(settings, context, async (reader) => {
    const read: ReadGroup[] = [];
    for (const group of groups) read.push(await readGroup(group, window, reader));
    return { groups: read, requests: reader.requests() };
  });
}

/** Four requests, without the chats that `test --on customer` rehearsed. */
async function readGroup(group: AffectedGroup, window: FollowWindow, reader: DemandReader): Promise<ReadGroup> {
  if (!hasId(group)) return { ...group, hours: null };
  const of = { groups: [group.id], unrehearsed: true } as const;
  const range = rangeOf(window);
  return {
    ...group,
    hours: {
      chats: await reader.chats('chats', of, range),
      not_taken: await reader.chats('not_taken', of, range),
      first_response: await reader.chats('first_response', of, range),
      ratings: await reader.chats('ratings', of, range),
    },
  };
}
