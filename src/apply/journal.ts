// The ledger during a run. Each request is recorded before it is sent, and its result before anything else is sent. Knows nothing of how requests are
// sent.

import { randomUUID } from 'node:crypto';
import { AGREEING } from '../base/clocks.ts';
import { grouped } from '../base/grouped.ts';
import { equalJson } from '../base/json.ts';
import type { Address, Clock, Desired, KindName, LedgerState, Live, ObjectId, Reference } from '../base/model.ts';
import { oncePer } from '../base/once-per.ts';
import { identityOf } from '../kinds/fields.ts';
import { isAddress, KINDS, kindOf, ORDERED } from '../kinds/index.ts';
import type { Resolve } from '../kinds/kind.ts';
import { renamed } from '../ledger/changes.ts';
import { type LedgerEvent, type RunOutcome, type RunSigning, type Stamp, stampOf } from '../ledger/events.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import { idsOf, isOpen, recordedRuns } from '../ledger/runs.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { type SecretResult, secretEvents } from '../target/secrets/keep-secrets.ts';
import type { GivenSecret } from './given-secrets.ts';
import { isUnsure, type KeptForm, type Outcomes, type StepResult } from './outcome.ts';
import {
  adoptions,
  applied,
  formsRead,
  idsFound,
  idsLeft,
  imagesOf,
  lossesOf,
  ownership,
  referrersOf,
  renames,
} from './record.ts';

export interface Journal {
  /** The ledger before this run, with its renames. */
  readonly stateBefore: LedgerState;
  readonly state: () => LedgerState;
  /** The present ledger, in which objects that this run deleted still count as owned: otherwise one that still exists would go unnoticed. */
  readonly stateWithDeleted: () => LedgerState;
  /** Id of the open intent of a step; null when it has none. */
  readonly intentOf: (step: Step) => string | null;
  /** Records changes of ownership that need no request. */
  readonly begin: () => Promise<void>;
  /** Records each attempt of a request before it is sent; resolves once all earlier results are on disk as well. */
  readonly departing: (steps: readonly Step[], resolve: Resolve) => Promise<void>;
  /** Records results; only the next departure waits for it, with which it can share a write. */
  readonly ended: (results: readonly StepResult[], secrets: readonly SecretResult[]) => void;
  /** Resolves once everything recorded is on disk. */
  readonly kept: () => Promise<void>;
  /** Records the specs that now hold, for resources of which every step succeeded. */
  readonly hold: (done: ReadonlySet<Address>, outcomes: Outcomes) => Promise<void>;
  /** Records the forms that the service keeps of what was written. */
  readonly formed: (forms: readonly KeptForm[]) => Promise<void>;
  /** Learns the accounts of agents that the run made. */
  readonly sawAccounts: (live: Live) => void;
  /**
   * Ends the run. With `done`, records the specs that now hold first; null when `hold` has done so. `isProven`: a reading has shown everything that the
   * run selects as it is declared.
   */
  readonly close: (
    outcome: RunOutcome,
    outcomes: Outcomes,
    done: ReadonlySet<Address> | null,
    isProven?: boolean,
  ) => Promise<void>;
}

export interface JournalSettings {
  /** Id of the run. */
  readonly run: string;
  readonly plan: Plan;
  readonly desired: Desired;
  /** What `--only` and `--except` select. */
  readonly selects: (address: Address) => boolean;
  /** `desired` is a part of the manifest. */
  readonly isPartial: boolean;
  readonly ledger: Ledger;
  readonly past: readonly LedgerEvent[];
  readonly command: string;
  /** Id of the run that this run takes back; left out when it is no undo. */
  readonly undoes?: string | undefined;
  /** Nothing of the manifest is left out. */
  readonly isWhole?: boolean;
  /** What the plan was made from. */
  readonly live?: Live | undefined;
  readonly signing?: RunSigning | undefined;
  /** The secrets that creates carry; none when left out. */
  readonly given?: ReadonlyMap<Address, GivenSecret>;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds by which the service's clock is ahead; null where no answer told the time. Left out by what asks nothing. */
  readonly ahead?: () => number | null;
}

