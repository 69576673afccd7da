// Snapshots: taken of a target, without what readers of the repository must not see; and read again as a source of plans.

import { type Interruptible, textAt } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { type Diagnostic, FORMAT_VERSION, type LedgerState } from '../base/model.ts';
import { packageVersion } from '../base/version.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { memoryLedger } from '../ledger/memory.ts';
import { afterRecovery } from '../plan/binding/recover.ts';
import { covers } from '../plan/select.ts';
import { PROJECT_VERSION } from '../project/schema.ts';
import type { TargetSettings } from '../project/settings.ts';
import { planReading } from '../reading/settled.ts';
import { viewOf } from '../reading/view.ts';
import { serviceDigest } from '../tasks/saved/digests.ts';
import { against, notInSnapshot } from '../tasks/snapshot/against.ts';
import { eventsOf, restored } from '../tasks/snapshot/restore.ts';
import { shown, snapshotView } from '../tasks/snapshot/show.ts';
import type { Snapshot } from '../tasks/snapshot/snapshot.ts';
import { readSnapshot } from '../tasks/snapshot/text.ts';
import { connected } from './connect.ts';
import { type Planning, planTarget } from './planning.ts';
import type { DeclaredFiles } from './prepare.ts';
import type { PlanSource } from './source.ts';
import type { Surroundings } from './surroundings.ts';

export type SnapshotContent = ReturnType<typeof contentOf>;

/** Reads what a plan of the files reads. `full` leaves nothing out. `refused`: a plan would stop here as well. */
export function takeSnapshot(
  declared: DeclaredFiles,
  { full }: { readonly full: boolean },
  surroundings: Surroundings,
): Promise<{ readonly content: SnapshotContent } | { readonly refused: readonly Diagnostic[] }> {
  const { settings, desired } = declared;
  return connected(settings, surroundings, async (connection) => {
    const view = (state: LedgerState) => snapshotView(desired, state, settings.apiVersion, full);
    const taken = new Date(surroundings.clock.now()).toISOString();
    const planning = await planTarget(declared, connection, {}, surroundings, { viewOf: view });
    if (planning.recovery.undecided.length > 0) return { refused: planning.diagnostics };
    return { content: contentOf(declared, planning, { taken, full }, surroundings) };
  });
}

function contentOf(
  declared: DeclaredFiles,
  { live, compared, events, options, recovery }: Planning,
  { taken, full }: { readonly taken: string; readonly full: boolean },
  { env }: Pick<Surroundings, 'env'>,
) {
  const { settings, desired, moved, variables } = declared;
  const ledger = foldLedger(events);
  const inserted = [...variables].flatMap((name) =>
    name.startsWith('env.') ? [env[name.slice('env.'.length)] ?? ''] : [],
  );
  const named = [...settings.protect, ...settings.acknowledge].map((address) =>
    address.slice(address.indexOf('/') + 1),
  );
  return {
    format_version: FORMAT_VERSION,
    chatform_version: packageVersion(),
    created_at: taken,
    target: settings.name,
    api_version: settings.apiVersion,
    service: serviceDigest(settings.baseUrl),
    project_version: PROJECT_VERSION,
    namespaces: snapshotView(desired, ledger, settings.apiVersion, full).namespaces,
    ...shown({
      desired,
      live,
      ledger: afterRecovery(ledger, recovery),
      bindings: compared.bindings,
      own: options.own ?? null,
      full,
      moved,
      named: [...named, ...(settings.ownAgent === null ? [] : [settings.ownAgent])],
      inserted: inserted.filter((text) => text !== ''),
      protects: covers(settings.protect),
    }),
  };
}

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
