// Apply to one target: plans within the lease, compares with the approved plan, carries it out and verifies it. Prints nothing.

import { asError, UsageError } from '../base/errors.ts';
import type { Address, Desired, Diagnostic, Live, Place } from '../base/model.ts';
import { KINDS, kindOf } from '../kinds/index.ts';
import { type LedgerEvent, stampOf } from '../ledger/events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tenure } from '../ledger/tenure.ts';
import { type Connection, connected, type Requests } from '../license/connect.ts';
import { licenseEvents } from '../license/identity.ts';
import { SETTLE_WINDOW } from '../license/reading/settled.ts';
import { delayOf } from '../license/source.ts';
import type { PlannerOptions } from '../plan/input.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Mismatch } from '../plan/saved/match.ts';
import { type Approved, acknowledging, heldTo } from '../planning/approved.ts';
import { warnedEvents } from '../planning/known-lints.ts';
import type { ApprovedHere } from '../planning/origin.ts';
import type { ObjectChoice, Planning, PlanningChoice } from '../planning/planning.ts';
import { planTarget } from '../planning/planning.ts';
import { heldToRoutes } from '../planning/routes.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { RunContext, WorkNotice } from '../target/context.ts';
import { type Declined, lockOf, lossOf, type Stop, whileLocked } from '../target/lock.ts';
import type { Declared, FilesChoice } from '../target/prepare.ts';
import { rescueFor } from '../target/secrets/rescue.ts';
import { sinkOf } from '../target/secrets/sink.ts';
import { signingOf } from '../target/started-by.ts';
import { type ApplyReport, apply as applyPlan } from './apply.ts';
import { givenSecrets, removeUnused, requireVariables } from './given-secrets.ts';
import type { ApplyEvent } from './input.ts';

/** How a plan is carried out. */
export interface CarryOptions {
  /** Why, in one line, for the ledger. */
  readonly reason?: string;
  /** Check that it took effect; default true. */
  readonly verify?: boolean;
  readonly onEvent?: (event: ApplyEvent) => void;
}

/** Of the license, what an apply is about, and what it is made with. */
export type ApplyChoice = PlanningChoice & Pick<FilesChoice, 'date'>;

export interface ApplyRequest extends CarryOptions {
  /** Do not wait, with a new ledger, for what another run may just have created. */
  readonly assumeSettled?: boolean;
  /** Called when the plan is made and the lease is held. Null goes on; otherwise why not. Default: go on. */
  readonly agree?: (plan: Plan, diagnostics: readonly Diagnostic[]) => Promise<Declined | null>;
}

/** A plan that was carried out, in whole or in part. */
export interface ExecutedPlan {
  /** What the ledger and `history` call the run. */
  readonly runId: string;
  readonly report: ApplyReport;
  /** Sent by the whole run. */
  readonly requests: Requests;
  /** Sent after the plan was made. */
  readonly sent: Requests;
}

