// Plans of a prepared target from a source: the license, or a snapshot. What `plan` shows is what `apply` does.

import { UsageError } from '../base/errors.ts';
import { fitHeapTo } from '../base/heap.ts';
import type { Address, Desired, Diagnostic, LedgerState, Live } from '../base/model.ts';
import { nearest } from '../base/nearest.ts';
import { oncePer } from '../base/once-per.ts';
import { subjectOf } from '../kinds/index.ts';
import { covers, coversKind, requireHits, requireSelected, selection } from '../kinds/selection.ts';
import { type LedgerEvent, stampOf } from '../ledger/events.ts';
import { foldLedger, isNew, type Ledger } from '../ledger/ledger.ts';
import type { Connection } from '../license/connect.ts';
import { changeover, requireNewLicense, requireOwnLicense } from '../license/identity.ts';
import { type LicenseReading, viewOf as neededView, wholeView } from '../license/reading/view.ts';
import { licenseSource, type PlanSource } from '../license/source.ts';
import type { Recovery } from '../plan/binding/recover.ts';
import type { Comparison } from '../plan/compare.ts';
import { overwrittenBy } from '../plan/differences/overwritten.ts';
import { ACKNOWLEDGED_WORDS } from '../plan/guards/guard.ts';
import type { TokenOwner } from '../plan/guards/lockout.ts';
import type { Impact } from '../plan/impact.ts';
import type { PlannerOptions } from '../plan/input.ts';
import type { Plan } from '../plan/plan.ts';
import { namesOf } from '../plan/pruning.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { RunContext } from '../target/context.ts';
import type { Declared, FilesChoice, Prepared } from '../target/prepare.ts';
import { diagnose, limitFindings } from '../yaml/diagnostics.ts';
import type { ImpactChoice, ImpactSubject } from './impact/read.ts';
import { heldToPolicies, readsImpact } from './policies.ts';
import { secretStandings, secretVariables } from './secret-standings.ts';

/** Which objects a run is about. */
export interface ObjectChoice {
  readonly only?: readonly string[];
  readonly except?: readonly string[];
}

/** What a plan is made with. */
export interface PlanningChoice extends ObjectChoice, Partial<ImpactChoice>, Pick<FilesChoice, 'destroys'> {
  readonly acknowledge?: readonly string[];
  /** Name of the license that the ledger belongs to from now on. */
  readonly newLicense?: string;
}

export interface Planning {
  readonly ledger: Ledger;
  /** All of the ledger, as it was read for the plan, with what is still `unwritten`. */
  readonly events: readonly LedgerEvent[];
  /** What an apply of the plan writes into the ledger before anything else: `--new-license`. */
  readonly unwritten: readonly LedgerEvent[];
  readonly live: Live;
  readonly compared: Comparison;
  /** Objects that creates without an answer made. */
  readonly recovery: Recovery;
  readonly options: PlannerOptions;
  /** Null when `diagnostics` say why. */
  readonly plan: Plan | null;
  /** Why no plan could be made: all of them, although `diagnostics` tells only the first ones. */
  readonly problems: readonly Diagnostic[];
  /** Of the files and of the plan. */
  readonly diagnostics: readonly Diagnostic[];
  /** The ledger is new, or was lost. */
  readonly isFirstRun: boolean;
  /** Time of the first request, in milliseconds since the epoch. */
  readonly begun: number;
  /** The source says how long its readings lag, as an emulator does. */
  readonly tellsLag: boolean;
}

export function planOptions(settings: TargetSettings, choice: PlanningChoice): PlannerOptions {
  return {
    target: settings.name,
    selects: selection(choice.only ?? [], choice.except ?? []),
    protects: covers(settings.protect),
    protectsKind: coversKind(settings.protect),
    prune: settings.prune,
    pruneInstalledBots: settings.pruneInstalledBots,
    maxDeletes: settings.maxDeletes,
    maxDeletePercent: settings.maxDeletePercent,
    acknowledged: new Set([...settings.acknowledge, ...(choice.acknowledge ?? [])].map(subjectOf)),
    own: ownOf(settings),
    mayApprove: settings.mayApprove,
    hasSink: settings.secrets !== null,
    readsSecrets: settings.secrets?.type !== 'command',
    writerOf: (client) => {
      const writer = settings.webhooksOf.get(client) ?? settings.name;
      return writer === settings.name ? null : writer;
    },
    batchSize: settings.batchSize,
    credential: settings.accountId === null ? 'bearer' : 'basic',
    limits: settings.limits,
    routing: { assumptions: settings.routing.assumptions, reorder: settings.routing.reorder },
    ...(choice.destroys === undefined ? {} : { destroying: choice.destroys }),
  };
}

