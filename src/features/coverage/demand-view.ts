// Demand next to the staff: how many chats there are, hours without an agent and without a chat, and the week of a group as a heat map.

import { counted } from '../../base/text.ts';
import type { Week } from '../../base/week.ts';
import type { Block, FactsBlock, Section } from '../../view/blocks.ts';
import { chatsText, mostText, short, waitedText } from '../../view/words/impact.ts';
import { DEMAND_LEGEND, demandMap } from './maps.ts';
import type { DemandReport, StaffedDemand } from './report.ts';
import { factsSection, listSection, MOST_TIMES } from './sections.ts';

/** Demand next to the staff. */
export function demandSections({ days, groups, missing }: DemandReport): readonly Section[] {
  const time = `in ${counted(days, 'day')}`;
  const facts = (of: (group: StaffedDemand) => readonly string[]): FactsBlock['facts'] =>
    groups.flatMap((group) => {
      const texts = of(group);
      return texts.length === 0 ? [] : [[group.address, { names: texts, most: MOST_TIMES }] as const];
    });
  return [
    ...factsSection(
      'demand',
      `Demand ${time}`,
      facts((group) => [[demandText(group, days), ...busiestTexts(group), ...waitedTexts(group)].join(', ')]),
    ),
    ...factsSection(
      'unstaffed',
      `Chats ${time}, and no agent scheduled`,
      facts(({ unstaffed }) => unstaffed.map(({ text, chats }) => `${text} (${chatsText(chats)})`)),
    ),
    ...factsSection(
      'idle',
      `Agents scheduled, and no chat ${time}; what may come anyway, with 95 % certainty`,
      facts(({ idle }) => idle.map(({ text, looked_at: hours }) => `${text} (${mostText(hours)})`)),
    ),
    ...listSection('unread', 'Demand that was not looked at', missing),
  ];
}

/** What stands below the cover of a group: its chats by the same hours. */
export function demandBlocks({ days, groups }: DemandReport, address: string, week: Week): readonly Block[] {
  const group = groups.find((each) => each.address === address);
  if (group === undefined) return [];
  const text = `Chats at once, on average over ${counted(days, 'day')}: ${demandText(group, days)}`;
  const isFirst = group === groups.find(({ chats }) => chats > 0);
  return [{ type: 'text', text }, ...(group.chats === 0 ? [] : [demandMap(group, isFirst ? DEMAND_LEGEND : [], week)])];
}

function demandText({ chats }: StaffedDemand, days: number): string {
  return chats === 0 ? `no chat (${mostText(days * 24)})` : chatsText(chats);
}

function busiestTexts({ busiest }: StaffedDemand): readonly string[] {
  return busiest === null ? [] : [`most ${busiest.text}, ${short(busiest.per_hour)} an hour`];
}

function waitedTexts({ waited }: StaffedDemand): readonly string[] {
  return waited === null ? [] : [waitedText(waited)];
}
