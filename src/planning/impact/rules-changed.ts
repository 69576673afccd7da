// Whether the rules changed within the days of an impact: then the chats of those days do not tell what a change of rules moves.

import { equalJson } from '../../base/json.ts';
import { offsetAt, wallOf } from '../../base/zone.ts';
import type { ReportRange } from '../../demand/range.ts';
import { ORDERED } from '../../kinds/index.ts';
import type { CompactedRun, LedgerEvent } from '../../ledger/events.ts';
import type { Comparison } from '../../plan/compare.ts';
import { isAsWanted } from '../../plan/diff.ts';
import { orderDifferences } from '../../plan/differences/differences.ts';
import type { Draft } from '../../plan/draft.ts';

/** A clause such as `rules were changed on 2026-03-15, within these days`; null when neither the ledger nor the license shows a change. */
export function rulesChangedIn(
  events: readonly LedgerEvent[],
  compared: Comparison,
  range: ReportRange,
): string | null {
  const day = dayOfChange(events, range);
  if (day !== null) return `rules were changed on ${day}, within these days`;
  return isChangedByHand(events, compared) ? 'rules were changed on the license since the last apply' : null;
}

/** The day of the zone on which a run last changed rules, or may have, YYYY-MM-DD. */
function dayOfChange(events: readonly LedgerEvent[], { from, zone }: ReportRange): string | null {
  const times = events.flatMap((event) => {
    const at = mayChangeRules(event) && event.type !== 'unknown' ? Date.parse(event.at) : Number.NaN;
    return at >= from ? [at] : [];
  });
  if (times.length === 0) return null;
  const last = times.reduce((one, other) => Math.max(one, other));
  return wallOf(last + offsetAt(zone, last)).date;
}

function mayChangeRules(event: LedgerEvent): boolean {
  switch (event.type) {
    case 'before':
    case 'intent':
      return event.address.startsWith(`${ORDERED.name}/`);
    case 'order':
      return event.kind === ORDERED.name && event.moment === 'before';
    case 'begun':
      return changedSomething(event.compacted);
    case 'run': {
      const isAction = event.command.startsWith('api ') && event.command.includes(ORDERED.name);
      return changedSomething(event.compacted) || (isAction && event.outcome !== 'failed');
    }
    default:
      return false;
  }
}

/** A compaction keeps no kinds, so rules may be among what the run changed. */
function changedSomething(compacted: CompactedRun | undefined): boolean {
  const written = ['added', 'changed', 'replaced', 'destroyed', 'unknown'];
  return written.some((action) => (compacted?.changes[action] ?? 0) > 0);
}

/** Whether a rule routes otherwise than it was applied, is gone, was added or moved. */
function isChangedByHand(events: readonly LedgerEvent[], compared: Comparison): boolean {
  const { drafts, bindings, ledger } = compared;
  const routes = (made: Draft): boolean => {
    const applied = ledger.applied.get(made.address)?.spec;
    if (made.kind.name !== ORDERED.name || applied === undefined) return false;
    const { live } = made;
    if (live === null) return made.lost !== null;
    return ['access', 'conditions'].some((name) => {
      const [field, was, is] = [made.kind.fields[name], applied[name], live[name]];
      if (field === undefined || was === undefined) return false;
      return is === undefined || !isAsWanted(field, is, was, compared.live.version);
    });
  };
  const last = events.findLast((event) => event.type === 'order' && event.moment === 'applied');
  const known = last?.type === 'order' ? new Set(last.ids.map(String)) : null;
  return (
    drafts.some(routes) ||
    bindings.unmanaged.some(({ kind, id }) => kind === ORDERED.name && known?.has(String(id)) === false) ||
    orderDifferences(compared).some(({ base, live }) => base !== null && !equalJson(base, live))
  );
}
