// `chatform ledger history`: what happened, when and in which run.

import { UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/model.ts';
import { writeEvent } from '../../ledger/events.ts';
import { fileLedger } from '../../ledger/file.ts';
import { historyOf, outcomesOf } from '../../ledger/history.ts';
import { covers } from '../../plan/select.ts';
import { commandDocument } from '../../render/documents.ts';
import { historyText } from '../../render/text/ledger.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type LedgerFlags, locate } from './locate.ts';

export interface HistoryFlags extends LedgerFlags {
  /** The latest so many. */
  readonly limit?: number;
}

export async function history(address: string | undefined, flags: HistoryFlags, terminal: Terminal): Promise<ExitCode> {
  const path = await locate(flags, terminal);
  const events = await fileLedger(path).read();
  const all = historyOf(events, address === undefined ? null : covers([address]));
  if (address !== undefined && all.length === 0)
    throw new UsageError(
      `the ledger ${path} has never heard of ${address}; addresses look like group/sales or agent/*`,
    );
  const shown = flags.json === true ? all : outcomesOf(all);
  const latest = flags.limit === undefined ? shown : shown.slice(-flags.limit);
  terminal.out(
    flags.json === true
      ? commandDocument({
          ledger: path,
          events: latest.map(({ run, event }) => ({ run, event: JSON.parse(writeEvent(event)) as Json })),
        })
      : historyText(path, latest, terminal.paintOut),
  );
  return 0;
}
