// `chatform show`: what the license has, whose it is, or one resource in full; or a saved plan. Reads only, and does without a manifest.

import { ApiError, UsageError } from '../base/errors.ts';
import type { Desired, KindName, LedgerState, Live, Version } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { identify } from '../plan/binding/identify.ts';
import { compare } from '../plan/compare.ts';
import { survey } from '../reading/live.ts';
import { viewOf } from '../reading/view.ts';
import { readingDocument } from '../render/documents.ts';
import { plain } from '../render/plain.ts';
import { showText } from '../render/text/show.ts';
import { readsOnly } from '../service/client.ts';
import { differencesOf } from '../tasks/drift/differences.ts';
import type { Difference } from '../tasks/drift/report.ts';
import { catalogue, type Entry } from '../tasks/show/catalogue.ts';
import { find } from '../tasks/show/find.ts';
import { type Question, questionOf, readable, viewFor } from '../tasks/show/question.ts';
import { kindShown, licenseShown, resourceShown } from '../tasks/show/shown.ts';
import { connect } from './connect.ts';
import { planOptions } from './planning.ts';
import { type Prepared, prepare, type TargetFlags } from './prepare.ts';
import { refuse } from './report.ts';
import { isPlanFile } from './saved/plan-file.ts';
import { type ShowFlags, showPlan } from './saved/show-plan.ts';
import type { ExitCode, Terminal } from './terminal.ts';

function nothingDeclared(namespaces: readonly string[]): Desired {
  return { resources: [], externals: [], ruleOrder: [], namespaces, complete: [] };
}

export async function show(what: string | null, flags: ShowFlags, terminal: Terminal): Promise<ExitCode> {
  if (what !== null && (await isPlanFile(what))) return showPlan(what, flags, terminal);
  if (flags.report !== undefined)
    throw new UsageError('--report is for a saved plan: name its file, as in `chatform show plan.json`');
  const prepared = await prepare(flags, terminal);
  const json = flags.json === true;
  if (prepared.settings === null) return refuse(prepared.diagnostics, terminal, json);
  const { settings, moved } = prepared;
  const desired = prepared.desired ?? nothingDeclared(prepared.manifest.clients ?? []);
  if (prepared.desired === null)
    warn(
      'the manifest is not there or has errors (`chatform validate` shows them): nothing counts as declared',
      terminal,
    );
  const version = settings.apiVersion;
  const question = questionOf(what);
  const known = foldLedger(await fileLedger(settings.ledger).read());
  const usual = viewOf(desired, known, version);
  requireReadable(question, version, usual.namespaces);
  const { client, signal, close } = await connect(settings, terminal, flags.quiet === true);
  try {
    const reader = readsOnly(client);
    const { live, failures } = await survey(
      (action, body, giveUp = signal) => reader.call(action, body, { signal: AbortSignal.any([giveUp, signal]) }),
      viewFor(question, usual, version),
      version,
    );
    requireEnough(question, live, failures);
    const declared = { ...desired, complete: [] };
    const identified = identify({ desired: declared, live, known, moved, stays: () => null });
    if (identified.problems.length > 0)
      warn(
        `${identified.problems.length} declared cannot be told from others (\`chatform plan\` shows them)`,
        terminal,
      );
    const entries = catalogue(live, identified);
    const about = { target: settings.name, api_version: version, manifest_read: prepared.desired !== null };
    const shown = (() => {
      switch (question.about) {
        case 'license':
          return licenseShown(about, entries, live);
        case 'kind':
          return kindShown(about, question.kind, entries, live);
        case 'resource': {
          const { entry, refusal } = find(question, entries, desired.resources);
          if (entry === null) throw failures[0] ?? new UsageError(refusal);
          const isComparable = prepared.desired !== null && failures.length === 0 && entry.ownership === 'declared';
          const differences = isComparable ? differencesFor(entry, { ...prepared, desired, live, known, flags }) : null;
          return resourceShown(about, entry, entries, differences);
        }
      }
    })();
    for (const failure of new Set(failures.map(messageOf))) warn(`not everything could be read: ${failure}`, terminal);
    const isWhole = failures.length === 0;
    const columns = question.about === 'kind' ? KINDS[question.kind].columns : [];
    terminal.out(
      json
        ? readingDocument(shown, !isWhole, client.requests(), prepared.diagnostics)
        : showText(shown, columns, terminal.paintOut),
    );
    return isWhole ? 0 : 1;
  } finally {
    await close();
  }
}

function warn(message: string, terminal: Terminal): void {
  terminal.err(`${terminal.paintErr('warning', 'Warning:')} ${plain(message)}\n`);
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** @throws UsageError for a kind that the version does not have, or that nobody can list */
function requireReadable(question: Question, version: Version, namespaces: readonly string[]): void {
  const kind: KindName | null = question.about === 'license' ? null : question.kind;
  if (kind === null || readable(version, namespaces).has(kind)) return;
  const { many } = KINDS[kind].noun;
  throw new UsageError(
    KINDS[kind].versions.includes(version)
      ? `${many} can be listed only per owner client, and none is known: \`clients:\` in chatform.yaml says which there are`
      : `version ${version} of the service has no ${many}`,
  );
}

/** What was asked for has to be there; of the rest it is enough to say that it is not. An interruption is neither. */
function requireEnough(question: Question, { objects }: Live, failures: readonly unknown[]): void {
  const interrupted = failures.find((failure) => failure instanceof ApiError && failure.failure.type === 'aborted');
  if (interrupted !== undefined) throw interrupted;
  const kind = question.about === 'license' ? null : question.kind;
  const isMissing = kind === null ? Object.keys(objects).length === 0 : objects[kind] === undefined;
  if (failures.length > 0 && isMissing) throw failures[0];
}

interface Comparable extends Prepared {
  readonly desired: Desired;
  readonly live: Live;
  readonly known: LedgerState;
  readonly flags: TargetFlags;
}

/** The same comparison that `drift` tells. */
function differencesFor(
  entry: Entry,
  { desired, live, known, moved, settings, flags }: Comparable,
): readonly Difference[] {
  const compared = compare({ desired, live, ledger: known, moved, options: planOptions(settings, flags) });
  return differencesOf(compared, (address) => address === entry.address).filter(
    ({ address }) => address === entry.address,
  );
}
