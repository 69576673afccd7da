// What changed since an apply, group by group: figures, results of the tests, what fits, and what else could explain it.

import { grouped } from '../../../base/grouped.ts';
import { timestamp } from '../../../base/week.ts';
import { HOUR } from '../../../base/zone.ts';
import { type Hour, type Measures, totalOf } from '../../../demand/hourly.ts';
import type { LedgerEvent } from '../../../ledger/events.ts';
import { type RecordedRun, recordedRuns } from '../../../ledger/runs.ts';
import type { Assumptions } from '../../../routing/rules.ts';
import { type GroupHours, measuresOf, type TestedMeasure } from './measures.ts';
import type { ChangeExplanation, FollowedGroup, FollowedMeasure, FollowReport } from './schema.ts';
import { holm, LEVEL } from './tests.ts';
import { type AffectedGroup, affectedBy, fits } from './touched.ts';
import { type FollowWindow, matched, weeksBefore } from './window.ts';

/** A run whose changes are followed. */
export interface FollowedRun {
  readonly run: RecordedRun;
  /** When it ended by the service's clock, in milliseconds since the epoch. */
  readonly since: number;
}

/** The run, and its end: that of its last event where it was killed. */
export function followedRun(run: RecordedRun, events: readonly LedgerEvent[]): FollowedRun {
  const ends = events.flatMap((event) => {
    const isMeant = event.type === 'run' || event.type === 'before' || event.type === 'order';
    return isMeant && event.run === run.id ? [event.at] : [];
  });
  return { run, since: Math.max(Date.parse(run.at), ...ends.map((at) => Date.parse(at))) + run.ahead };
}

/** A group, and what the reports say of it: null where none was read. */
export interface ReadGroup extends AffectedGroup {
  readonly hours: GroupHours | null;
}

export interface FollowSubject {
  readonly target: string;
  readonly followed: FollowedRun;
  readonly window: FollowWindow;
  readonly wanted: number | null;
  readonly interrupted: boolean;
  readonly groups: readonly ReadGroup[];
  /** False: the run may touch other groups. */
  readonly isWhole: boolean;
  readonly events: readonly LedgerEvent[];
  readonly assumptions: Assumptions;
  /** By the service's clock. */
  readonly now: number;
  /** How late a chat may show in the reports. */
  readonly lag: number;
}

/** In a group, the number of its chats weighs as much as all other measures together: every change of rules shows in it first. */
const WEIGHT = 1;

interface TestedGroup {
  readonly group: ReadGroup;
  readonly measures: readonly TestedMeasure[];
}

export function followReport(subject: FollowSubject): FollowReport {
  const { target, followed, window, wanted, interrupted, isWhole, events, assumptions } = subject;
  const { zone, from, to, hours, next } = window;
  const tested = subject.groups.map((group): TestedGroup => ({ group, measures: testsOf(group, window) }));
  const adjusted = adjustedIn(tested);
  const time = (instant: number): string => timestamp(zone, instant);
  const others = otherRunsIn(events, followed, window, assumptions);
  const groups = tested.map(({ group, measures }): FollowedGroup => {
    const results = measures.map((measure): FollowedMeasure => resultOf(measure, adjusted.get(measure) ?? null));
    const changes = results.flatMap(({ measure, result }) =>
      result === 'rises' || result === 'falls' ? [{ measure, result }] : [],
    );
    const isTested = results.some(({ result }) => result !== 'too-few');
    return {
      address: group.address,
      id: group.id,
      name: group.name,
      result: changes.length > 0 ? 'changed' : isTested ? 'unchanged' : 'too-few',
      measures: results,
      fits: group.effects
        .filter((effect) => changes.some(({ measure, result }) => fits(effect, measure, result)))
        .map(({ by, text }): ChangeExplanation => ({ address: by, text })),
      others: changes.length === 0 ? [] : [...silences(group.hours, window), ...(others.get(keyOf(group)) ?? [])],
    };
  });
  const count = (result: FollowedGroup['result']): number => groups.filter((group) => group.result === result).length;
  const changed = count('changed');
  return {
    target,
    run: { id: followed.run.id, command: followed.run.command, at: time(followed.since) },
    timezone: zone,
    window: { from: time(from), to: time(to), hours, wanted, next: next === null ? null : time(next) },
    weeks: weeksBefore(window).map((week) => ({ from: time(week.from), to: time(week.to) })),
    interrupted,
    level: LEVEL,
    summary: { changed, unchanged: count('unchanged'), too_few: count('too-few') },
    groups,
    others: changed === 0 ? [] : generalCauses(subject),
    notes: [
      ...(isWhole ? [] : ['the rules are too many to compare, so the run may touch other groups']),
      ...subject.groups
        .filter(({ id }) => id === null)
        .map(({ address }) => `the ledger does not know the id of ${address}, so its reports were not read`),
    ],
    undo: `chatform undo ${followed.run.id}`,
  };
}

