// Import: what the license has and no file declares becomes entries of the manifest, and owned. Changes nothing on the license.

import { readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { openJournal } from '../../apply/journal.ts';
import { adoptions } from '../../apply/record.ts';
import { draftImport, type ImportDraft, unlike } from '../../authoring/draft.ts';
import { placeOf, putTexts, readable } from '../../authoring/files.ts';
import type { Home } from '../../authoring/layout.ts';
import { withBindings } from '../../authoring/settle.ts';
import { LeaseLost, UsageError } from '../../base/errors.ts';
import type { Address, Desired, Diagnostic, LedgerState } from '../../base/model.ts';
import { slashed } from '../../base/repository.ts';
import { requireHits, selection } from '../../kinds/selection.ts';
import { type LedgerEvent, type RunSigning, stampOf } from '../../ledger/events.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { memoryLedger } from '../../ledger/memory.ts';
import type { Tenure } from '../../ledger/tenure.ts';
import { connected } from '../../license/connect.ts';
import { licenseEvents } from '../../license/identity.ts';
import { type LicenseReading, wholeView } from '../../license/reading/view.ts';
import { loadManifest } from '../../manifest/load.ts';
import { makePlan } from '../../plan/assemble.ts';
import type { PlanInput } from '../../plan/input.ts';
import type { Plan } from '../../plan/plan.ts';
import { type Planning, type PlanningChoice, planTarget } from '../../planning/planning.ts';
import { ignoreLocalFiles, localLines } from '../../project/gitignore.ts';
import { EMULATOR, type TargetSettings } from '../../project/settings.ts';
import { PROJECT_FILE, type TargetChoice } from '../../target/choice.ts';
import type { RunContext } from '../../target/context.ts';
import { lockOf, lossOf, whileLocked } from '../../target/lock.ts';
import { type DeclaredFiles, prepareDeclared } from '../../target/prepare.ts';
import { signingOf } from '../../target/started-by.ts';
import { disk, readFiles, withTexts } from '../../yaml/read.ts';
import { MANIFEST } from '../init/sample.ts';
import { foundBy, notReadOf } from './report.ts';
import type { ImportResult } from './schema.ts';
import { type ZonedProject, zonedProject } from './zone.ts';

export interface ImportRequest extends TargetChoice, Pick<PlanningChoice, 'only' | 'newLicense'> {
  /** Only say what would be written. */
  readonly plan?: boolean;
  /** Where new sections go: a file for each kind, or one file. */
  readonly split?: Home['split'];
  /** Also make entries of what the files only look up. */
  readonly externals?: boolean;
  /** Write ids into the files, and leave the ledger unchanged. */
  readonly withIds?: boolean;
}

/** An import, and the findings in the files. */
export interface Import {
  readonly imported: ImportResult;
  readonly diagnostics: readonly Diagnostic[];
}

/** @throws UsageError when the files have errors, or would have them with the import; LeaseLost when the lease was lost before anything was written */
export async function importLicense(options: ImportRequest, context: RunContext): Promise<Import> {
  const { only: _, ...others } = options;
  const repository = await prepareDeclared(others, context, readable);
  if (options.plan === true) return importInto(repository, options, null, context);
  return whileLocked(lockOf(repository.settings), 'import', context, (tenure) =>
    importInto(repository, options, tenure, context),
  );
}

/** Nothing is written without a lease. */
async function importInto(
  repository: DeclaredFiles,
  options: ImportRequest,
  tenure: Tenure | null,
  context: RunContext,
): Promise<Import> {
  const { settings, desired } = repository;
  const { only: _, ...others } = options;
  const home = await homeOf(repository.named, options.split ?? null);
  // The connection has no lease, so it refuses every write.
  return connected(settings, context, async (connection): Promise<Import> => {
    const viewed = (ledger: LedgerState): LicenseReading => ({
      ...wholeView(desired, ledger, settings.apiVersion),
      makers: true,
    });
    const planning = await planTarget(repository, connection, others, context, { viewOf: viewed });
    const { plan, diagnostics } = planning;
    if (plan === null) throw new UsageError('the files have errors', diagnostics);
    const total = Object.values(planning.live.objects).reduce((sum, objects) => sum + objects.length, 0);
    const noticeWork = (verb: string): void =>
      context.notice({ type: 'working', verb, done: null, total, noun: 'objects' });
    noticeWork('Importing');
    const draft = await drafted(repository, planning, home, options);
    noticeWork('Checking the files of');
    const read = await proven(repository, draft);
    const withIds = options.withIds === true;
    const notRead = notReadOf(planning.live, viewed(planning.compared.ledger).namespaces);
    const zoned = await zonedBy(draft, settings, options);
    const imported: ImportResult = {
      target: settings.name,
      written: tenure !== null && draft.files.length > 0,
      ids_in: withIds ? 'files' : 'ledger',
      gitignore: null,
      ...foundBy(draft, plan, { zoned, notRead, preview: tenure === null }),
    };
    if (tenure === null) return { imported, diagnostics };
    const loss = await lossOf(tenure);
    if (loss !== null) throw new LeaseLost(loss.message, diagnostics);
    const recorded = licenseEvents(
      'import',
      planning.events,
      planning.live,
      settings,
      connection.client.identity(),
      stampOf(tenure.run, context.clock.now()),
    );
    // First, because it can be refused: then nothing of the import is there.
    const isProject = options.file === undefined && draft.files.length > 0;
    const gitignore = isProject ? await ignoreLocalFiles(localLines(settings)) : null;
    // Files without their ledger are adopted by the next apply; a ledger without its files would make the next apply delete them.
    await putTexts([...draft.files, ...(zoned === null ? [] : [zoned])]);
    if (!withIds && draft.files.length > 0)
      await record(planning, recorded, plan, read, draft, signingOf(settings, context), tenure, context).catch(
        (error: unknown) => {
          if (!(error instanceof UsageError)) throw error;
          throw new UsageError(
            `the files are written, and \`chatform apply\` adopts what they declare; ${error.message}`,
          );
        },
      );
    return { imported: { ...imported, gitignore }, diagnostics };
  });
}

/** Null for an import that writes nothing, or has no chatform.yaml. */
async function zonedBy(
  { files, desired }: ImportDraft,
  { name }: TargetSettings,
  { file, project = PROJECT_FILE }: ImportRequest,
): Promise<ZonedProject | null> {
  if (file !== undefined || files.length === 0) return null;
  return zonedProject(project, await readFile(project, 'utf8'), name, desired);
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

async function drafted(
  repository: DeclaredFiles,
  planning: Planning,
  home: Home,
  options: ImportRequest,
): Promise<ImportDraft> {
  const { settings, manifest, desired } = repository;
  const { files } = await readFiles(manifest.files, manifest.io ?? disk());
  const texts = files.map(async ({ source, value }) => ({
    path: source.file,
    value,
    text: await readFile(source.file, 'utf8'),
  }));
  const read = await Promise.all(texts);
  const sample = read.find(({ text }) => text === MANIFEST);
  if (sample !== undefined && !settings.baseUrl.startsWith(EMULATOR))
    throw new UsageError(
      `${sample.path} is still the sample of \`chatform init\`, so nothing was imported: delete it, and import again`,
    );
  const draft = draftImport({
    license: licenseOf(repository, planning),
    choice: {
      selects: selection(options.only ?? [], []),
      externals: options.externals === true ? 'taken' : 'left',
      withIds: options.withIds === true,
      maker: { version: settings.apiVersion, credential: manifest.credential ?? 'bearer' },
    },
    files: read,
    home,
    headingOf: (path) => ({ schema: schemaFrom(path), comments: [whereIdsAre(settings, options)] }),
  });
  // A declared address is a correct selection that selects nothing.
  const known = [...desired.resources, ...desired.externals].map(({ address }) => address);
  requireHits('--only', options.only ?? [], [...draft.imported.addresses, ...known]);
  return draft;
}

function licenseOf({ desired, moved }: DeclaredFiles, { live, events, recovery, options }: Planning): PlanInput {
  return { desired, live, ledger: foldLedger(events), moved, recovery, options };
}

/** From the file to where `npm install` puts the schema. */
export function schemaFrom(path: string): string {
  const way = slashed(relative(dirname(path), 'node_modules/chatform/schemas/manifest.schema.json'));
  return way.startsWith('.') ? way : `./${way}`;
}

function whereIdsAre({ name, ledger }: TargetSettings, { withIds }: ImportRequest): string {
  const from = `Imported from ${name}.`;
  return withIds === true ? from : `${from} The ids are in the ledger: ${ledger}`;
}

/** What the files declare when they are read again. @throws UsageError when that is not what was imported */
async function proven({ manifest }: DeclaredFiles, { files, desired }: ImportDraft): Promise<Desired> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const paths = new Set([...manifest.files, ...texts.keys()]);
  const read = await loadManifest({ ...manifest, files: [...paths], io: withTexts(manifest.io ?? disk(), texts) });
  if (read.desired === null)
    throw new UsageError(
      'with what would be imported the files have errors, so nothing was written',
      read.diagnostics.filter(({ severity }) => severity === 'error'),
    );
  const wrong = unlike(desired, read.desired);
  if (wrong.length === 0) return read.desired;
  throw new UsageError(`overlays change what would be imported, so nothing was written: ${wrong.join(', ')}`);
}

/** Writes what an apply without changes would write into the ledger, in one append. */
async function record(
  { ledger, events, unwritten, live, options, recovery }: Planning,
  license: readonly LedgerEvent[],
  before: Plan,
  desired: Desired,
  { imported: { entries } }: ImportDraft,
  signing: RunSigning,
  { run }: Tenure,
  { clock }: Pick<RunContext, 'clock'>,
): Promise<void> {
  const own = new Set<Address>(entries.map(({ address }) => address));
  const stamp = stampOf(run, clock.now());
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
  if (plan === null) throw new UsageError('the ledger does not have what was imported yet: `chatform apply` adds it');
  const journal = memoryLedger();
  const { close } = openJournal({
    run,
    plan,
    desired,
    selects: () => before.reorder === null,
    isPartial: false,
    ledger: journal,
    past,
    command: 'import',
    signing,
    clock,
  });
  await close('done', new Map(), own);
  await ledger.append([...unwritten, ...license, ...found, ...bound, ...(await journal.read())]);
}
