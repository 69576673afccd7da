// `drift --accept`: edits the files so that they say what the license says.

import type { Operation } from '../../../many/operation.ts';
import type { ObjectChoice } from '../../../planning/planning.ts';
import { findingsInFiles } from '../../../view/diagnostics.ts';
import { acceptTable, acceptView } from './view.ts';
import { type Acceptance, acceptDrift } from './write-accept.ts';

export interface AcceptOptions extends ObjectChoice {
  /** What is accepted; empty for all that changed on the license. */
  readonly addresses: readonly string[];
  /** An overlay of the target, or a file or folder of the manifest, in the place of the files that only this target has. */
  readonly into?: string;
}

export const accepting: Operation<AcceptOptions, Acceptance> = {
  name: 'drift',
  changes: 'files',
  run: async (target, { addresses, ...options }, context) => {
    const { acceptance, diagnostics } = await acceptDrift(addresses, { ...target, ...options }, context);
    return { value: acceptance, diagnostics, requests: null };
  },
  row: ({ taken, left }) => ({
    state: left.length === 0 ? 'done' : 'differs',
    code: left.length === 0 ? 0 : 2,
    figures: { copied: taken.length, left: left.length },
    isQuiet: taken.length + left.length === 0,
  }),
  view: acceptView,
  findings: (_value, { target, at, diagnostics }) =>
    findingsInFiles({ operation: 'drift-accept', target, at, check: 'the files were edited' }, diagnostics),
  table: acceptTable,
};