/** With the pages that the project names. */
function withPages(
  options: PlannerOptions,
  { settings, routes }: Pick<Prepared, 'settings' | 'routes'>,
): PlannerOptions {
  const { assumptions, reorder, domain } = settings.routing;
  return { ...options, routing: { assumptions, reorder, pages: { domain, tests: routes } } };
}

/** The token's own agent: the setting names it; otherwise the account does, where the license tells accounts. */
function ownOf({ ownAgent, accountId }: TargetSettings): TokenOwner {
  if (ownAgent !== null) return { id: ownAgent };
  return accountId === null ? null : { account: accountId };
}

/** What a plan is made with in addition to what the choice says. */
export interface PlanningExtras {
  /** The part of the license to read; by default what the plan needs. */
  readonly viewOf?: (state: LedgerState) => LicenseReading;
  /** The impact that was approved with the plan: it is shown again, and no policy believes it. */
  readonly approved?: Impact;
  /** Id of the run that will carry the plan out; left out when none does. */
  readonly run?: string;
}

/** All that a manifest could declare, as the part of the license to read. */
export function wholeLicense({ desired, settings }: Declared): (state: LedgerState) => LicenseReading {
  return (state) => wholeView(desired, state, settings.apiVersion);
}

/**
 * Reads the license, or the part of it that `viewOf` names, and plans. Sends reads only.
 * @throws UsageError when it is interrupted before the reading can be believed, and for a flag that names nothing
 */
export async function planTarget(
  prepared: Declared,
  connection: Connection,
  choice: PlanningChoice,
  context: RunContext,
  { viewOf, ...extras }: PlanningExtras = {},
): Promise<Planning> {
  const { settings, desired } = prepared;
  const wholeOf = (state: LedgerState): LicenseReading =>
    neededView(desired, state, settings.apiVersion, { whole: true, protectsKind: coversKind(settings.protect) });
  const view = viewOf ?? (choice.destroys === undefined ? undefined : wholeOf);
  const source = licenseSource(settings, connection, context, view);
  return planFrom(prepared, source, choice, context, extras);
}

/** The same, from any source. */
export async function planFrom(
  prepared: Declared,
  source: PlanSource,
  choice: PlanningChoice,
  context: RunContext,
  { approved, run = 'plan' }: Pick<PlanningExtras, 'approved' | 'run'> = {},
): Promise<Planning> {
  const { settings, desired, moved, markOf } = prepared;
  const { clock } = context;
  const { ledger } = source;
  const begun = clock.now();
  const { only = [], except = [] } = choice;
  const selects = only.length + except.length > 0;
  fitHeapTo(desired.resources.length);
  // A misspelt selection is refused before it costs a request.
  const ahead = selects ? null : source.ahead(desired);
  const read = await ledger.read().catch((error: unknown) => {
    ahead?.giveUp();
    throw error;
  });
  const { newLicense } = choice;
  const change = newLicense === undefined ? null : changeover(read, newLicense, stampOf(run, begun));
  const { events, unwritten } = change ?? { events: read, unwritten: [] };
  const requireAllHits = (more: readonly Address[]): void => {
    if (!selects) return;
    const { bindings } = foldLedger(events);
    const known = [...desired.resources.map(({ address }) => address), ...bindings.keys(), ...more];
    requireHits('--only', only, known);
    requireHits('--except', except, known);
    requireSelected(only, except, known);
  };
  // Only the license knows what else can be selected.
  if (desired.complete.length === 0) requireAllHits([]);
  const standingOf = secretStandings(context.env);
  const options = { ...withPages(planOptions(settings, choice), prepared), standingOf };
  const check = (live: Live): void => {
    fitHeapTo(Object.values(live.objects).reduce((sum, objects) => sum + objects.length, 0));
    if (change !== null && newLicense !== undefined) {
      requireNewLicense(read, live, settings, source.identity(), newLicense);
      return;
    }
    requireOwnLicense(read, live, settings, source.identity(), context);
  };
  const wanted = { ahead, desired, events, viewed: read, moved, options, check };
  const total = Math.max(desired.resources.length, foldLedger(read).bindings.size);
  context.notice({ type: 'working', verb: 'Reading and planning', done: null, total, noun: 'resources' });
  const { live, compared, planned, recovery } = await source.settled(wanted);
  if (desired.complete.length > 0) requireAllHits(undeclared(live, desired));
  const { plan, problems } = planned;
  const isFirstRun = isNew(read) || change !== null;
  if (isFirstRun) source.tellStage();
  const about = {
    ledger,
    events,
    unwritten,
    live,
    compared,
    recovery,
    options,
    isFirstRun,
    begun,
    problems,
    tellsLag: source.tellsLag(),
  };
  if (plan === null) {
    const found = problems.map((problem) => excerpted(problem, desired, markOf));
    return { ...about, plan, diagnostics: limitFindings([...prepared.diagnostics, ...found]) };
  }
  const slips = slipsIn(prepared, { events, plan, live }, choice.acknowledge ?? []);
  const diagnostics = limitFindings([...prepared.diagnostics, ...slips, ...secretFindings(prepared, plan, context)]);
  const whole = { ...plan, resource_drift: overwrittenBy(compared, options.selects) };
  const subject = { settings, plan: whole, compared, events, identity: source.identity() };
  const measured = await withImpact(subject, await measuring(choice, approved, settings), context);
  const held = await heldToPolicies(measured, settings, diagnostics);
  const shown = held.impact ?? approved;
  return { ...about, plan: shown === undefined ? held : { ...held, impact: shown }, diagnostics };
}

