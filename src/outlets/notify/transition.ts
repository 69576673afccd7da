// What a channel was last told and a look at the license in; whether there is something to tell it, and what it knows after that, out. Pure: it must not
// know what a channel is, or how it is told.

import { isAsSevere, type Severity } from '../../base/model.ts';
import type { DriftItem, DriftReport, Look } from '../../tasks/drift/report.ts';

/**
 * Why a channel is told. `drift`: something is there that was not, came back or got worse. `resolved`: nothing is left of what was told. `failed`: the
 * look failed, and the one before did not. `recovered`: the reverse. `unchanged`: nothing of this, but every look was asked for.
 */
export type NotificationEvent = 'drift' | 'resolved' | 'failed' | 'recovered' | 'unchanged';

export const EVENTS = [
  'drift',
  'resolved',
  'failed',
  'recovered',
  'unchanged',
] as const satisfies readonly NotificationEvent[];

/** What became of one item since the channel was told. */
export type Change = 'new' | 'returned' | 'worse' | 'known';

export const CHANGES = ['new', 'returned', 'worse', 'known'] as const satisfies readonly Change[];

/** What a channel knows of one item. */
export interface ToldItem {
  readonly severity: Severity;
  readonly returned: number;
}

/** What a channel was told when it was last reached. */
export interface Told {
  /** Of the look that it was told of, RFC 3339. */
  readonly at: string;
  readonly state: 'in-sync' | 'drifted' | 'failed';
  /** By fingerprint; without what went away since, so that it is news when it comes back. */
  readonly items: ReadonlyMap<string, ToldItem>;
}

/** When a channel is told: of what changed, or of every look. */
export type NotifyMode = 'on-change' | 'always';

export interface Notice {
  readonly event: NotificationEvent;
  /** Of the items that count, in the order of the report. */
  readonly items: readonly { readonly item: DriftItem; readonly change: Change }[];
}

/** The items for which a look does not exit with 0. */
function counting({ items, fail_on: failOn }: DriftReport): readonly DriftItem[] {
  return items.filter(({ severity }) => isAsSevere(severity, failOn));
}

/** Null when there is nothing to tell. `told` is null for a channel that was never reached, which knows of no difference. */
export function noticeOf(look: Look, told: Told | null, mode: NotifyMode): Notice | null {
  const notice = newsOf(look, told);
  return notice.event === 'unchanged' && mode === 'on-change' ? null : notice;
}

function newsOf(look: Look, told: Told | null): Notice {
  const before = told?.state ?? 'in-sync';
  if (look.outcome === 'failed') return { event: before === 'failed' ? 'unchanged' : 'failed', items: [] };
  const items = counting(look.report).map((item) => ({
    item,
    change: changeOf(item, told?.items.get(item.fingerprint)),
  }));
  if (before === 'failed') return { event: 'recovered', items };
  if (items.some(({ change }) => change !== 'known')) return { event: 'drift', items };
  return { event: before === 'drifted' && items.length === 0 ? 'resolved' : 'unchanged', items };
}

function changeOf({ severity, returned }: DriftItem, known: ToldItem | undefined): Change {
  if (returned > (known?.returned ?? 0)) return 'returned';
  if (known === undefined) return 'new';
  return isAsSevere(known.severity, severity) ? 'known' : 'worse';
}

/** What a channel knows once it was told of this look. */
export function toldOf(look: Look, told: Told | null): Told {
  // What was there before a failed look may still be there.
  if (look.outcome === 'failed') return { at: look.at, state: 'failed', items: told?.items ?? new Map() };
  const items = counting(look.report);
  const known = items.map(({ fingerprint, severity, returned }) => [fingerprint, { severity, returned }] as const);
  return { at: look.report.at, state: items.length === 0 ? 'in-sync' : 'drifted', items: new Map(known) };
}

/** What a channel knows after a look that it was not told of: what went away, or got less bad, would be news again. */
export function unaware(look: Look, told: Told | null): Told | null {
  if (look.outcome === 'failed' || told === null) return told;
  const items = counting(look.report).flatMap(({ fingerprint, severity, returned }) => {
    const known = told.items.get(fingerprint);
    if (known === undefined) return [];
    const milder = isAsSevere(severity, known.severity) ? known.severity : severity;
    return [[fingerprint, { severity: milder, returned: Math.min(returned, known.returned) }] as const];
  });
  return { ...told, items: new Map(items) };
}
