// Shows the people that a text names.

import type { PageAddress, PageDocument } from './elements.ts';
import { keepInAddress } from './kept-form.ts';

const NAME = 'person';

export function findPeople(page: PageDocument, address: PageAddress): void {
  const [form, field, output] = ['find-form', `find-${NAME}`, 'find-answer'].map((id) => page.getElementById(id));
  if (!form || !field || !output) return;
  const table = '[aria-labelledby="people"] [aria-label="All people"]';
  const rows = [...page.querySelectorAll(`${table} tbody tr`)].map(
    (row) => [row, (row.textContent ?? '').toLowerCase()] as const,
  );
  // Rows of a large license are in folds.
  const folds = [...page.querySelectorAll('[aria-labelledby="people"] > details')];

  function show(): void {
    const words = (field?.value ?? '').toLowerCase().split(' ').filter(Boolean);
    const found = rows.filter(([row, text]) => {
      row.hidden = !words.every((word) => text.includes(word));
      return !row.hidden;
    });
    for (const fold of folds) fold.open = words.length > 0;
    if (output) output.textContent = words.length === 0 ? '' : `${found.length} of ${rows.length} are shown.`;
  }

  keepInAddress(form, [[NAME, field]], address, show);
}
