// The outputs of a plan, from the plan itself: as `chatform plan` writes them.

import { textOf } from '../../../src/base/pieces.ts';
import type { SeenPlan } from '../../../src/features/plan/customers.ts';
import { type PlannedTarget, planning } from '../../../src/features/plan/operation.ts';
import type { PlanPictures } from '../../../src/features/plan/pictures.ts';
import type { Format } from '../../../src/many/formats.ts';
import type { Outcome } from '../../../src/many/operation.ts';
import { type Asked, outputsOf } from '../../../src/many/outputs.ts';
import type { FailedPlan } from '../../../src/plan/review/plan-result.ts';
import type { PathInRepository } from '../../../src/view/findings.ts';
import { writersOf } from '../../many/writers.ts';

export type PlanFormat = Format | 'terraform';

const ASKED: Asked<object, PlannedTarget> = { operation: planning, options: {} };

const WRITERS = await writersOf(planning);

export const PLAN_REPORTS: readonly string[] = [...WRITERS.keys()];

export const asNamed: PathInRepository = (file) => file;

interface Around {
  readonly at: string;
  readonly pictures?: PlanPictures | null;
  readonly pathOf?: PathInRepository;
}

export function planReport(
  format: PlanFormat,
  of: SeenPlan | FailedPlan,
  { at, pictures = null, pathOf = asNamed }: Around,
): string {
  return textOf(WRITERS.get(format)?.write(outputsOf(ASKED, outcomeOf(of, at, pictures)), pathOf) ?? '');
}

function outcomeOf(of: SeenPlan | FailedPlan, at: string, pictures: PlanPictures | null): Outcome<PlannedTarget> {
  const { diagnostics } = of;
  const about = { operation: 'plan', at, seconds: 0, diagnostics, requests: null, problems: [] };
  if (of.outcome === 'failed')
    return { ...about, target: of.target ?? '', state: 'failed', message: of.message || 'the files have errors' };
  const { plan, digest, testsOnCustomer = false, approval, customers } = of;
  const value = {
    plan,
    saved: digest === null ? null : { file: 'plan.json', digest },
    pictures,
    testsOnCustomer,
    reviewed: { ...(approval === undefined ? {} : { approval }), ...(customers === undefined ? {} : { customers }) },
  };
  return { ...about, target: plan.target, state: 'known', value };
}
