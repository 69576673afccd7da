// Reads what the page of a license shows, in one reading, which can be planned again with other files. What cannot be read is said, and the rest is
// shown. Sends reads only.

import { ApiError, asError, UsageError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Address, Json, LedgerState, Live } from '../../base/model.ts';
import { greeting } from '../../kinds/greeting.ts';
import { KINDS, ORDERED, ROUTED } from '../../kinds/index.ts';
import { coversKind } from '../../kinds/selection.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { foldLedger, type Ledger } from '../../ledger/ledger.ts';
import { memoryLedger } from '../../ledger/memory.ts';
import { type Connection, connected, type Requests } from '../../license/connect.ts';
import { type Ask, survey } from '../../license/reading/live.ts';
import { type LicenseReading, viewOf } from '../../license/reading/view.ts';
import { licenseSource } from '../../license/source.ts';
import { compare } from '../../plan/compare.ts';
import { daysMeant } from '../../planning/impact/read.ts';
import { planFrom, planOptions } from '../../planning/planning.ts';
import { heldToRoutes } from '../../planning/routes.ts';
import type { TargetSettings } from '../../project/settings.ts';
import { STAFFING } from '../../routing/staff/placed.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared, NoTarget, PreparedFiles } from '../../target/prepare.ts';
import { ledgerAt, ledgerOf } from '../../target/stores.ts';
import { readChats } from '../coverage/read-chats.ts';
import { chosenSightings } from '../drift/notify/read-sightings.ts';
import { betweenRuns } from '../drift/read-drift.ts';
import { catalogue, licenseShown } from '../show/catalogue.ts';
import { readable } from '../show/question.ts';
import { NOTHING_DECLARED, nothingDeclared } from '../show/read-show.ts';
import type { Shown } from '../show/schema.ts';
import { type LicensePage, pageOf, type SeenLicense } from './page.ts';

/** What one reading gives. */
type Reading = Omit<SeenLicense, 'declared' | 'recalled' | 'chats' | 'now' | 'readAt'>;

