// `plan`: what would change on the license. Writes nothing but the file of a plan that is to be saved.

import { UsageError } from '../../base/errors.ts';
import type { Diagnostic } from '../../base/model.ts';
import { weekAt } from '../../base/week.ts';
import { ORDERED } from '../../kinds/index.ts';
import type { KnownOutcome, Operation, TargetRow } from '../../many/operation.ts';
import { planFile } from '../../many/plans/folder.ts';
import { isNothing, likeness, planAnswer, sameness } from '../../many/plans/plans.ts';
import { savePlace, unwritten } from '../../outlets/report-files.ts';
import type { Comparison } from '../../plan/compare.ts';
import type { Plan } from '../../plan/plan.ts';
import { ruleLists } from '../../plan/rerouting/rule-lists.ts';
import { reviewed } from '../../plan/review/plan-result.ts';
import type { SavedPlan } from '../../plan/saved/saved-plan.ts';
import { readSavedPlan } from '../../plan/saved/text.ts';
import { originOf } from '../../planning/origin.ts';
import { planDeclared, savedPlanText } from '../../planning/plan.ts';
import { requireRouted } from '../../planning/routes.ts';
import { staffsOf } from '../../planning/routing-lints.ts';
import type { RoutingRule } from '../../routing/rules.ts';
import type { TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { type Declared, declaredIn, prepare } from '../../target/prepare.ts';
import { type CoverageReport, coverageReport, coverageSubject } from '../coverage/report.ts';
import { coverSection } from '../coverage/view.ts';
import type { CustomerView } from '../test/customer/schema.ts';
import { commentView, NOWHERE } from './comment.ts';
import type { SeenPlan } from './customers.ts';
import { besidesDangers, dangerTexts } from './dangers.ts';
import { planFindings } from './findings.ts';
import type { PlanOptions } from './options.ts';
import type { ListedRule, PlanPictures, RuleOrder } from './pictures.ts';
import { planTable, terraform } from './table.ts';
import { planView, reportView, sharedBlocks } from './view.ts';

export interface PlannedTarget {
  readonly plan: Plan;
  /** Null where it was not saved. */
  readonly saved: { readonly file: string; readonly digest: string; readonly kept?: SavedPlan } | null;
  /** Null where no output draws them. */
  readonly pictures: PlanPictures | null;
  /** An apply of the saved plan tests it as customers see it. */
  readonly testsOnCustomer: boolean;
  /** Of a plan that was saved before: what a person must know before approving it, and what customers saw after it. */
  readonly reviewed?: Pick<SeenPlan, 'approval' | 'customers'>;
}

export const planning: Operation<PlanOptions, PlannedTarget> = {
  name: 'plan',
  changes: 'nothing',
  showsTarget: true,
  findsErrors: true,
  run: async (target, { save, pictures = false, ...options }, context) => {
    const prepared = await prepare({ ...target, ...options }, context);
    const declared = declaredIn(prepared);
    const choice = { ...target, ...options };
    const place =
      save === undefined || 'kept' in save ? null : await placeOf(save, declared.settings.name, choice, context);
    requireRouted(declared);
    const { plan, diagnostics, ...rest } = await planDeclared(declared, choice, context);
    if (plan === null) throw new UsageError('the files have errors', diagnostics);
    context.report({ type: 'planned', plan, diagnostics, view: () => planView(reviewed(plan, diagnostics, null)) });
    const made = { plan, diagnostics, ...rest };
    const now = context.clock.now();
    const text =
      save === undefined ? null : savedPlanText(declared, made, choice, { now, origin: await originOf(context) });
    const value = {
      plan,
      saved: text === null ? null : await savedAt(place, text),
      pictures: pictures ? picturesOf(declared, rest.compared, now) : null,
      testsOnCustomer: options.testOnCustomer === true,
    };
    return { value, diagnostics, requests: null };
  },
  row: (planned, about, { detailedExitcode }): TargetRow => {
    const { plan, saved } = planned;
    const of = reviewedIn(planned, about.diagnostics);
    const { message, ...answer } = planAnswer(of);
    const isWrong = about.diagnostics.some(({ severity }) => severity === 'error');
    const differs = detailedExitcode === true && plan.steps.length > 0;
    return {
      ...answer,
      code: isWrong ? 1 : differs ? 2 : 0,
      isQuiet: isNothing(plan),
      same: () => sameness(plan),
      likeness: () => likeness(of),
      ...(message === null ? {} : { message }),
      ...(saved === null ? {} : { digest: saved.digest }),
    };
  },
  view: (planned, { diagnostics }) => planView(reviewedIn(planned, diagnostics)),
  page: (planned, { at, diagnostics }, reader) => {
    const of = reviewedIn(planned, diagnostics);
    return reader === 'comment'
      ? commentView({ of, state: 'plan', origin: NOWHERE })
      : reportView(of, { at, pictures: planned.pictures });
  },
  among: (planned, { diagnostics }) => sharedBlocks(reviewedIn(planned, diagnostics)),
  besides: (planned, { diagnostics }) => besidesDangers(reviewedIn(planned, diagnostics)),
  document: ({ plan }) => ({ ...plan }),
  findings: (planned, { at, diagnostics }) => planFindings(reviewedIn(planned, diagnostics), at),
  table: ({ plan }) => planTable(plan),
  news: {
    about: 'plan',
    says: (planned, { diagnostics }) => dangerTexts(reviewedIn(planned, diagnostics)),
  },
  formats: { terraform: async () => ({ report: terraform }) },
};

/** What a reviewer sees. */
export function reviewedIn(
  { plan, saved, testsOnCustomer, reviewed: known = {} }: PlannedTarget,
  diagnostics: readonly Diagnostic[],
): SeenPlan {
  const of = { ...reviewed(plan, diagnostics, saved?.digest ?? null), ...known };
  return testsOnCustomer ? { ...of, testsOnCustomer } : of;
}

/** A plan that was saved before. The license around it is not in the file. */
export function savedOutcome(
  file: string,
  saved: SavedPlan,
  customers: CustomerView | null,
): KnownOutcome<PlannedTarget> {
  const { target, created_at: at, digest, plan, diagnostics, test_on_customer: testsOnCustomer = false } = saved;
  const value = {
    plan,
    saved: { file, digest },
    pictures: null,
    testsOnCustomer,
    reviewed: { approval: saved, ...(customers === null ? {} : { customers }) },
  };
  return {
    operation: 'plan',
    state: 'known',
    target,
    at,
    value,
    diagnostics,
    requests: null,
    seconds: 0,
    problems: [],
  };
}

/** Writes it to its place; without one, it is a part of the result. @throws UsageError when it is not written */
async function savedAt(
  place: { readonly file: string; readonly path: string } | null,
  { text, digest }: { readonly text: string; readonly digest: string },
): Promise<NonNullable<PlannedTarget['saved']>> {
  if (place === null) return { file: THE_PLAN, digest, kept: readSavedPlan(text, THE_PLAN) };
  const { file, path } = place;
  const lost = await unwritten([{ name: file, path, text: () => text }], 'owner');
  if (lost !== null) throw new UsageError(lost);
  return { file, digest };
}

/** How errors name a plan that is no file. */
export const THE_PLAN = 'the plan';

function placeOf(
  save: Exclude<NonNullable<PlanOptions['save']>, { readonly kept: true }>,
  target: string,
  choice: TargetChoice & { readonly against?: string },
  environment: RunContext,
) {
  const file = 'file' in save ? save.file : planFile(save.folder, target);
  return savePlace(file, 'plan', { choice, environment });
}

export function picturesOf(declared: Declared, compared: Comparison, now: number): PlanPictures {
  const cover = coverOf(declared, compared, now);
  return { rules: rulesOf(compared), cover, weeks: coverSection(cover) };
}

function coverOf(declared: Declared, compared: Comparison, now: number): CoverageReport {
  const { settings } = declared;
  const { before, after: staff } = staffsOf(settings, compared);
  const week = weekAt(settings.routing.timezone, now);
  return coverageReport({ ...coverageSubject(declared), view: 'both', week, before, staff });
}

function rulesOf(compared: Comparison): RuleOrder {
  const { before, after } = ruleLists(compared);
  const { live, bindings, drafts } = compared;
  const known = new Map<string, string>(
    (live.objects[ORDERED.name] ?? []).map(({ id, name }) => [bindings.referenceTo(ORDERED.name, id), name]),
  );
  // By their names of today; new rules by their names to be.
  for (const { address, object } of drafts) if (object !== null && !known.has(address)) known.set(address, object.name);
  const coming = new Map(
    drafts.flatMap(({ kind, address, desired }): readonly (readonly [string, string])[] =>
      kind === ORDERED ? [[address, String(desired?.['description'] || known.get(address) || address)]] : [],
    ),
  );
  const listed = (rule: RoutingRule, name: string | undefined): ListedRule => ({
    reference: rule.name,
    name: name ?? rule.name,
    groups: rule.groups,
  });
  return {
    before: before.map((rule) => listed(rule, known.get(rule.name))),
    after: after.map((rule) => listed(rule, coming.get(rule.name) ?? known.get(rule.name))),
  };
}
