// Content of a license: all of it by kind, one kind, or one resource in full. Reads only, and needs no manifest.

import { AbsentError, ApiError, asError, UsageError } from '../../base/errors.ts';
import type { Desired, LedgerState, Live, Version } from '../../base/model.ts';
import { KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { connected, type Requests } from '../../license/connect.ts';
import { survey } from '../../license/reading/live.ts';
import { viewOf } from '../../license/reading/view.ts';
import { identify } from '../../plan/binding/identify.ts';
import { compare } from '../../plan/compare.ts';
import type { Difference } from '../../plan/differences/difference.ts';
import { differencesOf } from '../../plan/differences/differences.ts';
import { type PlanningChoice, planOptions } from '../../planning/planning.ts';
import { declaredPlaces } from '../../routing/staff/placed.ts';
import { type Placed, type Staff, staffOf } from '../../routing/staff/staff.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared, NoTarget, Prepared, PreparedFiles } from '../../target/prepare.ts';
import { ledgerAt } from '../../target/stores.ts';
import { readStaffing } from '../coverage/read-coverage.ts';
import type { ViewName } from '../coverage/report.ts';
import { catalogue, kindShown, licenseShown, membersShown, resourceShown } from './catalogue.ts';
import { type MembersInput, membersIn, membersOf } from './member-lists.ts';
import { find, questionOf, readable, type ShowQuestion, viewFor } from './question.ts';
import type { Shown, ShownMembers, ShownObject } from './schema.ts';

/** Result of `show`. */
export interface LicenseView {
  readonly shown: Shown;
  readonly requests: Requests;
}

/** Why nothing counts as declared. */
export const NOTHING_DECLARED =
  'the manifest does not exist or has errors (`chatform validate` shows them): nothing counts as declared';

export function nothingDeclared(namespaces: readonly string[]): Desired {
  return { resources: [], externals: [], ruleOrder: [], namespaces, complete: [] };
}

export interface ShowRequest extends PlanningChoice {
  /** Of `members`: which side is shown. Default `live`. */
  readonly on?: ViewName;
}

/**
 * `what` is a kind, `members`, an address, an id or a name; null for the whole license. `prepared` is that of the same choice.
 * @throws UsageError when chatform.yaml has errors, or nothing is called so
 */
export async function showTarget(
  what: string | null,
  prepared: PreparedFiles | NoTarget,
  { on, ...choice }: ShowRequest,
  context: RunContext,
): Promise<LicenseView> {
  if (prepared.settings === null) throw new UsageError('the files have errors', prepared.diagnostics);
  const { settings, moved, diagnostics } = prepared;
  const desired = prepared.desired ?? nothingDeclared(prepared.manifest.clients ?? []);
  const warnings: string[] = [];
  if (prepared.desired === null) warnings.push(NOTHING_DECLARED);
  const version = settings.apiVersion;
  const question = questionOf(what);
  const read = { target: settings.name, api_version: version, manifest_read: prepared.desired !== null };
  if (on !== undefined && question.about !== 'members')
    throw new UsageError('--on is for the members of groups: `chatform show members`');
  if (on === 'files' || on === 'both') {
    if (prepared.desired === null) throw new UsageError('the files have errors', diagnostics);
    const { members, requests } = await declaredMembers(
      on,
      { ...prepared, desired: prepared.desired },
      choice,
      context,
    );
    return { shown: membersShown({ ...read, warnings, failures: [] }, members), requests };
  }
  const known = foldLedger(await ledgerAt(settings.ledger, context).read());
  const usual = viewOf(desired, known, version);
  requireReadable(question, version, usual.namespaces);
  return connected(settings, context, async ({ client, ask }) => {
    const { live, failures } = await survey(ask, viewFor(question, usual, version), version);
    requireEnough(question, live, failures);
    const identified = identify({ desired: { ...desired, complete: [] }, live, known, moved, stays: () => null });
    if (identified.problems.length > 0)
      warnings.push(`${identified.problems.length} declared cannot be told from others (\`chatform plan\` shows them)`);
    const entries = catalogue(live, identified);
    const unread = new Set(failures.map((failure) => asError(failure).message));
    const about = { ...read, warnings, failures: [...unread] };
    const shown = ((): Shown => {
      switch (question.about) {
        case 'license':
          return licenseShown(about, entries, live);
        case 'members':
          return membersShown(about, membersIn(entries, version));
        case 'kind':
          return kindShown(about, question.kind, entries, live);
        case 'resource': {
          const found = find(question, entries, desired.resources);
          const { entry } = found;
          if (entry === null)
            throw failures[0] ?? (found.isAbsent ? new AbsentError(found.refusal) : new UsageError(found.refusal));
          const isComparable = prepared.desired !== null && failures.length === 0 && entry.ownership === 'declared';
          const differences = isComparable
            ? differencesFor(entry, { ...prepared, desired, live, known, choice })
            : null;
          return resourceShown(about, entry, entries, differences);
        }
      }
    })();
    return { shown, requests: client.requests() };
  });
}

/** @throws UsageError for a kind that the version does not have, or that cannot be listed */
function requireReadable(question: ShowQuestion, version: Version, namespaces: readonly string[]): void {
  const kind = question.about === 'kind' || question.about === 'resource' ? question.kind : null;
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
  const isMissing = ((): boolean => {
    switch (question.about) {
      case 'kind':
        return objects[question.kind] === undefined;
      case 'resource':
        return question.kind === null ? Object.keys(objects).length === 0 : objects[question.kind] === undefined;
      case 'members':
        // A person who was not read would be missing in every group.
        return Object.values(MEMBERSHIP).some((side) => objects[side.kind.name] === undefined);
      case 'license':
        return Object.keys(objects).length === 0;
    }
  })();
  if (failures.length > 0 && isMissing) throw failures[0];
}

interface Comparable extends Prepared {
  readonly desired: Desired;
  readonly live: Live;
  readonly known: LedgerState;
  readonly choice: PlanningChoice;
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

interface DeclaredMembers {
  readonly members: ShownMembers;
  readonly requests: Requests;
}

/** `desired` sends no request. @throws as a reading of the staff does */
async function declaredMembers(
  view: 'files' | 'both',
  declared: Declared,
  choice: PlanningChoice,
  context: RunContext,
): Promise<DeclaredMembers> {
  const { settings, desired } = declared;
  const staffed = (placed: readonly Placed[], isRead: boolean): Staff =>
    staffOf(placed, { zone: settings.routing.timezone, version: settings.apiVersion, isRead });
  const { bindings } = foldLedger(await ledgerAt(settings.ledger, context).read());
  const ownershipOf = ownerships(desired, new Set(bindings.keys()));
  if (view === 'files') {
    const staff = staffed(declaredPlaces(desired), false);
    return { members: membersOf({ view, before: null, staff, ownershipOf }), requests: {} };
  }
  const { before, after, requests } = await readStaffing(declared, choice, context);
  const sides = { before: staffed(before, true), staff: staffed(after, true) };
  return { members: membersOf({ view, ...sides, ownershipOf }), requests };
}

function ownerships({ resources }: Desired, owned: ReadonlySet<string>): MembersInput['ownershipOf'] {
  const declared = new Set<string>(resources.map(({ address }) => address));
  return (address) => (declared.has(address) ? 'declared' : owned.has(address) ? 'owned' : 'unmanaged');
}
