// Which rules held at a time, from the data of the page. Pure: it also runs in the page.

import { timestamp } from '../../base/week.ts';
import { MINUTE } from '../../base/zone.ts';
import type { RoutingRule } from '../../routing/rules.ts';
import type { RoutingSide } from '../explain/answer.ts';
import type { UsualChats } from './next-hours.ts';

/** What the page knows of the rules besides what decides. */
export interface AskedRules extends RoutingSide {
  /** Name of the target. */
  readonly target: string;
  /** The domain of a path such as `/pricing`; null where nothing names one. */
  readonly domain: string | null;
  /** By the name of a rule or a group. */
  readonly called: { readonly [name: string]: string };
  /** By the name of a rule or a group: `manifest/rules.yaml:12`. */
  readonly places: { readonly [name: string]: string };
  /** When the license was read, in milliseconds since the epoch: what was before is `past`. */
  readonly readAt: number;
  readonly past: PastRules;
  /** Whether the files could be read, which have the hours and members of other days. */
  readonly isOfFiles: boolean;
  /** Empty where no reports were read. */
  readonly usual: UsualChats;
}

/** Rules of the last days, as far as the ledger knows, each once. Plain JSON. */
export interface PastRules {
  /** Those that the license does not have like this by now. The title is their sentence. */
  readonly rules: readonly RoutingRule[];
  /** Oldest first. */
  readonly lists: readonly PastList[];
}

/** What a run left of the rules. */
export interface PastList {
  /** When it ended, in milliseconds since the epoch. */
  readonly from: number;
  /** Places in the rules of now followed by those of the past, first match first; null where the ledger does not tell what the run left. */
  readonly ranges: readonly PlaceRange[] | null;
  /** Names of the rules of which it does not tell all. */
  readonly open: readonly string[];
  /** It has rules that no run wrote, as they are now. */
  readonly isAssumed: boolean;
}

/** Both included. */
type PlaceRange = readonly [first: number, last: number];

export interface SideAt {
  /** With the rules of the time. */
  readonly side: AskedRules;
  /** Where they come from; null for those of now. */
  readonly source: string | null;
}

export function sideAt(side: AskedRules, at: number): SideAt | { readonly wrong: string } {
  // A person writes whole minutes.
  if (at > side.readAt - MINUTE) return { side, source: null };
  const { lists, rules: former } = side.past;
  const index = lists.findLastIndex(({ from }) => from <= at);
  const list = lists[index];
  if (list === undefined) return { wrong: `The page has no rules of that time: ${knownText(side)}` };
  const when = minuteIn(side, list.from);
  if (list.ranges === null) {
    const next = lists.slice(index).find(({ ranges }) => ranges !== null);
    const again =
      next === undefined ? 'only those of now are known' : `they are known from ${minuteIn(side, next.from)} on`;
    return {
      wrong: `The page has no rules of that time: the ledger does not tell what the run of ${when} left; ${again}`,
    };
  }
  const all = [...side.rules, ...former];
  const rules = list.ranges.flatMap(([first, last]) => all.slice(first, last + 1));
  const own = new Set(former);
  const called = rules.flatMap((rule) => (own.has(rule) ? [[rule.name, rule.title ?? rule.name] as const] : []));
  const assumed = `${list.isAssumed ? 'rules that no run wrote, ' : ''}people, hours and greetings`;
  return {
    side: { ...side, rules, open: list.open, called: { ...side.called, ...Object.fromEntries(called) } },
    source: `as the run of ${when} left them; ${assumed} are those of now`,
  };
}

/** Since when the rules are known, in the zone of the page. */
export function knownText(side: Pick<AskedRules, 'past' | 'timezone'>): string {
  const first = side.past.lists.find(({ ranges }) => ranges !== null);
  if (first === undefined) return 'no run left a list of them';
  return `they are known from ${minuteIn(side, first.from)} on`;
}

/** `2026-11-23 05:56`. */
function minuteIn({ timezone }: Pick<AskedRules, 'timezone'>, at: number): string {
  return timestamp(timezone, at).slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}
