// Settled plans: the license is read until the reading can be believed. Planned as it stands, a lagging reading would create objects twice, or forget
// them.

import type { Address, Clock, Desired, LedgerState, Live, ObjectId, SecretState, Version } from '../../base/model.ts';
import { until } from '../../base/until.ts';
import { type LedgerEvent, stampOf } from '../../ledger/events.ts';
import { foldLedger } from '../../ledger/ledger.ts';
import { type Planned, planOf } from '../../plan/assemble.ts';
import { type Recovery, recover, withRecovered } from '../../plan/binding/recover.ts';
import { type Comparison, compare } from '../../plan/compare.ts';
import type { PlanInput, PlannerOptions } from '../../plan/input.ts';
import { pauseBeforeReading } from '../../service/patience/pause.ts';
import { type Delay, type Doubt, doubtsIn, withoutGhosts } from './doubts.ts';
import { type Ahead, type Ask, fetchLive } from './live.ts';
import { recentOf } from './recent.ts';
import { type LicenseReading, viewOf } from './view.ts';

/** Milliseconds that a reading may lag behind own writes. Specification: "Limits", propagation delay of changes. */
export const SETTLE_WINDOW = 120_000;

export interface SettledReading {
  readonly ask: Ask;
  /** Questions that `ask` has sent before the events were read, for the first reading. */
  readonly ahead?: Ahead | null;
  readonly desired: Desired;
  /** What to read; default: what `desired` and the ledger need. */
  readonly view?: LicenseReading;
  /** The whole log. */
  readonly events: readonly LedgerEvent[];
  readonly moved?: PlanInput['moved'];
  readonly options: PlannerOptions;
  readonly version: Version;
  readonly clock: Clock;
  /** Called after each reading: some services state their delay with their answers. */
  readonly delay: () => Delay;
  /** Aborting it ends the waiting. */
  readonly signal: AbortSignal;
  /** Where the secret of a recovered object is; default: it is lost. */
  readonly secretOf?: (address: Address, id: ObjectId) => Promise<SecretState>;
  readonly onWait: (wait: { readonly elapsed: number; readonly doubts: readonly Doubt[] }) => void;
  /** Called with the first reading; what it throws ends the reading. */
  readonly check?: (live: Live) => void;
}

export interface SettledPlan {
  readonly live: Live;
  readonly compared: Comparison;
  readonly planned: Planned;
  /** Results of creates whose end was unknown. */
  readonly recovery: Recovery;
  /** Doubts that are left: only after an interruption. The plan may be wrong then. */
  readonly doubts: readonly Doubt[];
}

/** Plans from a settled reading. Costs no more requests than a plain reading when everything that was written shows. */
export async function planSettled(reading: SettledReading): Promise<SettledPlan> {
  const { desired, events, options, version, clock, signal, onWait } = reading;
  const ledger = foldLedger(events);
  const view = reading.view ?? viewOf(desired, ledger, version, options);
  const started = clock.now();
  let isChecked = false;
  let { ahead } = reading;
  const look = async (): Promise<SettledPlan> => {
    // A reading shows a past state: only one that began after the end of a window can prove that an object does not exist.
    const { ask, at: asked } = ahead ?? { ask: reading.ask, at: clock.now() };
    ahead = null;
    const live = await fetchLive(ask, view, version);
    if (!isChecked) reading.check?.(live);
    isChecked = true;
    const delay = reading.delay();
    // What was written since then may be missing in an answer, and yet be among the events.
    const window = delay.window + Math.max(0, started - asked);
    const given = { ...reading, ledger, delay: { ...delay, window } };
    const seen = planReading(given, live, started);
    const settled = { ...seen, doubts: seen.doubts.filter(({ until }) => until > asked) };
    if (settled.doubts.length > 0) return settled;
    const secrets = await secretsOf(reading, settled);
    return secrets.size === 0 ? settled : { ...planReading(given, live, started, secrets), doubts: [] };
  };
  return until(look, {
    clock,
    signal,
    isEnough: ({ doubts }) => doubts.length === 0,
    pause: (elapsed, { doubts }) =>
      Math.min(pauseBeforeReading(elapsed), (doubts.at(-1)?.until ?? clock.now()) - clock.now()),
    onWait: (elapsed, { doubts }) => onWait({ elapsed, doubts }),
  });
}

/** Returns where the secrets of recovered objects are, as far as the sink knows. */
async function secretsOf(
  { secretOf }: SettledReading,
  { recovery }: SettledPlan,
): Promise<ReadonlyMap<Address, SecretState>> {
  const unknown = recovery.recovered.filter(({ secret }) => secret === 'lost');
  if (secretOf === undefined) return new Map();
  return new Map(
    await Promise.all(unknown.map(async ({ address, id }) => [address, await secretOf(address, id)] as const)),
  );
}

/** Plans from one reading, with its doubts; `now` bounds the times of the ledger, which another clock may have written. */
export function planReading(
  {
    desired,
    events,
    moved = [],
    options,
    delay,
    ledger: recorded = foldLedger(events),
  }: Pick<SettledReading, 'desired' | 'events' | 'moved' | 'options'> & {
    readonly delay: Delay;
    /** What `events` fold to, where that is known. */
    readonly ledger?: LedgerState;
  },
  read: Live,
  now: number,
  secrets: ReadonlyMap<Address, SecretState> = new Map(),
): SettledPlan {
  const recent = recentOf(
    [...notAfter(events, now), ...renames(moved, recorded, now)],
    now - delay.window - delay.underWay,
  );
  const live = withoutGhosts(read, recent, desired);
  const found = recover(recorded, live, chosenIds(desired));
  const recovered = found.recovered.map((each) => ({ ...each, secret: secrets.get(each.address) ?? each.secret }));
  const recovery = { ...found, recovered };
  const compared = compare({ desired, live, ledger: recorded, moved, recovery, options });
  const planned = planOf(compared, { recovery, options });
  const ledger: LedgerState = withRecovered(recorded, recovered);
  return {
    live,
    compared,
    planned,
    recovery,
    doubts: doubtsIn({ desired: compared.desired, live, ledger, recovery, planned, options }, recent, delay, now),
  };
}

function notAfter(events: readonly LedgerEvent[], now: number): readonly LedgerEvent[] {
  const latest = new Date(now).toISOString();
  const isLater = (event: LedgerEvent): event is Exclude<LedgerEvent, { type: 'unknown' }> => {
    if (event.type === 'unknown') return false;
    // Times of our own format sort as texts.
    const isAsWritten = event.at.length === latest.length && event.at.endsWith('Z');
    return isAsWritten ? event.at > latest : Date.parse(event.at) > now;
  };
  return events.some(isLater) ? events.map((event) => (isLater(event) ? { ...event, at: latest } : event)) : events;
}

/** Writes count for the name that the manifest has for the object now. */
function renames(
  moved: NonNullable<PlanInput['moved']>,
  { bindings }: LedgerState,
  now: number,
): readonly LedgerEvent[] {
  return moved.flatMap(({ from, to }): readonly LedgerEvent[] =>
    bindings.has(from) && !bindings.has(to) ? [{ ...stampOf('renames', now), type: 'moved', from, to }] : [],
  );
}

function chosenIds(desired: Desired): ReadonlyMap<Address, ObjectId> {
  return new Map(desired.resources.flatMap(({ address, id }) => (id === null ? [] : [[address, id] as const])));
}
