// The work on a target, as a result: work that throws is one too.

import { asError, assertNever, EndedBefore, NotBegun } from '../../base/errors.ts';
import type { GateEnd, TargetEnd } from '../drive.ts';
import type { IsOurs, RunWork } from './abilities.ts';
import type { JobInput, JobOutput } from './names.ts';

export async function outputOf(job: JobInput, ability: RunWork, isOurs: IsOurs): Promise<JobOutput> {
  try {
    return { type: 'ended', end: await resultOf(job, ability, isOurs) };
  } catch (error) {
    if (error instanceof NotBegun) return { type: 'not begun' };
    if (error instanceof EndedBefore) return { type: 'ended', end: error.end as TargetEnd };
    return { type: 'broken', message: asError(error).message };
  }
}

function resultOf(job: JobInput, { apply, check }: RunWork, isOurs: IsOurs): Promise<TargetEnd | GateEnd> {
  switch (job.type) {
    case 'apply':
      return apply(job.target, job.attempt, job.digest, isOurs);
    case 'check':
      return check(job.gate, job.target);
    default:
      return assertNever(job);
  }
}
