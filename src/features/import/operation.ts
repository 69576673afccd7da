// `import`: what the license has and no file declares becomes entries of the manifest, and owned. Changes nothing on the license.

import type { Operation } from '../../many/operation.ts';
import { findingsInFiles } from '../../view/diagnostics.ts';
import { type ImportRequest as Importing, importLicense } from './read-import.ts';
import type { ImportResult } from './schema.ts';
import { importedTable, importedView } from './view.ts';

/** `plan`: only say what would be written. */
export type ImportOptions = Pick<Importing, 'only' | 'newLicense' | 'plan' | 'split' | 'externals' | 'withIds'>;

export const importing: Operation<ImportOptions, ImportResult> = {
  name: 'import',
  changes: 'files',
  showsTarget: true,
  run: async (target, options, context) => {
    const { imported, diagnostics } = await importLicense({ ...target, ...options }, context);
    return { value: imported, diagnostics, requests: null };
  },
  row: ({ imported, left_out: left, preview }) => ({
    state: 'done',
    code: 0,
    figures: { [preview ? 'new' : 'imported']: imported.length, 'left out': left.length },
    isQuiet: imported.length === 0,
  }),
  view: importedView,
  findings: (_value, { target, at, diagnostics }) =>
    findingsInFiles({ operation: 'import', target, at, check: 'the license was imported' }, diagnostics),
  table: importedTable,
};