/** The days that were approved are measured again where a policy reads them: a person can edit the figures of a file. */
async function measuring(
  choice: PlanningChoice,
  approved: Impact | undefined,
  settings: TargetSettings,
): Promise<PlanningChoice> {
  if (choice.demand !== undefined || approved === undefined || !(await readsImpact(settings))) return choice;
  return { ...choice, demand: `${approved.days}d` };
}

/** The plan with its impact, where that is asked for. Only then the reports are loaded. */
export async function withImpact(
  subject: ImpactSubject,
  { demand: days, people = false }: PlanningChoice,
  context: RunContext,
): Promise<Plan> {
  const { plan } = subject;
  if (days === undefined && people)
    throw new UsageError('--people adds figures of persons to the impact: add --demand 28d, or leave it out');
  if (days === undefined) return plan;
  const { impactOfPlan } = await import('./impact/read.ts');
  return { ...plan, impact: await impactOfPlan(subject, { demand: days, people }, context) };
}

/** Wrong names of what is acknowledged or protected: in chatform.yaml a warning. @throws UsageError for a flag that names nothing */
function slipsIn(
  prepared: Declared,
  { events, plan, live }: { readonly events: readonly LedgerEvent[]; readonly plan: Plan; readonly live: Live },
  given: readonly string[],
): readonly Diagnostic[] {
  const { settings, desired } = prepared;
  if (given.length + settings.acknowledge.length + settings.protect.length === 0) return [];
  const known = knownAddresses(desired, events, plan);
  requireMeaning(given, known, settings);
  return [
    ...probableSlips('acknowledge', prepared, known),
    ...(settings.protect.length === 0 ? [] : probableSlips('protect', prepared, protectable(known, live))),
  ];
}

/** Characters below which a secret is warned of. The service names no least length. */
const LEAST_SECRET = 16;

/** Warnings, because a plan may be made where no secret is; an apply refuses to go without them. */
function secretFindings({ markOf }: Declared, plan: Plan, { env }: RunContext): readonly Diagnostic[] {
  return secretVariables(plan).flatMap(({ address, field, name }): readonly Diagnostic[] => {
    const mark = markOf(address, [field, 'env'], 'value');
    const secret = env[name] ?? '';
    if (mark === null || secret.length >= LEAST_SECRET) return [];
    const found =
      secret === ''
        ? ({
            code: 'missing-variable',
            message: `\`${name}\` is not set here, and an apply takes the secret of ${address} from it`,
            remedy: `set it to the secret where the apply runs, or remove \`${field}\` to have one made`,
          } as const)
        : ({
            code: 'too-short',
            message: `the secret in \`${name}\` has fewer than ${LEAST_SECRET} characters, so it can be guessed`,
            remedy: `set it to a longer one, or remove \`${field}\` to have one made`,
          } as const);
    return [diagnose(mark, { ...found, severity: 'warning' })];
  });
}

