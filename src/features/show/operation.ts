// `show`: what a license has, who is in which group, or one resource in full.

import type { IndexEntry, Operation } from '../../many/operation.ts';
import { prepare } from '../../target/prepare.ts';
import { findingsInFiles } from '../../view/diagnostics.ts';
import type { ViewName } from '../coverage/report.ts';
import { type ListedLicense, licensesView } from '../ui/licenses.ts';
import type { LicensePage } from '../ui/page.ts';
import { readPage } from '../ui/read-page.ts';
import { pageScript } from '../ui/read-script.ts';
import { pageView } from '../ui/view.ts';
import { withoutAddresses } from '../ui/without-people.ts';
import { showTarget } from './read-show.ts';
import type { Shown } from './schema.ts';
import { figuresOf, shownTable, shownView } from './view.ts';

export interface ShowOptions {
  /** A kind, `members`, an address, an id or a name; null for the whole license. */
  readonly what: string | null;
  /** Of members: lists in the place of a table. */
  readonly by: 'group' | 'person' | null;
  /** Of members: which side is shown; default `live`. */
  readonly on?: ViewName;
  /** Of one resource: the day whose hours are desired. */
  readonly date?: string;
  /** Of the whole license: with what its page shows. */
  readonly drawn?: boolean;
  /** Of the page: put the chats of so many days next to it, such as `28d`. */
  readonly demand?: string;
  /** The page has no names of people. */
  readonly withoutPeople?: boolean;
}

/** The document, and what a page shows in addition. */
export interface ShownLicense extends Shown {
  readonly page?: LicensePage;
}

export const showing: Operation<ShowOptions, ShownLicense> = {
  name: 'show',
  changes: 'nothing',
  showsTarget: true,
  run: async (target, { what, on, date, drawn = false, demand }, context) => {
    const prepared = await prepare(date === undefined ? target : { ...target, date }, context);
    // Of a manifest that cannot be used, a warning says so.
    const diagnosticsOf = ({ manifest_read: isRead }: Shown) => (isRead ? prepared.diagnostics : []);
    if (drawn && what === null) {
      const { shown, page, requests } = await readPage(prepared, demand === undefined ? {} : { demand }, context);
      return { value: { ...shown, page }, diagnostics: diagnosticsOf(shown), requests };
    }
    const { shown, requests } = await showTarget(what, prepared, on === undefined ? {} : { on }, context);
    return { value: shown, diagnostics: diagnosticsOf(shown), requests };
  },
  row: (shown) => {
    const isWhole = shown.failures.length === 0;
    return {
      state: isWhole ? 'done' : 'in part',
      code: isWhole ? 0 : 1,
      figures: figuresOf(shown),
      ...(shown.manifest_read ? {} : { message: 'its manifest cannot be read, so nothing counts as declared' }),
    };
  },
  view: (shown, _about, { by }) => shownView(shown, by),
  page: (shown, _about, reader, { by, withoutPeople: isNameless = false }) =>
    shown.page === undefined || reader === 'comment'
      ? shownView(shown, by)
      : pageView(shown.page, { script: pageScript(), isNameless }),
  failedPage: (view, { withoutPeople: isNameless = false }) => (isNameless ? withoutAddresses(view) : view),
  index: ({ what, drawn = false, withoutPeople: isNameless = false }) =>
    drawn && what === null
      ? (entries) => licensesView(entries.map(listed), { script: pageScript(), isNameless })
      : null,
  document: ({ page: _, ...shown }) => ({ ...shown }),
  findings: ({ target, failures }, { at, diagnostics }) => ({
    ...findingsInFiles({ operation: 'show', target, at, check: 'the license was read' }, diagnostics),
    failure: failures.length === 0 ? null : `${target}: not everything could be read: ${failures.join('; ')}`,
  }),
  table: (shown, _about, { by }) => shownTable(shown, by),
};

function listed({ outcome, row, labels }: IndexEntry<ShownLicense>): ListedLicense {
  const { target, at } = outcome;
  const page = outcome.state === 'known' ? (outcome.value.page ?? null) : null;
  return { target, at, page, problem: page === null ? (row.message ?? row.state) : null, labels: [...labels] };
}
