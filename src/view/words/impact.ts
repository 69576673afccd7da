// Words for what the changes of a plan carry, shared by text, comments and pages.

import { sumOf } from '../../base/grouped.ts';
import { oncePer } from '../../base/once-per.ts';
import { counted, few } from '../../base/text.ts';
import type {
  CarriedChats,
  GroupWaiting,
  Impact,
  PersonShare,
  TouchedGroupImpact,
  WorseHour,
} from '../../plan/impact.ts';
import { plain } from '../plain.ts';
import { amount } from './amounts.ts';

/** `1,240 chats`. */
export function chatsText(count: number): string {
  return `${amount(count, 'count')} ${count === 1 ? 'chat' : 'chats'}`;
}

/** `1,240 chats in 28 days`; no chat proves only that there are few. */
export function chatsWithin(count: number, days: number): string {
  const within = `in ${counted(days, 'day')}`;
  return count === 0 ? `no chat ${within} (${mostText(days * 24)})` : `${chatsText(count)} ${within}`;
}

/** `at most 1 in 9 days`, with 95 % certainty, where none came in so many hours: by the rule of three. */
export function mostText(hours: number): string {
  const each = hours / 3;
  if (each < 1) return `at most ${short(Math.ceil(10 / each) / 10)} an hour`;
  if (each >= 48) return `at most 1 in ${Math.floor(each / 24)} days`;
  return `at most 1 in ${each < 10 ? short(Math.floor(each * 10) / 10) : Math.floor(each)} h`;
}

type NamedGroups = Pick<Impact, 'groups'>;

const namesOf = oncePer(({ groups }: NamedGroups) => new Map(groups.map(({ group, name }) => [group as string, name])));

/** The address of a group; with its name where the address has only an id. */
function groupText(group: string, impact: NamedGroups): string {
  const name = namesOf(impact).get(group);
  const isBare = /\/\d+$/.test(group) && name !== undefined && !group.endsWith(`/${name}`);
  return isBare ? `${group} (${name})` : group;
}

function groupsText(groups: readonly string[], impact: NamedGroups): string {
  return few(
    groups.map((group) => plain(groupText(group, impact))),
    3,
  );
}

/** What a change carries, in up to two sentences without a full stop; none where it carries nothing. */
export function demandTexts(carried: CarriedChats, impact: Pick<Impact, 'days' | 'groups'>): readonly string[] {
  const { what, chats, exact, groups, because, last } = carried;
  const within = (count: number): string => chatsWithin(count, impact.days);
  const of = groupsText(groups, impact);
  switch (what) {
    case 'rule': {
      if (groups.length === 0) return movedTexts(carried, impact);
      if (chats === null) return [`what it carries is not known: ${because}`, ...movedTexts(carried, impact)];
      const all = exact
        ? `carries ${within(chats)}: all of ${of}, which no other rule feeds`
        : `carries ${chats === 0 ? '' : 'at most '}${within(chats)}: all of ${of}; ${because}`;
      return [all, ...movedTexts(carried, impact)];
    }
    case 'changed-group':
      return [chats === null ? 'its chats are not known' : `has ${within(chats)}`];
    case 'destroyed-group':
      if (chats === null) return ['its chats are not known'];
      return [chats === 0 ? within(chats) : `${within(chats)}, the last on ${last}`];
    case 'staff':
      if (groups.length === 0) return [];
      return [chats === null ? `the chats of ${of} are not known` : `works for ${of}: ${within(chats)}`];
  }
}

function movedTexts({ moved, from }: CarriedChats, impact: Pick<Impact, 'days' | 'groups'>): readonly string[] {
  if (moved === null) return ['how many chats go to other groups because of it is not known'];
  if (from.length === 0) return [];
  const those = `go to other groups because of it: those of ${groupsText(from, impact)}`;
  return [
    `${moved === 0 ? chatsWithin(0, impact.days) : `at most ${chatsText(moved)}`} ${moved === 0 ? 'would ' : ''}${those}`,
  ];
}

