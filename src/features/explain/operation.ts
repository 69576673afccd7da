// `explain`: which rule decides for a visitor, why none before it does, and who would get the chat.

import { timeIn } from '../../base/week.ts';
import type { Operation } from '../../many/operation.ts';
import { prepareDeclared } from '../../target/prepare.ts';
import { type ExplainOptions, explainVisitor } from './read-explain.ts';
import type { Explained } from './schema.ts';
import { decisionsTable, decisionText, explainedFindings, explainedView } from './view.ts';

export const explaining: Operation<ExplainOptions, Explained> = {
  name: 'explain',
  changes: 'nothing',
  run: async (target, options, context) => {
    // The rules and the people of the files are those of the time that is asked about.
    const when = (zone: string) => {
      const now = timeIn(zone, options.at ?? '');
      return now === null ? {} : { now };
    };
    const declared = await prepareDeclared({ ...target, when }, context);
    const { explained, requests } = await explainVisitor(declared, options, context);
    return { value: explained, diagnostics: declared.diagnostics, requests };
  },
  row: ({ sides }) => ({
    state: 'done',
    code: 0,
    figures: {},
    message: [...new Set(sides.map(decisionText))].join('; '),
  }),
  view: explainedView,
  findings: explainedFindings,
  table: decisionsTable,
};