/** Opens the journal of one run. Every call rejects when the ledger cannot be written; what it would have recorded is lost. */
export function openJournal({
  run,
  plan,
  desired,
  selects,
  isPartial,
  ledger,
  past,
  command,
  undoes,
  isWhole = false,
  live,
  signing = {},
  given = new Map(),
  clock,
  ahead = () => null,
}: JournalSettings): Journal {
  const events: LedgerEvent[] = [];
  const intents = new Map<string, string>();
  const imaged = new Set<Address>();
  const imageOf = imagesOf(plan);
  const lostWith = lossesOf(plan);
  const accounts = accountsIn(live);
  const made = new Map<string, Address>();
  const madeAccounts = new Map<Address, string>();
  const seenBefore = sightings(plan);
  let [isOrderRecorded, isBegun] = [false, false];
  const stamp = (): Stamp => stampOf(run, clock.now());
  let kept: Promise<unknown> = Promise.resolve();
  /** A failed write fails all later ones: nothing may be sent after that. */
  const record = async (more: readonly LedgerEvent[]): Promise<void> => {
    if (more.length > 0) {
      for (const event of more) events.push(event);
      kept = Promise.all([kept, ledger.append(more)]);
    }
    await kept;
  };
  const before = foldLedger([...past, ...renames(plan, stamp())]);
  const referring = referrersOf(plan, before, (lost) => lastIdOf(past, lost));

  /** Recorded once, before everything else. */
  function begin(): readonly LedgerEvent[] {
    if (isBegun) return [];
    isBegun = true;
    const { target: _, ...signed } = signing;
    return [{ ...stamp(), type: 'begun', command, ...(undoes === undefined ? {} : { undoes }), ...signed }];
  }

  function departures(step: Step, resolve: Resolve, stamped: Stamp): readonly LedgerEvent[] {
    const { id, address, type, operation } = step;
    const images = [
      ...step.serves.map((served) => [served, imageOf(served)] as const),
      ...(operation === 'delete' && address !== null ? [...lostWith(address), ...referring.before(address)] : []),
    ].flatMap(([served, image]): readonly LedgerEvent[] => {
      if (image === null) return [];
      imaged.add(served);
      const { id: object, spec } = image;
      const account = object === null ? undefined : accounts.get(keyOf(kindOf(served), object));
      const person = account === undefined ? {} : { account };
      return [{ ...stamped, type: 'before', address: served, id: object, spec, ...person }];
    });
    if (operation === 'delete') return [...images, ...remakingOf(plan, step, stamped)];
    if (!makesAnObject(step) || address === null) return images;
    const intent = intents.get(id) ?? randomUUID();
    intents.set(id, intent);
    const identity = identityOf(KINDS[type], step.fields, resolve);
    // An object that its address names was not there before, or this run has deleted it.
    const seen = KINDS[type].identity === undefined ? [] : [...seenBefore(type), ...formerOf(before, address)];
    return [...images, { ...stamped, type: 'intent', id: intent, address, kind: type, operation, identity, seen }];
  }

  /** Recorded once, before the first request that changes the order. */
  function orderBefore(steps: readonly Step[]): readonly LedgerEvent[] {
    if (isOrderRecorded || !steps.some(changesOrder)) return [];
    isOrderRecorded = true;
    const [order, ids] = [plan.live_order.filter(isAddress), idsFound(plan, before.bindings)];
    return [{ ...stamp(), type: 'order', moment: 'before', kind: ORDERED.name, order, ids }];
  }

  /** The order that now holds, when it is complete and new. */
  function orderAfter(outcomes: Outcomes): readonly LedgerEvent[] {
    const rules = desired.ruleOrder;
    const own = plan.steps.filter(({ type }) => type === ORDERED.name);
    const known = before.orders.get(ORDERED.name)?.order;
    const isKnown = own.length === 0 && known !== undefined && equalJson(known, rules);
    if (isKnown || (rules.length === 0 && known === undefined)) return [];
    const { bindings } = foldLedger([...past, ...events]);
    const isComplete =
      own.every(({ id }) => outcomes.get(id)?.status === 'done') &&
      rules.every((address) => selects(address) && bindings.has(address));
    if (!isComplete) return [];
    const ids = idsLeft(plan, outcomes, before.bindings);
    return [{ ...stamp(), type: 'order', moment: 'applied', kind: ORDERED.name, order: rules, ids }];
  }

  /** References go with a deleted object, and what refers to it changes without a request. */
  function referrersAfter(results: readonly StepResult[], stamped: Stamp): readonly LedgerEvent[] {
    for (const { step, outcome } of results)
      if (step.operation === 'create' && step.address !== null && outcome.status === 'done' && outcome.id !== null)
        made.set(keyOf(step.type, outcome.id), step.address);
    return results.flatMap(({ step: { operation, address }, outcome }) =>
      operation === 'delete' && outcome.status === 'done' && address !== null ? referring.after(address, stamped) : [],
    );
  }

  function holding(done: ReadonlySet<Address>, outcomes: Outcomes): readonly LedgerEvent[] {
    return [...applied({ plan, done, known: before.applied, isPartial, given }, stamp()), ...orderAfter(outcomes)];
  }

  function endings({ step, outcome }: StepResult, stamped: Stamp): readonly LedgerEvent[] {
    const intent = intents.get(step.id);
    if (intent === undefined || isUnsure(outcome)) return [];
    intents.delete(step.id);
    const created = outcome.status === 'done' ? outcome.id : null;
    return created === null
      ? [{ ...stamped, type: 'done', intent, outcome: 'refused' }]
      : [{ ...stamped, type: 'done', intent, outcome: 'created', created }];
  }

  return {
    stateBefore: before,
    state: () => foldLedger([...past, ...events]),
    stateWithDeleted: () =>
      foldLedger([...past, ...events.filter((event) => event.type !== 'forgotten' || event.because !== 'deleted')]),
    intentOf: ({ id }) => intents.get(id) ?? null,
    begin: () => {
      const adopted = adoptions(plan, stamp());
      return record(adopted.length === 0 ? [] : [...begin(), ...adopted]);
    },
    departing: (steps, resolve) => {
      const stamped = stamp();
      return record([
        ...begin(),
        ...orderBefore(steps),
        ...steps.flatMap((step) => departures(step, resolve, stamped)),
      ]);
    },
    ended: (results, secrets) => {
      const stamped = stamp();
      // Ownership first: a crash must not cut off the line that says who owns an object.
      const ends = [
        ...ownership(plan, results, stamped),
        ...referrersAfter(results, stamped),
        ...secretEvents(secrets, stamped),
        ...results.flatMap((result) => endings(result, stamped)),
      ];
      // The next waiting call reports a failure.
      record(ends).catch(() => {});
    },
    kept: () => record([]),
    hold: (done, outcomes) => record(holding(done, outcomes)),
    formed: (forms) => record(formsRead(forms, foldLedger([...past, ...events]).applied, stamp())),
    sawAccounts: (seen) => {
      for (const [key, account] of accountsIn(seen)) {
        const address = made.get(key);
        if (address !== undefined) madeAccounts.set(address, account);
      }
    },
    close: (outcome, outcomes, done, isProven = false) => {
      const held = done === null ? [] : holding(done, outcomes);
      const unsure = unsureOf(plan, outcomes).filter((address) => imaged.has(address));
      const skew = ahead() ?? 0;
      const unknown = Object.entries(plan.names ?? {}).filter(
        ([reference, name]) => before.applied.get(reference as Address)?.spec['name'] !== name,
      );
      const ends = outcome === 'done' && isProven && isWhole ? endedBy(past, undoes ?? null) : [];
      const end = {
        ...stamp(),
        type: 'run',
        command,
        outcome,
        ...signing,
        ...(unsure.length === 0 ? {} : { unsure }),
        ...(ends.length === 0 ? {} : { ends }),
        ...(madeAccounts.size === 0 ? {} : { accounts: Object.fromEntries(madeAccounts) }),
        ...(unknown.length === 0 ? {} : { names: Object.fromEntries(unknown) }),
        ...(Math.abs(skew) <= AGREEING ? {} : { ahead: skew }),
      } as const;
      return record([...held, end]);
    },
  };
}

