// Snapshots are taken of a target, without what readers of the repository must not see.

import { type Diagnostic, FORMAT_VERSION, type LedgerState } from '../../base/model.ts';
import { packageVersion } from '../../base/version.ts';
import { covers } from '../../kinds/selection.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { connected } from '../../license/connect.ts';
import { afterRecovery } from '../../plan/binding/recover.ts';
import { serviceDigest } from '../../plan/saved/digests.ts';
import { type Planning, planTarget } from '../../planning/planning.ts';
import { PROJECT_VERSION } from '../../project/schema/project.ts';
import type { RunContext } from '../../target/context.ts';
import type { DeclaredFiles } from '../../target/prepare.ts';
import { shown, snapshotView } from './snapshot-shown.ts';

export type SnapshotContent = ReturnType<typeof contentOf>;

/** Reads what a plan of the files reads. `full` leaves nothing out. `refused`: a plan would stop here as well. */
export function takeSnapshot(
  declared: DeclaredFiles,
  { full }: { readonly full: boolean },
  context: RunContext,
): Promise<{ readonly content: SnapshotContent } | { readonly refused: readonly Diagnostic[] }> {
  const { settings, desired } = declared;
  return connected(settings, context, async (connection) => {
    const view = (state: LedgerState) => snapshotView(desired, state, settings.apiVersion, full);
    const taken = new Date(context.clock.now()).toISOString();
    const planning = await planTarget(declared, connection, {}, context, { viewOf: view });
    if (planning.recovery.undecided.length > 0) return { refused: planning.diagnostics };
    return { content: contentOf(declared, planning, { taken, full }, context) };
  });
}

function contentOf(
  declared: DeclaredFiles,
  { live, compared, events, options, recovery }: Planning,
  { taken, full }: { readonly taken: string; readonly full: boolean },
  { env }: Pick<RunContext, 'env'>,
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
