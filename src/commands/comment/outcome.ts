// `--plan` and `--target` in; what a comment is about, out: the plan that was saved, or why none could be made.

import { readFile } from 'node:fs/promises';
import { explained } from '../../base/disk.ts';
import { list } from '../../base/documents.ts';
import { UsageError } from '../../base/errors.ts';
import { isList, isObject } from '../../base/json.ts';
import { type Diagnostic, FORMAT_VERSION, type Json } from '../../base/model.ts';
import { type ChangeState, type PlanResult, reviewed } from '../../tasks/review/plan-result.ts';
import { misfit } from '../../tasks/saved/fits.ts';
import { readSavedPlan } from '../../tasks/saved/read.ts';
import { diagnosticSchema } from '../../tasks/saved/schema.ts';

export interface OutcomeFlags {
  /** A file of `plan --out`, or what `plan --json` printed when no plan could be made; left out when there is neither. */
  readonly plan?: string;
  /** Of the comment, when there is no plan. */
  readonly target?: string;
}

/** @throws UsageError for what cannot be read, says nothing of a plan, or cannot be true of it */
export async function outcomeFrom({ plan: file, target }: OutcomeFlags, state: ChangeState): Promise<PlanResult> {
  const text = file === undefined ? null : await explained(file, 'read', () => readFile(file, 'utf8'));
  const failure = text === null ? { message: '', diagnostics: [] } : failureIn(text);
  if (failure === null) {
    const { plan, diagnostics, digest } = readSavedPlan(text ?? '', file ?? '');
    if (target !== undefined) throw new UsageError('--target goes without a plan only: a plan knows its target');
    return reviewed(plan, diagnostics, digest);
  }
  if (state === 'applying' || state === 'applied')
    throw new UsageError(`--state ${state} is said of a plan: name the file of \`plan --out\` with --plan`);
  if (target === undefined)
    throw new UsageError(
      file === undefined
        ? 'name the file of `plan --out` with --plan; where no plan could be made, name the target with --target'
        : `${file} says that no plan could be made, and not of which target: name it with --target`,
    );
  return { outcome: 'failed', target, ...failure };
}

interface Failure {
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

const MAJOR = `${FORMAT_VERSION.split('.')[0]}.`;

/** What `plan --json` prints on failure; null for anything else. */
function failureIn(text: string): Failure | null {
  const found = jsonIn(text);
  if (!isObject(found) || found['errored'] !== true || 'plan' in found || 'resource_changes' in found) return null;
  const { format_version: format, message, diagnostics = null } = found;
  if (typeof format !== 'string' || !format.startsWith(MAJOR) || typeof message !== 'string') return null;
  if (!isList(diagnostics) || misfit(list('Findings.', diagnosticSchema), diagnostics) !== null) return null;
  return { message, diagnostics: diagnostics as unknown as readonly Diagnostic[] };
}

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
