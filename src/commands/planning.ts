// A prepared target and a connection in, its plan out: what `plan` shows is what `apply` does.

import { isTimeUp } from '../apply/deadline.ts';
import { fetchSettled, SETTLE_WINDOW } from '../apply/fetch-settled.ts';
import { UsageError } from '../errors.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import type { Desired, Diagnostic } from '../model.ts';
import { makePlan, type PlanOptions } from '../plan/assemble.ts';
import type { Own } from '../plan/own-agent.ts';
import type { Plan } from '../plan/plan.ts';
import { covers, requireHits, selection } from '../plan/select.ts';
import type { TargetSettings } from '../project/settings.ts';
import { type Client, readsOnly } from '../service/client.ts';
import { knownAddresses, probableSlips, requireMeaning } from './acknowledged.ts';
import { judged } from './judged.ts';
import type { Prepared, TargetFlags } from './prepare.ts';
import type { Terminal } from './terminal.ts';

export interface Planning {
  readonly ledger: Ledger;
  readonly options: PlanOptions;
  /** Null when `diagnostics` say why. */
  readonly plan: Plan | null;
  /** Of the files and of the plan. */
  readonly diagnostics: readonly Diagnostic[];
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
    hasSink: settings.secretsFile !== null,
    batchSize: settings.batchSize,
    credential: settings.accountId === null ? 'bearer' : 'basic',
    limits: settings.limits,
  };
}

/** The setting says it for certain; otherwise the account that the token is sent with does, where the license tells accounts. */
function ownOf({ ownAgent, accountId }: TargetSettings): Own {
  if (ownAgent !== null) return { id: ownAgent };
  return accountId === null ? null : { account: accountId };
}

/**
 * Reads the license and plans. The client it uses refuses every action that is not a read.
 * @throws UsageError when it is interrupted before it can be sure of what it reads, and for a flag that names what is not there
 */
export async function planTarget(
  prepared: Prepared & { readonly desired: Desired },
  client: Client,
  flags: TargetFlags,
  terminal: Terminal,
): Promise<Planning> {
  const { settings, desired, moved, markOf } = prepared;
  const ledger = fileLedger(settings.ledger);
  const events = await ledger.read();
  const state = foldLedger(events);
  const addresses = [...desired.resources.map(({ address }) => address), ...state.bindings.keys()];
  requireHits('--only', flags.only ?? [], addresses);
  requireHits('--except', flags.except ?? [], addresses);
  const options = planOptions(settings, flags);
  const reader = readsOnly(client);
  const version = settings.apiVersion;
  const { live, hidden } = await fetchSettled({
    ask: (action, body, giveUp = terminal.signal) =>
      reader.call(action, body, { signal: AbortSignal.any([giveUp, terminal.signal]) }),
    desired,
    events,
    version,
    clock: terminal.clock,
    window: settings.propagationDelay?.to ?? SETTLE_WINDOW,
    signal: terminal.signal,
    onWait: (wait) => {
      const seconds = Math.round(wait.elapsed / 1000);
      terminal.err(
        `Still waiting for what was just created to be listed... [${seconds}s elapsed] (${wait.hidden.length} to go)\n`,
      );
    },
  }).catch((error: unknown) => {
    if (!isTimeUp(terminal.signal)) throw error;
    throw new UsageError('the time of the run is up (run_timeout, --timeout) before the license was read');
  });
  if (hidden.length > 0)
    throw new UsageError(
      `${isTimeUp(terminal.signal) ? 'the time of the run is up' : 'interrupted'}: ${hidden.join(', ')} was just created and is not listed yet, so nothing can be planned`,
    );
  const { plan, problems } = makePlan({ desired, live, ledger: state, moved, options });
  if (plan === null) {
    const found = problems.map((problem) => excerpted(problem, desired, markOf));
    return { ledger, options, plan, diagnostics: [...prepared.diagnostics, ...found] };
  }
  const known = knownAddresses(desired, events, plan);
  requireMeaning(flags.acknowledge ?? [], known, settings);
  const slips = probableSlips(settings.acknowledge, known, prepared.acknowledgedAt);
  const diagnostics = [...prepared.diagnostics, ...slips];
  return { ledger, options, plan: await judged(plan, settings, diagnostics), diagnostics };
}

/** A finding of the planner knows its place, but not the line it stands in. */
export function excerpted(problem: Diagnostic, desired: Desired, markOf: Prepared['markOf']): Diagnostic {
  const { line, file } = problem.place;
  const resource = desired.resources.find(({ place }) => place.line === line && place.file === file);
  const mark = resource === undefined ? null : markOf(resource.address);
  return mark === null ? problem : { ...problem, excerpt: mark.excerpt };
}
