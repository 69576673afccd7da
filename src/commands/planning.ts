// A prepared target and a connection in, its plan out: what `plan` shows is what `apply` does.

import { isTimeUp } from '../apply/deadline.ts';
import { fetchSettled, SETTLE_WINDOW } from '../apply/fetch-settled.ts';
import { UsageError } from '../errors.ts';
import { fileLedger } from '../ledger/file.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import type { Address, Desired, Diagnostic, Live } from '../model.ts';
import { makePlan, type PlanOptions } from '../plan/assemble.ts';
import type { Plan } from '../plan/plan.ts';
import { covers, requireHits, selection } from '../plan/select.ts';
import type { TargetSettings } from '../project/settings.ts';
import { type Client, readsOnly } from '../service/client.ts';
import type { Prepared, TargetFlags } from './prepare.ts';
import type { Terminal } from './terminal.ts';

export interface Planning {
  readonly ledger: Ledger;
  readonly options: PlanOptions;
  /** Null when `diagnostics` say why. */
  readonly plan: Plan | null;
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
    acknowledged: new Set(settings.acknowledge),
    hasSink: settings.secretsFile !== null,
    batchSize: settings.batchSize,
    credential: settings.accountId === null ? 'bearer' : 'basic',
    limits: settings.limits,
  };
}

/**
 * Reads the license and plans. The client it uses refuses every action that is not a read.
 * @throws UsageError when it is interrupted before it can be sure of what it reads
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
  const known = [...desired.resources.map(({ address }) => address), ...state.bindings.keys()];
  const requireAllHits = (more: readonly Address[]): void => {
    requireHits('--only', flags.only ?? [], [...known, ...more]);
    requireHits('--except', flags.except ?? [], [...known, ...more]);
  };
  // Only the license says what else there is to select.
  if (desired.complete.length === 0) requireAllHits([]);
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
  if (desired.complete.length > 0) requireAllHits(undeclared(live, desired));
  const { plan, problems } = makePlan({ desired, live, ledger: state, moved, options });
  return { ledger, options, plan, diagnostics: problems.map((problem) => excerpted(problem, desired, markOf)) };
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
