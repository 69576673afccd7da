// A prepared target and a connection in, its plan out: what `plan` shows is what `apply` does.

import { fileLedger } from '../ledger/file.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import { type Ask, fetchLive, viewOf } from '../live.ts';
import type { Desired, Diagnostic } from '../model.ts';
import { makePlan, type PlanOptions } from '../plan/assemble.ts';
import type { Plan } from '../plan/plan.ts';
import { covers, requireHits, selection } from '../plan/select.ts';
import type { TargetSettings } from '../project/settings.ts';
import { type Client, readsOnly } from '../service/client.ts';
import type { Prepared, TargetFlags } from './prepare.ts';

export interface Planning {
  readonly ledger: Ledger;
  readonly options: PlanOptions;
  /** Null when `diagnostics` say why. */
  readonly plan: Plan | null;
  readonly diagnostics: readonly Diagnostic[];
}

function planOptions(settings: TargetSettings, flags: TargetFlags): PlanOptions {
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
  };
}

/** Reads the license and plans; `signal` gives the reading up. The client it uses refuses every action that is not a read. */
export async function planTarget(
  prepared: Prepared & { readonly desired: Desired },
  client: Client,
  flags: TargetFlags,
  signal: AbortSignal,
): Promise<Planning> {
  const { settings, desired, moved, markOf } = prepared;
  const ledger = fileLedger(settings.ledger);
  const state = foldLedger(await ledger.read());
  const addresses = [...desired.resources.map(({ address }) => address), ...state.bindings.keys()];
  requireHits('--only', flags.only ?? [], addresses);
  requireHits('--except', flags.except ?? [], addresses);
  const options = planOptions(settings, flags);
  const reader = readsOnly(client);
  const version = settings.apiVersion;
  const ask: Ask = (action, body) => reader.call(action, body, { signal });
  const live = await fetchLive(ask, viewOf(desired, state, version), version);
  const { plan, problems } = makePlan({ desired, live, ledger: state, moved, options });
  return { ledger, options, plan, diagnostics: problems.map((problem) => excerpted(problem, desired, markOf)) };
}

/** A finding of the planner knows its place, but not the line it stands in. */
function excerpted(problem: Diagnostic, desired: Desired, markOf: Prepared['markOf']): Diagnostic {
  const { line, file } = problem.place;
  const resource = desired.resources.find(({ place }) => place.line === line && place.file === file);
  const mark = resource === undefined ? null : markOf(resource.address);
  return mark === null ? problem : { ...problem, excerpt: mark.excerpt };
}
