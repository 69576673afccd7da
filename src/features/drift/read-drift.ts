// Drift check of a license: which side changed since the last apply. Reads only, takes no lease, and writes nothing.

import { UsageError } from '../../base/errors.ts';
import { sumOf } from '../../base/grouped.ts';
import type { Address, Diagnostic, LedgerState, Severity } from '../../base/model.ts';
import { holderText } from '../../base/text.ts';
import { until } from '../../base/until.ts';
import { isAddress } from '../../kinds/index.ts';
import type { LedgerRunEvent } from '../../ledger/events.ts';
import { type LeaseRecord, leaseState } from '../../ledger/lease.ts';
import { lastChange } from '../../ledger/runs.ts';
import { connected } from '../../license/connect.ts';
import { type LicenseReading, viewOf, wholeView } from '../../license/reading/view.ts';
import { scopeOf } from '../../plan/assemble.ts';
import type { Comparison } from '../../plan/compare.ts';
import type { Difference } from '../../plan/differences/difference.ts';
import { comparedKinds, differencesOf } from '../../plan/differences/differences.ts';
import { lostExternals, lostIds } from '../../plan/differences/objects.ts';
import type { Note } from '../../plan/plan.ts';
import { keyOf, sourceOf } from '../../plan/reference.ts';
import { type Planning, type PlanningChoice, planTarget } from '../../planning/planning.ts';
import type { TargetSettings } from '../../project/settings.ts';
import type { RunContext } from '../../target/context.ts';
import type { Declared } from '../../target/prepare.ts';
import { leaseAt } from '../../target/stores.ts';
import { judge, reportOf } from './judge.ts';
import type { DriftNote, DriftReport } from './schema.ts';
import { type Sightings, sighted } from './sightings.ts';

/** What earlier checks saw. */
export interface Recalled {
  readonly sightings: Sightings;
  /** Why less is remembered than there was; null when all of it is. */
  readonly note: DriftNote | null;
}

export const NOTHING_SEEN: Recalled = { sightings: new Map(), note: null };

export interface DriftRequest extends PlanningChoice {
  /** Instead of the project's `fail_on`. */
  readonly failOn?: Severity;
  /** Read each object in full, for a declaration of it; default: the fields that the manifest declares. */
  readonly wholeObjects?: boolean;
}

/** A check that succeeded. */
export interface DriftResult {
  readonly report: DriftReport;
  /** What to remember for the next check. */
  readonly sightings: Sightings;
  /** Findings that are no errors: errors are differences of the report. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the report was made from. */
  readonly planning: Planning;
}

/** @throws UsageError when the license and the manifest cannot be compared, or another run writes for as long as the check may take */
export async function checkDrift(
  declared: Declared,
  before: Recalled,
  options: DriftRequest,
  context: RunContext,
): Promise<DriftResult> {
  const { settings } = declared;
  const { planning, requests } = await betweenRuns(settings, () => read(declared, options, context), context);
  if (!isComparable(planning))
    throw new UsageError('the license and the manifest cannot be compared', planning.diagnostics);
  const at = new Date(context.clock.now()).toISOString();
  const failOn = options.failOn ?? settings.drift.failOn;
  const found = driftIn(planning, declared, before, { at, failOn, requests });
  const diagnostics = planning.diagnostics.filter(({ severity }) => severity !== 'error');
  return { ...found, diagnostics, planning };
}

/** What a license that was read and compared differs in. */
export function driftIn(
  planning: Planning,
  { settings, markOf }: Pick<Declared, 'settings' | 'markOf'>,
  before: Recalled,
  { at, failOn, requests }: { readonly at: string; readonly failOn: Severity; readonly requests: number },
): Pick<DriftResult, 'report' | 'sightings'> {
  const { compared } = planning;
  const { selects } = planning.options;
  const addresses = addressesOf(compared);
  const { judged, notes } = judge(withPlaces(differencesOf(compared, selects), markOf), {
    target: settings.name,
    settings: settings.drift,
    today: at.slice(0, 'YYYY-MM-DD'.length),
    addresses,
  });
  const { items, sightings } = sighted(before.sightings, judged, {
    at,
    covers: (address) => selects(address as Address),
  });
  const found = reportOf({
    version: settings.apiVersion,
    target: settings.name,
    at,
    failOn,
    items,
    notes: [
      ...notes,
      ...newLedger(settings, planning),
      ...(before.note === null ? [] : [before.note]),
      ...ofPlan(planning.plan?.notes ?? []),
    ],
    kinds: comparedKinds(compared, selects, addresses),
    requests,
  });
  const last = lastChange(planning.events);
  const report = {
    ...found,
    ...scopeOf(compared, planning.options),
    ...(last === null ? {} : { last_run: lastRunOf(last) }),
  };
  return { report, sightings };
}

