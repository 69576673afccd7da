// `chatform ledger show`: what is ours, and what nobody knows of what was sent.

import { fileLedger } from '../../ledger/file.ts';
import { holdingsOf, openIntentsOf } from '../../ledger/history.ts';
import { commandDocument } from '../../render/documents.ts';
import { holdingsText } from '../../render/text/ledger.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type LedgerFlags, locate } from './locate.ts';

export async function show(flags: LedgerFlags, terminal: Terminal): Promise<ExitCode> {
  const path = await locate(flags, terminal);
  const events = await fileLedger(path).read();
  const resources = holdingsOf(events);
  const intents = openIntentsOf(events);
  terminal.out(
    flags.json === true
      ? commandDocument({ ledger: path, resources, intents })
      : holdingsText(path, resources, intents, terminal.paintOut),
  );
  return 0;
}
