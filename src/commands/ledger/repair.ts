// `chatform ledger repair`: lines that are no events are shown, and moved out of the log, so that it can be read again.

import { fileLedger } from '../../ledger/file.ts';
import { findingOf } from '../../ledger/lines.ts';
import { inspect } from '../../ledger/mend.ts';
import type { Tenure } from '../../ledger/tenure.ts';
import { commandDocument, failureDocument } from '../../render/documents.ts';
import { repairedText, repairQuestion } from '../../render/text/ledger.ts';
import { confirm } from '../confirm.ts';
import { lockOfLedger, lossOf, whileLocked } from '../lock.ts';
import { showDiagnostics } from '../report.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type ChangingFlags, locate } from './locate.ts';

export async function repair(flags: ChangingFlags, terminal: Terminal): Promise<ExitCode> {
  const path = await locate(flags, terminal);
  const json = flags.json === true;
  return whileLocked(lockOfLedger(path), { command: 'ledger repair', json }, terminal, (tenure) =>
    repairLocked(path, flags, tenure, terminal),
  );
}

async function repairLocked(path: string, flags: ChangingFlags, tenure: Tenure, terminal: Terminal): Promise<ExitCode> {
  const json = flags.json === true;
  const { kept, damaged, aside, mend } = await inspect(path);
  const lines = damaged.map(({ number, bytes }) => ({ line: number, text: bytes.toString() }));
  const told = (movedTo: string | null): string =>
    json
      ? commandDocument({ ledger: path, damaged: lines, moved_to: movedTo, kept: kept.length })
      : repairedText(path, kept.length, damaged.length, movedTo);
  if (damaged.length === 0) {
    // What a newer chatform wrote is no damage, and yet cannot be read.
    await fileLedger(path).read();
    terminal.out(told(null));
    return 0;
  }
  const findings = damaged.map((line) => ({ ...findingOf(path, line), remedy: null }));
  showDiagnostics(findings, terminal);
  const question = repairQuestion(kept.length, damaged.length, aside);
  const answer = await confirm({ question, word: 'repair', yes: flags.yes === true }, terminal);
  const refused = answer ?? (await lossOf(tenure, terminal));
  if (refused !== null) {
    if (json) terminal.out(failureDocument(refused.message, findings));
    return refused.code;
  }
  await mend();
  terminal.out(told(aside));
  return 0;
}
