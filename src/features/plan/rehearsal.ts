// The result of a plan's rehearsal on a copy of the license, as blocks of its view.

import { sumOf } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { Rehearsal } from '../../run/rehearse.ts';
import type { Block } from '../../view/blocks.ts';

export function rehearsalBlock({ passed, withheld, failed, left, diagnostics, requests }: Rehearsal): Block {
  if (withheld) {
    const why = ' the plan is withheld, so an apply would not start either.';
    return { type: 'text', text: [{ text: 'Not rehearsed:', tone: 'error' }, why] };
  }
  if (passed) {
    const sent = counted(sumOf(requests), 'request');
    const text = ` on a copy of the license: ${sent}, and nothing is left to do.`;
    return { type: 'text', text: [{ text: 'Rehearsed', tone: 'add' }, text] };
  }
  const texts = [
    ...failed.map(({ step, reason }) => `${step}: ${reason}`),
    ...(left === null ? ['no plan can be made afterwards'] : left.map((step) => `still to do afterwards: ${step}`)),
    ...diagnostics.map(({ code, message }) => `${code}: ${message}`),
  ];
  return {
    type: 'section',
    id: 'rehearsal',
    title: 'The rehearsal on a copy of the license failed',
    tone: 'error',
    body: [{ type: 'list', texts }],
    weight: 90,
  };
}
