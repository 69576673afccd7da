// A look at a license in; the same look, made while no run that shares the ledger writes to it, out. A run tells the ledger at its end what it applied:
// what is seen in the middle of it would be taken for somebody's change. Takes no lease.

import { UsageError } from '../../base/errors.ts';
import { type LeaseRecord, leaseState } from '../../ledger/lease.ts';
import { fileLease } from '../../ledger/lease-file.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { holderText } from '../../render/text/ledger.ts';
import type { Terminal } from '../terminal.ts';

/** Milliseconds between two questions whether the other run has ended: a file is read, and nobody is asked. */
const PAUSE = 2_000;

/** @throws UsageError when others write as long as a look may take, or it is interrupted meanwhile */
export async function betweenRuns<T>(
  { name, ledger, runTimeout }: Pick<TargetSettings, 'name' | 'ledger' | 'runTimeout'>,
  look: () => Promise<T>,
  { clock, signal, err }: Terminal,
): Promise<T> {
  const lease = fileLease(ledger);
  const deadline = clock.now() + runTimeout;
  let told: string | null = null;

  /** Resolves to the newest record once nobody holds the lease. */
  async function idle(): Promise<LeaseRecord | null> {
    for (;;) {
      const record = await lease.read();
      if (record === null || leaseState(record, clock.now()) !== 'held') return record;
      const holder = holderText(record.holder);
      if (signal.aborted) throw new UsageError('interrupted while waiting for another run to end');
      if (clock.now() >= deadline)
        throw new UsageError(
          `target ${name} is being written to by ${holder}, and the time of the look is up: what is seen in the middle of a run is no drift`,
        );
      if (told !== record.run)
        err(
          `Waiting for ${holder} to end, or for its lease to run out at ${record.until}: what is seen in the middle of a run is no drift.\n`,
        );
      told = record.run;
      await clock.sleep(PAUSE, signal);
    }
  }

  for (;;) {
    const before = await idle();
    const seen = await look();
    const after = await lease.read();
    if (after?.generation === before?.generation || clock.now() >= deadline) return seen;
  }
}
