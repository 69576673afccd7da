// "Now and the next 24 hours": who can take chats, the next gap of each group, and whether the hours are those of today.

import type { Block, Section, Text } from '../../view/blocks.ts';
import { comingTexts, datedHours, daysText, dayText } from '../../view/words/plan.ts';
import { momentText } from './moment.ts';
import { clockText } from './next-hours.ts';
import { nowTable, nowTitle } from './now-table.ts';
import type { LicensePage } from './page.ts';

export function nowSection(page: LicensePage): Section {
  const { next, asked, plan, people } = page;
  const names = new Map<string, string>(people.map(({ address, name }) => [address, name]));
  const coming = plan === null ? [] : comingTexts(plan.plan, (address) => names.get(address) ?? address);
  return {
    type: 'section',
    id: 'now',
    title: nowTitle(clockText(asked.timezone, Date.parse(next.from))),
    body: [
      next.groups.length === 0 ? { type: 'text', text: 'The license has no groups.' } : nowTable(next, asked, false),
      ...unappliedBlocks(page),
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

/** Whose hours of later days the license does not have yet. */
export function unappliedBlocks({ unapplied }: LicensePage): readonly Block[] {
  if (unapplied.length === 0) return [];
  const text = [
    'Today is as the license has it; later days have the hours of the files by date. The license does not have those of ',
    { names: unapplied },
    ' yet.',
  ];
  return [{ type: 'text', text }];
}
