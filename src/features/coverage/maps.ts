// The weeks of groups as heat maps: who can get chats when, and how many chats there are at once.

import { counted } from '../../base/text.ts';
import { DAY_NAMES, dayOf, daysFrom, spanText, type Week } from '../../base/week.ts';
import { DAY, type Interval, MINUTE, type Stretch, wallOf } from '../../base/zone.ts';
import type { HeatFrame, HeatLook, HeatTime, Picture, PictureBlock } from '../../view/blocks.ts';
import { short } from '../../view/words/impact.ts';
import type { CoverageReport, CoverReport, NamedSpan, StaffedDemand } from './report.ts';

type HeatMap = Extract<Picture, { readonly kind: 'heat-map' }>;

/** What is drawn on one day. */
interface OnDay<Look> {
  readonly strip: Strip;
  readonly time: HeatTime<Look>;
}

export function weekIn({ timezone, from }: Pick<CoverageReport, 'timezone' | 'from'>): Week {
  return daysFrom(timezone, dayOf(from.slice(0, 'YYYY-MM-DD'.length)) ?? 0);
}

export const COVER_LEGEND: HeatMap['legend'] = [
  ['s1', 'few chats at once, and how many'],
  ['s4', 'the most chats at once of the group'],
  ['none', 'nobody can get a chat'],
  ['open', 'only people without hours'],
  ['alone', 'only bots'],
  ['void', 'the clock skips it'],
  ['lost', 'loses all cover'],
];

export interface CoverMap {
  readonly name: string;
  readonly week: Week;
  /** Chats at once of the darkest shade. */
  readonly most: number;
  readonly lost: readonly NamedSpan[];
  readonly legend: HeatMap['legend'];
}

export function coverMap(cover: CoverReport, { name, week, most, lost, legend }: CoverMap): PictureBlock {
  const { pieces } = cover;
  const cells = pieces.flatMap((piece) => {
    const says = pieceText(piece, cover, spanText(week, interval(piece)));
    return onDays(week, interval(piece), lookOf(piece, cover, most), wordsOf(piece, cover), says);
  });
  const missing = missingStrips(week).map((strip) => onDay(strip, 'void' as const, [], 'the clock skips this time'));
  const alone = cover.bots_only.flatMap((time) => onDays(week, interval(time), 'alone' as const, [], 'only bots'));
  const gone = lost.flatMap((time) => onDays(week, interval(time), 'lost' as const, [], 'loses all cover'));
  const rows = rowsOf(week, [...missing, ...cells], [...alone, ...gone]);
  return {
    type: 'picture',
    picture: { kind: 'heat-map', name: `${name}: ${inWords(cover)}`, what: 'Chats at once', rows, legend },
    instead: [],
  };
}

function interval({ from, to }: Pick<NamedSpan, 'from' | 'to'>): Interval {
  return { from: Date.parse(from), to: Date.parse(to) };
}

/** The number of slots; a word for who they are where no person is among them. */
function wordsOf({ people, bots, slots }: Piece, { anytime }: CoverReport): readonly string[] {
  if (people === 0) return anytime.people > 0 ? ['any time', 'any'] : ['none', '0'];
  return bots === people ? [`bots ${slots}`, String(slots)] : [String(slots)];
}

/** `words`: the longest first. */
function onDays<Look>(
  week: Week,
  time: Interval,
  look: Look,
  words: readonly string[],
  says: string,
): readonly OnDay<Look>[] {
  return stripsOf(week, time).map((strip) => onDay(strip, look, words, says));
}

function onDay<Look>(strip: Strip, look: Look, [text = '', shorter]: readonly string[], says: string): OnDay<Look> {
  const short = shorter === undefined ? {} : { shorter };
  return { strip, time: { from: strip.from / 60, to: strip.to / 60, look, text, ...short, says } };
}

