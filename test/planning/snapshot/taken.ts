// A license and what is declared of it in; the snapshot of it, as the command writes it and reads it back, out. For tests of the format.

import type { Desired, LedgerState, Live, Move } from '../../../src/base/model.ts';
import { type SnapshotInput, shown, snapshotView } from '../../../src/features/ci/snapshot-shown.ts';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import { fetchLive } from '../../../src/license/reading/live.ts';
import { compare } from '../../../src/plan/compare.ts';
import type { Snapshot } from '../../../src/planning/snapshot/snapshot.ts';
import { readSnapshot, snapshotText } from '../../../src/planning/snapshot/text.ts';
import { EVERYTHING, type World } from '../../world.ts';

export interface Taken {
  readonly text: string;
  readonly snapshot: Snapshot;
  readonly live: Live;
  readonly ledger: LedgerState;
}

export interface Taking extends Partial<Pick<SnapshotInput, 'full' | 'own' | 'named' | 'inserted' | 'protects'>> {
  readonly moved?: readonly Move[];
}

export async function taken(
  { client, ledger: log, version, clock }: World,
  desired: Desired,
  { full = false, moved = [], own = null, named = [], inserted = [], protects = () => false }: Taking = {},
): Promise<Taken> {
  const events: readonly LedgerEvent[] = await log.read();
  const ledger = foldLedger(events);
  const view = snapshotView(desired, ledger, version, full);
  const live = await fetchLive((action, body, ends) => client.call(action, body, ends), view, version);
  const { bindings } = compare({ desired, live, ledger, moved, options: EVERYTHING });
  const { text } = snapshotText({
    format_version: '1.0',
    chatform_version: '0.1.0',
    created_at: new Date(clock.now()).toISOString(),
    target: 'test',
    api_version: version,
    service: '0'.repeat(64),
    project_version: 1,
    namespaces: view.namespaces,
    ...shown({ desired, live, ledger, bindings, own, full, moved, named, inserted, protects }),
  });
  return { text, snapshot: readSnapshot(text, 'snapshot.json'), live, ledger };
}
