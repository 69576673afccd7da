// `test`: the routing tests of the manifest, on the rules that the files declare or on those of the license.

import type { Operation } from '../../many/operation.ts';
import { routedByFiles, routedByLicense, tested } from '../../planning/routes.ts';
import type { RuleSide, Tested } from '../../planning/routes-schema.ts';
import { prepareDeclared } from '../../target/prepare.ts';
import { testedFindings, testedRows, testedView } from './view.ts';

export interface TestOptions {
  readonly on: RuleSide;
}

export const testing: Operation<TestOptions, Tested> = {
  name: 'test',
  changes: 'nothing',
  run: async (target, { on }, context) => {
    const declared = await prepareDeclared(target, context);
    const { settings, diagnostics } = declared;
    if (on === 'files') {
      const { results, failures, open } = routedByFiles(declared, null);
      return {
        value: tested(settings.name, on, results),
        diagnostics: [...diagnostics, ...failures, ...open],
        requests: {},
      };
    }
    const { readRouting } = await import('../../planning/read-part.ts');
    const { license, requests } = await readRouting(declared, context);
    const { results, failures, open } = routedByLicense(declared, license);
    return { value: tested(settings.name, on, results), diagnostics: [...diagnostics, ...failures, ...open], requests };
  },
  row: ({ summary: { passed, failed, open } }) => {
    const isPassed = failed + open === 0;
    return {
      state: isPassed ? 'done' : 'failed',
      code: isPassed ? 0 : 1,
      figures: { passed, failed, open },
      isQuiet: isPassed,
    };
  },
  view: testedView,
  findings: testedFindings,
  table: testedRows,
};
