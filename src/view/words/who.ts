// Who started a run, in a few words.

import type { Starter } from '../../ledger/events.ts';
import { plain } from '../plain.ts';

/** `ann@build-7`; of a job `bob, #12, 3f2a1b9c`. */
export function whoText(by: Starter | null): string {
  if (by === null) return 'not recorded';
  const { user, host, ci, actor, request, commit } = by;
  const machine = [user, host].filter((part) => part !== undefined).join('@');
  const job = [
    actor ?? ci,
    ...(request === undefined ? [] : [`#${request}`]),
    ...(commit === undefined ? [] : [commit.slice(0, 8)]),
  ];
  const text = ci === undefined ? machine : job.filter((part) => part !== undefined).join(', ');
  return plain(text === '' ? 'not known' : text);
}
