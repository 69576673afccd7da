// Who can take chats at a time and the next gap of each group, as a table and in words. Pure: the page tells them again by the clock of its reader.

import { counted } from '../../base/text.ts';
import type { MarkedSpan, Row, Span, Table, Text } from '../../view/blocks.ts';
import { chatsText } from '../../view/words/impact.ts';
import { messageText } from './message.ts';
import type { Gap, GroupNow, NextHours } from './next-hours.ts';
import type { AskedRules } from './rules-at.ts';

/** Names in a cell. */
const MOST_NAMES = 6;

type NamedGroups = Pick<AskedRules, 'target' | 'places' | 'called'>;

/** `when`: `now`, or a time of day. */
export function nowTitle(when: string): string {
  return `${when === 'now' ? 'Now' : `At ${when}`} and the next 24 hours`;
}

/** `3 groups have nobody now, 2 only bots`; null where each group has a person. */
export function thereText({ groups }: Pick<NextHours, 'groups'>, when: string): string | null {
  const parts = [
    ['nobody', groups.filter(isEmpty).length],
    ['only bots', groups.filter(hasOnlyBots).length],
  ] as const;
  const [first, second] = parts.filter(([, count]) => count > 0);
  if (first === undefined) return null;
  const more = second === undefined ? '' : `, ${second[1]} only bots`;
  return `${counted(first[1], 'group has', 'groups have')} ${first[0]} ${when}${more}`;
}

/** People without a name as their number: a page may hide names. */
export function countedNames(names: readonly string[]): readonly string[] {
  const named = names.filter((name) => name !== '');
  const others = names.length - named.length;
  return others === 0 ? named : [counted(others, 'person', 'people'), ...named];
}

/** Neither a person nor a bot. */
export function isEmpty({ there, anytime }: GroupNow): boolean {
  return there.length === 0 && anytime === 0;
}

function hasOnlyBots({ there, anytime }: GroupNow): boolean {
  return there.length > 0 && anytime === 0 && there.every(({ bot }) => bot);
}

/** `isNow`: told of the time at which it is read. */
export function nowTable({ groups }: NextHours, { target, places, called }: NamedGroups, isNow: boolean): Table {
  const rows = groups.map((group): Row => {
    const { address, name, there, slots, gap } = group;
    const names = countedNames(there.map((person) => (person.bot ? `${person.name} (bot)` : person.name)));
    return {
      cells: [
        { text: called[address] ?? name, as: 'name' },
        there.length === 0 ? nobodyText(group) : { names, most: MOST_NAMES },
        slots,
        gap === null
          ? group.isGapKnown
            ? 'none'
            : 'not known'
          : [gapText(gap, isNow), gapMessage(target, group, gap, places[address] ?? null)],
      ],
      weight: gap === null ? 0 : 1,
    };
  });
  const columns = [
    { title: 'Group' },
    { title: 'Can take chats' },
    { title: 'Chats', isNumber: true },
    { title: 'Next gap' },
  ];
  return { type: 'table', name: 'Groups now', columns, rows };
}

function nobodyText({ anytime, waiting, isClosed }: GroupNow): Text {
  if (isClosed) return 'closed at this hour';
  const cause = waiting === 0 ? '' : `: ${counted(waiting, 'person waits', 'people wait')} for approval`;
  return anytime > 0
    ? { text: `not known: ${counted(anytime, 'person has', 'people have')} no hours`, tone: 'warning' }
    : { text: `nobody${cause}`, tone: 'error' };
}

function gapMessage(
  target: string,
  { name, address }: GroupNow,
  { text, hours, hasBots, chats }: Gap,
  place: string | null,
): Span {
  const says = `${hasBots ? 'only bots' : 'nobody'} can take a chat in ${name} (${address}) ${text}, ${hours} h${usualText(chats)}`;
  return { text: messageText(target, says, place, 'find a person for this time: [name].'), as: 'message' };
}

function gapText({ text, hours, hasBots, personAt, chats, ...gap }: Gap, isNow: boolean): MarkedSpan {
  const what = hasBots ? 'only bots' : 'nobody';
  return {
    text: `${gap.isNow && isNow ? 'now: ' : ''}${what} ${text} (${hours} h${usualText(chats)})${personAt === null ? '' : `; no person until ${personAt}`}`,
    tone: hasBots ? 'warning' : 'error',
  };
}

function usualText(chats: Gap['chats']): string {
  return chats === null ? '' : `, usually ${chats === 0 ? 'no chat' : chatsText(chats)}`;
}
