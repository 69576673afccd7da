// What customers see of the license after a plan, where it was verified: what differs as a table, the rest folded.

import type { ReviewedPlan } from '../../plan/review/plan-result.ts';
import type { Block, Mark, Section, Table, Text } from '../../view/blocks.ts';
import type { Checked, CustomerView } from '../test/customer/schema.ts';
import { awaitedText, chatTrouble, costText, OUTCOMES, resultText, subjectText } from '../test/customer/words.ts';

/** A plan, and what customers saw of the license after an apply of it, where that was verified. */
export interface SeenPlan extends ReviewedPlan {
  readonly customers?: CustomerView;
}

const MARKS: { readonly [outcome in Checked['outcome']]: Mark } = {
  differs: { sign: '!', word: OUTCOMES.differs, tone: 'error' },
  reported: { sign: '~', word: OUTCOMES.reported, tone: 'warning' },
  unseen: { sign: '?', word: OUTCOMES.unseen, tone: 'calm' },
  ok: { sign: '✓', word: OUTCOMES.ok, tone: 'add' },
};

/** Nothing where it was not verified. */
export function customersSection(view: CustomerView | undefined): readonly Section[] {
  if (view === undefined) return [];
  const { checks, summary } = view;
  const differing = checks.filter(({ outcome }) => outcome === 'differs');
  const others = checks.filter(({ outcome }) => outcome !== 'differs');
  const awaited = awaitedText(view);
  const trouble = chatTrouble(view);
  const texts: readonly Text[] = [
    `${resultText(view)} (${costText(view)}).`,
    ...(awaited === null ? [] : [`${awaited}.`]),
    ...(trouble === null ? [] : [[{ text: 'Warning:', tone: 'warning' } as const, ` ${trouble}`]]),
  ];
  const body: readonly Block[] = [
    ...texts.map((text): Block => ({ type: 'text', text })),
    ...(differing.length === 0 ? [] : [checkTable(differing)]),
    ...(others.length === 0 ? [] : [otherSection(others)]),
  ];
  return [
    {
      type: 'section',
      id: 'customers',
      title: 'Customers',
      ...(summary.differs === 0 ? {} : { count: summary.differs }),
      body,
      weight: 80,
      share: 0.5,
    },
  ];
}

function otherSection(checks: readonly Checked[]): Section {
  const fold = { brief: `${checks.length} more to know` };
  return { type: 'section', id: 'other-checks', title: 'Other checks', fold, body: [checkTable(checks)], weight: -90 };
}

function checkTable(checks: readonly Checked[]): Table {
  return {
    type: 'table',
    name: 'What customers see',
    columns: ['Result', 'What', 'Customers see', 'Where'].map((title) => ({ title })),
    rows: checks.map((each) => ({
      cells: [
        { mark: MARKS[each.outcome] },
        subjectText(each),
        each.message,
        each.source === null ? '' : { text: `${each.source.file}:${each.source.line}`, as: 'file' },
      ],
    })),
  };
}
