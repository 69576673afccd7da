// `chatform secrets rescue`: secrets that wait in a file because their sink failed, into the sink. Asks nobody and sends nothing.

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Rescued, rescuedBeside } from '../../apply/rescue.ts';
import type { StoredSecret } from '../../apply/secrets.ts';
import { explained, syncFolder } from '../../base/disk.ts';
import type { Address, LedgerState } from '../../base/model.ts';
import { splitName } from '../../kinds/namespaced.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { fileLedger } from '../../ledger/file.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import type { Tenure } from '../../ledger/tenure.ts';
import { failureDocument, rescueDocument } from '../../render/documents.ts';
import { rescuedText } from '../../render/text/secrets.ts';
import { lockOf, lossOf, whileLocked } from '../lock.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { nameOf, type SecretsFlags, type SecretsTarget, secretsTarget } from './target.ts';

export async function rescue(flags: SecretsFlags, terminal: Terminal): Promise<ExitCode> {
  const target = await secretsTarget(flags, terminal);
  const work = { command: 'secrets rescue', json: flags.json === true };
  return whileLocked(lockOf(target.settings, flags), work, terminal, (tenure) =>
    rescueLocked(target, flags, tenure, terminal),
  );
}

async function rescueLocked(
  { settings, sink, place }: SecretsTarget,
  flags: SecretsFlags,
  tenure: Tenure,
  terminal: Terminal,
): Promise<ExitCode> {
  const json = flags.json === true;
  const path = settings.ledger;
  const ledger = fileLedger(path);
  const state = foldLedger(await ledger.read());
  const files = await rescuedBeside(path);
  const { current, outdated } = sorted(files, state);
  if (files.length > 0) await sink.probe(current.map(({ address }) => address));
  const stop = await lossOf(tenure, terminal);
  if (stop !== null) {
    if (json) terminal.out(failureDocument(stop.message, []));
    return stop.code;
  }
  await sink.store(current);
  if (files.length > 0) {
    const stamp = { v: 1, at: new Date(terminal.clock.now()).toISOString() } as const;
    await ledger.append([
      ...current.map(({ address, id }): LedgerEvent => ({ ...stamp, type: 'secret', address, id, state: 'kept' })),
      { ...stamp, type: 'run', id: randomUUID(), command: 'secrets rescue', outcome: 'done' },
    ]);
    await explained('the rescue file', 'written', async () => {
      for (const file of files) await rm(file.path);
      await syncFolder(dirname(path));
    });
  }
  const done = { target: settings.name, sink: nameOf(place), files: files.map((file) => file.path), current, outdated };
  terminal.out(json ? rescueDocument(done) : rescuedText(done, terminal.paintOut));
  return 0;
}

/** The newest of each object, by the address that it has now. An address that is another object now has another secret. */
function sorted(
  files: readonly Rescued[],
  { bindings }: LedgerState,
): { readonly current: readonly StoredSecret[]; readonly outdated: readonly StoredSecret[] } {
  const current = new Map<Address, StoredSecret>();
  const outdated: StoredSecret[] = [];
  for (const entry of files.flatMap(({ entries }) => entries)) {
    const now = [...bindings].find(
      ([address, { id }]) => id === entry.id && splitName(address)[0] === splitName(entry.address)[0],
    );
    // Killed before the ledger was told, it is bound to nothing yet.
    const address = now?.[0] ?? (bindings.has(entry.address) ? null : entry.address);
    if (address === null) outdated.push(entry);
    else current.set(address, { ...entry, address });
  }
  return { current: [...current.values()], outdated };
}