/** A row for each day, and one more for hours that the clock shows twice. */
function rowsOf(week: Week, cells: readonly OnDay<HeatLook>[], frames: readonly OnDay<HeatFrame>[]): HeatMap['rows'] {
  return week.days.flatMap((_, day) => {
    const label = DAY_NAMES[weekdayAt(week, day)] ?? '';
    const of = <Look>(all: readonly OnDay<Look>[], isAgain: boolean): readonly HeatTime<Look>[] =>
      all.flatMap(({ strip, time }) => (strip.day === day && (strip.which === 'later') === isAgain ? [time] : []));
    const again = { label: 'again', cells: of(cells, true), frames: of(frames, true) };
    return [
      { label, cells: of(cells, false), frames: of(frames, false) },
      ...(again.cells.length === 0 ? [] : [again]),
    ];
  });
}

function weekdayAt({ days }: Week, place: number): number {
  return wallOf(dayOf(days[place]?.date ?? '') ?? 0).weekday;
}

const SHADES = ['s1', 's2', 's3', 's4'] as const;

/** From little to the most. */
function shadeOf(value: number, most: number): HeatLook {
  return SHADES[most === 0 ? 0 : Math.max(1, Math.ceil((value / most) * SHADES.length)) - 1] ?? 's4';
}

type Piece = CoverReport['pieces'][number];

function lookOf({ people, slots }: Piece, { anytime }: CoverReport, most: number): HeatLook {
  if (people === 0) return anytime.people > 0 ? 'open' : 'none';
  return shadeOf(slots, most);
}

function pieceText({ people, bots, slots }: Piece, { anytime }: CoverReport, when: string): string {
  const staff = [
    ...(people > bots ? [counted(people - bots, 'person', 'people')] : []),
    ...(bots > 0 ? [counted(bots, 'bot')] : []),
  ];
  if (people > 0) return `${when}: ${staff.join(', ')}, ${counted(slots, 'chat')} at once`;
  return `${when}: ${anytime.people > 0 ? `only people without hours, ${anytime.people}` : 'no cover'}`;
}

/** The picture in words. */
function inWords({ agents, bots, slots, uncovered, anytime }: CoverReport): string {
  const also = bots.high === 0 ? '' : `, ${rangeText(bots)} bots`;
  const free = anytime.people === 0 ? '' : `, ${anytime.people} without hours`;
  const empty = uncovered.length === 0 ? '' : `; no cover ${uncovered.map(({ text }) => text).join(', ')}`;
  return `${rangeText(agents)} people${also}, ${rangeText(slots)} chats at once${free}${empty}`;
}

export function rangeText({ low, high }: CoverReport['people']): string {
  return low === high ? String(low) : `${low}-${high}`;
}

const UNSTAFFED = 'no agent scheduled';

export const DEMAND_LEGEND: HeatMap['legend'] = [
  ['s1', 'few chats at once on average'],
  ['s4', 'the most chats at once'],
  ['lost', `chats, and ${UNSTAFFED}`],
];

export function demandMap(
  { address, at_once: demand, slots, unstaffed }: StaffedDemand,
  legend: HeatMap['legend'],
  week: Week,
): PictureBlock {
  const marked = new Set(unstaffed.flatMap(({ hours }) => hours));
  return hoursMap({
    name: `Chats at once of ${address} by hour of the week`,
    demand,
    slots,
    marked,
    mark: UNSTAFFED,
    legend,
    first: weekdayAt(week, 0),
  });
}

/** Hours of the week from Monday 00:00 on. */
export interface HoursMap {
  readonly name: string;
  /** Chats at once on average. */
  readonly demand: readonly number[];
  readonly slots: readonly number[] | null;
  readonly marked: ReadonlySet<number>;
  /** What the marks say. */
  readonly mark: string;
  readonly legend: HeatMap['legend'];
  /** The weekday that is shown first; default Monday. */
  readonly first?: number;
}

