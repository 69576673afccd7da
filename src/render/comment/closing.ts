// A subject in; what is to be done next, and the digest that an apply can be held to, out.

import { assertNever } from '../../base/errors.ts';
import { code } from '../markdown-text.ts';
import { type Ending, type Subject, verdictOf } from './subject.ts';

export function closing(subject: Subject): string {
  const { of } = subject;
  const digest = of.outcome === 'failed' || of.digest === null ? '' : `\nDigest ${code(of.digest)}\n`;
  return `\n**Next:** ${nextStep(subject)}\n${digest}`;
}

function nextStep({ of, state, ending = 'unknown' }: Subject): string {
  if (state === 'applying') return 'wait for the run to end; this comment will say how it did.';
  if (state === 'applied') return 'nothing; a plan of the same files is empty now.';
  if (state === 'failed') return nextAfter(ending);
  if (of.outcome === 'failed') return 'put right what the run names, and push again.';
  const verdict = verdictOf(of);
  if (verdict === 'withheld') return 'change the files, or do what each line above says would let it go.';
  if (verdict === 'nothing') return 'nothing; the license is as the files say, as far as it can be.';
  if (of.plan.against !== undefined)
    return 'review it; what is applied after the merge is another plan, of the license as it is then.';
  return of.digest === null
    ? 'review it, then `chatform apply`.'
    : 'review it; an apply of the saved plan does this and no more, or stops with exit code 5.';
}

function nextAfter(ending: Ending): string {
  switch (ending) {
    case 'withheld':
      return 'read in the log of the run what withholds it and what would let it go; change the files, or acknowledge it, and plan again.';
    case 'locked':
      return 'wait until the other run, which the log names, has ended, then run it again.';
    case 'outdated':
      return 'plan again, and have that plan approved. The log of the run says what is different.';
    case 'partial':
    case 'interrupted':
      return 'run it again with the same plan: what is done already is not done twice. The log of the run says what is left.';
    case 'unknown':
      return 'read the log of the run. If the plan no longer matches (exit code 5), plan again; otherwise run it again: what is done already is not done twice.';
    default:
      return assertNever(ending);
  }
}