/** A license as it was read at one time: every question with its answer, and the ledger of then. */
export interface KeptReading {
  readonly settings: TargetSettings;
  readonly client: Connection['client'];
  readonly answers: ReadonlyMap<string, Promise<Json>>;
  readonly events: readonly LedgerEvent[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly chats: SeenLicense['chats'];
  readonly requests: Requests;
}

export interface PageReading {
  /** Put the chats of so many days next to it, such as `28d`: requests to the reports for each group. */
  readonly demand?: string;
}

export interface ReadLicensePage {
  readonly shown: Shown;
  readonly page: LicensePage;
  readonly requests: Requests;
  readonly kept: KeptReading;
}

/** @throws UsageError when chatform.yaml has errors, for another license, and once interrupted */
export async function readPage(
  prepared: PreparedFiles | NoTarget,
  { demand }: PageReading,
  context: RunContext,
): Promise<ReadLicensePage> {
  const { declared, isDeclared } = declaredIn(prepared);
  const { settings } = declared;
  const range =
    demand === undefined ? null : daysMeant('--demand', demand, settings.routing.timezone, context.clock.now());
  const seen = await betweenRuns(
    settings,
    () =>
      connected(settings, context, async (connection) => {
        const answers = new Map<string, Promise<Json>>();
        const asking = { ...connection, ask: keeping(connection.ask, answers) };
        const reading = await read(
          declared,
          isDeclared,
          { connection: asking, ledger: ledgerOf(settings, context) },
          context,
        );
        return { ...reading, answers, client: connection.client };
      }),
    context,
  );
  const { compared, unread, events, answers, client } = seen;
  const entries = catalogue(compared.live, compared);
  const groups = entries.flatMap(({ type, id, address }) =>
    type === ROUTED.name && typeof id === 'number' ? [{ id, address: address as Address }] : [],
  );
  const figures = range === null ? null : await readChats(groups, range, settings, context);
  const chats = figures?.chats ?? null;
  const at = context.clock.now();
  const page = pageOf({ declared, ...seen, recalled: await recalledBy(settings, context), chats, now: at, readAt: at });
  const about = { target: settings.name, api_version: settings.apiVersion, manifest_read: isDeclared };
  const warnings = isDeclared ? [] : [NOTHING_DECLARED];
  const shown = licenseShown({ ...about, warnings, failures: unread }, entries, compared.live);
  const requests = { ...seen.requests, ...figures?.requests };
  return { shown, page, requests, kept: { settings, client, answers, events, at, chats, requests } };
}

/**
 * The page of other files for a license that was read before. Sends nothing: the ledger is read again, to say whether a run has written since.
 * @throws UsageError for files that need what was not read
 */
export async function pageAgain(
  prepared: PreparedFiles,
  kept: KeptReading,
  context: RunContext,
): Promise<{ readonly page: LicensePage; readonly isBehind: boolean }> {
  const { declared, isDeclared } = declaredIn(prepared);
  const { settings } = declared;
  if (serviceOf(settings) !== serviceOf(kept.settings))
    throw new UsageError(
      `chatform.yaml says another service, version or ledger of ${settings.name}: read the license again`,
    );
  const { answers, client, chats, at: readAt } = kept;
  const connection = { client, ask: answered(answers), signal: context.signal };
  const from = { connection, ledger: memoryLedger(kept.events) };
  const seen = await read(declared, isDeclared, from, { ...context, notice: () => {} });
  const events = await ledgerAt(settings.ledger, context).read();
  const recalled = await recalledBy(settings, context);
  const page = pageOf({ declared, ...seen, events, recalled, chats, now: context.clock.now(), readAt });
  return { page, isBehind: canonicalJson(events.at(-1) ?? null) !== canonicalJson(kept.events.at(-1) ?? null) };
}

function serviceOf({ name, baseUrl, apiVersion, ledger }: TargetSettings): string {
  return [name, baseUrl, apiVersion, ledger].join('\n');
}

function recalledBy(settings: TargetSettings, context: RunContext): Promise<SeenLicense['recalled']> {
  return chosenSightings({}, settings, context).recall();
}

/** Files with errors declare nothing. @throws UsageError when chatform.yaml has errors */
function declaredIn(prepared: PreparedFiles | NoTarget): { readonly declared: Declared; readonly isDeclared: boolean } {
  if (prepared.settings === null) throw new UsageError('the files have errors', prepared.diagnostics);
  const desired = prepared.desired ?? nothingDeclared(prepared.manifest.clients ?? []);
  return { declared: { ...prepared, desired }, isDeclared: prepared.desired !== null };
}

function questionOf(...[action, body]: Parameters<Ask>): string {
  return `${action} ${canonicalJson(body)}`;
}

/** Keeps each answer, also that something may not be read. */
function keeping(ask: Ask, answers: Map<string, Promise<Json>>): Ask {
  return async (action, body, ends) => {
    const answer = ask(action, body, ends);
    if (await answer.then(() => true, isUnread)) answers.set(questionOf(action, body), answer);
    return answer;
  };
}

function answered(answers: KeptReading['answers']): Ask {
  return async (action, body) => {
    const answer = answers.get(questionOf(action, body));
    if (answer !== undefined) return answer;
    throw new UsageError(`the files need what was not read of the license (${action}): read it again`);
  };
}

/** Plans on the way, so that what is shown is what drift and plan would say. Where something cannot be read, the rest is read without a plan. */
async function read(
  declared: Declared,
  isDeclared: boolean,
  { connection, ledger: log }: { readonly connection: Connection; readonly ledger: Ledger },
  context: RunContext,
): Promise<Reading> {
  const { settings, desired, moved } = declared;
  const { client, ask } = connection;
  const viewed = (ledger: LedgerState): LicenseReading => readingFor(declared, ledger);
  const source = { ...licenseSource(settings, connection, context, viewed), ledger: log };
  const found = isDeclared ? await planFrom(declared, source, {}, context).catch(onlyUnread) : { failure: null };
  if ('compared' in found) {
    const planning = heldToRoutes(declared, found, context.clock.now());
    const { compared, events, live } = planning;
    const unread = unreadKinds(viewed(foldLedger(events)), live);
    return { compared, planning, events, unread, requests: client.requests() };
  }
  const events = await log.read();
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
  if (isUnread(error)) return { failure: error };
  throw error;
}

function isUnread(error: unknown): boolean {
  return error instanceof ApiError && error.failure.type !== 'aborted';
}

function unreadKinds({ kinds }: LicenseReading, { objects }: Live): readonly string[] {
  return [...kinds]
    .filter((name) => objects[name] === undefined)
    .map((name) => `${KINDS[name].noun.many}: the token may not`);
}

/**
 * What a plan reads, the lists of all kinds as `show` counts them, and all of who is where and when, of rules and of greetings, whatever fields the
 * files have: they may have others with the next save. A token that may not read what the plan needs not reads the rest.
 */
function readingFor(
  { desired, settings: { apiVersion: version, prune, protect } }: Declared,
  ledger: LedgerState,
): LicenseReading {
  const usual = viewOf(desired, ledger, version, { prune, protectsKind: coversKind(protect) });
  const whole = [...STAFFING.keys(), ORDERED.name, greeting.name].filter((name) =>
    KINDS[name].versions.includes(version),
  );
  const kinds = new Set([...usual.kinds, ...readable(version, usual.namespaces), ...whole]);
  return {
    ...usual,
    kinds,
    incidental: new Set([...kinds].filter((name) => !usual.kinds.has(name))),
    fields: new Map([
      ...usual.fields,
      ...whole.map((name) => [name, new Set(Object.keys(KINDS[name].fields))] as const),
    ]),
    wanted: new Map([...usual.wanted, ...whole.map((name) => [name, 'all'] as const)]),
  };
}
