// The rules that the runs of the last four weeks left, by the ledger. What no file has, it knows by its place alone.

import type { Address, Reference } from '../../base/model.ts';
import { DAY } from '../../base/zone.ts';
import { isAddress, kindOf, ORDERED } from '../../kinds/index.ts';
import { renamed } from '../../ledger/changes.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { type Folded, fold } from '../../ledger/ledger.ts';
import { atOf, isActionOn, lastReduction, runOf } from '../../ledger/runs.ts';
import { addressOf } from '../../plan/reference.ts';
import { type Assumptions, type RoutingRule, ruleOf } from '../../routing/rules.ts';
import { type BoundLicense, groupName, liveRules, routingRule } from '../../routing/sources.ts';
import { ruleSentence } from '../show/lists.ts';
import type { AskedRules, PastList, PastRules } from './rules-at.ts';

/** How long ago a visitor may have come. */
const DAYS_BACK = 28;

/** `license`: as it is now. `now`: milliseconds since the epoch. */
export function pastRules(
  events: readonly LedgerEvent[],
  license: BoundLicense,
  assumptions: Assumptions,
  now: number,
  called: AskedRules['called'] = {},
): PastRules {
  const log = renamed(events).filter(isAboutRules);
  const all = momentsIn(log);
  const first = all.findLastIndex(({ from }) => from <= now - DAYS_BACK * DAY);
  const { rules: present } = liveRules(license);
  const ids = (license.live.objects[ORDERED.name] ?? []).map(({ id }) => String(id));
  const byId = new Map(present.map((rule, place) => [ids[place] ?? '', rule]));
  const numbers = new Map(present.map((rule, place) => [meaningOf(rule, assumptions), place]));
  const isOwned: ReadonlySet<string> = new Set(fold(log).bound.keys());
  const rules: RoutingRule[] = [];
  const numberOf = (rule: RoutingRule): number => {
    const meaning = meaningOf(rule, assumptions);
    const known = numbers.get(meaning) ?? present.length + rules.push(rule) - 1;
    numbers.set(meaning, known);
    return known;
  };
  const lists = all.slice(Math.max(0, first)).map(({ from, end, isSure }): PastList => {
    const listed = isSure ? listedIn(fold(log.slice(0, end)), { byId, license, called }) : null;
    if (listed === null) return { from, ranges: null, open: [], isAssumed: false };
    const open = listed.flatMap(({ rule, known }) =>
      known === 'in part' || (known === 'now' && isOwned.has(rule.name)) ? [rule.name] : [],
    );
    const isAssumed = listed.some(({ known }) => known === 'now');
    return { from, ranges: rangesOf(listed.map(({ rule }) => numberOf(rule))), open, isAssumed };
  });
  return { rules, lists };
}

function isAboutRules(event: LedgerEvent): boolean {
  if ('address' in event) return kindOf(event.address) === ORDERED.name;
  return event.type === 'order' || event.type === 'done' || event.type === 'run' || event.type === 'begun';
}

/** The same for rules that mean the same of one name, however they are written. */
function meaningOf(rule: RoutingRule, assumptions: Assumptions): string {
  const { name, groups, key } = ruleOf(rule, assumptions);
  return JSON.stringify([name, groups, key]);
}

/** The end of a run that wrote to the rules. */
interface Moment {
  readonly from: number;
  /** So many events of the log had happened. */
  readonly end: number;
  /** Nothing of the rules is in doubt. */
  readonly isSure: boolean;
}

/** A compaction leaves one moment of what it reduced. */
function momentsIn(log: readonly LedgerEvent[]): readonly Moment[] {
  const reduced = log.findLastIndex(
    (event) => (event.type === 'run' || event.type === 'begun') && event.compacted !== undefined,
  );
  const last = new Map(log.map((event, index) => [runOf(event), index]));
  const moments: Moment[] = [];
  const touched = new Set<string | null>();
  /** Each with the run that left it so. */
  const doubts = new Map<Address | 'order' | 'action', string>();
  const intents = new Map<string, Address>();
  for (const [index, event] of log.entries()) {
    const run = runOf(event);
    if (event.type !== 'run' && event.type !== 'begun' && event.type !== 'done') touched.add(run);
    const had = doubts.size;
    judge(event, doubts, intents);
    if (index < reduced) continue;
    const at = index === reduced ? (lastReduction(log)?.reduced ?? atOf(event)) : atOf(event);
    if (index === reduced || (last.get(run) === index && (touched.has(run) || doubts.size !== had)))
      moments.push({ from: Date.parse(at), end: index + 1, isSure: doubts.size === 0 });
  }
  return moments;
}

