// A snapshot as a source of plans, in the place of a license.

import { type Interruptible, textAt } from '../../base/disk.ts';
import { UsageError } from '../../base/errors.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { memoryLedger } from '../../ledger/memory.ts';
import { planReading } from '../../license/reading/settled.ts';
import { viewOf } from '../../license/reading/view.ts';
import type { PlanSource } from '../../license/source.ts';
import { serviceDigest } from '../../plan/saved/digests.ts';
import { PROJECT_VERSION } from '../../project/schema/project.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { against, notInSnapshot } from './against.ts';
import { eventsOf, restored } from './restore.ts';
import type { Snapshot } from './snapshot.ts';
import { readSnapshot } from './text.ts';

/** The snapshot in a file. @throws UsageError when it cannot be read, is no snapshot, or is a snapshot of another target or service */
export async function snapshotIn(
  file: string,
  settings: TargetSettings,
  interruptible: Interruptible,
): Promise<Snapshot> {
  const snapshot = readSnapshot(await textAt(file, interruptible), file);
  const foreign = foreignTo(snapshot, settings);
  if (foreign !== null) throw new UsageError(`${file} is a snapshot ${foreign}`);
  return snapshot;
}

function foreignTo(snapshot: Snapshot, { name, apiVersion, baseUrl }: TargetSettings): string | null {
  if (snapshot.project_version !== PROJECT_VERSION)
    return `for chatform.yaml of version ${snapshot.project_version}, and this is version ${PROJECT_VERSION}: take another snapshot`;
  if (snapshot.target !== name) return `of target ${snapshot.target}, and this is ${name}`;
  if (snapshot.api_version !== apiVersion)
    return `for version ${snapshot.api_version} of the service, and this is ${apiVersion}`;
  return snapshot.service === serviceDigest(baseUrl) ? null : `of ${name} at another base_url`;
}

/** `now` in milliseconds since the epoch. */
export function snapshotSource(snapshot: Snapshot, now: () => number): PlanSource {
  const events = eventsOf(snapshot);
  return {
    ledger: memoryLedger(events),
    ahead: () => null,
    identity: () => null,
    // Recent writes were waited for when the snapshot was taken.
    tellsLag: () => true,
    tellStage: () => {},
    settled: async (wished) => {
      const { desired, options } = wished;
      const view = viewOf(desired, foldLedger(events), snapshot.api_version);
      const { live, missing } = restored(snapshot, view, options.own ?? null);
      const seen = planReading({ ...wished, delay: { window: 0, underWay: 0 } }, live, now());
      const problems = notInSnapshot(snapshot, desired, missing, live);
      if (problems.length > 0) return { ...seen, planned: { plan: null, problems } };
      const { plan } = seen.planned;
      return plan === null
        ? seen
        : { ...seen, planned: { plan: against(plan, snapshot, missing, now()), problems: [] } };
    },
  };
}
