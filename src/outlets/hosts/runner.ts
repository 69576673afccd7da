// What the runner of a job shows of a plan: annotations at lines, a summary, outputs for later steps. Only where a runner asks for it.

import { appendFile } from 'node:fs/promises';
import { explained } from '../../base/disk.ts';
import { effectOf, type Outcome, type State, targetOf, verdictOf } from '../../render/comment/subject.ts';
import { findingsOf } from '../../render/plan-reports/findings.ts';
import type { PathInRepository } from '../../render/repository-path.ts';
import type { Surroundings } from '../../run/surroundings.ts';
import type { Posted } from './post.ts';
import { annotations, outputLines } from './workflow.ts';

interface Runner extends Pick<Surroundings, 'env'> {
  readonly err: (text: string) => void;
}

/** The runner reads both streams; standard output has the one document that was asked for. */
export function annotate(of: Outcome, pathOf: PathInRepository, { env, err }: Runner): void {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  const title = `chatform ${targetOf(of) ?? ''}`.trim();
  for (const line of annotations(findingsOf(of, pathOf), title)) err(`${line}\n`);
}

export async function summarise(body: string, { env }: Pick<Runner, 'env'>): Promise<void> {
  await append(env['GITHUB_STEP_SUMMARY'], `${body}\n`);
}

export async function tellOutputs(
  of: Outcome,
  state: State,
  posted: Posted | { readonly failed: string } | null,
  { env }: Pick<Runner, 'env'>,
): Promise<void> {
  const counts = of.outcome === 'planned' ? of.plan.summary : { add: null, change: null, destroy: null, adopt: null };
  const effect = effectOf(of);
  await append(
    env['GITHUB_OUTPUT'],
    outputLines({
      state,
      outcome: verdictOf(of),
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
