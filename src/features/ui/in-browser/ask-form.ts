// Answers "ask a visitor" from the data in the page.

import { ask, type FormQuestion } from '../ask.ts';
import type { AskedRules } from '../rules-at.ts';
import { dataIn, elementOf, type PageDocument, type PageElement } from './elements.ts';

/** `now`: milliseconds since the epoch. */
export function answerVisitors(page: PageDocument, now: () => number): void {
  const [form, data, output] = ['ask-form', 'ask-data', 'ask-answer'].map((id) => page.getElementById(id));
  if (!form || !data || !output) return;
  const side = dataIn(data) as AskedRules;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    output.replaceChildren(...answered(page, ask(side, askedIn(page), now())));
  });
}

function askedIn(page: PageDocument): FormQuestion {
  const filledIn = (name: keyof FormQuestion): string => page.getElementById(`ask-${name}`)?.value ?? '';
  return {
    url: filledIn('url'),
    country: filledIn('country'),
    region: filledIn('region'),
    city: filledIn('city'),
    time: filledIn('time'),
  };
}

function answered(page: PageDocument, answer: ReturnType<typeof ask>): readonly PageElement[] {
  if ('wrong' in answer) return [elementOf(page, 'p', answer.wrong)];
  const list = page.createElement('dl');
  for (const [about, says] of answer.lines) list.append(elementOf(page, 'dt', about), elementOf(page, 'dd', says));
  if (answer.message === null) return [list];
  const note = elementOf(page, 'p', 'Text for the people who edit the files:');
  return [list, note, elementOf(page, 'pre', answer.message)];
}
