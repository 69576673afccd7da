// What came of planning in; what the runner of a job shows of it out: annotations beside lines, a summary, outputs for later steps. Only where a runner
// asks for it.

import { appendFile } from 'node:fs/promises';
import { explained } from '../../base/disk.ts';
import { annotations, outputLines } from '../../outlets/hosts/workflow.ts';
import type { PathInRepository } from '../../render/reports/findings.ts';
import { findingsOf } from '../../render/reports/findings.ts';
import { type ChangeState, effectOf, type PlanResult, targetOf } from '../../tasks/review/plan-result.ts';
import type { Terminal } from '../terminal.ts';
import type { Posted } from './post.ts';

type Runner = Pick<Terminal, 'env' | 'err'>;

/** The runner reads both streams; standard output has the one document that was asked for. */
export function annotate(of: PlanResult, pathOf: PathInRepository, { env, err }: Runner): void {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  const title = `chatform ${targetOf(of) ?? ''}`.trim();
  for (const line of annotations(findingsOf(of, pathOf), title)) err(`${line}\n`);
}

export async function summarise(body: string, { env }: Runner): Promise<void> {
  await append(env['GITHUB_STEP_SUMMARY'], `${body}\n`);
}

export async function tellOutputs(
  of: PlanResult,
  state: ChangeState,
  posted: Posted | { readonly failed: string } | null,
  { env }: Runner,
): Promise<void> {
  const counts = of.outcome === 'planned' ? of.plan.summary : { add: null, change: null, destroy: null, adopt: null };
  const effect = effectOf(of);
  await append(
    env['GITHUB_OUTPUT'],
    outputLines({
      state,
      outcome: of.outcome === 'failed' ? 'failed' : of.risk,
      effect,
      changes: effect === null ? null : effect !== 'no-changes',
      ...counts,
      digest: of.outcome === 'planned' ? of.digest : null,
      'comment-url': posted === null || 'failed' in posted ? null : posted.url,
      late: posted !== null && 'outcome' in posted && posted.outcome === 'late',
    }),
  );
}

async function append(file: string | undefined, text: string): Promise<void> {
  if (file === undefined || file === '') return;
  await explained(file, 'written', () => appendFile(file, text));
}
