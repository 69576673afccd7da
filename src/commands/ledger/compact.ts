// `chatform ledger compact`: a shorter log that says the same.

import { compact as compacted } from '../../ledger/compact.ts';
import { fileLedger } from '../../ledger/file.ts';
import { commandDocument } from '../../render/documents.ts';
import { compactedText } from '../../render/text/ledger.ts';
import { lockOfLedger, whileLocked } from '../lock.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type LedgerFlags, locate } from './locate.ts';

const DAY = 86_400_000;

export interface CompactFlags extends LedgerFlags {
  /** Days whose events stay as they are. */
  readonly keepDays: number;
}

export async function compact(flags: CompactFlags, terminal: Terminal): Promise<ExitCode> {
  const path = await locate(flags, terminal);
  const work = { command: 'ledger compact', json: flags.json === true };
  return whileLocked(lockOfLedger(path), work, terminal, () => compactLocked(path, flags, terminal));
}

/** An apply that appended while the log is rewritten would be forgotten. */
async function compactLocked(path: string, flags: CompactFlags, terminal: Terminal): Promise<ExitCode> {
  const since = terminal.clock.now() - flags.keepDays * DAY;
  const count = { before: 0, after: 0 };
  await fileLedger(path).rewrite((events) => {
    const shorter = compacted(events, since);
    count.before = events.length;
    count.after = shorter.length;
    return shorter;
  });
  terminal.out(
    flags.json === true
      ? commandDocument({ ledger: path, ...count })
      : compactedText(path, count, new Date(since).toISOString()),
  );
  return 0;
}
