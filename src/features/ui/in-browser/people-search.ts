// Shows the people that a text names, and keeps the text in the address, so that it can be sent as a link.

import type { PageAddress, PageDocument } from './elements.ts';

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
    if (output) output.textContent = words.length === 0 ? '' : `${found.length} of ${rows.length} people.`;
  }

  function fromAddress(): void {
    const asked = new URLSearchParams(address.read().slice(1)).get(NAME);
    if (asked === null || !field) return;
    field.value = asked;
    show();
  }

  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    field.value = '';
    address.write('people');
    show();
  });
  form.addEventListener('input', () => {
    address.write(new URLSearchParams({ [NAME]: field.value ?? '' }).toString());
    show();
  });
  address.onChange(fromAddress);
  fromAddress();
}
