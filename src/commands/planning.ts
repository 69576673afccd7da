// A prepared target and where it is learned what there is in, its plan out: what `plan` shows is what `apply` does.

import type { Address, Desired, Diagnostic, LedgerState, Live } from '../base/model.ts';
import type { LedgerEvent } from '../ledger/events.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import type { PlanOptions } from '../plan/assemble.ts';
import type { Recovery } from '../plan/binding/recover.ts';
import type { Comparison } from '../plan/compare.ts';
import type { Own } from '../plan/guards/own-agent.ts';
import type { Plan } from '../plan/plan.ts';
import { covers, requireHits, selection } from '../plan/select.ts';
import type { TargetSettings } from '../project/settings.ts';
import type { View } from '../reading/view.ts';
import type { ConfigurationClient } from '../service/configuration.ts';
import { overwrittenBy } from '../tasks/drift/overwritten.ts';
import { knownAddresses, probableSlips, protectable, requireMeaning } from './acknowledged.ts';
import { judged } from './judged.ts';
import type { Prepared, TargetFlags } from './prepare.ts';
import { licenseSource, type Source } from './source.ts';
import type { Terminal } from './terminal.ts';

export interface Planning {
  readonly ledger: Ledger;
  /** What the plan was made from. */
  readonly events: readonly LedgerEvent[];
  readonly live: Live;
  readonly compared: Comparison;
  /** What became of the creates that nobody knew the end of. */
  readonly recovery: Recovery;
  readonly options: PlanOptions;
  /** Null when `diagnostics` say why. */
  readonly plan: Plan | null;
  /** Of the files and of the plan. */
  readonly diagnostics: readonly Diagnostic[];
  /** The ledger is new, or was lost. */
  readonly isFirstRun: boolean;
  /** When the license was first asked, in milliseconds since the epoch. */
  readonly begun: number;
  /** The service says how long its readings lag, as an emulator does. */
  readonly tellsLag: boolean;
}

export function planOptions(settings: TargetSettings, flags: TargetFlags): PlanOptions {
  return {
    target: settings.name,
    selects: selection(flags.only ?? [], flags.except ?? []),
    protects: covers(settings.protect),
    prune: settings.prune,
    maxDeletes: settings.maxDeletes,
    maxDeletePercent: settings.maxDeletePercent,
    acknowledged: new Set([...settings.acknowledge, ...(flags.acknowledge ?? [])]),
    own: ownOf(settings),
    hasSink: settings.secrets !== null,
    batchSize: settings.batchSize,
    credential: settings.accountId === null ? 'bearer' : 'basic',
    limits: settings.limits,
    routing: { assumptions: settings.routing.assumptions, reorder: settings.routing.reorder },
  };
}

/** The setting says it for certain; otherwise the account that the token is sent with does, where the license tells accounts. */
function ownOf({ ownAgent, accountId }: TargetSettings): Own {
  if (ownAgent !== null) return { id: ownAgent };
  return accountId === null ? null : { account: accountId };
}

/**
 * Reads the license, or what `viewOf` says of it, and plans. The client it uses refuses every action that is not a read.
 * @throws UsageError when it is interrupted before it can be sure of what it reads, and for a flag that names what is not there
 */
export async function planTarget(
  prepared: Prepared & { readonly desired: Desired },
  client: ConfigurationClient,
  flags: TargetFlags,
  terminal: Terminal,
  viewOf?: (state: LedgerState) => View,
): Promise<Planning> {
  return planFrom(prepared, licenseSource(prepared.settings, client, terminal, viewOf), flags, terminal);
}

/** The same, from whatever says what there is. */
export async function planFrom(
  prepared: Prepared & { readonly desired: Desired },
  source: Source,
  flags: TargetFlags,
  terminal: Terminal,
): Promise<Planning> {
  const { settings, desired, moved, markOf } = prepared;
  const { ledger } = source;
  const begun = terminal.clock.now();
  const { only = [], except = [] } = flags;
  const selects = only.length + except.length > 0;
  // Whoever misspells what he selects is told so before it costs a request.
  const ahead = selects ? null : source.ahead(desired);
  const events = await ledger.read().catch((error: unknown) => {
    ahead?.giveUp();
    throw error;
  });
  const requireAllHits = (more: readonly Address[]): void => {
    if (!selects) return;
    const { bindings } = foldLedger(events);
    const known = [...desired.resources.map(({ address }) => address), ...bindings.keys(), ...more];
    requireHits('--only', only, known);
    requireHits('--except', except, known);
  };
  // Only the license says what else there is to select.
  if (desired.complete.length === 0) requireAllHits([]);
  const options = planOptions(settings, flags);
  const { live, compared, planned, recovery } = await source.settled({ ahead, desired, events, moved, options });
  if (desired.complete.length > 0) requireAllHits(undeclared(live, desired));
  const about = {
    ledger,
    events,
    live,
    compared,
    recovery,
    options,
    isFirstRun: events.length === 0,
    begun,
    tellsLag: source.tellsLag(),
  };
  const { plan, problems } = planned;
  if (plan === null) {
    const found = problems.map((problem) => excerpted(problem, desired, markOf));
    return { ...about, plan, diagnostics: [...prepared.diagnostics, ...found] };
  }
  const slips = slipsIn(prepared, { events, plan, live }, flags.acknowledge ?? []);
  const diagnostics = [...prepared.diagnostics, ...slips];
  const told = { ...plan, resource_drift: overwrittenBy(compared, options.selects) };
  return { ...about, plan: await judged(told, settings, diagnostics), diagnostics };
}

/** What is acknowledged or protected by a wrong name: in chatform.yaml a warning. @throws UsageError for a flag that means nothing */
function slipsIn(
  prepared: Prepared & { readonly desired: Desired },
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

/** Addresses that a stranger may have whom `prune: all` deletes. */
function undeclared({ objects }: Live, { complete }: Desired): readonly Address[] {
  return complete.flatMap((kind) =>
    (objects[kind] ?? []).flatMap(({ id }): readonly Address[] => [`${kind}/${id}`, `${kind}/id/${id}`]),
  );
}

/** A finding of the planner knows its place, but not the line it stands in. */
export function excerpted(problem: Diagnostic, desired: Desired, markOf: Prepared['markOf']): Diagnostic {
  const { line, file } = problem.place;
  const resource = desired.resources.find(({ place }) => place.line === line && place.file === file);
  const mark = resource === undefined ? null : markOf(resource.address);
  return mark === null ? problem : { ...problem, excerpt: mark.excerpt };
}
