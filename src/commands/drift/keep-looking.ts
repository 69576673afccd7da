// `--every` or `--cron`, and how to look once, in; one look after the other, with a line for each, and the whole text of those that saw something
// else than the one before, out. Keeps nothing of a look but what it takes to see that.

import { digest } from '../../base/digest.ts';
import { UsageError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { type Json, SEVERITIES } from '../../base/model.ts';
import type { Look } from '../../tasks/drift/report.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type Beats, cron, every } from './beats.ts';
import { watch } from './watch.ts';

export interface WatchFlags {
  readonly watch?: boolean;
  readonly every?: string;
  readonly cron?: string;
  readonly quiet?: boolean;
}

/** One look with all that belongs to it, why it failed included. The terminal that it gets is not interrupted by a first signal: a look that is begun is finished. */
export interface Looking {
  readonly look: (terminal: Terminal) => Promise<Look>;
  /** Says all of one that succeeded. */
  readonly show: (look: Look) => void;
}

const DEFAULT = '15m';

/** @throws UsageError for flags that say no time, or two, or a time without a watch */
export async function beatsOf(
  { watch: wanted, every: duration, cron: expression }: WatchFlags,
  now: number,
): Promise<Beats | null> {
  if (duration !== undefined && expression !== undefined)
    throw new UsageError('--every and --cron both say when to look: give one of them');
  if (wanted !== true) {
    if (duration !== undefined || expression !== undefined)
      throw new UsageError(`${duration === undefined ? '--cron' : '--every'} says when --watch looks: give both`);
    return null;
  }
  return expression === undefined ? every(duration ?? DEFAULT, now) : cron(expression);
}

/** Until a signal. */
export async function keepLooking(
  beats: Beats,
  { look, show }: Looking,
  { quiet = false }: WatchFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { clock, random, signal } = terminal;
  let shown: string | null = null;
  const lookOnce = async (): Promise<void> => {
    const seen = await look({ ...terminal, signal: new AbortController().signal });
    if (!quiet) terminal.err(`${lineOf(seen)}\n`);
    if (seen.outcome === 'failed') return;
    const content = contentOf(seen);
    if (content !== shown) show(seen);
    shown = content;
  };
  await watch({ look: lookOnce, beats, clock, random, signal });
  return 0;
}

function lineOf(look: Look): string {
  // Why is said where errors are.
  if (look.outcome === 'failed') return `${look.at} ${look.target ?? '-'}: the look failed`;
  const { at, target, in_sync: isInSync, summary } = look.report;
  const parts = SEVERITIES.flatMap((severity) => {
    const count = summary.by_severity[severity];
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  return `${at} ${target}: ${[isInSync ? 'in sync' : 'drifted', ...parts].join(', ')}`;
}

/** What a person would see, but for what every look changes. */
function contentOf({ report }: Look & { readonly outcome: 'seen' }): string {
  const { at: _, requests: __, items, ignored, ...rest } = report;
  const lasting = [items, ignored].map((list) =>
    list.map(({ first_seen: ___, seen_count: ____, ...item }) => canonicalJson(item as unknown as Json)),
  );
  return digest([canonicalJson(rest as unknown as Json), ...lasting.flat()]);
}
