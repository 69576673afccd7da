// The comment on a plan, or on the plans of several targets: their view, with how far the change is, what to do next, and the digest that an apply is held to.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { ApplyEnding, ChangeState, FailedPlan } from '../../plan/review/plan-result.ts';
import type { Block, Span, Text, View } from '../../view/blocks.ts';
import { LIMITS } from '../../view/limits.ts';
import type { LineUrl } from '../../view/markdown.ts';
import { approvalLines } from '../../view/words/plan.ts';
import { markdownText } from '../../view/writers/markdown.ts';
import type { SeenPlan } from './customers.ts';
import { failedView, reportView } from './view.ts';

/** Where a comment comes from, as far as the job knows; every address is a URL. */
export interface CommentOrigin {
  readonly commit: string | null;
  readonly run: string | null;
  /** Of the project in its repository; empty for the root. */
  readonly folder: string;
  readonly lineOf: LineUrl | null;
}

export const NOWHERE: CommentOrigin = { commit: null, run: null, folder: '', lineOf: null };

/** What a comment says besides a plan. */
export interface Commented {
  readonly state: ChangeState;
  /** Of an apply that failed; unknown when left out. */
  readonly ending?: ApplyEnding;
  readonly origin: CommentOrigin;
}

export interface CommentInput extends Commented {
  readonly of: SeenPlan | FailedPlan;
}

export function commentMarkdown(input: CommentInput, bytes: number = LIMITS.markdown.bytes): string {
  return markdownText(commentView(input), { lineOf: input.origin.lineOf, bytes, whole: 'the plan has' });
}

export function commentView(input: CommentInput): View {
  const { of, origin } = input;
  const isPlan = of.outcome === 'planned';
  // Anyone may read a comment of a public repository.
  const view = isPlan ? reportView(of, { isPublic: true }) : failedView(of);
  const name = isPlan ? of.plan.target : of.target;
  const state = stateOf(input);
  const worst = isPlan ? view.mark.word : 'no plan could be made';
  const [result = view.result, ...about] = [
    ...(state === null ? [] : [state.line]),
    view.result,
    ...(isPlan ? factTexts(of) : []),
  ];
  return {
    ...view,
    title: [
      name === null ? 'Plan' : 'Plan of ',
      ...(name === null ? [] : [{ text: name, as: 'name' } as const]),
      ...folderText(origin),
    ],
    mark: { ...view.mark, word: state === null ? worst : isPlan ? `${state.title} (${worst})` : state.title },
    result,
    about,
    body: [...view.body, ...closing(origin, nextStep(input), isPlan ? of.digest : null)],
  };
}

export function folderText({ folder }: CommentOrigin): readonly Span[] {
  return folder === '' ? [] : [' in ', { text: folder, as: 'name' }];
}

/** What a comment says of an apply that failed: in its title, below it, and as the next step. */
const ENDINGS: {
  readonly [ending in ApplyEnding]: { readonly title: string; readonly line: string; readonly next: Text };
} = {
  differing: {
    title: 'applied, but customers see something else',
    line: 'This plan was applied and verified. What customers see of the license is not what the files say.',
    next: [
      'read below what differs, or in the log of the run. ',
      { text: 'chatform test --on customer', as: 'command' },
      ' looks again.',
    ],
  },
  withheld: {
    title: 'not applied',
    line: 'The run applied nothing: a guard or a policy withheld the plan.',
    next: 'read in the log of the run what withholds the plan; change the files, or acknowledge it, and plan again.',
  },
  locked: {
    title: 'not applied',
    line: 'The run applied nothing: another run holds the target.',
    next: 'wait until the other run, which the log names, has ended; then run it again.',
  },
  outdated: {
    title: 'not applied',
    line: 'The run applied nothing: the plan no longer matches the license or the files.',
    next: 'plan again, and get that plan approved. The log of the run says what differs.',
  },
  partial: {
    title: 'apply incomplete',
    line: 'Some of this plan was not applied, or could not be verified in time; the next plan shows what is left.',
    next: 'run it again with the same plan: finished steps are not repeated. The log of the run says what is left.',
  },
  interrupted: {
    title: 'apply interrupted',
    line: 'The run was interrupted. Some of this plan may have been applied; the next plan shows what is left.',
    next: 'run it again with the same plan: finished steps are not repeated. The log of the run says what is left.',
  },
  unknown: {
    title: 'apply failed',
    line: 'The run failed. Some of this plan may have been applied; the next plan shows what is left.',
    next: 'read the log of the run. If the plan no longer matches (exit code 5), plan again; otherwise run it again: finished steps are not repeated.',
  },
};

/** How far the change is; null for a plan that is only proposed. */
function stateOf({ state, ending = 'unknown' }: Commented): { readonly title: string; readonly line: string } | null {
  switch (state) {
    case 'plan':
      return null;
    case 'applying':
      return { title: 'being applied', line: 'This plan is being applied.' };
    case 'applied':
      return { title: 'applied', line: 'This plan was applied and verified.' };
    case 'failed':
      return ENDINGS[ending];
    default:
      return assertNever(state);
  }
}

/** What an apply costs and does in addition, and what was acknowledged when the plan was saved. */
function factTexts({ plan, testsOnCustomer, customers, approval }: SeenPlan): readonly Text[] {
  const isTested = testsOnCustomer === true && customers === undefined;
  return [
    `${counted(plan.requests.total, 'request')} to version ${plan.api_version} of the Configuration API.`,
    ...(isTested ? ['After the apply, the license is tested as customers see it.'] : []),
    ...(approval === undefined ? [] : approvalLines(approval)),
  ];
}

/** The commit and the run, the next step, and the digest. */
export function closing({ commit, run }: CommentOrigin, next: Text, digest: string | null): readonly Block[] {
  const parts: readonly Text[] = [
    ...(commit === null ? [] : [['commit ', { text: commit.slice(0, 12), as: 'code' } as const]]),
    ...(run === null ? [] : [{ text: 'the run', url: run }]),
  ];
  const texts: readonly Text[] = [
    ...(parts.length === 0 ? [] : [parts.flatMap((part, at) => [...(at === 0 ? [] : [' · ']), ...[part].flat()])]),
    [{ text: 'Next:', tone: 'strong' }, ' ', ...[next].flat()],
    ...(digest === null ? [] : [['Digest ', { text: digest, as: 'code' } as const]]),
  ];
  return texts.map((text) => ({ type: 'text', text }));
}

function nextStep({ of, state, ending = 'unknown' }: CommentInput): Text {
  if (state === 'applying') return 'wait for the run to end; this comment will show the result.';
  if (state === 'applied')
    return of.outcome === 'planned' && (of.customers?.summary.differs ?? 0) > 0
      ? 'look at what customers see differently; a plan of the same files is empty now.'
      : 'nothing; a plan of the same files is empty now.';
  if (state === 'failed') return ENDINGS[ending].next;
  if (of.outcome === 'failed') return 'correct the errors that the run names, and push again.';
  if (of.risk === 'withheld') return 'change the files, or do what each line above says to continue.';
  if (of.risk === 'nothing') return 'nothing; an apply would change nothing.';
  if (of.plan.against !== undefined)
    return 'review it; after the merge another plan is applied, made from the license as it is then.';
  return of.digest === null
    ? ['review it, then ', { text: 'chatform apply', as: 'command' }, '.']
    : 'review it; an apply of the saved plan makes these changes and no others, or stops with exit code 5.';
}
