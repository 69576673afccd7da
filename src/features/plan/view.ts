// The view of a plan: its changes, what they do to visitors, what is good to know; what a person must have seen before saying yes is urgent.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { againstLine, hoursLine, RISKS, summaryText } from '../../render/words/plan.ts';
import type { ReviewedPlan } from '../../tasks/review/plan-result.ts';
import type { Block, Mark, View } from '../../view/blocks.ts';
import { changesBlock, idsOf, type SortedChanges, sortedChanges } from './changes.ts';
import { dangerSections, overwrittenSection, policySection } from './dangers.ts';
import { factSections, noteSections, renamedSection, sharedFacts } from './facts.ts';
import { impactLine, impactSections } from './impact.ts';
import { visitorBlocks } from './routing.ts';

/** What else is known of a plan, and who reads it. */
export interface AboutPlan {
  /** Figures of single people are left out where anyone may read them. */
  readonly isPublic?: boolean;
}

export function planView(of: ReviewedPlan, { isPublic = false }: AboutPlan = {}): View {
  const { plan } = of;
  const changes = sortedChanges(plan);
  const [title, counts] = summaryText(plan);
  return {
    title: ['Plan for ', { text: plan.target, as: 'name' }],
    mark: riskOf(of),
    result: [{ text: title, tone: 'strong' }, ` ${counts}`],
    about: [],
    urgent: [...againstBlock(plan), ...dangerSections(of, idsOf(changes)), ...impactLine(plan)],
    body: [...changesAndNotes(plan, changes, !isPublic), ...hoursBlock(plan), ...factSections(plan, changes.unseen)],
  };
}

/** A plan that stands for those of several targets: without the facts that differ from license to license, and without its counts. */
export function sharedBlocks(of: ReviewedPlan): readonly Block[] {
  const { plan } = of;
  const changes = sortedChanges(plan);
  return [
    ...againstBlock(plan),
    ...changesAndNotes(plan, changes, true),
    ...sharedFacts(changes.unseen),
    ...dangerSections(of, idsOf(changes)),
  ];
}

function changesAndNotes(plan: Plan, changes: SortedChanges, withPeople: boolean): readonly Block[] {
  const block = changesBlock(plan, changes, withPeople);
  const count = changes.listed.length;
  return [
    ...(block === null
      ? []
      : [
          { type: 'section', id: 'changes', title: 'Changes', count, isMain: true, body: [block], weight: 30 } as const,
        ]),
    ...renamedSection(plan),
    ...overwrittenSection(plan),
    ...visitorBlocks(plan),
    ...noteSections(plan),
    ...policySection(plan),
    ...impactSections(plan),
  ];
}

/** What a reader of a plan against a snapshot must know. */
function againstBlock(plan: Plan): readonly Block[] {
  const text = againstLine(plan);
  return text === null ? [] : [{ type: 'text', text: { text, tone: 'warning' } }];
}

function hoursBlock(plan: Plan): readonly Block[] {
  const text = hoursLine(plan);
  return text === null ? [] : [{ type: 'text', text }];
}

/** The worst of a plan. */
function riskOf({ risk, plan: { summary } }: ReviewedPlan): Mark {
  const { add, change, destroy, adopt } = summary;
  const word = RISKS[risk];
  switch (risk) {
    case 'withheld':
    case 'lasting':
      return { tone: 'error', sign: '!', word };
    case 'destroys':
      return { tone: 'destroy', sign: '-', word: `destroys ${destroy}` };
    case 'exposes':
      return { tone: 'warning', sign: '!', word };
    case 'changes':
      if (add + change > 0) return { tone: 'change', sign: '~', word: counted(add + change, 'change') };
      return { tone: 'calm', sign: '=', word: adopt > 0 ? 'adopts only' : word };
    case 'nothing':
      return { tone: 'calm', sign: '✓', word };
    default:
      return assertNever(risk);
  }
}
