// Content of a license: all of it by kind, one kind, or one resource in full. Reads only, and needs no manifest.

import { ApiError, UsageError } from '../base/errors.ts';
import type { Desired, Diagnostic, KindName, LedgerState, Live, Version } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger } from '../ledger/ledger.ts';
import { identify } from '../plan/binding/identify.ts';
import { compare } from '../plan/compare.ts';
import { survey } from '../reading/live.ts';
import { viewOf } from '../reading/view.ts';
import { differencesOf } from '../tasks/drift/differences.ts';
import type { Difference } from '../tasks/drift/report.ts';
import { catalogue, kindShown, licenseShown, resourceShown } from '../tasks/show/catalogue.ts';
import { find, questionOf, readable, type ShowQuestion, viewFor } from '../tasks/show/question.ts';
import type { Shown, ShownObject } from '../tasks/show/schema.ts';
import { connected, type Requests } from './connect.ts';
import { planOptions } from './planning.ts';
import { type Choice, type Prepared, prepare } from './prepare.ts';
import type { Surroundings } from './surroundings.ts';

/** Result of `show`. */
export interface LicenseView {
  readonly shown: Shown;
  /** The columns of the kind that was asked for; empty for other questions. */
  readonly columns: readonly string[];
  /** Nothing failed to be read. */
  readonly isWhole: boolean;
  readonly warnings: readonly string[];
  readonly requests: Requests;
  readonly diagnostics: readonly Diagnostic[];
}

function nothingDeclared(namespaces: readonly string[]): Desired {
  return { resources: [], externals: [], ruleOrder: [], namespaces, complete: [] };
}

/**
 * `what` is a kind, an address, an id or a name; null for the whole license.
 * @throws UsageError when chatform.yaml has errors, or nothing is called so
 */
export async function showTarget(
  what: string | null,
  choice: Choice,
  surroundings: Surroundings,
): Promise<LicenseView> {
  const prepared = await prepare(choice, surroundings);
  if (prepared.settings === null) throw new UsageError('the files have errors', prepared.diagnostics);
  const { settings, moved, diagnostics } = prepared;
  const desired = prepared.desired ?? nothingDeclared(prepared.manifest.clients ?? []);
  const warnings: string[] = [];
  if (prepared.desired === null)
    warnings.push(
      'the manifest does not exist or has errors (`chatform validate` shows them): nothing counts as declared',
    );
  const version = settings.apiVersion;
  const question = questionOf(what);
  const known = foldLedger(await fileLedger(settings.ledger).read());
  const usual = viewOf(desired, known, version);
  requireReadable(question, version, usual.namespaces);
  return connected(settings, surroundings, async ({ client, ask }) => {
    const { live, failures } = await survey(ask, viewFor(question, usual, version), version);
    requireEnough(question, live, failures);
    const identified = identify({ desired: { ...desired, complete: [] }, live, known, moved, stays: () => null });
    if (identified.problems.length > 0)
      warnings.push(`${identified.problems.length} declared cannot be told from others (\`chatform plan\` shows them)`);
    const entries = catalogue(live, identified);
    const about = { target: settings.name, api_version: version, manifest_read: prepared.desired !== null };
    const shown = ((): Shown => {
      switch (question.about) {
        case 'license':
          return licenseShown(about, entries, live);
        case 'kind':
          return kindShown(about, question.kind, entries, live);
        case 'resource': {
          const { entry, refusal } = find(question, entries, desired.resources);
          if (entry === null) throw failures[0] ?? new UsageError(refusal);
          const isComparable = prepared.desired !== null && failures.length === 0 && entry.ownership === 'declared';
          const differences = isComparable
            ? differencesFor(entry, { ...prepared, desired, live, known, choice })
            : null;
          return resourceShown(about, entry, entries, differences);
        }
      }
    })();
    const unread = new Set(failures.map((failure) => (failure instanceof Error ? failure.message : String(failure))));
    for (const failure of unread) warnings.push(`not everything could be read: ${failure}`);
    const columns = question.about === 'kind' ? KINDS[question.kind].columns : [];
    return { shown, columns, isWhole: failures.length === 0, warnings, requests: client.requests(), diagnostics };
  });
}

/** @throws UsageError for a kind that the version does not have, or that cannot be listed */
function requireReadable(question: ShowQuestion, version: Version, namespaces: readonly string[]): void {
  const kind: KindName | null = question.about === 'license' ? null : question.kind;
  if (kind === null || readable(version, namespaces).has(kind)) return;
  const { many } = KINDS[kind].noun;
  throw new UsageError(
    KINDS[kind].versions.includes(version)
      ? `${many} can be listed only per owner client, and none is known: \`clients:\` in chatform.yaml says which there are`
      : `version ${version} of the service has no ${many}`,
  );
}

/** Requires that what was asked for could be read; anything else that is missing is a warning. @throws the failure that kept it from being read */
function requireEnough(question: ShowQuestion, { objects }: Live, failures: readonly unknown[]): void {
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
  readonly choice: Choice;
}

/** The differences that `drift` would report for the resource. */
function differencesFor(
  entry: ShownObject,
  { desired, live, known, moved, settings, choice }: Comparable,
): readonly Difference[] {
  const compared = compare({ desired, live, ledger: known, moved, options: planOptions(settings, choice) });
  return differencesOf(compared, (address) => address === entry.address).filter(
    ({ address }) => address === entry.address,
  );
}
