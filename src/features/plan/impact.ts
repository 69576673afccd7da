// What the changes of a plan carry, by the reports: next to each change, and of the whole.

import type { Plan } from '../../plan/plan.ts';
import type { Block, Section, Text } from '../../view/blocks.ts';
import * as words from '../../view/words/impact.ts';

/** What is said below the change of an address. `withPeople`: also what single people took, which not every reader may know. */
export function impactRemarks({ impact }: Plan, withPeople: boolean): (address: string) => readonly Text[] {
  if (impact === undefined) return () => [];
  const notesOf = words.impactNotesOf(impact);
  return (address) => {
    const { carried, shares, waits } = notesOf(address);
    const said = carried === null ? [] : words.demandTexts(carried, impact);
    const isAlarming = carried?.what === 'destroyed-group' && (carried.chats ?? 0) > 0;
    return [
      ...said.map((text) => (isAlarming ? alarming(text) : text)),
      ...(withPeople ? shares : []).map((share) => words.shareText(share, address)),
      ...waits.flatMap((group) => words.worstHours(group)).map(alarming),
    ];
  };
}

function alarming(text: string): Text {
  return [{ text: '!', tone: 'warning' }, ` ${text}`];
}

/** The whole in one line. */
export function impactLine({ impact }: Plan): readonly Block[] {
  return impact === undefined ? [] : [{ type: 'text', text: `Impact: ${words.impactText(impact)}` }];
}

/** Waiting that several changes cause, what was not looked at, and assumptions. */
export function impactSections({ impact }: Plan): readonly Section[] {
  if (impact === undefined) return [];
  const { missing, assumptions } = impact;
  const waits = words.sharedWaits(impact).flatMap((group) => words.worstHours(group));
  return [
    ...listSection('waiting-longer', 'Chats would wait longer', waits, 'warning'),
    ...listSection('not-looked-at', 'Impact that was not looked at', missing, 'warning'),
    ...listSection('assumptions', 'Assumptions of the impact', assumptions),
  ];
}

function listSection(id: string, title: string, texts: readonly string[], tone?: Section['tone']): readonly Section[] {
  if (texts.length === 0) return [];
  return [
    { type: 'section', id, title, ...(tone === undefined ? {} : { tone }), body: [{ type: 'list', texts }], weight: 5 },
  ];
}