/** What an event leaves in doubt, and what it settles. */
function judge(
  event: LedgerEvent,
  doubts: Map<Address | 'order' | 'action', string>,
  intents: Map<string, Address>,
): void {
  switch (event.type) {
    case 'intent':
      intents.set(event.id, event.address);
      doubts.set(event.address, event.run);
      break;
    case 'before':
    case 'remaking':
      doubts.set(event.address, event.run);
      break;
    case 'done': {
      const address = intents.get(event.intent);
      if (address !== undefined && event.outcome === 'refused') doubts.delete(address);
      break;
    }
    case 'applied':
    case 'forgotten':
      doubts.delete(event.address);
      break;
    case 'order':
      if (event.moment === 'before') doubts.set('order', event.run);
      else doubts.delete('order');
      break;
    case 'run': {
      if (isActionOn(event, ORDERED.name)) doubts.set('action', event.run);
      // An apply puts back what an action changed of its rules.
      if (event.command === 'apply' && event.outcome === 'done') doubts.delete('action');
      const unsure = new Set<string>(event.unsure);
      for (const [what, run] of doubts)
        if (
          event.ends?.includes(run) === true ||
          (run === event.run && what !== 'order' && what !== 'action' && !unsure.has(what))
        )
          doubts.delete(what);
      break;
    }
    default:
      break;
  }
}

interface ListedRule {
  readonly rule: RoutingRule;
  /** `now`: no run had written it, and this is how it is now. */
  readonly known: 'whole' | 'in part' | 'now';
}

/** What is known of now. */
interface Present {
  readonly byId: ReadonlyMap<string, RoutingRule>;
  readonly license: BoundLicense;
  /** Names of groups by their addresses. */
  readonly called: AskedRules['called'];
}

/** All rules of the list, owned and not; null where no run recorded their order. What a file left to the license is as it is now. */
function listedIn(
  { orders, bound, applied }: Folded,
  { byId, license, called }: Present,
): readonly ListedRule[] | null {
  const order = orders.get(ORDERED.name);
  if (order === undefined) return null;
  const owned = new Map<string, Address>(Array.from(bound, ([address, { id }]) => [String(id), address]));
  return order.ids.map((each): ListedRule => {
    const id = String(each);
    const [address, present] = [owned.get(id), byId.get(id)];
    if (address === undefined) return present === undefined ? goneRule(id) : { rule: present, known: 'now' };
    const known = applied.get(address);
    const spec = { ...known?.spec, ...known?.reads };
    const own = routingRule(address, spec);
    const [groups, conditions] = [
      spec['access'] === undefined ? present?.groups : own.groups.map((group) => groupIn(license, group)),
      spec['conditions'] === undefined ? present?.conditions : own.conditions,
    ];
    const title = ruleSentence({ ...spec, conditions: conditions ?? {} }, called);
    const rule = { name: address, title, groups: groups ?? [], conditions: conditions ?? {} };
    return { rule, known: groups === undefined || conditions === undefined ? 'in part' : 'whole' };
  });
}

/** As the staff of the license has it. */
function groupIn(license: BoundLicense, group: Reference): Reference {
  return isAddress(group) ? group : groupName(group, license);
}

function goneRule(id: Reference): ListedRule {
  const title = `the rule ${id}, which is gone`;
  return { rule: { name: addressOf(ORDERED.name, id), title, groups: [], conditions: {} }, known: 'in part' };
}

/** `[4, 5, 6, 9]` as `[[4, 6], [9, 9]]`: rules are rarely moved. */
function rangesOf(places: readonly number[]): NonNullable<PastList['ranges']> {
  const ranges: [number, number][] = [];
  for (const place of places) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === place) last[1] = place;
    else ranges.push([place, place]);
  }
  return ranges;
}