/** The id that an address had last, under the names of today; a name of no object where no event says it. */
function lastIdOf(past: readonly LedgerEvent[], address: Address): Reference {
  const id = lastIdsIn(past).get(address);
  return id === undefined ? `the former ${address}` : String(id);
}

const lastIdsIn = oncePer(
  (past: readonly LedgerEvent[]): ReadonlyMap<Address, ObjectId> =>
    new Map(renamed(past).flatMap((event) => (event.type === 'bound' ? [[event.address, event.id] as const] : []))),
);

/** Runs that were cut short, and that a whole run ended: an undo only those that take back the same run, and that run. */
function endedBy(past: readonly LedgerEvent[], undoes: string | null): readonly string[] {
  return recordedRuns(past)
    .filter((run) => isOpen(run) && (undoes === null || run.undoes === undoes || idsOf(run).includes(undoes)))
    .flatMap(idsOf);
}

function keyOf(kind: KindName, id: ObjectId): string {
  return `${kind} ${id}`;
}

/** Accounts that the license tells, by `keyOf`. */
function accountsIn(live: Live | undefined): ReadonlyMap<string, string> {
  const objects = Object.values(live?.objects ?? {}).flat();
  return new Map(
    objects.flatMap(({ kind, id, facts: { account } }) =>
      account === undefined ? [] : [[keyOf(kind, id), account] as const],
    ),
  );
}

