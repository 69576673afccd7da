// `chatform snapshot`: read the license and the ledger as a plan does, and write what of it whoever reads the repository may see into a file, against
// which a plan can be made without a token. Changes nothing else.

import { explained, writeWhole } from '../base/disk.ts';
import { UsageError } from '../base/errors.ts';
import { type Desired, FORMAT_VERSION, type KindName, type LedgerState } from '../base/model.ts';
import { counted } from '../base/text.ts';
import { packageVersion } from '../base/version.ts';
import { KINDS } from '../kinds/index.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { afterRecovery } from '../plan/binding/recover.ts';
import { covers } from '../plan/select.ts';
import { PROJECT_VERSION } from '../project/schema.ts';
import { commandDocument } from '../render/documents.ts';
import { snapshotLine } from '../render/text/saved.ts';
import { serviceDigest } from '../tasks/saved/saved-plan.ts';
import { counts, shown, snapshotView } from '../tasks/snapshot/show.ts';
import { snapshotText } from '../tasks/snapshot/snapshot.ts';
import { connect } from './connect.ts';
import { type Planning, planTarget } from './planning.ts';
import { type PreparedFiles, prepare, type TargetFlags } from './prepare.ts';
import { refuse } from './report.ts';
import { filesOf, writablePlace } from './report-files.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface SnapshotFlags extends TargetFlags {
  /** The file that it goes into. */
  readonly out: string;
  /** Leave nothing out. */
  readonly full?: boolean;
}

export async function snapshot(flags: SnapshotFlags, terminal: Terminal): Promise<ExitCode> {
  const prepared = await prepare(flags, terminal);
  const json = flags.json === true;
  const { settings, desired } = prepared;
  if (settings === null || desired === null) return refuse(prepared.diagnostics, terminal, json);
  const declared = { ...prepared, settings, desired };
  if (flags.out === '' || flags.out === '-') throw new UsageError('--out: a snapshot goes into a file; name it');
  const path = await writablePlace(`--out ${flags.out}`, flags.out, [...filesOf(settings, {}), ...prepared.named]);
  const { client, signal, close } = await connect(settings, terminal, flags.quiet === true);
  try {
    const full = flags.full === true;
    const view = (state: LedgerState) => snapshotView(desired, state, settings.apiVersion, full);
    const taken = new Date(terminal.clock.now()).toISOString();
    const planning = await planTarget(declared, client, {}, { ...terminal, signal }, view);
    // Nobody knows whose these are: a plan would stop here as well.
    if (planning.recovery.undecided.length > 0) return refuse(planning.diagnostics, terminal, json);
    const content = contentOf(declared, planning, { taken, full }, terminal);
    const { text, digest } = snapshotText(content);
    await explained(flags.out, 'written', () => writeWhole(path, text));
    const told = counts(content);
    const { target, created_at, nameless } = content;
    if (flags.quiet !== true)
      terminal.err(
        snapshotLine(flags.out, { target, digest, objects: told.map(([kind, count]) => inWords(kind, count)) }),
      );
    if (json)
      terminal.out(
        commandDocument({
          file: flags.out,
          target,
          created_at,
          digest,
          full: content.full,
          objects: Object.fromEntries(told),
          nameless,
        }),
      );
    return 0;
  } finally {
    await close();
  }
}

function inWords(kind: KindName, count: number): string {
  const { one, many } = KINDS[kind].noun;
  return counted(count, one, many);
}

function contentOf(
  declared: PreparedFiles & { readonly desired: Desired },
  { live, compared, events, options, recovery }: Planning,
  { taken, full }: { readonly taken: string; readonly full: boolean },
  { env }: Terminal,
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
