// History of a ledger: its runs, and what they did. Needs no network, no token and no manifest.

import { UsageError } from '../base/errors.ts';
import type { Named } from '../kinds/field.ts';
import { dayOf } from '../staff/week.ts';
import { type HistoryQuestion, runHistory } from '../tasks/history/history.ts';
import { namesInLedger } from '../tasks/history/outline.ts';
import type { RunHistory } from '../tasks/history/schema.ts';
import type { ChosenLedger } from './ledger.ts';
import { ledgerAt } from './stores.ts';
import type { Surroundings } from './surroundings.ts';

export interface LedgerHistory {
  readonly history: RunHistory;
  /** What people call the objects. */
  readonly named: Named;
}

/** @throws UsageError for a run or an address that the ledger does not know */
export async function historyOfLedger(
  { path, settings }: ChosenLedger,
  question: HistoryQuestion,
  surroundings: Surroundings,
): Promise<LedgerHistory> {
  const events = await ledgerAt(path, surroundings).read();
  const history = runHistory(events, { ledger: path, target: settings?.name ?? null }, question);
  return { history, named: namesInLedger(events) };
}

/** Milliseconds since the epoch. @throws UsageError for what is no day and no time */
export function momentMeant(flag: string, text: string): number {
  const day = dayOf(text);
  if (day !== null) return day;
  const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `${flag} ${text}: write a day in UTC such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z`,
  );
}