/** Result of an apply. `refused`: the files or the plan have errors. `mismatch`: the plan does more than was approved. */
export type ApplyResult =
  | { readonly outcome: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  | ({ readonly outcome: 'mismatch'; readonly approved: Approved; readonly mismatch: Mismatch } & WithPlan)
  | ({ readonly outcome: 'stopped'; readonly stop: Stop } & WithPlan)
  | ({ readonly outcome: 'applied' } & WithPlan & ExecutedPlan);

interface WithPlan {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Holds the lease from the first reading to the last write, so that what is planned is what is applied.
 * @throws UsageError for a date in the choice
 */
export function applyTarget(
  declared: Declared,
  approved: ApprovedHere | null,
  choice: ApplyChoice,
  options: ApplyRequest,
  context: RunContext,
): Promise<ApplyResult> {
  if (choice.date !== undefined)
    throw new UsageError(
      'an apply makes the hours of today, because the license has them at once: `chatform plan --date` shows those of another day',
    );
  const prepared = approved === null ? declared : acknowledging(declared, approved, context);
  const { settings } = prepared;
  return whileLocked(lockOf(settings), commandOf(choice), context, (tenure) =>
    connected(
      settings,
      context,
      (connection) => applyLocked(prepared, declared, approved, { choice, options, connection, tenure }, context),
      tenure,
    ),
  );
}

/** Whether nothing is left out. */
export function isWhole({ only = [], except = [] }: ObjectChoice): boolean {
  return only.length + except.length === 0;
}

/** What the ledger and the lease call the run. */
function commandOf({ destroys }: ApplyChoice): 'apply' | 'destroy' {
  return destroys === undefined ? 'apply' : 'destroy';
}

interface ApplyRun {
  readonly choice: ApplyChoice;
  readonly options: ApplyRequest;
  readonly connection: Connection;
  readonly tenure: Tenure;
}

async function applyLocked(
  prepared: Declared,
  declared: Declared,
  approved: Approved | null,
  { choice, options, connection, tenure }: ApplyRun,
  context: RunContext,
): Promise<ApplyResult> {
  const { clock, notice } = context;
  const { signal } = connection;
  const impact = approved?.saved.plan.impact;
  const extras = impact === undefined ? {} : { approved: impact };
  const look = () => planTarget(prepared, connection, choice, context, { ...extras, run: tenure.run });
  const first = await look();
  const made = options.assumeSettled === true ? first : await afterTheWindow(first, look, { clock, notice, signal });
  const planning = heldToRoutes(prepared, made, clock.now());
  const { diagnostics } = planning;
  if (planning.plan === null) return { outcome: 'refused', diagnostics };
  let { plan } = planning;
  if (approved !== null) {
    const held = heldTo(approved, { plan, planning, declared }, choice);
    if ('mismatch' in held) return { outcome: 'mismatch', approved, plan, diagnostics, ...held };
    if (held.isManifestChanged) notice({ type: 'manifest-changed', file: approved.file });
    plan = held.plan;
  }
  // Before a person is asked, and before anything is written.
  requireVariables(plan, context.env);
  const stop = await stopOf(plan, diagnostics, tenure, options);
  if (stop !== null) return { outcome: 'stopped', plan, diagnostics, stop };
  const intended = {
    command: commandOf(choice),
    isWhole: isWhole(choice),
    settings: prepared.settings,
    plan,
    desired: prepared.desired,
    options: planning.options,
    ledger: planning.ledger,
    past: planning.events,
    live: planning.live,
    unwritten: [...planning.unwritten, ...warnedEvents(diagnostics, planning.events, stampOf(tenure.run, clock.now()))],
    placeOf: (address: Address, field: string) => placeOfField(prepared, address, field),
  } as const;
  return {
    outcome: 'applied',
    plan,
    diagnostics,
    ...(await carryOut(intended, connection, tenure, options, context)),
  };
}

/** Where the manifest declares a field; a value of a property is its own entry. */
function placeOfField({ markOf }: Declared, address: Address, field: string): Place | null {
  const path = KINDS[kindOf(address)].entry === 'value' ? [] : [field];
  return markOf(address, path, 'value')?.place ?? null;
}

/** A person may take longer to answer than this machine stays awake, so the lease is checked after the question. */
export async function stopOf(
  plan: Plan,
  diagnostics: readonly Diagnostic[],
  tenure: Tenure,
  { agree = async () => null }: ApplyRequest,
): Promise<Stop | null> {
  const declined = await agree(plan, diagnostics);
  if (plan.withheld.length > 0)
    return { reason: 'withheld', message: plan.withheld.map(({ message }) => message).join('; ') };
  return declined ?? (await lossOf(tenure));
}

/** A plan, and what it takes to carry it out. */
export interface Intended {
  /** What the ledger calls the run. */
  readonly command: 'apply' | 'destroy' | 'undo';
  /** Id of the run that this run takes back; left out when it is no undo. */
  readonly undoes?: string;
  /** Neither `--only` nor `--except` leaves anything out. */
  readonly isWhole: boolean;
  readonly settings: TargetSettings;
  readonly plan: Plan;
  readonly desired: Desired;
  readonly options: PlannerOptions;
  readonly ledger: Ledger;
  /** All of the ledger, as it was read for the plan, with the lease held since; with what is still `unwritten`. */
  readonly past: readonly LedgerEvent[];
  readonly unwritten: readonly LedgerEvent[];
  /** What the plan was made from. */
  readonly live: Live;
  /** Where the manifest declares a field; left out by what has no manifest. */
  readonly placeOf?: (address: Address, field: string) => Place | null;
}

export async function carryOut(
  { settings, ledger, past, unwritten, live, ...intended }: Intended,
  { client, signal }: Connection,
  tenure: Tenure,
  { reason, verify = true, onEvent = () => {} }: CarryOptions,
  context: RunContext,
): Promise<ExecutedPlan> {
  const sink = sinkOf(settings, context);
  const given = await givenSecrets(intended.plan, context.env, sink);
  const before = client.requests();
  const learned = (known: readonly LedgerEvent[]) =>
    licenseEvents('apply', known, live, settings, client.identity(), stampOf(tenure.run, context.clock.now()));
  const license = learned(past);
  await ledger.append([...unwritten, ...license]);
  const known = [...past, ...license];
  const report = await applyPlan({
    ...intended,
    live,
    run: tenure.run,
    client,
    ledger,
    past: known,
    signing: signingOf(settings, context, reason),
    sink,
    given,
    rescue: rescueFor(settings.localPath),
    clock: context.clock,
    signal,
    window: delayOf(settings, client).window,
    propagationTimeout: verify ? settings.propagationTimeout : null,
    refused: tenure.refused,
    onEvent: (event) => {
      logEvent(event, context);
      onEvent(event);
    },
  });
  // The file of an emulator has an identity from its first write on. The next apply records what this one could not.
  await ledger.append(learned(known)).catch(() => {});
  // The next apply that deletes anything tries again.
  if (intended.plan.steps.some(({ operation }) => operation === 'delete'))
    await removeUnused(sink, await ledger.read()).catch((error: unknown) =>
      context.log('warn', 'secrets are kept that nothing uses', { reason: asError(error).message }),
    );
  const requests = client.requests();
  return { runId: tenure.run, report, requests, sent: since(before, requests) };
}

function since(before: Requests, now: Requests): Requests {
  const counts = Object.entries(now).map(([action, count]) => [action, count - (before[action] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function logEvent(event: ApplyEvent, { log }: Pick<RunContext, 'log'>): void {
  switch (event.type) {
    case 'sending':
      log('debug', 'sending', { steps: event.steps.map(({ id }) => id) });
      break;
    case 'ended':
      for (const { step, outcome } of event.results) {
        if (outcome.status === 'failed') {
          const { type, message, debugId } = outcome.error.failure;
          log('error', 'failed', { step: step.id, error: type, reason: message, debug_id: debugId });
        } else log('debug', outcome.status, { step: step.id });
      }
      break;
    case 'waiting':
      log('debug', 'waiting', { elapsed_ms: event.elapsed, unsettled: event.unsettled.map(({ address }) => address) });
  }
}

/** Whether an apply would send anything: adopting needs no request. */
export function hasChanges(plan: Plan): boolean {
  return plan.steps.length > 0;
}

/** What an apply of the steps counts while it is under way: objects of one kind, or changes. */
export function workOf(steps: readonly Step[]): WorkNotice & { readonly done: number } {
  const [first] = steps;
  const ofOneKind = first !== undefined && steps.every(({ type }) => type === first.type);
  const isOneVerb = ofOneKind && steps.every(({ operation }) => operation === first.operation);
  // `made 3 of 500 changes`: one count is enough for all that a plan writes.
  const [verb, noun] = isOneVerb ? [MADE[first.operation], KINDS[first.type].noun.many] : ['made', 'changes'];
  return { type: 'working', verb, done: 0, total: steps.length, noun };
}

const MADE = { create: 'created', update: 'changed', delete: 'destroyed', transition: 'changed' } as const;

/** A plan that can be relied on: waits out the window once and plans again, where a create could have an equal twin. */
export async function afterTheWindow(
  first: Planning,
  again: () => Promise<Planning>,
  { clock, notice, signal }: Pick<RunContext, 'clock' | 'notice' | 'signal'>,
): Promise<Planning> {
  const { plan, isFirstRun, begun, tellsLag } = first;
  if (plan === null || !isFirstRun || tellsLag || plan.withheld.length > 0 || !makesUnnamed(plan)) return first;
  const wait = begun + SETTLE_WINDOW - clock.now();
  notice({ type: 'new-ledger', wait });
  await clock.sleep(Math.max(0, wait), signal);
  if (signal.aborted) throw new UsageError('interrupted before anything was changed');
  return again();
}

/** Whether the plan creates an object whose id the service chooses. */
function makesUnnamed({ steps }: Plan): boolean {
  return steps.some(({ operation, type }) => operation === 'create' && KINDS[type].identity !== undefined);
}