/** With the place of a member of a map, and of a field that another file sets than the one that has the resource. */
function withPlaces(found: readonly Difference[], markOf: Declared['markOf']): readonly Difference[] {
  return found.map((each) => {
    const { source, address, path } = each;
    if (source === null || path.length === 0 || !isAddress(address)) return each;
    const keys = path.map((name) => (isAddress(name) ? keyOf(name) : name));
    const place = markOf(address, keys)?.place;
    if (place === undefined || (path.length === 1 && place.file === source.file)) return each;
    return { ...each, source: sourceOf(place) };
  });
}

function lastRunOf({ run, at, command, by, reason }: LedgerRunEvent): NonNullable<DriftReport['last_run']> {
  return { id: run, at, command, by: by ?? null, reason: reason ?? null };
}

async function read(
  declared: Declared,
  options: DriftRequest,
  context: RunContext,
): Promise<{ readonly planning: Planning; readonly requests: number }> {
  const { settings, desired } = declared;
  return connected(settings, context, async (connection) => {
    const viewed = (ledger: LedgerState): LicenseReading => {
      const view = viewOf(desired, ledger, settings.apiVersion);
      return options.wholeObjects === true
        ? { ...wholeView(desired, ledger, settings.apiVersion), kinds: view.kinds }
        : view;
    };
    const planning = await planTarget(declared, connection, options, context, { viewOf: viewed });
    const requests = sumOf(connection.client.requests());
    return { planning, requests };
  });
}

/** Milliseconds between two checks whether the other run has ended: each reads a file and costs no request. */
const PAUSE = 2_000;

/**
 * The result of `work`, made while no run that shares the ledger writes to it: a run records at its end what it applied, so a reading in the
 * middle of it would look like a change by another program.
 */
export async function betweenRuns<T>(
  { name, ledger, runTimeout }: Pick<TargetSettings, 'name' | 'ledger' | 'runTimeout'>,
  work: () => Promise<T>,
  context: RunContext,
): Promise<T> {
  const { clock, signal, notice } = context;
  const lease = leaseAt(ledger, context);
  const deadline = clock.now() + runTimeout;
  let noticed: string | null = null;

  /** Resolves to the newest record once the lease is free. */
  async function idle(): Promise<LeaseRecord | null> {
    const isHeld = (record: LeaseRecord | null): record is LeaseRecord =>
      record !== null && leaseState(record, clock.now(), lease.times) === 'held';
    const record = await until(lease.read, {
      clock,
      signal,
      deadline,
      isEnough: (found) => !isHeld(found),
      pause: () => PAUSE,
      onWait: (_elapsed, found) => {
        if (found === null || noticed === found.run) return;
        notice({ type: 'other-run', holder: found.holder, until: found.until });
        noticed = found.run;
      },
    });
    if (!isHeld(record)) return record;
    if (signal.aborted) throw new UsageError('interrupted while waiting for another run to end');
    throw new UsageError(
      `target ${name} is being written to by ${holderText(record.holder)}, and the time of the check is up: a reading in the middle of a run is no drift`,
    );
  }

  for (;;) {
    const before = await idle();
    const result = await work();
    const after = await lease.read();
    if (after?.generation === before?.generation || clock.now() >= deadline) return result;
  }
}

/**
 * Whether there is a comparison. An object that an `id:` or an `external` names may be gone: an apply refuses that, a check reports it with the
 * rest.
 */
export function isComparable({ plan, problems, compared }: Planning): boolean {
  if (plan !== null) return true;
  const isAnyLost = lostIds(compared).length + lostExternals(compared).length > 0;
  return isAnyLost && problems.every(({ code }) => code === 'dangling-reference');
}

/** Everything that an ignore rule can be about. */
function addressesOf({ desired, ledger, live }: Comparison): readonly Address[] {
  return [
    ...[...desired.resources, ...desired.externals].map(({ address }) => address),
    ...ledger.bindings.keys(),
    ...Object.values(live.objects).flatMap((listed) => listed.map(({ kind, id }): Address => `${kind}/${id}`)),
  ];
}

/** A note for a new ledger: without it, every difference looks like a change in the manifest. */
function newLedger({ ledger }: TargetSettings, { isFirstRun }: Planning): readonly DriftNote[] {
  if (!isFirstRun) return [];
  const message = `the ledger ${ledger} is new, or was lost: until the next apply it is unknown which side changed`;
  return [{ kind: 'ledger-new', message, source: null }];
}

/** What is no difference of a field, and must not wait for the next apply: a lost secret, and an agent whom no file suspends. */
function ofPlan(notes: readonly Note[]): readonly DriftNote[] {
  return notes.flatMap(({ kind, address, message }): readonly DriftNote[] =>
    kind === 'secret-lost' || kind === 'suspended' ? [{ kind, message: `${address}: ${message}`, source: null }] : [],
  );
}
