// `chatform lease status | release`: who holds a target; and the end of that, if a person is certain that the run is dead.

import { randomUUID } from 'node:crypto';
import { endLease } from '../ledger/lease.ts';
import { fileLease } from '../ledger/lease-file.ts';
import { failureDocument } from '../render/documents.ts';
import { holderText, leaseDocument, leaseText } from '../render/lease-text.ts';
import { found, type LeaseFlags, locked } from './lock.ts';
import { targetOf } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface ReleaseFlags extends LeaseFlags {
  /** Go ahead without asking. */
  readonly yes?: boolean;
}

export async function leaseStatus(flags: LeaseFlags, terminal: Terminal): Promise<ExitCode> {
  const json = flags.json === true;
  const { settings, diagnostics } = await targetOf(flags, terminal);
  if (settings === null) return refuse(diagnostics, terminal, json);
  showDiagnostics(diagnostics, terminal);
  const lease = found(settings.name, await fileLease(settings.ledger).read(), terminal.clock.now());
  terminal.out(json ? leaseDocument(lease) : `${leaseText(lease)}\n`);
  return 0;
}

export async function leaseRelease(flags: ReleaseFlags, terminal: Terminal): Promise<ExitCode> {
  const json = flags.json === true;
  const { settings, diagnostics } = await targetOf(flags, terminal);
  if (settings === null) return refuse(diagnostics, terminal, json);
  showDiagnostics(diagnostics, terminal);
  const { clock, self } = terminal;
  const place = fileLease(settings.ledger);
  const record = await place.read();
  const before = found(settings.name, record, clock.now());
  if (record === null || before.state === 'free') {
    terminal.out(json ? leaseDocument(before, { released: false }) : `${leaseText(before)}\n`);
    return 0;
  }
  if (flags.yes !== true) {
    terminal.err(`${leaseText(before)}\n`);
    const stop = await refusal(terminal);
    if (stop !== null) {
      if (json) terminal.out(failureDocument(stop.message, diagnostics));
      return stop.code;
    }
  }
  const by = { run: randomUUID(), holder: { ...self, command: 'lease release' } };
  const ended = await endLease(place, record, by, clock.now());
  const after = found(settings.name, await place.read(), clock.now());
  if (!ended && after.state === 'held') return locked(after, flags, terminal);
  terminal.out(
    json
      ? leaseDocument(after, { released: ended })
      : ended
        ? `Released: target ${settings.name} was held by ${holderText(record.holder)}. If that run lives, it sends nothing more.\n`
        : `${leaseText(after)}\n`,
  );
  return 0;
}

/** Why it stays held; null to go on. */
async function refusal({
  ask,
  err,
  paintErr,
  signal,
}: Terminal): Promise<{ readonly code: ExitCode; readonly message: string } | null> {
  const answer = await ask(
    `If that run lives, it stops in the middle. Type ${paintErr('strong', 'release')} if it is certain that it is dead: `,
  );
  if (answer === null) {
    const message = 'nobody is there to confirm; use --yes to release without asking';
    err(`${paintErr('error', 'Error:')} ${message}\n`);
    return { code: 1, message };
  }
  if (answer.trim() === 'release') return null;
  err('Nothing was released.\n');
  return { code: signal.aborted ? 130 : 1, message: 'not confirmed' };
}
