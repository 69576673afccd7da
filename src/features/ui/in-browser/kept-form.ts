// Keeps what is filled into a form in the address of the page, so that it can be sent as a link.

import type { PageAddress, PageElement } from './elements.ts';

/** `show` is called after each change, by the form or by the address. */
export function keepInAddress(
  form: PageElement,
  fields: readonly (readonly [name: string, field: PageElement])[],
  address: PageAddress,
  show: () => void,
): void {
  /** A link within the page says nothing of the fields. */
  function fill(isAsked: boolean): void {
    const asked = new URLSearchParams(address.read().slice(1));
    if (fields.every(([name]) => (asked.get(name) ?? '') === '')) return;
    for (const [name, field] of fields) field.value = asked.get(name) ?? '';
    show();
    if (isAsked) form.scrollIntoView();
  }

  function keep(): void {
    const filled = fields.flatMap(([name, { value = '' }]) => (value === '' ? [] : [[name, value] as const]));
    address.write(new URLSearchParams(Object.fromEntries(filled)).toString());
    show();
  }

  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    for (const [, field] of fields) field.value = '';
    keep();
  });
  form.addEventListener('input', keep);
  address.onChange(() => fill(true));
  fill(address.isOpening());
}
