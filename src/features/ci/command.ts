// `chatform ci`: what jobs of a pipeline do besides planning and applying.

import type { AddCommand } from '../../command/flags.ts';
import { ciComment } from './comment-command.ts';
import { ciSnapshot } from './snapshot-command.ts';

export const ciCommand: AddCommand = (program, run) => {
  const ci = program.command('ci').description('comment on a request, and a snapshot to plan against');
  for (const add of [ciComment, ciSnapshot]) add(ci, run);
};
