// Filters the licenses of an index.

import { type FilterData, filter } from '../filter.ts';
import { dataIn, elementOf, type PageAddress, type PageDocument } from './elements.ts';
import { keepInAddress } from './kept-form.ts';

export function filterLicenses(page: PageDocument, address: PageAddress): void {
  const [form, data, output] = ['filter-form', 'filter-data', 'filter-answer'].map((id) => page.getElementById(id));
  if (!form || !data || !output) return;
  const side = dataIn(data) as FilterData;
  const [licenses, needs] = ['licenses', 'needs'].map((id) => [
    ...page.querySelectorAll(`[aria-labelledby="${id}"] tbody tr`),
  ]);
  const folds = [...page.querySelectorAll(':is([aria-labelledby="licenses"], [aria-labelledby="needs"]) > details')];
  let next = 0;
  const rows = side.licenses.map((license, at) => {
    const from = next;
    next += license.rows;
    return [...(licenses?.slice(at, at + 1) ?? []), ...(needs?.slice(from, next) ?? [])];
  });
  const texts = rows.map((those) => those.map(({ textContent }) => textContent).join(' '));
  const names = [
    'text',
    'needs',
    ...new Set(side.licenses.flatMap(({ labels }) => Object.keys(labels)).map(labelField)),
  ];
  const fields = names.flatMap((name) => {
    const field = page.getElementById(`filter-${name}`);
    return field === null ? [] : [[name, field] as const];
  });

  function show(): void {
    const question = new Map(fields.map(([name, field]) => [name, field.value ?? '']));
    const { shown, says, people } = filter(side, texts, question);
    for (const [at, isShown] of shown.entries()) for (const row of rows[at] ?? []) row.hidden = !isShown;
    for (const fold of folds) fold.open = says !== '';
    output?.replaceChildren(
      ...(says === '' ? [] : [elementOf(page, 'p', says)]),
      ...people.map(({ says, pages }) => {
        const line = elementOf(page, 'p', says);
        for (const [license, href] of pages)
          line.append(elementOf(page, 'span', ', '), Object.assign(elementOf(page, 'a', license), { href }));
        return line;
      }),
    );
  }

  keepInAddress(form, fields, address, show);
}

function labelField(label: string): string {
  return `label.${label}`;
}
