// Lints that the last apply of a target gave as well. The ledger keeps them, and outputs for people count them.

import { byText, equalJson } from '../base/json.ts';
import { type Diagnostic, LINT_IDS } from '../base/model.ts';
import type { LedgerEvent, Stamp, WarnedEvent } from '../ledger/events.ts';
import { OF_CHANGES } from './routing-lints.ts';

/** Whether a finding is a warning of a lint that holds until a person mends it. */
function isStanding({ code, severity }: Diagnostic): boolean {
  return severity === 'warning' && LINTS.has(code) && !OF_CHANGES.has(code);
}

const LINTS: ReadonlySet<string> = new Set(LINT_IDS);

/** A finding without its place, which moves when a file changes. */
function given({ code, message }: Diagnostic): GivenLint {
  return { code, message };
}

function keyOf({ code, message }: GivenLint): string {
  return `${code} ${message}`;
}

/** The findings, with a mark on the known ones. `ofFiles`: findings of the files alone. */
export function withKnown(
  found: readonly Diagnostic[],
  events: readonly LedgerEvent[],
  ofFiles: () => readonly Diagnostic[],
): readonly Diagnostic[] {
  const before = new Set(lastWarned(events).map(keyOf));
  const isKnown = (each: Diagnostic): boolean => before.size > 0 && isStanding(each) && before.has(keyOf(given(each)));
  if (!found.some(isKnown)) return found;
  const files = new Set(ofFiles().map((each) => keyOf(given(each))));
  return found.map((each) =>
    isKnown(each) ? { ...each, known: files.has(keyOf(given(each))) ? 'files' : 'plan' } : each,
  );
}

/** What the ledger learns from an apply that gave these findings; nothing where it knows them. */
export function warnedEvents(
  found: readonly Diagnostic[],
  past: readonly LedgerEvent[],
  stamp: Stamp,
): readonly LedgerEvent[] {
  const lints = [...new Map(found.filter(isStanding).map((each) => [keyOf(given(each)), given(each)])).values()].sort(
    (one, other) => byText(keyOf(one), keyOf(other)),
  );
  if (equalJson(lints.map(keyOf), lastWarned(past).map(keyOf))) return [];
  return [{ ...stamp, type: 'warned', lints }];
}

type GivenLint = WarnedEvent['lints'][number];

function lastWarned(events: readonly LedgerEvent[]): readonly GivenLint[] {
  return events.findLast((event) => event.type === 'warned')?.lints ?? [];
}
