// A verification as data: which questions are open after the answers so far, what all answers come to, and which of them to ask again.

import type { Address } from '../../../base/model.ts';
import { groupQuestions, groupResults, productResults, stateQuestion } from './groups.ts';
import { propertyQuestions, propertyResults } from './properties.ts';
import { type Answers, askedText, type CustomerQuestion, groupValuesQuestion, stateIn } from './questions.ts';
import { isShownByVisit, pageResults, routeQuestions, routeResults, routesShown, visitQuestions } from './routes.ts';
import type { Checked, CustomerView } from './schema.ts';
import { customerQuestions, customerResults } from './staffing.ts';
import { type CustomerSubject, declaredGroups } from './subject.ts';

/** Pages come first: a group that a page got needs no question of its own. */
const STAGES: readonly ((subject: CustomerSubject, answers: Answers) => readonly CustomerQuestion[])[] = [
  visitQuestions,
  routeQuestions,
  groupQuestions,
  propertyQuestions,
  customerQuestions,
];

/** The questions to ask next, in their order, each once; none when everything was answered. */
export function openQuestions(subject: CustomerSubject, answers: Answers): readonly CustomerQuestion[] {
  for (const stage of STAGES) {
    const open = new Map(stage(subject, answers).map((question) => [askedText(question), question]));
    for (const key of answers.keys()) open.delete(key);
    if (open.size > 0) return [...open.values()];
  }
  return [];
}

/** What the answers show. */
export type CheckResults = Pick<CustomerView, 'summary' | 'routes_shown' | 'routes_by' | 'checks'>;

export function judged(subject: CustomerSubject, answers: Answers): CheckResults {
  const checks = [
    ...productResults(subject, answers),
    ...pageResults(subject, answers),
    ...routeResults(subject, answers),
    ...groupResults(subject, answers),
    ...propertyResults(subject, answers),
    ...customerResults(subject, answers),
  ];
  const shown = routesShown(subject, answers);
  const by = isShownByVisit(subject, answers) ? 'visit' : shown === true ? 'configuration' : null;
  return { summary: summaryOf(checks), routes_shown: by === 'visit' ? true : shown, routes_by: by, checks };
}

export function summaryOf(checks: readonly Checked[]): CustomerView['summary'] {
  const count = (outcome: Checked['outcome']): number => checks.filter((each) => each.outcome === outcome).length;
  return { ok: count('ok'), differs: count('differs'), unseen: count('unseen'), reported: count('reported') };
}

/** Group -> `config_version`, which changes with whatever customers can see of it. Null for a group that customers do not have. */
export type ConfigVersions = ReadonlyMap<Address, string | null>;

/** Groups of which the service does not tell are left out. */
export function configVersions(subject: CustomerSubject, answers: Answers): ConfigVersions {
  const asked = declaredGroups(subject).map(({ address, id }) => ({
    address,
    question: stateQuestion(id, subject, answers),
  }));
  return versionsIn(asked, answers);
}

/** The same of groups by the questions that were asked. */
export function versionsIn(
  asked: readonly { readonly address: Address; readonly question: CustomerQuestion }[],
  answers: Answers,
): ConfigVersions {
  return new Map(
    asked.flatMap(({ address, question }): readonly (readonly [Address, string | null])[] => {
      const state = stateIn(answers, question);
      if (state === null || 'hindrance' in state) return [];
      return [[address, 'gone' in state ? null : state.seen.config]];
    }),
  );
}

/** The groups of which customers see the same as before. */
export function unchangedGroups(
  groups: readonly Address[],
  before: ConfigVersions,
  now: ConfigVersions,
): readonly Address[] {
  return groups.filter((address) => now.has(address) && now.get(address) === (before.get(address) ?? null));
}

/** The groups that a difference is about. */
export function differingGroups(
  subject: CustomerSubject,
  { checks }: Pick<CheckResults, 'checks'>,
): readonly Address[] {
  const differing = checks.filter(({ outcome }) => outcome === 'differs');
  return declaredGroups(subject).flatMap(({ address, id }) => {
    const values = askedText(groupValuesQuestion(id));
    return differing.some(({ subject: about, asked }) => about === address || asked === values) ? [address] : [];
  });
}

/** The answers without those that a difference, or the state of one of these groups, rests on: asked again they may say something else. */
export function withoutDoubtful(
  subject: CustomerSubject,
  answers: Answers,
  results: Pick<CheckResults, 'checks'>,
  groups: readonly Address[],
): Answers {
  const doubtful = new Set([
    ...results.checks.flatMap(({ outcome, asked }) => (outcome === 'differs' && asked !== null ? [asked] : [])),
    ...[...groups, ...differingGroups(subject, results)].flatMap((address) => {
      const id = subject.groups.get(address);
      return id === undefined ? [] : [askedText(stateQuestion(id, subject, answers))];
    }),
  ]);
  return new Map([...answers].filter(([key]) => !doubtful.has(key)));
}