function testsOf({ hours }: ReadGroup, window: FollowWindow): readonly TestedMeasure[] {
  return hours === null || window.hours === 0 ? [] : measuresOf(hours, window);
}

/** All tests of the run together. */
function adjustedIn(groups: readonly TestedGroup[]): ReadonlyMap<TestedMeasure, number> {
  const tests = groups.flatMap(({ measures }) => {
    const made = measures.flatMap((measure) =>
      measure.probability === null ? [] : [{ measure, probability: measure.probability }],
    );
    const others = made.filter(({ measure }) => measure.measure !== 'arrivals').length;
    return made.map((test) => ({
      ...test,
      weight: test.measure.measure === 'arrivals' || others === 0 ? WEIGHT : WEIGHT / others,
    }));
  });
  const adjusted = holm(tests);
  return new Map(tests.map(({ measure }, index) => [measure, adjusted[index] ?? 1]));
}

function resultOf({ direction, probability, ...figures }: TestedMeasure, adjusted: number | null): FollowedMeasure {
  const result = adjusted === null ? 'too-few' : adjusted <= LEVEL ? direction : 'unchanged';
  return { ...figures, result, probability, adjusted };
}

/** So many chats would have come in the hours without one, and did not. */
const SILENCE = 8;

/** The last hours of the window without a chat, where there usually are some. */
function silences(hours: GroupHours | null, window: FollowWindow): readonly ChangeExplanation[] {
  const days = hours === null ? [] : matched(window, hours.chats);
  const now = days.flatMap((day) => day.now);
  const last = now.findLastIndex(({ chats }) => chats > 0);
  const quiet = now.length - 1 - last;
  const usual = Array.from({ length: 4 }, (_, week) =>
    days.flatMap((day) => (day.now.length > 0 ? (day.before[week] ?? []) : [])),
  );
  const expected = chatsIn(usual.flatMap((week) => week.slice(last + 1))) / usual.length;
  if (expected < SILENCE) return [];
  const text = `there was no chat in the last ${quiet === 1 ? 'hour' : `${quiet} hours`} of them, where about ${Math.round(expected)} usually come: an outage, or late reports`;
  return [{ address: null, text }];
}

function chatsIn(hours: readonly Hour<Measures['chats']>[]): number {
  return totalOf(hours)?.chats ?? 0;
}

/** Other runs from the first of the weeks on that may have changed the chats of a group, by its key. */
function otherRunsIn(
  events: readonly LedgerEvent[],
  { run, since }: FollowedRun,
  window: FollowWindow,
  assumptions: Assumptions,
): ReadonlyMap<string, readonly ChangeExplanation[]> {
  const begin = weeksBefore(window).at(-1)?.from ?? since;
  const found = recordedRuns(events).flatMap((other): readonly (readonly [string, ChangeExplanation])[] => {
    const at = Date.parse(other.at) + other.ahead;
    if (other.id === run.id || at < begin || at >= window.to) return [];
    const text = `run ${other.id} (${other.command ?? 'killed'}, ${timestamp(window.zone, at)}) also touched it`;
    return affectedBy(events, other, assumptions).groups.map((group) => [keyOf(group), { address: null, text }]);
  });
  return grouped(found);
}

/** A group can have had another address at an earlier run. */
function keyOf({ address, id }: Pick<AffectedGroup, 'address' | 'id'>): string {
  return id === null ? address : String(id);
}

/** Chats that began so shortly before the reading may still be taken, answered and rated. */
const UNDER_WAY = HOUR;

function generalCauses({ window, now, lag }: FollowSubject): readonly string[] {
  const { zone, to } = window;
  return [
    'a holiday, a campaign or another event, now or in one of the four weeks',
    ...(now - to < UNDER_WAY
      ? [`chats after ${timestamp(zone, now - UNDER_WAY)} may still be taken, answered and rated`]
      : []),
    ...(lag === 0 ? ['reports that lag: reports_lag says that they do not'] : []),
    'a change that no run of this ledger made',
  ];
}
