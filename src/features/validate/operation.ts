// `validate`: everything that is wrong with the files of a target. Sends no request. Errors are its result, not its failure.

import type { Diagnostic } from '../../base/model.ts';
import { counted, findingCounts } from '../../base/text.ts';
import type { Operation } from '../../many/operation.ts';
import { routedByFiles } from '../../planning/routes.ts';
import { lintsOfFiles } from '../../planning/routing-lints.ts';
import { prepare } from '../../target/prepare.ts';
import { diagnosticsTable, findingsInFiles } from '../../view/diagnostics.ts';
import { limitFindings } from '../../yaml/diagnostics.ts';

export interface Validated {
  readonly target: string | null;
  /** Resources that are declared; null where the files have errors. */
  readonly resources: number | null;
}

export const validating: Operation<object, Validated> = {
  name: 'validate',
  changes: 'nothing',
  run: async (target, _options, context) => {
    const prepared = await prepare(target, context);
    const { settings, desired } = prepared;
    const declared = settings === null || desired === null ? null : { ...prepared, settings, desired };
    const { failures, open } = declared === null ? { failures: [], open: [] } : routedByFiles(declared, null);
    const lints = declared === null ? [] : lintsOfFiles(declared, context.clock.now());
    const diagnostics = limitFindings([...prepared.diagnostics, ...failures, ...open, ...lints]);
    const { errors } = findingCounts(diagnostics);
    const resources = errors > 0 || desired === null ? null : desired.resources.length;
    return { value: { target: settings?.name ?? null, resources }, diagnostics, requests: null };
  },
  row: ({ resources }, { diagnostics }) =>
    resources === null
      ? { state: 'failed', code: 1, figures: {}, message: errorsIn(diagnostics), isQuiet: true }
      : { state: 'valid', code: 0, figures: { resources }, isQuiet: true },
  view: ({ target, resources }) => ({
    title: target === null ? 'Files' : ['Files of ', { text: target, as: 'name' }],
    mark:
      resources === null ? { sign: '!', word: 'invalid', tone: 'error' } : { sign: '✓', word: 'valid', tone: 'add' },
    // A terminal has the errors, and how many there are.
    result:
      resources === null
        ? ''
        : [{ text: 'Valid:', tone: 'add' }, ` ${counted(resources, 'resource')} for target ${target ?? ''}.`],
    about: [],
    body: [],
  }),
  table: (_value, { diagnostics }) => diagnosticsTable(diagnostics),
  findings: ({ target }, { at, diagnostics }) =>
    findingsInFiles({ operation: 'validate', target, at, check: 'the files were read' }, diagnostics),
};

function errorsIn(diagnostics: readonly Diagnostic[]): string {
  return counted(findingCounts(diagnostics).errors, 'error');
}