/** Hours without a chat are not drawn. */
export function hoursMap({ name, demand, slots, marked, mark, legend, first = 0 }: HoursMap): PictureBlock {
  const most = Math.max(0, ...demand);
  const rows = DAY_NAMES.map((_, index) => {
    const day = (first + index) % DAY_NAMES.length;
    const label = DAY_NAMES[day] ?? '';
    const hours = Array.from({ length: 24 }, (_, hour) => {
      const place = day * 24 + hour;
      const load = demand[place] ?? 0;
      const room = slots === null ? '' : `, room for ${short(slots[place] ?? 0)}`;
      const says = `${label} ${String(hour).padStart(2, '0')}:00: ${short(load)} chats at once${room}`;
      return { place, load, time: { from: hour, to: hour + 1, text: short(load), says } };
    });
    return {
      label,
      cells: hours.flatMap(({ load, time }) => (load === 0 ? [] : [{ ...time, look: shadeOf(load, most) }])),
      frames: hours.flatMap(({ place, time }) =>
        marked.has(place) ? [{ ...time, look: 'lost' as const, says: `${time.says}, ${mark}` }] : [],
      ),
    };
  });
  return { type: 'picture', picture: { kind: 'heat-map', name, what: 'Chats at once', rows, legend }, instead: [] };
}

/** Part of one day, in minutes of wall-clock time. */
interface Strip {
  /** 0 is Monday. */
  readonly day: number;
  readonly from: number;
  readonly to: number;
  /** Of a time that the wall clock shows twice, which one. */
  readonly which: 'only' | 'earlier' | 'later';
}

/** Times that the wall clock never shows. */
export function missingStrips({ stretches, days }: Week): readonly Strip[] {
  return changesOf(stretches).flatMap(({ from, to, isTwice }) =>
    isTwice ? [] : cutAtMidnight({ from, to }, days, 'only'),
  );
}

/** The parts of days that a time is made of. */
export function stripsOf({ stretches, days }: Week, time: Interval): readonly Strip[] {
  const twice = changesOf(stretches).filter(({ isTwice }) => isTwice);
  return stretches.flatMap(({ from, to, offset }) => {
    const local = { from: Math.max(from, time.from) + offset, to: Math.min(to, time.to) + offset };
    if (local.from >= local.to) return [];
    const marks = twice.flatMap((change) => [change.from, change.to]).filter((at) => at > local.from && at < local.to);
    const bounds = [local.from, ...marks.sort((a, b) => a - b), local.to];
    return bounds.slice(1).flatMap((end, index) => {
      const part = { from: bounds[index] ?? end, to: end };
      const change = twice.find((each) => part.from >= each.from && part.to <= each.to);
      const which = change === undefined ? 'only' : change.at >= to ? 'earlier' : 'later';
      return cutAtMidnight(part, days, which);
    });
  });
}

/** Wall-clock times that a clock change skips, or shows twice. */
function changesOf(
  stretches: readonly Stretch[],
): readonly (Interval & { readonly at: number; readonly isTwice: boolean })[] {
  return stretches.slice(1).map(({ from: at, offset }, index) => {
    const earlier = stretches[index]?.offset ?? offset;
    const [low, high] = earlier < offset ? [earlier, offset] : [offset, earlier];
    return { at, from: at + low, to: at + high, isTwice: earlier > offset };
  });
}

function cutAtMidnight({ from, to }: Interval, days: Week['days'], which: Strip['which']): readonly Strip[] {
  const strips: Strip[] = [];
  for (let midnight = Math.floor(from / DAY) * DAY; midnight < to; midnight += DAY) {
    const day = days.findIndex(({ date }) => date === wallOf(midnight).date);
    const [first, last] = [Math.max(from, midnight), Math.min(to, midnight + DAY)];
    if (day !== -1) strips.push({ day, from: (first - midnight) / MINUTE, to: (last - midnight) / MINUTE, which });
  }
  return strips;
}
