// `report --since`: what changed in the chats of the groups that an apply touched, since that apply. Changes nothing.

import { UsageError } from '../../../base/errors.ts';
import type { Operation } from '../../../many/operation.ts';
import { prepareTarget } from '../../../target/choice.ts';
import { type FollowOptions, followTarget } from './read-follow.ts';
import type { FollowReport } from './schema.ts';
import { sinceFindings, sinceRows, sinceView } from './view.ts';

export const following: Operation<FollowOptions, FollowReport> = {
  name: 'report --since',
  changes: 'nothing',
  run: async (target, options, context) => {
    const { settings, diagnostics } = await prepareTarget(target, context);
    if (settings === null) throw new UsageError('the files have errors', diagnostics);
    const { report, requests } = await followTarget(settings, options, context);
    return { value: report, diagnostics, requests };
  },
  // What was interrupted is not complete, whatever it found.
  row: ({ interrupted, summary: { changed, unchanged, too_few } }) => ({
    state: interrupted ? 'interrupted' : changed > 0 ? 'differs' : 'done',
    code: interrupted ? 130 : changed > 0 ? 2 : 0,
    figures: { changed, unchanged, 'too few': too_few },
    isQuiet: changed === 0,
  }),
  view: sinceView,
  findings: sinceFindings,
  table: sinceRows,
};
