// Reads what the page of a license shows, in one reading. What cannot be read is said, and the rest is shown. Sends reads only.

import { ApiError, asError, UsageError } from '../../base/errors.ts';
import type { Address, KindName, LedgerState, Live } from '../../base/model.ts';
import { greeting } from '../../kinds/greeting.ts';
import { KINDS, ORDERED, ROUTED } from '../../kinds/index.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { type Connection, connected, type Requests } from '../../license/connect.ts';
import { survey } from '../../license/reading/live.ts';
import { type LicenseReading, viewOf } from '../../license/reading/view.ts';
import { compare } from '../../plan/compare.ts';
import { daysMeant } from '../../planning/impact/read.ts';
import { planOptions, planTarget } from '../../planning/planning.ts';
import { heldToRoutes } from '../../planning/routes.ts';
import { STAFFING } from '../../routing/staff/placed.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared, NoTarget, PreparedFiles } from '../../target/prepare.ts';
import { ledgerAt } from '../../target/stores.ts';
import { readChats } from '../coverage/read-chats.ts';
import { chosenSightings } from '../drift/notify/read-sightings.ts';
import { betweenRuns } from '../drift/read-drift.ts';
import { catalogue, licenseShown } from '../show/catalogue.ts';
import { readable } from '../show/question.ts';
import { NOTHING_DECLARED, nothingDeclared } from '../show/read-show.ts';
import type { Shown } from '../show/schema.ts';
import { type LicensePage, pageOf, type SeenLicense } from './page.ts';

/** What one reading gives. */
type Reading = Omit<SeenLicense, 'declared' | 'recalled' | 'chats' | 'now'>;

export interface PageReading {
  /** Put the chats of so many days next to it, such as `28d`: requests to the reports for each group. */
  readonly demand?: string;
}

/** @throws UsageError when chatform.yaml has errors, for another license, and once interrupted */
export async function readPage(
  prepared: PreparedFiles | NoTarget,
  { demand }: PageReading,
  context: RunContext,
): Promise<{ readonly shown: Shown; readonly page: LicensePage; readonly requests: Requests }> {
  if (prepared.settings === null) throw new UsageError('the files have errors', prepared.diagnostics);
  const isDeclared = prepared.desired !== null;
  const desired = prepared.desired ?? nothingDeclared(prepared.manifest.clients ?? []);
  const declared: Declared = { ...prepared, desired };
  const { settings } = prepared;
  const range =
    demand === undefined ? null : daysMeant('--demand', demand, settings.routing.timezone, context.clock.now());
  const seen = await betweenRuns(
    settings,
    () => connected(settings, context, (connection) => read(declared, isDeclared, connection, context)),
    context,
  );
  const recalled = await chosenSightings({}, settings, context).recall();
  const about = { target: settings.name, api_version: settings.apiVersion, manifest_read: isDeclared };
  const warnings = isDeclared ? [] : [NOTHING_DECLARED];
  const { compared, unread } = seen;
  const entries = catalogue(compared.live, compared);
  const groups = entries.flatMap(({ type, id, address }) =>
    type === ROUTED.name && typeof id === 'number' ? [{ id, address: address as Address }] : [],
  );
  const figures = range === null ? null : await readChats(groups, range, settings, context);
  const page = pageOf({ declared, ...seen, recalled, chats: figures?.chats ?? null, now: context.clock.now() });
  const shown = licenseShown({ ...about, warnings, failures: unread }, entries, compared.live);
  return { shown, page, requests: { ...seen.requests, ...figures?.requests } };
}

/** Plans on the way, so that what is shown is what drift and plan would say. Where something cannot be read, the rest is read without a plan. */
async function read(
  declared: Declared,
  isDeclared: boolean,
  connection: Connection,
  context: RunContext,
): Promise<Reading> {
  const { settings, desired, moved } = declared;
  const { client, ask } = connection;
  const viewed = (ledger: LedgerState): LicenseReading => readingFor(declared, ledger);
  const found = isDeclared
    ? await planTarget(declared, connection, {}, context, { viewOf: viewed }).catch(onlyUnread)
    : { failure: null };
  if ('compared' in found) {
    const planning = heldToRoutes(declared, found, context.clock.now());
    const { compared, events, live } = planning;
    const unread = unreadKinds(viewed(foldLedger(events)), live);
    return { compared, planning, events, unread, requests: client.requests() };
  }
  const events = await ledgerAt(settings.ledger, context).read();
  const ledger = foldLedger(events);
  const { live, failures } = await survey(ask, viewed(ledger), settings.apiVersion);
  const reasons = [...(found.failure === null ? [] : [found.failure]), ...failures];
  return {
    compared: compare({ desired, live, ledger, moved, options: planOptions(settings, {}) }),
    planning: null,
    events,
    unread: [...new Set(reasons.map((failure) => asError(failure).message))],
    requests: client.requests(),
  };
}

/** @throws everything but the answer of a service that does not let something be read */
function onlyUnread(error: unknown): { readonly failure: unknown } {
  if (error instanceof ApiError && error.failure.type !== 'aborted') return { failure: error };
  throw error;
}

function unreadKinds({ kinds }: LicenseReading, { objects }: Live): readonly string[] {
  return [...kinds]
    .filter((name) => objects[name] === undefined)
    .map((name) => `${KINDS[name].noun.many}: the token may not`);
}

/**
 * What a plan reads, the lists of all kinds as `show` counts them, and all of who is where and when, of rules and of greetings. A token that may not
 * read what the plan needs not reads the rest.
 */
function readingFor(
  { desired, settings: { apiVersion: version, ...settings } }: Declared,
  ledger: LedgerState,
): LicenseReading {
  const usual = viewOf(desired, ledger, version, settings);
  const whole = [...STAFFING.keys(), ORDERED.name, greeting.name].filter((name) =>
    KINDS[name].versions.includes(version),
  );
  const kinds = new Set([...usual.kinds, ...readable(version, usual.namespaces), ...whole]);
  return {
    ...usual,
    kinds,
    incidental: new Set([...kinds].filter((name) => !usual.kinds.has(name))),
    fields: new Map([...usual.fields, ...whole.map((name) => [name, fieldsOf(name, usual)] as const)]),
    wanted: new Map([...usual.wanted, ...whole.map((name) => [name, 'all'] as const)]),
  };
}

function fieldsOf(name: KindName, { fields }: LicenseReading): ReadonlySet<string> {
  const shown = STAFFING.get(name)?.fields ?? Object.keys(KINDS[name].fields);
  return new Set([...(fields.get(name) ?? []), ...shown]);
}
