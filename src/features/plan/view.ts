// The view of a plan: its changes, what they do to visitors, what is good to know; what a person must have seen before saying yes is urgent.

import { assertNever } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { dangersIn, type FailedPlan, isDanger, type ReviewedPlan } from '../../plan/review/plan-result.ts';
import type { Block, Counts, Mark, Section, Text, View } from '../../view/blocks.ts';
import { diagnosticsSection } from '../../view/diagnostics.ts';
import { againstLine, comingTexts, hoursLine, RISKS, summaryText } from '../../view/words/plan.ts';
import { changesBlock, idsOf, type SortedChanges, sortedChanges } from './changes.ts';
import { customersSection, type SeenPlan } from './customers.ts';
import { dangerSections, overwrittenSection, policySection } from './dangers.ts';
import { factSections, noteSections, renamedSection, sharedFacts } from './facts.ts';
import { impactLine, impactSections } from './impact.ts';
import { demandSection, membersSection, orderSection, type PlanPictures } from './pictures.ts';
import { visitorBlocks } from './routing.ts';

/** What else is known of a plan, and who reads it. */
export interface AboutPlan {
  /** When it was made, RFC 3339. */
  readonly at?: string;
  /** Null without a license to look at. */
  readonly pictures?: PlanPictures | null;
  /** Figures of single people are left out where anyone may read them. */
  readonly isPublic?: boolean;
  /** It stands for equal plans of several targets: what is of one license alone is left out. */
  readonly isShared?: boolean;
}

export function planView(
  of: SeenPlan,
  { at, pictures = null, isPublic = false, isShared = false }: AboutPlan = {},
): View {
  const { plan } = of;
  const changes = sortedChanges(plan);
  const [title, counts] = summaryText(plan);
  return {
    title: ['Plan of ', { text: plan.target, as: 'name' }],
    mark: riskOf(of),
    result: [{ text: title, tone: 'strong' }, ` ${counts}`],
    about: at === undefined ? [] : [madeText(plan, at)],
    urgent: [
      countsSection(of, pictures),
      ...againstBlock(plan),
      ...customersSection(of.customers),
      ...dangerSections(of, idsOf(changes)),
      ...impactLine(plan),
    ],
    body: [
      ...changesAndNotes(plan, changes, !isPublic, pictures),
      ...hoursBlock(plan),
      ...(isShared ? sharedFacts(changes.unseen) : factSections(plan, changes.unseen)),
    ],
  };
}

/** With the findings about the files, which a terminal shows before; those that leave visitors without an agent are urgent. */
export function reportView(of: SeenPlan, about: AboutPlan): View {
  const view = planView(of, about);
  const gaps = of.gaps.filter((gap) => !isDanger(gap));
  const others = of.diagnostics.filter((each) => !gaps.includes(each));
  const urgent = diagnosticsSection(gaps).map(({ fold: _, ...section }) => ({
    ...section,
    id: 'gaps',
    title: 'Gaps in routing',
    weight: 70,
  }));
  return {
    ...view,
    about: [...view.about, ...(of.digest === null ? [] : [digestText(of.digest)])],
    urgent: [...(view.urgent ?? []), ...urgent],
    body: [...view.body, ...diagnosticsSection(others)],
  };
}

/** Why there is no plan. */
export function failedView({ target, message, diagnostics }: FailedPlan, at?: string): View {
  return {
    title: target === null ? 'No plan' : ['No plan for ', { text: target, as: 'name' }],
    mark: { sign: '!', word: 'failed', tone: 'error' },
    result: message === '' ? 'The files have errors.' : message,
    about: at === undefined ? [] : [['Tried ', { text: at, as: 'time' }, '. The changes are not known.']],
    body: diagnosticsSection(diagnostics),
  };
}

function digestText(digest: string): Text {
  return ['Digest of the saved plan: ', { text: digest, as: 'code' }, '.'];
}

function madeText({ api_version: version }: Plan, at: string): Text {
  return [
    'Made ',
    { text: at, as: 'time' },
    ` from the license at that time, for version ${version} of its API. The plan itself has changed nothing.`,
  ];
}

function countsSection(of: ReviewedPlan, pictures: PlanPictures | null): Section {
  const { summary, routing, requests } = of.plan;
  const rerouted = routing?.exact === false ? 'kinds of visitors rerouted, or more' : 'kinds of visitors rerouted';
  const losing = pictures?.cover.groups.filter(({ lost }) => lost.length > 0).length;
  const counts: Counts['counts'] = [
    ['to add', summary.add, 'add'],
    ['to change', summary.change, 'change'],
    ['to destroy', summary.destroy, 'destroy'],
    ['to adopt', summary.adopt, 'calm'],
    ['dangers', dangersIn(of), 'destroy'],
    [rerouted, routing?.rerouted.length ?? 0, 'move'],
    ...(losing === undefined ? [] : [['groups losing cover', losing, 'destroy'] as const]),
    ['requests', requests.total, 'calm'],
  ];
  return { type: 'section', id: 'summary', title: 'Summary', body: [{ type: 'counts', counts }], weight: 100 };
}

/** A plan that stands for those of several targets: without the facts that differ from license to license, and without its counts. */
export function sharedBlocks(of: ReviewedPlan): readonly Block[] {
  const { plan } = of;
  const changes = sortedChanges(plan);
  return [
    ...againstBlock(plan),
    ...changesAndNotes(plan, changes, true, null),
    ...hoursBlock(plan),
    ...sharedFacts(changes.unseen),
    ...dangerSections(of, idsOf(changes)),
  ];
}

function changesAndNotes(
  plan: Plan,
  changes: SortedChanges,
  withPeople: boolean,
  pictures: PlanPictures | null,
): readonly Block[] {
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
    ...orderSection(plan, pictures),
    ...(pictures === null ? [] : [...membersSection(pictures), ...(pictures.weeks === null ? [] : [pictures.weeks])]),
    ...noteSections(plan),
    ...policySection(plan),
    ...impactSections(plan),
    ...demandSection(plan),
  ];
}

/** What a reader of a plan against a snapshot must know. */
function againstBlock(plan: Plan): readonly Block[] {
  const text = againstLine(plan);
  return text === null ? [] : [{ type: 'text', text: { text, tone: 'warning' } }];
}

/** Dates listed in a terminal. */
const MOST_COMING = 6;

function hoursBlock(plan: Plan): readonly Block[] {
  const [text, coming] = [hoursLine(plan), comingTexts(plan)];
  return [
    ...(coming.length === 0
      ? []
      : [
          {
            type: 'section',
            id: 'to-come',
            title: 'To come',
            body: [{ type: 'list', texts: coming, most: MOST_COMING }],
          } as const,
        ]),
    ...(text === null ? [] : [{ type: 'text', text } as const]),
  ];
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
