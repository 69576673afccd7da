// `drift --watch`: one check after the other, with a line for each. The first is shown whole, a later one as far as something changed.

import { digest } from '../base/digest.ts';
import { UsageError } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import { type Json, SEVERITIES } from '../base/model.ts';
import type { OpenedProject } from '../run/choice.ts';
import { type Beats, cron, every, watch } from '../run/watch.ts';
import type { DriftCheck } from '../tasks/drift/report.ts';
import { lastingText } from '../tasks/drift/since.ts';
import { inSync } from '../tasks/targets/plans.ts';
import type { Terminal } from './terminal.ts';

interface WatchChoice {
  readonly watch?: boolean;
  readonly every?: string;
  readonly cron?: string;
  readonly quiet?: boolean;
}

/** A check with its reports and notifications. The first signal does not interrupt it: a check that began is finished. */
interface WatchedCheck {
  readonly look: (terminal: Terminal) => Promise<DriftCheck>;
  /** Prints a check that succeeded; with an earlier one, what changed since then. */
  readonly show: (look: SeenCheck, before: SeenCheck | null) => void;
}

/** What the watch of one of several targets shares with the others. */
export interface WatchedAmong {
  /** Waits until a check may begin: only so many are under way at a time. */
  readonly limit: <T>(check: () => Promise<T>) => Promise<T>;
  /** The project as its file says it now. */
  readonly project: () => Promise<OpenedProject>;
}

export type SeenCheck = DriftCheck & { readonly outcome: 'seen' };

const DEFAULT = '15m';

/** Times of the checks; null without --watch. @throws UsageError for no time, two times, or a time without --watch */
export async function beatsOf(
  { watch: wanted, every: duration, cron: expression }: WatchChoice,
  now: number,
): Promise<Beats | null> {
  if (duration !== undefined && expression !== undefined)
    throw new UsageError('--every and --cron both say when to check: give one of them');
  if (wanted !== true) {
    if (duration !== undefined || expression !== undefined)
      throw new UsageError(`${duration === undefined ? '--cron' : '--every'} says when --watch checks: give both`);
    return null;
  }
  return expression === undefined ? every(duration ?? DEFAULT, now) : cron(expression);
}

/** Checks until a signal. */
export async function keepChecking(
  beats: Beats,
  { look, show }: WatchedCheck,
  { quiet = false }: WatchChoice,
  terminal: Terminal,
): Promise<void> {
  const { clock, random, signal } = terminal;
  let before: { readonly seen: SeenCheck; readonly content: string } | null = null;
  const lookOnce = async (): Promise<void> => {
    const seen = await look({ ...terminal, signal: new AbortController().signal });
    if (!quiet) terminal.err(`${lineOf(seen)}\n`);
    if (seen.outcome === 'failed') return;
    const content = contentOf(seen);
    if (content !== before?.content) show(seen, before?.seen ?? null);
    before = { seen, content };
  };
  await watch({ look: lookOnce, beats, clock, random, signal });
}

function lineOf(look: DriftCheck): string {
  // The reason is on stderr already.
  if (look.outcome === 'failed') return `${look.at} ${look.target ?? '-'}: the check failed`;
  const { at, target, in_sync: isInSync, summary } = look.report;
  const parts = SEVERITIES.flatMap((severity) => {
    const count = summary.by_severity[severity];
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  return `${at} ${target}: ${[isInSync ? (inSync(look.report).message ?? 'in sync') : 'drifted', ...parts].join(', ')}`;
}

/** Digest of what a person sees of a check, without what changes with every check. */
function contentOf({ report }: SeenCheck): string {
  const { at: _, requests: __, items, ignored, ...rest } = report;
  return digest([canonicalJson(rest as unknown as Json), ...[...items, ...ignored].map(lastingText)]);
}
