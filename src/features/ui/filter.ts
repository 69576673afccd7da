// Which licenses of an index a filter shows, and what it says of people. Runs in the page.

import { counted } from '../../base/text.ts';
import { pageFile } from '../../view/report.ts';
import type { OpenNeed } from './needs.ts';

export type Needed = OpenNeed['about'] | 'nobody';

/** What the licenses can be filtered by, in words. */
export const NEEDED: { readonly [needed in Needed]: string } = {
  unread: 'not read, or in part',
  files: 'errors in the files',
  test: 'a routing test that fails',
  run: 'a run that did not end well',
  unapplied: 'never applied',
  nobody: 'a group with nobody there when read',
  approval: 'waiting for approval',
  suspended: 'suspended',
  withheld: 'withheld changes',
  drift: 'changed in the application',
  ignore: 'an exception that ends',
};

export interface FilteredLicense {
  readonly name: string;
  readonly needs: readonly Needed[];
  readonly labels: { readonly [name: string]: string };
  /** Among those of all needs, which come in the order of the licenses. */
  readonly rows: number;
}

/** In the order of the index. */
export interface FilterData {
  readonly licenses: readonly FilteredLicense[];
  /** Each person once, with the places of their licenses. */
  readonly people: readonly (readonly [says: string, places: readonly number[]])[];
}

/** By the names of fields: `text`, `needs`, and `label.NAME`. Empty ones ask for nothing. */
export type LicenseFilter = ReadonlyMap<string, string>;

export interface Filtered {
  /** Of each license, whether it is shown. */
  readonly shown: readonly boolean[];
  readonly says: string;
  /** People whose name or address has the text. */
  readonly people: readonly FoundPerson[];
}

interface FoundPerson {
  readonly says: string;
  /** Where they are: the page of each license, at the person. */
  readonly pages: readonly (readonly [license: string, address: string])[];
}

/** People who are listed. */
const MOST_PEOPLE = 20;

/** `texts`: what the index says of each license. */
export function filter({ licenses, people }: FilterData, texts: readonly string[], question: LicenseFilter): Filtered {
  const text = (question.get('text') ?? '').trim().toLowerCase();
  const found = text === '' ? [] : people.filter(([says]) => says.toLowerCase().includes(text));
  const places = new Set(found.flatMap(([, those]) => those));
  const shown = licenses.map((license, at) => {
    if (text !== '' && !places.has(at) && !(texts[at] ?? license.name).toLowerCase().includes(text)) return false;
    return Array.from(question).every(([field, value]) => value === '' || isMet(license, field, value));
  });
  const count = shown.filter(Boolean).length;
  const listed = found.slice(0, MOST_PEOPLE).map(([says, those]) => {
    const [, name, id = ''] = /^(.*) \((.*)\)$/.exec(says) ?? [];
    const person = new URLSearchParams({ person: id.includes('@') ? id : (name ?? '') });
    const where = those.map((at) => licenses[at]?.name ?? '');
    return {
      says: `${says}: ${counted(where.length, 'license')}`,
      pages: where.map((license) => [license, `${pageFile(license)}#${person}`] as const),
    };
  });
  const more = found.length - listed.length;
  return {
    shown,
    says: count === licenses.length ? '' : `${count} of ${licenses.length} licenses.`,
    people: more > 0 ? [...listed, { says: `and ${more} more people`, pages: [] }] : listed,
  };
}

function isMet({ needs, labels }: FilteredLicense, field: string, value: string): boolean {
  if (field === 'needs') return needs.some((each) => each === value);
  return field.startsWith('label.') ? labels[field.slice('label.'.length)] === value : true;
}