/** `took 223 of the 1,240 chats of group/sales (18 %)`; with the name of the person next to another change than theirs. */
export function shareText({ address, group, chats, of }: PersonShare, next: string): string {
  const who = address === next ? '' : `${plain(address)} `;
  if (chats === null)
    return `how many of the ${chatsText(of)} of ${plain(group)} ${who === '' ? 'it ' : who}took is hidden: fewer than 5, or it would tell such a number`;
  return `${who}took ${amount(chats, 'count')} of the ${chatsText(of)} of ${plain(group)} (${percent(of === 0 ? 0 : chats / of)})`;
}

/** `18 %`. A small share is not shown as none, and a large one not as all. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  if (whole === 0 && share > 0) return 'under 1 %';
  return whole === 100 && share < 1 ? 'over 99 %' : `${whole} %`;
}

/** `Mon 10:00-11:00: 7.5 chats at once on average (120 chats in 4 such hours), slots 14 -> 11: 18 % would wait, 34 s on average, and 9 % would leave; now 2 %, 3 s, 1 %`. */
export function worseText(
  { text, chats, times, before, after }: WorseHour,
  { is_new }: Pick<TouchedGroupImpact, 'is_new'>,
): string {
  const isNew = is_new === true;
  const load = isNew ? short(after.at_once) : changing(before.at_once, after.at_once);
  const slots = isNew ? short(after.slots) : changing(before.slots, after.slots);
  const now = isNew ? 'the group is new' : `now ${waitingNow(before)}`;
  const counts = `${chatsText(chats)} in ${counted(times, 'such hour')}`;
  const others = after.others_at_once === undefined ? '' : `, next to ${short(after.others_at_once)} of other groups`;
  return `${text}: ${load} chats at once on average (${counts}), slots ${slots}${others}: ${waitingThen(after)}; ${now}`;
}

/** `18 % would wait, 34 s on average, and 9 % would leave`. */
function waitingThen({ share, seconds, leaves }: GroupWaiting, of = ''): string {
  const wait = isLong(seconds) ? LONG : `${amount(seconds, 'seconds')} on average`;
  return `${percent(share)}${of} would wait, ${wait}${leaves === null ? '' : `, and ${percent(leaves)} would leave`}`;
}

/** `18 % waited, 34 s on average, and 9 % left`. */
export function waitedText({ share, seconds, leaves }: GroupWaiting): string {
  if (share === 0) return 'no chat waited';
  const wait = isLong(seconds) ? LONG : `${amount(seconds, 'seconds')} on average`;
  return `${percent(share)} waited, ${wait}${leaves === null ? '' : `, and ${percent(leaves)} left`}`;
}

/** `2 %, 3 s, 1 %`. */
function waitingNow({ share, seconds, leaves }: GroupWaiting): string {
  const wait = isLong(seconds) ? LONG : amount(seconds, 'seconds');
  return `${percent(share)}, ${wait}${leaves === null ? '' : `, ${percent(leaves)}`}`;
}

const LONG = 'an hour or longer';
const isLong = (seconds: number): boolean => seconds >= LONGEST;

/** `16 % of all its chats would wait, 28 s on average, and 9 % would leave; now 2 %, 3 s, 1 % (measured: 3 %, 4 s, 1 %)`; null where it is not calculated. */
function wholeText({ waiting: { measured, before, after }, is_new }: TouchedGroupImpact): string | null {
  if (after === null) return null;
  const then = waitingThen(after, ' of all its chats');
  if (is_new === true || before === null) return then;
  return `${then}; now ${waitingNow(before)}${measured === null ? '' : ` (measured: ${waitingNow(measured)})`}`;
}

/** Seconds; the impact has no longer wait. */
const LONGEST = 3600;

function changing(before: number, after: number): string {
  const [was, is] = [short(before), short(after)];
  return was === is ? is : `${was} -> ${is}`;
}

