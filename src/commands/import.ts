// `chatform import`: what the license has and no file declares becomes entries of the manifest, and ours. Changes nothing on the license.

import { readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { openJournal } from '../apply/journal.ts';
import { adoptions } from '../apply/record.ts';
import { UsageError } from '../base/errors.ts';
import type { Address, Desired } from '../base/model.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { memoryLedger } from '../ledger/memory.ts';
import type { Tenure } from '../ledger/tenure.ts';
import { loadManifest } from '../manifest/load.ts';
import { makePlan, type PlanInput } from '../plan/assemble.ts';
import type { Plan } from '../plan/plan.ts';
import { requireHits, selection } from '../plan/select.ts';
import type { TargetSettings } from '../project/settings.ts';
import { wholeView } from '../reading/view.ts';
import { commandDocument, failureDocument, importMembers } from '../render/documents.ts';
import { importText, previewText } from '../render/text/import.ts';
import { type Draft, draftImport, unlike } from '../tasks/import/draft.ts';
import type { Home } from '../tasks/import/layout.ts';
import { reportOf } from '../tasks/import/report.ts';
import { withBindings } from '../tasks/import/settle.ts';
import { disk, withTexts } from '../yaml/file-system.ts';
import { readFiles } from '../yaml/read.ts';
import { connect } from './connect.ts';
import { lockOf, lossOf, whileLocked } from './lock.ts';
import { placeOf, putTexts, readable } from './manifest-files.ts';
import { type Planning, planTarget } from './planning.ts';
import { type PreparedFiles, prepare, type TargetFlags } from './prepare.ts';
import { refuse, showDiagnostics } from './report.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface ImportFlags extends TargetFlags {
  /** Only print what would be written. */
  readonly plan?: boolean;
  /** Where new sections go: a file for each kind, or one for all. */
  readonly split?: Home['split'];
  /** Make entries of what the files only look up, too. */
  readonly externals?: boolean;
  /** Say ids in the files, and leave the ledger alone. */
  readonly withIds?: boolean;
}

type Repository = PreparedFiles & { readonly desired: Desired };

export async function importLicense(flags: ImportFlags, terminal: Terminal): Promise<ExitCode> {
  const json = flags.json === true;
  const { only: _, ...others } = flags;
  const prepared = await prepare(others, terminal, readable);
  if (prepared.settings === null || prepared.desired === null) return refuse(prepared.diagnostics, terminal, json);
  const { settings, desired } = prepared;
  const repository = { ...prepared, desired };
  if (flags.plan === true) return importInto(repository, flags, null, terminal);
  return whileLocked(lockOf(settings, flags), { command: 'import', json }, terminal, (tenure) =>
    importInto(repository, flags, tenure, terminal),
  );
}

/** Nothing is written without a lease. */
async function importInto(
  repository: Repository,
  flags: ImportFlags,
  tenure: Tenure | null,
  terminal: Terminal,
): Promise<ExitCode> {
  const { settings, desired } = repository;
  const json = flags.json === true;
  const { only: _, ...others } = flags;
  const home = await homeOf(repository.named, flags.split ?? null);
  // Without a lease in it the client refuses whatever is no read.
  const connection = await connect(settings, terminal, flags.quiet === true);
  try {
    const watched = { ...terminal, signal: connection.signal };
    const planning = await planTarget(repository, connection.client, others, watched, (ledger) =>
      wholeView(desired, ledger, settings.apiVersion),
    );
    if (planning.plan === null) return refuse(planning.diagnostics, terminal, json);
    showDiagnostics(planning.diagnostics, terminal);
    const draft = await drafted(repository, planning, home, flags);
    const read = await proven(repository, draft);
    const withIds = flags.withIds === true;
    const result = {
      target: settings.name,
      report: reportOf(draft, planning.plan),
      withIds,
      written: tenure !== null && draft.files.length > 0,
      adoptable: planning.plan.summary.adopt,
    };
    const show = (text: typeof importText): void =>
      terminal.out(
        json ? commandDocument(importMembers(result), planning.diagnostics) : text(result, terminal.paintOut),
      );
    if (tenure === null) {
      show(previewText);
      return 0;
    }
    const stop = await lossOf(tenure, terminal);
    if (stop !== null) {
      if (json) terminal.out(failureDocument(stop.message, planning.diagnostics));
      return stop.code;
    }
    // A repository without its ledger is adopted by the next apply; a ledger without its files would have it delete them.
    await putTexts(draft.files);
    if (!withIds && draft.files.length > 0)
      await record(planning, planning.plan, read, draft, terminal).catch((error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        throw new UsageError(
          `the files are written, and \`chatform apply\` adopts what they declare; ${error.message}`,
        );
      });
    show(importText);
    return 0;
  } finally {
    await connection.close();
  }
}

