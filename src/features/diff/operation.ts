// `diff`: how two licenses differ, in their files or live. Changes nothing.

import { UsageError } from '../../base/errors.ts';
import { addCounts } from '../../base/grouped.ts';
import { isAddress } from '../../kinds/index.ts';
import { requireHits, selection } from '../../kinds/selection.ts';
import type { Operation } from '../../many/operation.ts';
import { findingsInFiles } from '../../view/diagnostics.ts';
import { compared } from './compare.ts';
import { readSide } from './read-sides.ts';
import type { LicenseDiff } from './schema.ts';
import { diffTable, diffView } from './view.ts';

export interface DiffOptions {
  /** Name of the target to compare with. */
  readonly other: string;
  readonly on: 'files' | 'live';
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** Differences have an exit code of their own. */
  readonly detailedExitcode?: true;
}

export const differing: Operation<DiffOptions, LicenseDiff> = {
  name: 'diff',
  changes: 'nothing',
  run: async (target, { other, on, only = [], except = [] }, context) => {
    const here = await readSide(target, on, context);
    const there = await readSide({ ...target, target: other }, on, context);
    if (here.name === there.name)
      throw new UsageError(`${here.name} is one target: name another one to compare it with`);
    const { items, alike } = compared({ target: here.objects, other: there.objects, on });
    const selects = selection(only, except);
    const all = [...here.objects, ...there.objects].map(({ address }) => address);
    requireHits('--only', only, all.filter(isAddress));
    return {
      value: {
        target: here.name,
        other: there.name,
        on,
        alike,
        items: items.filter(({ address }) => !isAddress(address) || selects(address)),
      },
      diagnostics: here.declared.diagnostics,
      requests: here.requests === null ? null : addCounts([here.requests, there.requests ?? {}]),
    };
  },
  row: ({ items }, _about, { detailedExitcode }) => ({
    state: items.length === 0 ? 'in sync' : 'differs',
    code: items.length > 0 && detailedExitcode === true ? 2 : 0,
    figures: { differences: items.length },
    isQuiet: items.length === 0,
  }),
  view: diffView,
  table: diffTable,
  findings: ({ target }, { at, diagnostics }) =>
    findingsInFiles({ operation: 'diff', target, at, check: 'the licenses were compared' }, diagnostics),
};
