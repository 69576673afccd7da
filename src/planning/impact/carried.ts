// What each change of a plan carries: exact where the reports can tell its chats apart, otherwise at most.

import { byText } from '../../base/json.ts';
import type { Address } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { HourDemand } from '../../demand/week.ts';
import type { CarriedChats } from '../../plan/impact.ts';
import type { ChatGroups } from '../../plan/touched.ts';
import type { CarryingChange, Touched } from './touched.ts';

/** Chats of one group that need a slot, in the days that were looked at. */
export interface ServedDemand {
  /** One entry for each hour of the week. */
  readonly hours: readonly HourDemand[];
  /** Mean length in seconds; null without one. */
  readonly length: number | null;
}

/** All chats of one group in these days. */
export interface GroupDemand extends ServedDemand {
  readonly chats: number;
  /** Those that no agent took. */
  readonly notTaken: number;
  /** The day of the last one, YYYY-MM-DD; null without one. */
  readonly last: string | null;
}

/** By group; a group that could not be read is left out. */
export type Demands = ReadonlyMap<Address, GroupDemand>;

/** What is known of the chats, and of the rules in those days. */
interface CarriedInput {
  readonly touched: Touched;
  readonly demands: Demands;
  /** Why the chats of these days do not tell what rules send where, as a clause; null where they do. */
  readonly rulesChanged: string | null;
}

/** The group of a source with the fewest chats: each chat of the source counts in all of its groups. Null when none was read. */
function leastOf(source: ChatGroups, demands: Demands): Address | null {
  const known = source.flatMap((group) => {
    const demand = demands.get(group);
    return demand === undefined ? [] : [{ group, chats: demand.chats }];
  });
  return known.toSorted((one, other) => one.chats - other.chats)[0]?.group ?? null;
}

/** The groups whose chats together are at least those of all sources; null when one of them was not read. */
export function boundOf(sources: readonly ChatGroups[], demands: Demands): readonly Address[] | null {
  const groups = sources.map((source) => leastOf(source, demands));
  const known = groups.flatMap((group) => group ?? []);
  return known.length < groups.length ? null : [...new Set(known)].sort(byText);
}

/** Null when a group was not read. */
export function chatsOf(groups: readonly Address[] | null, demands: Demands): number | null {
  if (groups === null) return null;
  const counts = groups.map((group) => demands.get(group)?.chats ?? null);
  return counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

export function carriedBy(change: CarryingChange, input: CarriedInput): CarriedChats {
  const { what, address } = change;
  const { demands, rulesChanged } = input;
  switch (what) {
    case 'rule':
      return { address, what, ...ownChats(change, input), ...movedChats(change, input), last: null };
    case 'changed-group':
    case 'destroyed-group': {
      const chats = chatsOf([address], demands);
      const counted = { address, chats, exact: true, groups: [address], because: null };
      if (what === 'changed-group') return { ...counted, what, moved: 0, from: [], last: null };
      const moved = rulesChanged === null ? chats : null;
      return { ...counted, what, moved, from: [address], last: demands.get(address)?.last ?? null };
    }
    case 'staff': {
      const { groups } = change;
      const shared = { exact: false, because: 'the other members of its groups take chats as well' };
      return { address, what, chats: chatsOf(groups, demands), ...shared, groups, moved: 0, from: [], last: null };
    }
  }
}

type RuleChange = Extract<CarryingChange, { readonly what: 'rule' }>;

/** The chats that the rule sends to its groups now. */
function ownChats(
  { feeds }: RuleChange,
  { touched, demands, rulesChanged }: CarriedInput,
): Pick<CarriedChats, 'chats' | 'exact' | 'groups' | 'because'> {
  if (feeds.length === 0) return { chats: 0, exact: true, groups: [], because: null };
  if (rulesChanged !== null) return { chats: null, exact: false, groups: feeds, because: rulesChanged };
  const alone = feeds.filter((group) => touched.feeders(group) === 1 && group !== touched.byDefault);
  const group = leastOf(alone, demands) ?? leastOf(feeds, demands);
  if (group === null) return { chats: null, exact: false, groups: feeds, because: 'its groups were not read' };
  const because = alone.includes(group) ? null : sharedWith(group, touched);
  return { chats: demands.get(group)?.chats ?? null, exact: because === null, groups: [group], because };
}

function sharedWith(group: Address, { feeders, byDefault }: Touched): string {
  if (group === byDefault) return 'chats that no rule matches go there as well';
  const others = feeders(group) - 1;
  return `${others === 1 ? 'one other rule feeds' : `${counted(others, 'other rule')} feed`} it as well`;
}

/** Before rules changed, the visitors of these sources may have come from any group. */
function movedChats(
  { sources }: RuleChange,
  { touched, demands, rulesChanged }: CarriedInput,
): Pick<CarriedChats, 'moved' | 'from'> {
  const from = boundOf(sources, demands);
  const isUnknown = rulesChanged !== null && sources.length > 0;
  if (from === null || !touched.isWhole || isUnknown)
    return { moved: null, from: [...new Set(sources.flat())].sort(byText) };
  return { moved: chatsOf(from, demands), from };
}