/** The first place that chatform.yaml names decides, unless a flag does. */
async function homeOf(named: readonly string[], wanted: Home['split'] | null): Promise<Home> {
  const places = await Promise.all(
    named.map(async (path) => ({ path: path.replace(/\/+$/, ''), is: await placeOf(path) })),
  );
  const [first] = places;
  const split = wanted ?? (first?.is === 'folder' ? 'kind' : 'none');
  const folder = places.find(({ is }) => is === 'folder')?.path;
  const file = places.find(({ is }) => is === 'file')?.path;
  if (split === 'none') return { split, file: file ?? inside(folder ?? '.', 'manifest.yaml') };
  if (folder !== undefined) return { split, folder };
  throw new UsageError(
    `--split kind makes a file for each kind, and the manifest is one file, ${file ?? 'which nothing names'}: name a folder under \`manifest:\` in chatform.yaml`,
  );
}

function inside(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

async function drafted(repository: Repository, planning: Planning, home: Home, flags: ImportFlags): Promise<Draft> {
  const { settings, manifest, desired } = repository;
  const { files } = await readFiles(manifest.files, disk());
  const texts = files.map(async ({ source, value }) => ({
    path: source.file,
    value,
    text: await readFile(source.file, 'utf8'),
  }));
  const draft = draftImport({
    license: licenseOf(repository, planning),
    choice: {
      selects: selection(flags.only ?? [], []),
      externals: flags.externals === true ? 'taken' : 'left',
      withIds: flags.withIds === true,
      maker: { version: settings.apiVersion, credential: manifest.credential ?? 'bearer' },
    },
    files: await Promise.all(texts),
    home,
    headingOf: (path) => ({ schema: schemaFrom(path), comments: [whereIdsAre(settings, flags)] }),
  });
  // What is declared already is asked for rightly, and to no end.
  const known = [...desired.resources, ...desired.externals].map(({ address }) => address);
  requireHits('--only', flags.only ?? [], [...draft.imported.addresses, ...known]);
  return draft;
}

function licenseOf({ desired, moved }: Repository, { live, events, recovery, options }: Planning): PlanInput {
  return { desired, live, ledger: foldLedger(events), moved, recovery, options };
}

/** From the file to where `npm install` puts the schema. */
function schemaFrom(path: string): string {
  const way = relative(dirname(path), 'node_modules/chatform/schemas/manifest.schema.json');
  return way.startsWith('.') ? way : `./${way}`;
}

function whereIdsAre({ name, ledger }: TargetSettings, { withIds }: ImportFlags): string {
  const from = `Imported from ${name}.`;
  return withIds === true ? from : `${from} The ids are in the ledger: ${ledger}`;
}

/** What the files say when they are read again. @throws UsageError when that is not what was meant */
async function proven({ manifest }: Repository, { files, desired }: Draft): Promise<Desired> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const paths = new Set([...manifest.files, ...texts.keys()]);
  const read = await loadManifest({ ...manifest, files: [...paths], io: withTexts(disk(), texts) });
  if (read.desired === null)
    throw new UsageError(
      'with what would be imported the files have errors, so nothing was written',
      read.diagnostics.filter(({ severity }) => severity === 'error'),
    );
  const wrong = unlike(desired, read.desired);
  if (wrong.length === 0) return read.desired;
  throw new UsageError(`overlays change what would be imported, so nothing was written: ${wrong.join(', ')}`);
}

/** The ledger is told what an apply would tell it that found nothing to do, and at once. */
async function record(
  { ledger, events, live, options, recovery }: Planning,
  before: Plan,
  desired: Desired,
  { imported: { entries } }: Draft,
  { clock }: Terminal,
): Promise<void> {
  const own = new Set<Address>(entries.map(({ address }) => address));
  const stamp = { v: 1, at: new Date(clock.now()).toISOString() } as const;
  const recovered = before.bindings.recover.filter(({ address }) => own.has(address));
  const found = adoptions(
    { ...before, bindings: { recover: recovered, absent: [], move: [], adopt: [], forget: [] } },
    stamp,
  );
  const known = foldLedger([...events, ...found]).bindings;
  const bound = entries.flatMap(({ address, id }): readonly LedgerEvent[] =>
    known.get(address)?.id === id ? [] : [{ ...stamp, type: 'bound', address, id, origin: 'imported' }],
  );
  const past = [...events, ...found, ...bound];
  const { plan } = makePlan({
    desired,
    live,
    ledger: withBindings(foldLedger(past), entries),
    recovery,
    options: { ...options, selects: (address) => own.has(address) },
  });
  if (plan === null) throw new UsageError('the ledger is not told of what was imported: `chatform apply` will');
  const journal = memoryLedger();
  const { close } = openJournal({
    plan,
    desired,
    selects: () => before.reorder === null,
    isPartial: false,
    ledger: journal,
    past,
    command: 'import',
    clock,
  });
  await close('done', new Map(), own);
  await ledger.append([...found, ...bound, ...(await journal.read())]);
}
