// `chatform drift --accept [ADDRESS...]`: one look, and the files say afterwards what the license says. Sends no write, takes no lease, and writes no
// ledger: what is taken over is applied when it is reviewed and merged.

import { compare } from '../../plan/compare.ts';
import { acceptDocument, failureDocument } from '../../render/documents.ts';
import { acceptText } from '../../render/text/drift.ts';
import { differencesOf } from '../../tasks/drift/differences.ts';
import { putTexts } from '../manifest-files.ts';
import { showDiagnostics, showFailure } from '../report.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { accept } from './accept.ts';
import { type Basis, type LookFlags, lookAt } from './look.ts';

/** All that the license moved, or what is named. Exits with 2 when something of it differs still. */
export async function takeOver(addresses: readonly string[], flags: LookFlags, terminal: Terminal): Promise<ExitCode> {
  const json = flags.json === true;
  const looked = await lookAt(flags, async () => ({ sightings: new Map(), note: null }), terminal, 'whole objects');
  if (looked.basis === null) {
    const { message } = looked.look;
    showFailure(message, looked.diagnostics, terminal);
    if (json) terminal.out(failureDocument(message, looked.diagnostics));
    return terminal.signal.aborted ? 130 : 1;
  }
  showDiagnostics(looked.diagnostics, terminal);
  const { items, ignored } = looked.look.report;
  // What is ignored is taken over only by its name.
  const known = addresses.length === 0 ? items : [...items, ...ignored];
  const acceptance = await accept(known, addresses, contextOf(looked.basis));
  terminal.out(json ? acceptDocument(acceptance, looked.diagnostics) : acceptText(acceptance, terminal.paintOut));
  return acceptance.left.length === 0 ? 0 : 2;
}

function contextOf({ prepared, planning }: Basis) {
  const { live, recovery, options, compared } = planning;
  const { ledger } = compared;
  const license = { desired: prepared.desired, live, ledger, moved: prepared.moved, recovery, options };
  return {
    input: prepared.manifest,
    license,
    again: ({ desired, moved }: Pick<Basis['prepared'], 'desired' | 'moved'>) =>
      differencesOf(compare({ ...license, desired, moved }), options.selects),
    put: putTexts,
  };
}
