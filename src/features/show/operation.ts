// `show`: what a license has, who is in which group, or one resource in full.

import type { Operation } from '../../many/operation.ts';
import { prepare } from '../../target/prepare.ts';
import { findingsInFiles } from '../../view/diagnostics.ts';
import type { ViewName } from '../coverage/report.ts';
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
}

export const showing: Operation<ShowOptions, Shown> = {
  name: 'show',
  changes: 'nothing',
  showsTarget: true,
  run: async (target, { what, on, date }, context) => {
    const prepared = await prepare(date === undefined ? target : { ...target, date }, context);
    const { shown, requests } = await showTarget(what, prepared, on === undefined ? {} : { on }, context);
    // Of a manifest that cannot be used, a warning says so.
    return { value: shown, diagnostics: shown.manifest_read ? prepared.diagnostics : [], requests };
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
  findings: ({ target, failures }, { at, diagnostics }) => ({
    ...findingsInFiles({ operation: 'show', target, at, check: 'the license was read' }, diagnostics),
    failure: failures.length === 0 ? null : `${target}: not everything could be read: ${failures.join('; ')}`,
  }),
  table: (shown, _about, { by }) => shownTable(shown, by),
};
