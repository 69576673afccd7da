// `apply FILE`: a saved plan and a plan of now in; whether the one may be carried out as the other was approved, out.

import { UsageError } from '../../base/errors.ts';
import type { PlanOptions } from '../../plan/assemble.ts';
import { guard } from '../../plan/guards/guard.ts';
import type { Plan } from '../../plan/plan.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { failureDocument, notAppliedDocument } from '../../render/documents.ts';
import { mismatchLine, mismatchText } from '../../render/text/saved.ts';
import { isCovered, letGo } from '../../tasks/saved/acknowledged.ts';
import { mismatchOf } from '../../tasks/saved/match.ts';
import { type SavedPlan, serviceDigest } from '../../tasks/saved/saved-plan.ts';
import { type Planning, planOptions } from '../planning.ts';
import type { TargetFlags } from '../prepare.ts';
import { showError, showWarning } from '../report.ts';
import type { Declared } from '../routes.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { currentOf } from './out-file.ts';
import { planIn } from './plan-file.ts';

/** What somebody agreed to, and the name of the file that says so. */
export interface Approved {
  readonly file: string;
  readonly saved: SavedPlan;
}

/** The plan, and the flags of a run that looks at what the plan looked at. @throws UsageError for a flag that says otherwise */
export async function approvedBy<F extends TargetFlags>(
  file: string | undefined,
  flags: F,
): Promise<{ readonly approved: Approved | null; readonly narrowed: F }> {
  if (file === undefined) return { approved: null, narrowed: flags };
  if (flags.only !== undefined || flags.except !== undefined)
    throw new UsageError(`${file} says itself what it is about: --only and --except belong to \`plan --out\``);
  const saved = await planIn(file);
  if (saved.plan.against !== undefined)
    throw new UsageError(
      `${file} is a plan against a snapshot, taken ${saved.plan.against.taken_at}: it shows what was to be expected, and cannot be applied; \`plan --out\` without --against makes one that can`,
    );
  const { only, except } = saved.selection;
  return {
    approved: { file, saved },
    narrowed: {
      ...flags,
      ...(flags.file === undefined ? { target: flags.target ?? saved.target } : {}),
      ...(only.length === 0 ? {} : { only }),
      ...(except.length === 0 ? {} : { except }),
    },
  };
}

/** Why it is a plan of something else altogether; null when it is not. */
export function foreignTo({ file, saved }: Approved, settings: TargetSettings): string | null {
  const { name, apiVersion, baseUrl } = settings;
  if (saved.target !== name) return `${file} is a plan of target ${saved.target}, and this is ${name}`;
  if (saved.api_version !== apiVersion)
    return `${file} is a plan for version ${saved.api_version} of the service, and this is ${apiVersion}`;
  if (saved.service !== serviceDigest(baseUrl)) return `${file} is a plan of ${name} at another base_url`;
  return null;
}

/** The target with what was acknowledged when the plan was made. */
export function acknowledging(declared: Declared, approved: Approved | null): Declared {
  if (approved === null) return declared;
  const { settings } = declared;
  return {
    ...declared,
    settings: { ...settings, acknowledge: [...settings.acknowledge, ...approved.saved.acknowledged.given] },
  };
}

/** It is a plan of something else altogether: nothing was read for it, and nothing was written. */
export function refuseForeign(message: string, terminal: Terminal, json: boolean): ExitCode {
  showError(message, terminal);
  if (json) terminal.out(failureDocument(message, []));
  return 5;
}

/** A plan of now, which may do no more than what was approved. */
export interface Held {
  readonly plan: Plan;
  readonly planning: Planning;
  /** As the files and the flags of this run say it. */
  readonly declared: Declared;
}

/** The plan to carry out, or how the run ends because it does more than was approved. */
export function heldTo(
  approved: Approved,
  { plan, planning, declared }: Held,
  flags: TargetFlags,
  terminal: Terminal,
): { readonly plan: Plan } | { readonly ended: ExitCode; readonly message: string } {
  const { file, saved } = approved;
  const now = currentOf({ plan, planning, declared });
  const mismatch = mismatchOf(saved, now);
  if (mismatch === null) {
    if (now.manifest !== saved.manifest)
      showWarning(
        `the manifest is not what it was when ${file} was made; what is left to do was approved all the same`,
        terminal,
      );
    return { plan: withUnseen(plan, planning, saved, planOptions(declared.settings, flags).acknowledged) };
  }
  const message = mismatchLine(file, mismatch);
  showError(message, terminal);
  const { digest, created_at } = saved;
  terminal.out(
    flags.json === true
      ? notAppliedDocument(plan, message, planning.diagnostics, { approved: { digest, created_at }, mismatch })
      : mismatchText(file, saved, mismatch, terminal.paintOut),
  );
  return { ended: 5, message };
}

/** The plan with the vetoes that whoever acknowledged has not seen: consent is to what was shown, not to what has the same address. */
function withUnseen(
  plan: Plan,
  { compared, options }: Planning,
  { acknowledged }: SavedPlan,
  given: PlanOptions['acknowledged'],
): Plan {
  if (isCovered(letGo(compared, options, given), acknowledged.vetoes)) return plan;
  const standing = guard(compared, { ...options, acknowledged: given });
  return { ...plan, withheld: [...standing, ...plan.withheld.filter(({ guard: name }) => name === 'policy')] };
}
