// What the runner of a job shows of a plan: annotations at lines, a summary, outputs for later steps. Only where a runner asks for it.

import { appendFile } from 'node:fs/promises';
import { explained } from '../../base/disk.ts';
import type { PlanFinding } from '../../render/reports/findings.ts';
import { findingsOf, type PathInRepository } from '../../render/reports/findings.ts';
import type { Surroundings } from '../../run/surroundings.ts';
import type { ChangeState, PlanFacts, PlanResult } from '../../tasks/review/plan-result.ts';
import { plain } from '../../view/plain.ts';
import type { Posted } from './post.ts';

interface Runner extends Pick<Surroundings, 'env'> {
  readonly tellRunner: (command: string) => void;
}

/** Annotations of one plan, or of several: what they have in common is told once. */
export function annotate(
  plans: readonly PlanResult[],
  title: string,
  pathOf: PathInRepository,
  { env, tellRunner }: Runner,
): void {
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  const found = plans.flatMap((of) => findingsOf(of, pathOf)).map((each) => [JSON.stringify(each), each] as const);
  for (const line of annotations([...new Map(found).values()], title)) tellRunner(line);
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

/** GitHub shows ten of a level for each step. */
const MOST = 10;

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const;

export function annotations(findings: readonly PlanFinding[], title: string): readonly string[] {
  return (['error', 'warning', 'note'] as const).flatMap((level) => {
    const those = findings.filter((finding) => finding.level === level);
    const lines = those.slice(0, MOST).map(({ lines: said, source, rule }) => {
      const place =
        source === null ? [] : [`file=${property(source.file)}`, `line=${source.line}`, `col=${source.column}`];
      const properties = [...place, `title=${property(`${title}: ${rule}`)}`].join(',');
      return `::${COMMANDS[level]} ${properties}::${message(said.join('\n'))}`;
    });
    const more = those.length - MOST;
    return more > 0
      ? [...lines.slice(0, -1), `::${COMMANDS[level]} title=${property(title)}::and ${more + 1} more`]
      : lines;
  });
}

/** The line breaks of a text are ours: `plain` has removed those of its parts. */
function message(text: string): string {
  return text.split('\n').map(plain).join('\n').replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return message(plain(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Lines for the file of outputs. No value has a line break, so none needs a delimiter. */
export function outputLines(outputs: { readonly [name: string]: string | number | boolean | null }): string {
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${plain(String(value ?? ''))}\n`)
    .join('');
}