const createsIn = oncePer(
  (steps: Plan['steps']): ReadonlyMap<Address, Step> =>
    new Map(
      steps.flatMap((step) =>
        step.operation === 'create' && step.address !== null ? [[step.address, step] as const] : [],
      ),
    ),
);

/** A delete that only precedes a create of the same address. */
function remakingOf({ steps }: Plan, { address }: Step, stamp: Stamp): readonly LedgerEvent[] {
  const again = address === null ? undefined : createsIn(steps).get(address);
  return address === null || again === undefined ? [] : [{ ...stamp, type: 'remaking', address, spec: again.fields }];
}

/** Whether a step creates an object. A value belongs to its definition, and is written like an update. */
export function makesAnObject({ operation, type, address }: Step): boolean {
  return operation === 'create' && address !== null && KINDS[type].definition === undefined;
}

/** Returns the objects of a kind that were there when the plan was made. */
export function sightings({ references, unmanaged }: Plan): (kind: KindName) => readonly ObjectId[] {
  const byKind = grouped<KindName, ObjectId>([
    ...Object.entries(references).map(([address, id]) => [kindOf(address as Address), id] as const),
    ...unmanaged.map(({ type, id }) => [type, id] as const),
  ]);
  return (kind) => byKind.get(kind) ?? [];
}

/** A lost object is not the new one, should it be listed again. */
function formerOf({ bindings }: LedgerState, address: Address): readonly ObjectId[] {
  const known = bindings.get(address);
  return known === undefined ? [] : [known.id];
}

function changesOrder({ type, operation, position }: Step): boolean {
  return type === ORDERED.name && (operation === 'create' || operation === 'delete' || position !== null);
}

/** Returns resources that are written in part, or perhaps. */
function unsureOf({ steps }: Plan, outcomes: Outcomes): readonly Address[] {
  const of = (test: (step: Step) => boolean): ReadonlySet<Address> =>
    new Set(steps.filter(test).flatMap(({ serves }) => serves));
  const statusOf = ({ id }: Step) => outcomes.get(id)?.status;
  const perhaps = of((step) => {
    const outcome = outcomes.get(step.id);
    return outcome !== undefined && isUnsure(outcome);
  });
  const begun = of((step) => statusOf(step) === 'done');
  const open = of((step) => statusOf(step) !== 'done');
  return [...new Set([...perhaps, ...[...begun].filter((address) => open.has(address))])];
}
