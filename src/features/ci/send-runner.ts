// What the runner of a job shows of a plan: annotations at lines, a summary, outputs for later steps. Only where a runner asks for it.

import { appendFile } from 'node:fs/promises';
import { explained } from '../../base/disk.ts';
import type { ChangeState, PlanFacts } from '../../plan/review/plan-result.ts';
import type { RunContext } from '../../target/context.ts';
import type { Findings, PathInRepository } from '../../view/findings.ts';
import { plain } from '../../view/plain.ts';
import { annotations } from '../../view/writers/annotations.ts';
import type { Posted } from './send-comment.ts';

interface Runner extends Pick<RunContext, 'env'> {
  readonly tellRunner: (command: string) => void;
}

/** Annotations of one plan, or of several: what they have in common is told once. */
export function annotate(
  findings: readonly Findings[],
  title: string,
  pathOf: PathInRepository,
  { env, tellRunner }: Runner,
): void {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  for (const line of annotations(findings, title, pathOf)) tellRunner(line);
}

export async function summarise(body: string, { env }: Pick<Runner, 'env'>): Promise<void> {
  await append(env['GITHUB_STEP_SUMMARY'], `${body}\n`);
}

export async function tellOutputs(
  { outcome, effect, counts, digest }: PlanFacts,
  state: ChangeState,
  posted: Posted | { readonly failed: string } | null,
  { env }: Pick<Runner, 'env'>,
): Promise<void> {
  const { add, change, destroy, adopt } = counts ?? NO_COUNTS;
  await append(
    env['GITHUB_OUTPUT'],
    outputLines({
      state,
      outcome,
      effect,
      changes: effect === null ? null : effect !== 'no-changes',
      ...{ add, change, destroy, adopt },
      digest,
      'comment-url': posted === null || 'failed' in posted ? null : posted.url,
      late: posted !== null && 'outcome' in posted && posted.outcome === 'late',
    }),
  );
}

const NO_COUNTS = { add: null, change: null, destroy: null, adopt: null };

async function append(file: string | undefined, text: string): Promise<void> {
  if (file === undefined || file === '') return;
  await explained(file, 'written', () => appendFile(file, text));
}

/** Lines for the file of outputs. No value has a line break, so none needs a delimiter. */
export function outputLines(outputs: { readonly [name: string]: string | number | boolean | null }): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${plain(String(value ?? ''))}\n`)
    .join('');
}
