// "Now and the next 24 hours": who can take chats, the next gap of each group, and whether the hours are those of today.

import { counted } from '../../base/text.ts';
import type { MarkedSpan, Row, Section, Span, Table, Text } from '../../view/blocks.ts';
import { chatsText } from '../../view/words/impact.ts';
import { comingTexts, datedHours, daysText, dayText } from '../../view/words/plan.ts';
import { groupNames } from '../show/members.ts';
import { messageText } from './message.ts';
import { momentText } from './moment.ts';
import { MOST_NAMES } from './needs-section.ts';
import type { Gap, GroupNow } from './next-hours.ts';
import type { LicensePage } from './page.ts';

export function nowSection(page: LicensePage): Section {
  const { next, asked, plan, people, members } = page;
  const names = new Map<string, string>(people.map(({ address, name }) => [address, name]));
  const coming = plan === null ? [] : comingTexts(plan.plan, (address) => names.get(address) ?? address);
  return {
    type: 'section',
    id: 'now',
    title: 'Now and the next 24 hours',
    body: [
      next.groups.length === 0
        ? { type: 'text', text: 'The license has no groups.' }
        : nowTable(next.groups, asked.places, groupNames(members)),
      {
        type: 'text',
        text: ['Who is there at another time, and where a visitor arrives: ', { text: 'ask below', to: 'rules' }, '.'],
      },
      { type: 'text', text: applyText(page) },
      ...(coming.length === 0
        ? []
        : [{ type: 'text', text: 'To come:' } as const, { type: 'list', texts: coming } as const]),
    ],
  };
}

/** Whether the daily apply ran, where hours depend on the date. */
function applyText({ plan, lastApply, timezone, drift }: LicensePage): Text {
  const last =
    lastApply === null ? 'No apply has run to its end' : `The last apply ended on ${momentText(timezone, lastApply)}`;
  if (plan === null) return `${last}. Whether the hours are those of today is not known: there is no plan.`;
  const { hours } = plan.plan;
  if (hours === undefined) return `${last}. No hours in the files depend on the date, so none is needed each day.`;
  const due = datedHours(plan.plan);
  const change = hours.next_change;
  const next = change === null ? '' : ` The next other hours begin on ${dayText(change.date)} (${change.timezone}).`;
  if (due === null) return `${last}: the hours are those of ${daysText(hours)}.${next}`;
  const isLate = drift === null || drift.items.some(({ kind }) => kind === 'due');
  const text = isLate
    ? `${last}: the hours of ${due.whose} are not ${due.days} yet. The people who run chatform can run the daily apply.`
    : `${last}. The files have other hours for ${due.whose}: the people who run chatform can apply them.`;
  return { text, tone: 'warning' };
}

function nowTable(
  groups: readonly GroupNow[],
  places: LicensePage['asked']['places'],
  called: ReadonlyMap<string, string>,
): Table {
  const rows = groups.map((group): Row => {
    const { address, name, there, slots, gap } = group;
    const names = there.map((person) => (person.bot ? `${person.name} (bot)` : person.name));
    return {
      cells: [
        { text: called.get(address) ?? name, as: 'name' },
        there.length === 0 ? nobodyText(group) : { names, most: MOST_NAMES },
        slots,
        gap === null ? 'none' : [gapText(gap), gapMessage(group, gap, places[address] ?? null)],
      ],
      weight: gap === null ? 0 : 1,
    };
  });
  const columns = [
    { title: 'Group' },
    { title: 'Can take chats now' },
    { title: 'Chats', isNumber: true },
    { title: 'Next gap' },
  ];
  return { type: 'table', name: 'Groups now', columns, rows };
}

function nobodyText({ anytime }: GroupNow): Text {
  return anytime > 0
    ? { text: `not known: ${counted(anytime, 'person has', 'people have')} no hours`, tone: 'warning' }
    : { text: 'nobody', tone: 'error' };
}

function gapMessage({ name, address }: GroupNow, { text, hours, hasBots, chats }: Gap, place: string | null): Span {
  const says = `${hasBots ? 'only bots' : 'nobody'} can take a chat in ${name} (${address}) ${text}, ${hours} h${usualText(chats)}`;
  return { text: messageText(says, place, 'find a person for this time: '), as: 'message' };
}

function gapText({ text, hours, isNow, hasBots, personAt, chats }: Gap): MarkedSpan {
  const what = hasBots ? 'only bots' : 'nobody';
  return {
    text: `${isNow ? 'now: ' : ''}${what} ${text} (${hours} h${usualText(chats)})${personAt === null ? '' : `; no person until ${personAt}`}`,
    tone: hasBots ? 'warning' : 'error',
  };
}

function usualText(chats: Gap['chats']): string {
  return chats === null ? '' : `, usually ${chats === 0 ? 'no chat' : chatsText(chats)}`;
}