/** Addresses that an unmanaged object may have which `prune: all` deletes. */
function undeclared({ objects }: Live, { complete }: Desired): readonly Address[] {
  return complete.flatMap((kind) =>
    (objects[kind] ?? []).flatMap(({ id }): readonly Address[] => [`${kind}/${id}`, `${kind}/id/${id}`]),
  );
}

/** The same finding with its source line: the planner knows the place alone. */
export function excerpted(problem: Diagnostic, desired: Desired, markOf: Prepared['markOf']): Diagnostic {
  const address = addressAt(desired).get(placeText(problem.place));
  const mark = address === undefined ? null : markOf(address);
  return mark === null ? problem : { ...problem, excerpt: mark.excerpt };
}

/** Of resources on one line, the first. */
const addressAt = oncePer(
  ({ resources }: Desired): ReadonlyMap<string, Address> =>
    new Map(resources.toReversed().map(({ place, address }) => [placeText(place), address])),
);

function placeText({ file, line }: Diagnostic['place']): string {
  return `${line}:${file}`;
}

/** Addresses of everything that has, had or gets one: acknowledging what is already gone is no mistake. */
export function knownAddresses(
  { resources }: Desired,
  events: readonly LedgerEvent[],
  { resource_changes: changes, withheld }: Plan,
): ReadonlySet<string> {
  const past = events.flatMap((event) => {
    if (event.type === 'moved') return [event.from, event.to];
    return 'address' in event ? [event.address] : [];
  });
  const now = [...changes, ...resources].map(({ address }) => address);
  return new Set([...withheld.flatMap(({ addresses }) => addresses), ...now, ...past]);
}

/** @throws UsageError that names every value of `--acknowledge` without a meaning */
export function requireMeaning(
  given: readonly string[],
  known: ReadonlySet<string>,
  { policies }: TargetSettings,
): void {
  const words: readonly string[] = ACKNOWLEDGED_WORDS;
  const subjects = new Set([...known].map(subjectOf));
  const wrong = given.filter((value) => !subjects.has(subjectOf(value)) && !words.includes(value));
  if (wrong.length === 0) return;
  const reasons = wrong.map((value) => {
    if (policies.some(({ name }) => name === value))
      return `--acknowledge ${value}: that is a policy, and a policy is not acknowledged: change what the plan does, or the policy`;
    const meant = nearest(value, [...words, ...known]);
    const right =
      meant === null ? `give one address, such as group/sales, or ${words.join(' or ')}` : `did you mean ${meant}?`;
    return `--acknowledge ${value}: nothing has that address; ${right}`;
  });
  throw new UsageError(reasons.join('\n  '));
}

/** The same, and the names that `protect:` may use for unmanaged objects. */
export function protectable(known: ReadonlySet<string>, { objects }: Live): ReadonlySet<string> {
  return new Set([...known, ...Object.values(objects).flatMap((each) => each.flatMap(namesOf))]);
}

const SAID = { acknowledge: 'acknowledged', protect: 'protected' } as const;

/** Warnings for entries that are nearly an address. Other entries may be for later, or for what is gone. */
export function probableSlips(
  list: keyof typeof SAID,
  { settings, entryAt }: Pick<Prepared, 'settings' | 'entryAt'>,
  known: ReadonlySet<string>,
): readonly Diagnostic[] {
  const subjects = new Set([...known].map(subjectOf));
  return settings[list].flatMap((entry, index): readonly Diagnostic[] => {
    const mark = entryAt(list, index);
    const isSeveral = entry.includes('*');
    const meant = isSeveral || subjects.has(subjectOf(entry)) ? null : nearest(entry, [...known]);
    if (mark === null || meant === null) return [];
    const message = `nothing has the address \`${entry}\`, so nothing is ${SAID[list]}`;
    return [
      diagnose(mark, { code: 'unknown-address', severity: 'warning', message, remedy: `did you mean \`${meant}\`?` }),
    ];
  });
}
