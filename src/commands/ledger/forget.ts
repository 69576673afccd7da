// `chatform ledger forget`: from now on these objects are not ours. Nothing on the license changes.

import { randomUUID } from 'node:crypto';
import type { LedgerEvent } from '../../ledger/events.ts';
import { fileLedger } from '../../ledger/file.ts';
import { holdingsOf, openIntentsOf } from '../../ledger/history.ts';
import type { Tenure } from '../../ledger/tenure.ts';
import { covers, requireHits } from '../../plan/select.ts';
import { commandDocument, failureDocument } from '../../render/documents.ts';
import { forgetQuestion, forgottenText } from '../../render/text/ledger.ts';
import { confirm } from '../confirm.ts';
import { lockOfLedger, lossOf, whileLocked } from '../lock.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { type ChangingFlags, locate } from './locate.ts';

export async function forget(globs: readonly string[], flags: ChangingFlags, terminal: Terminal): Promise<ExitCode> {
  const path = await locate(flags, terminal);
  const work = { command: 'ledger forget', json: flags.json === true };
  return whileLocked(lockOfLedger(path), work, terminal, (tenure) =>
    forgetLocked(path, globs, { flags, terminal, tenure }),
  );
}

interface Held {
  readonly flags: ChangingFlags;
  readonly terminal: Terminal;
  readonly tenure: Tenure;
}

async function forgetLocked(
  path: string,
  globs: readonly string[],
  { flags, terminal, tenure }: Held,
): Promise<ExitCode> {
  const ledger = fileLedger(path);
  const events = await ledger.read();
  const holdings = holdingsOf(events);
  const open = openIntentsOf(events);
  requireHits(
    'ledger forget',
    globs,
    [...holdings, ...open].map(({ address }) => address),
  );
  const isMeant = covers(globs);
  const released = holdings.filter(({ address }) => isMeant(address));
  const intents = open.filter(({ address }) => isMeant(address));
  const question = forgetQuestion(released, intents, terminal.paintErr);
  const answer = await confirm({ question, word: 'forget', yes: flags.yes === true }, terminal);
  const refused = answer ?? (await lossOf(tenure, terminal));
  if (refused !== null) {
    if (flags.json === true) terminal.out(failureDocument(refused.message, []));
    return refused.code;
  }
  const stamp = { v: 1, at: new Date(terminal.clock.now()).toISOString() } as const;
  await ledger.append([
    ...released.map(({ address }): LedgerEvent => ({ ...stamp, type: 'forgotten', address })),
    ...intents.map(({ intent }): LedgerEvent => ({ ...stamp, type: 'done', intent, outcome: 'unknown' })),
    { ...stamp, type: 'run', id: randomUUID(), command: 'ledger forget', outcome: 'done' },
  ]);
  terminal.out(
    flags.json === true
      ? commandDocument({ ledger: path, forgotten: released, intents })
      : forgottenText(released.length, intents.length),
  );
  return 0;
}
