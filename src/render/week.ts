// The weekly cover of a group as a picture of seven days: geometry, shades and words, shared by the SVG file and the HTML page.

import { counted } from '../base/text.ts';
import type { CoverStrip, Grid, Strip } from '../tasks/coverage/grid.ts';

export const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Pixels: the place of the first day, and the size of an hour and of a day. */
export interface WeekScale {
  readonly left: number;
  readonly top: number;
  readonly hour: number;
  readonly day: number;
}

export interface StripBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An hour that the clock shows twice is two strips of half the height. */
export function boxOf({ day, from, to, which }: Strip, { left, top, hour, day: height }: WeekScale): StripBox {
  return {
    x: rounded(left + (from / 60) * hour),
    y: rounded(top + day * height + (which === 'later' ? height / 2 : 0)),
    width: rounded(((to - from) / 60) * hour),
    height: which === 'only' ? height : height / 2,
  };
}

export function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}

/** From few slots to the most of the group. */
const SHADES = 4;

/** The class of a strip: `s1` to `s4`, `anytime`, or `uncovered`. */
export function lookOf({ people, slots }: CoverStrip, { anytime }: Pick<Grid, 'anytime'>, most: number): string {
  if (people === 0) return anytime.people > 0 ? 'anytime' : 'uncovered';
  return `s${most === 0 ? 1 : Math.max(1, Math.ceil((slots / most) * SHADES))}`;
}

export function stripText({ people, bots, slots, text }: CoverStrip, { anytime }: Pick<Grid, 'anytime'>): string {
  const staff = [
    ...(people > bots ? [counted(people - bots, 'person', 'people')] : []),
    ...(bots > 0 ? [counted(bots, 'bot')] : []),
  ];
  if (people > 0) return `${text}: ${staff.join(', ')}, ${counted(slots, 'slot')}`;
  return `${text}: ${anytime.people > 0 ? `only people without hours, ${anytime.people}` : 'no cover'}`;
}

/** Whether a bot can get a chat, and no agent can. */
export function hasBotsOnly({ people, bots }: CoverStrip, { anytime }: Pick<Grid, 'anytime'>): boolean {
  return bots > 0 && bots === people && anytime.people === 0;
}

export const MISSING_TEXT = 'the clock skips this time';
export const LOST_TEXT = 'loses all cover';
export const BOTS_TEXT = 'only bots';

/** Each class, and what it means. */
export const LEGEND: readonly (readonly [look: string, words: string])[] = [
  ['s1', 'few slots, their number written in'],
  ['s4', 'the most slots of the group'],
  ['uncovered', 'no agent can get a chat'],
  ['anytime', 'only people without hours'],
  ['bots', BOTS_TEXT],
  ['missing', 'the clock skips it'],
  ['lost', 'loses all cover'],
];
