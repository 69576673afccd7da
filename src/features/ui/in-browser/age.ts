// Says how old the page is, by the clock of its reader.

import { elementOf, type PageDocument } from './elements.ts';

const HOUR = 3_600_000;

/** A page that a job writes every day is older for as long as the job takes. */
const OLD = 25 * HOUR;

const ID = 'page-age';

/** Once more, it corrects what it said. `now`: milliseconds since the epoch. */
export function tellAge(page: PageDocument, now: number): void {
  const [header] = page.querySelectorAll('header');
  const [time] = page.querySelectorAll('header time');
  const age = now - Date.parse(time?.dateTime ?? '');
  if (header === undefined || !(age > OLD)) return;
  const known = page.getElementById(ID);
  const text = `Read ${ageText(age)} ago: the license may have changed since.`;
  if (known !== null) {
    known.textContent = text;
    return;
  }
  const element = elementOf(page, 'p', text);
  element.id = ID;
  element.className = 'stale';
  header.append(element);
}

function ageText(age: number): string {
  const hours = Math.floor(age / HOUR);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