/** To a tenth. */
export function short(number: number): string {
  return String(Math.round(number * 10) / 10);
}

/** The whole in one line: `at most 1,240 chats in 28 days; at most 30 of them were taken by no agent; at most 300 go to other groups; ...`. */
export function impactText(impact: Impact): string {
  const { days, chats, not_taken: open, changes, requests_sent: requests } = impact;
  const sent = sumOf(requests);
  const asked = `${counted(sent, 'request')} to the reports`;
  if (changes.length === 0) return `no change carries chats; ${asked}`;
  const away = awayText(impact);
  if (chats === null) return ['chats not known', ...openText(open, chats), away, asked].join('; ');
  // Where no group is counted, there is nothing that could have a chat.
  const isCounted = changes.some(({ groups, from }) => groups.length + from.length > 0);
  const none = isCounted ? chatsWithin(0, days) : 'no chats';
  const all = chats === 0 ? none : `at most ${chatsWithin(chats, days)}`;
  return [all, ...openText(open, chats), away, asked].join('; ');
}

function awayText({ moved, days, changes }: Impact): string {
  if (moved === null) return 'how many go to other groups is not known';
  if (moved > 0) return `at most ${amount(moved, 'count')} go to other groups`;
  const mayMove = changes.some(({ from }) => from.length > 0);
  return mayMove ? `${mostText(days * 24)} would go to other groups` : 'none goes to another group';
}

/** The two counts are of two reports, so there may be more of these. */
function openText(count = 0, chats: number | null): readonly string[] {
  if (count === 0) return [];
  const those = count > (chats ?? 0) ? chatsText(count) : `${amount(count, 'count')} of them`;
  return [`at most ${those} ${count === 1 ? 'was' : 'were'} taken by no agent`];
}

/** What is shown of the waiting in a group: all hours together, the worst of them, and how many more there are. */
export function worstHours(touched: TouchedGroupImpact, most = 3): readonly string[] {
  const { group, worse } = touched;
  const more = worse.length - most;
  const of = plain(groupText(group, { groups: [touched] }));
  const whole = worse.length === 0 ? null : wholeText(touched);
  return [
    ...(whole === null ? [] : [`${of}: ${whole}`]),
    ...worse.slice(0, most).map((hour) => `${of} ${worseText(hour, touched)}`),
    ...(more > 0 ? [`and ${counted(more, 'more hour')} of ${of}`] : []),
  ];
}

/** What each change, and each group that several changes touch, has to say. */
export interface ImpactNotes {
  readonly carried: CarriedChats | null;
  readonly shares: readonly PersonShare[];
  /** Groups in which chats would wait longer, and which no other change touches. */
  readonly waits: readonly TouchedGroupImpact[];
}

/** Looks up what is said next to a change. */
export function impactNotesOf(impact: Impact | undefined): (address: string) => ImpactNotes {
  const changes = new Map(impact?.changes.map((change) => [change.address as string, change]));
  // Next to the change of the person, or else to that of the group.
  const shares = grouped(impact?.people ?? [], ({ address, group }) => (changes.has(address) ? address : group));
  const waiting = (impact?.groups ?? []).filter(({ touched_by: by, worse }) => worse.length > 0 && by.length === 1);
  const waits = grouped(waiting, ({ touched_by: by }) => by[0] ?? '');
  return (address) => ({
    carried: changes.get(address) ?? null,
    shares: shares.get(address) ?? [],
    waits: waits.get(address) ?? [],
  });
}

function grouped<T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item)) ?? [];
    group.push(item);
    groups.set(nameOf(item), group);
  }
  return groups;
}

/** Groups in which chats would wait longer because of several changes. */
export function sharedWaits({ groups }: Impact): readonly TouchedGroupImpact[] {
  return groups.filter(({ worse, touched_by: by }) => worse.length > 0 && by.length > 1);
}
