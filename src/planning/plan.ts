// Plan of one target, from its license or from a snapshot, as it may be applied: held to policies, routing tests and lints.

import { UsageError } from '../base/errors.ts';
import { FORMAT_VERSION } from '../base/model.ts';
import { packageVersion } from '../base/version.ts';
import { dayOf } from '../base/week.ts';
import { DAY, HOUR } from '../base/zone.ts';
import { connected } from '../license/connect.ts';
import type { Plan } from '../plan/plan.ts';
import { serviceDigest } from '../plan/saved/digests.ts';
import { letGo } from '../plan/saved/match.ts';
import type { PlanOrigin } from '../plan/saved/saved-plan.ts';
import { savedText } from '../plan/saved/text.ts';
import type { RunContext } from '../target/context.ts';
import type { Declared, FilesChoice } from '../target/prepare.ts';
import { contentsOf } from './approved.ts';
import { type Planning, type PlanningChoice, planFrom, planOptions, planTarget } from './planning.ts';
import { heldToRoutes } from './routes.ts';

export interface PlanChoice extends PlanningChoice, Pick<FilesChoice, 'date'> {
  /** File of a snapshot to plan against, instead of the license. */
  readonly against?: string;
  /** An apply of the saved plan is to test the license as customers see it. */
  readonly testOnCustomer?: boolean;
}

/** Sends reads only. @throws UsageError for a day that is over, for a snapshot of another license, and as planning does */
export async function planDeclared(declared: Declared, choice: PlanChoice, context: RunContext): Promise<Planning> {
  const { date, against } = choice;
  if (date !== undefined && against === undefined) refusePast(date, context.clock.now());
  const planning = await (against === undefined
    ? connected(declared.settings, context, (connection) => planTarget(declared, connection, choice, context))
    : planAgainst(declared, against, choice, context));
  return heldToRoutes(declared, planning, context.clock.now());
}

/** How long a day lasts somewhere after it is over in UTC. */
const LATEST_ZONE = 12 * HOUR;

function refusePast(date: string, now: number): void {
  const day = dayOf(date);
  if (day !== null && day + DAY + LATEST_ZONE <= now)
    throw new UsageError(`--date ${date} is over: write today or a later day`);
}

async function planAgainst(
  declared: Declared,
  file: string,
  choice: PlanChoice,
  context: RunContext,
): Promise<Planning> {
  if (choice.newLicense !== undefined)
    throw new UsageError('--new-license is about the license itself, and --against reads a snapshot: give one of them');
  if (choice.demand !== undefined)
    throw new UsageError('--demand asks the service for its reports, and --against plans without it: give one of them');
  const { snapshotIn, snapshotSource } = await import('./snapshot/source.ts');
  const snapshot = await snapshotIn(file, declared.settings, context);
  return planFrom(declared, snapshotSource(snapshot, context.clock.now), choice, context);
}

/** Text and digest of the saved plan. A withheld plan is also saved: its reader can find out what would release it. */
export function savedPlanText(
  declared: Declared,
  planning: Planning & { readonly plan: Plan },
  choice: PlanChoice,
  { now, origin }: { readonly now: number; readonly origin: PlanOrigin | null },
): { readonly text: string; readonly digest: string } {
  const { settings } = declared;
  const { plan, manifest, read, effects } = contentsOf(planning.plan, planning, declared);
  const unasked = planOptions(settings, { ...choice, acknowledge: [] }).acknowledged;
  return savedText({
    format_version: FORMAT_VERSION,
    chatform_version: packageVersion(),
    created_at: new Date(now).toISOString(),
    target: settings.name,
    api_version: settings.apiVersion,
    service: serviceDigest(settings.baseUrl),
    manifest,
    selection: { only: choice.only ?? [], except: choice.except ?? [] },
    acknowledged: { given: choice.acknowledge ?? [], vetoes: letGo(planning.compared, planning.options, unasked) },
    plan,
    diagnostics: planning.diagnostics,
    read,
    effects,
    ...(origin === null ? {} : { origin }),
    ...(choice.testOnCustomer === true ? { test_on_customer: true } : {}),
  });
}
