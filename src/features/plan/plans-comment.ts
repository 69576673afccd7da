// The comment on the plans of several targets: a row for each target, and each different plan once, the worst first.

import { assertNever } from '../../base/errors.ts';
import { counted, few } from '../../base/text.ts';
import type { ReviewedPlans } from '../../many/plans/review.ts';
import { stateCount, targetsTable } from '../../many/view.ts';
import type { PlanFacts } from '../../plan/review/plan-result.ts';
import type { Block, Mark, Section, Text, View } from '../../view/blocks.ts';
import { diagnosticsSection } from '../../view/diagnostics.ts';
import { LIMITS } from '../../view/limits.ts';
import { RISKS } from '../../view/words/plan.ts';
import { markdownText } from '../../view/writers/markdown.ts';
import { type Commented, closing, folderText } from './comment.ts';
import { reportView } from './view.ts';

export interface PlansCommentInput extends Commented {
  readonly of: ReviewedPlans;
}

export function plansMarkdown(input: PlansCommentInput, bytes: number = LIMITS.markdown.bytes): string {
  return markdownText(plansView(input), { lineOf: input.origin.lineOf, bytes, whole: 'the plans have' });
}

/** Different plans that are shown. The table has all targets. */
const MOST_PLANS = 15;

function plansView(input: PlansCommentInput): View {
  const { of, origin } = input;
  const { report, groups, unplanned, facts } = of;
  const changing = groups.filter((group) => group.of.risk !== 'nothing');
  const more = changing.length - MOST_PLANS;
  const table = targetsTable(report);
  return {
    title: [
      `${report.targets.length === 1 ? 'Plan' : 'Plans'} of ${counted(report.targets.length, 'target')}`,
      ...folderText(origin),
    ],
    mark: markOf(input),
    result: countsText(of),
    about: aboutTexts(of),
    body: [
      ...(unplanned.length === 0
        ? []
        : diagnosticsSection(report.diagnostics.filter(({ severity }) => severity === 'error'))),
      ...(table.length === 0
        ? []
        : [{ type: 'section', id: 'targets', title: 'Targets', body: table, weight: 50 } as const]),
      ...changing.slice(0, MOST_PLANS).map(planSection),
      ...(more <= 0 ? [] : [moreText(more)]),
      ...closing(origin, nextStep(input), facts.digest),
    ],
  };
}

function moreText(count: number): Block {
  return {
    type: 'text',
    text: [
      `${counted(count, 'more plan')} only in the table: `,
      { text: 'chatform show', as: 'command' },
      ' of its file shows one.',
    ],
  };
}

function planSection({ targets, of }: ReviewedPlans['groups'][number]): Section {
  // Anyone may read a comment of a public repository.
  const { mark, urgent = [], body } = reportView(of, { isPublic: true, isShared: true });
  const [first = ''] = targets;
  const those =
    targets.length === 1 ? `Target ${first}` : `${targets.length} targets with the same plan: ${few(targets)}`;
  return {
    type: 'section',
    id: `target-${first}`,
    title: `${those}: ${mark.word}`,
    body: [
      { type: 'text', text: `${sumText(of.plan.summary)}${targets.length === 1 ? '' : ' on each'}.` },
      ...urgent,
      ...body,
    ],
    isDocument: true,
  };
}

/** The worst of the plans, and how far their apply is. */
function markOf({ of: { groups, unplanned }, state, ending }: PlansCommentInput): Mark {
  const [worst] = groups;
  const none = unplanned.length === 0 ? [] : [`${counted(unplanned.length, 'target')} without a plan`];
  const risk = [
    ...(worst === undefined ? (none.length === 0 ? [RISKS.nothing] : []) : [RISKS[worst.of.risk]]),
    ...none,
  ].join('; ');
  const word = {
    applying: 'being applied',
    applied: 'applied',
    failed: ending === 'differing' ? 'applied, but customers see something else' : 'not all applied',
    plan: null,
  }[state];
  return { sign: '~', tone: 'change', word: word === null ? risk : `${word} (${risk})` };
}

function sumText({ add, change, destroy, adopt }: NonNullable<PlanFacts['counts']>): string {
  return `${add} to add, ${change} to change, ${destroy} to destroy${adopt === 0 ? '' : `, ${adopt} to adopt`}`;
}

function countsText({ facts: { counts }, report: { summary, targets } }: ReviewedPlans): Text {
  const dangerous = targets.filter(({ figures }) => (figures['dangers'] ?? 0) > 0).length;
  const dangers = summary.figures['dangers'] ?? 0;
  const states = Object.entries(summary.states).map(([state, count]) => stateCount(state, count));
  return [
    ...(counts === null ? [] : [sumText(counts)]),
    ...(dangers === 0 ? [] : [`${counted(dangers, 'danger')} on ${counted(dangerous, 'target')}`]),
    ...(states.length === 0 ? [] : [states.join(', ')]),
    ...(summary.requests === 0 ? [] : [counted(summary.requests, 'request')]),
  ].join(' · ');
}

function touchedText({ ref, untouched }: NonNullable<ReviewedPlans['report']['since']>, touched: number): Text {
  const since = { text: ref, as: 'name' } as const;
  if (touched === 0) return ['No target is touched by what changed since ', since, '.'];
  return ['Touched by what changed since ', since, `: ${touched} of ${counted(touched + untouched, 'target')}.`];
}

/** What the targets were chosen by, and targets that are gone. */
function aboutTexts({ report: { since, orphaned, targets } }: ReviewedPlans): readonly Text[] {
  const name = (text: string) => ({ text, as: 'name' }) as const;
  return [
    ...(since === null ? [] : [touchedText(since, targets.length)]),
    ...(orphaned.length === 0
      ? []
      : [
          [
            'Orphaned: ',
            { names: orphaned.map(name) },
            '. chatform.yaml no longer has them; licenses and ledgers stay as they are.',
          ],
        ]),
  ];
}

function nextStep({ of: { facts, groups, unplanned }, state, ending }: PlansCommentInput): string {
  switch (state) {
    case 'applying':
      return 'wait for the run to end; this comment will show the result.';
    case 'applied':
      return 'nothing; plans of the same files are empty now.';
    case 'failed':
      return ending === 'differing'
        ? 'read in the log of the run what customers see differently.'
        : 'read in the table, or in the log of the run, which targets are not applied, and why. Where a plan no longer matches, plan again; otherwise run it again: what is done is not repeated.';
    case 'plan':
      break;
    default:
      assertNever(state);
  }
  if (groups.length === 0 && unplanned.length > 0) return 'correct the errors that the run names, and push again.';
  const some =
    unplanned.length === 0 ? '' : ' Targets without a plan are not applied: correct their errors, and push again.';
  if (facts.outcome === 'withheld') return `change the files, or do what each line above says to continue.${some}`;
  if (facts.effect === 'no-changes') return `nothing; an apply would change nothing.${some}`;
  return `review them; an apply of the folder with this digest makes these changes and no others.${some}`;
}
