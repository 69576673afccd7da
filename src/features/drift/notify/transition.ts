// What a channel is told of a drift check, given what it was told before, and what it knows afterwards. Pure.

import type { ValueOf } from '../../../base/documents.ts';
import { isAsSevere } from '../../../base/model.ts';
import type { DriftCheck, DriftItem, DriftReport } from '../schema.ts';
import type { channelState, ItemChange, KnownItem, NotificationEvent } from './schema.ts';

/** What a channel was told when it was last reached. */
export type ChannelState = Omit<ValueOf<typeof channelState>, 'items'> & {
  readonly items: ReadonlyMap<string, KnownItem>;
};

/** When a channel is told: of changes, or of every check. */
export type NotifyMode = 'on-change' | 'always';

export interface ChannelNotice {
  readonly event: NotificationEvent;
  /** Items as severe as `fail_on`, in the order of the report. */
  readonly items: readonly { readonly item: DriftItem; readonly change: ItemChange }[];
}

/** The items that make a check fail. */
function counting({ items, fail_on: failOn }: DriftReport): readonly DriftItem[] {
  return items.filter(({ severity }) => isAsSevere(severity, failOn));
}

/** Null when there is nothing to tell. `told` is null for a channel that was never reached. */
export function noticeOf(check: DriftCheck, told: ChannelState | null, mode: NotifyMode): ChannelNotice | null {
  const notice = newsOf(check, told);
  return notice.event === 'unchanged' && mode === 'on-change' ? null : notice;
}

function newsOf(check: DriftCheck, told: ChannelState | null): ChannelNotice {
  const before = told?.state ?? 'in-sync';
  if (check.outcome === 'failed') return { event: before === 'failed' ? 'unchanged' : 'failed', items: [] };
  const items = counting(check.report).map((item) => ({
    item,
    change: changeOf(item, told?.items.get(item.fingerprint)),
  }));
  if (before === 'failed') return { event: 'recovered', items };
  if (items.some(({ change }) => change !== 'known')) return { event: 'drift', items };
  return { event: before === 'drifted' && items.length === 0 ? 'resolved' : 'unchanged', items };
}

function changeOf({ severity }: DriftItem, known: KnownItem | undefined): ItemChange {
  if (known === undefined) return 'new';
  return isAsSevere(known.severity, severity) ? 'known' : 'worse';
}

/** What a channel knows after it was told of a check. */
export function knownAfter(check: DriftCheck, told: ChannelState | null): ChannelState {
  // Differences that were there before a failed check may still be there.
  if (check.outcome === 'failed') return { at: check.at, state: 'failed', items: told?.items ?? new Map() };
  const items = counting(check.report);
  const known = items.map(({ fingerprint, severity }) => [fingerprint, { severity }] as const);
  return { at: check.report.at, state: items.length === 0 ? 'in-sync' : 'drifted', items: new Map(known) };
}

/** What a channel knows after a check that it was not told of: an item that went away, or got less severe, would be news again. */
export function unaware(check: DriftCheck, told: ChannelState | null): ChannelState | null {
  if (check.outcome === 'failed' || told === null) return told;
  const items = counting(check.report).flatMap(({ fingerprint, severity }) => {
    const known = told.items.get(fingerprint);
    if (known === undefined) return [];
    return [[fingerprint, isAsSevere(severity, known.severity) ? known : { severity }] as const];
  });
  return { ...told, items: new Map(items) };
}
