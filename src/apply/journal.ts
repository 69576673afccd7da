// A plan and its run as it goes in; what the ledger is told of it, out, always before it is too late: what is about to leave, before it leaves; what
// came of it, before anything else leaves. It must not know how requests are sent.

import { randomUUID } from 'node:crypto';
import type { Address, Clock, Desired, KindName, LedgerState, ObjectId } from '../base/model.ts';
import { identityOf } from '../kinds/fields.ts';
import { KINDS, kindOf, ORDERED } from '../kinds/index.ts';
import type { Resolve } from '../kinds/kind.ts';
import type { LedgerEvent, RunOutcome, Stamp } from '../ledger/events.ts';
import { foldLedger, type Ledger } from '../ledger/ledger.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Ended, Outcomes } from './ended.ts';
import { type SecretFate, secretEvents } from './lost-secrets.ts';
import { adoptions, applied, imagesOf, ownership } from './record.ts';
import { isUnsure } from './replies.ts';

export interface Journal {
  /** Id of the run. */
  readonly run: string;
  /** What the ledger says now. */
  readonly state: () => LedgerState;
  /** What it says, but for what this run let go by deleting it: that still counts as ours, or else nobody would notice that it is still there. */
  readonly stateWithDeleted: () => LedgerState;
  /** Id of the open intent of a step; null when it has none. */
  readonly intentOf: (step: Step) => string | null;
  /** Bindings that need no request. */
  readonly begin: () => Promise<void>;
  /** Each attempt of a request, before it leaves: by then all that has ended is on disk too. */
  readonly departing: (steps: readonly Step[], resolve: Resolve) => Promise<void>;
  /** Nothing has to wait for it but the next departure, with which it can share a write. */
  readonly ended: (results: readonly Ended[], secrets: readonly SecretFate[]) => void;
  /** Resolves once all that was told is on disk. */
  readonly kept: () => Promise<void>;
  /** What now holds, for resources of which every step succeeded. */
  readonly hold: (done: ReadonlySet<Address>, outcomes: Outcomes) => Promise<void>;
  /** With what now holds, unless that is told already: then `done` is null. */
  readonly close: (outcome: RunOutcome, outcomes: Outcomes, done: ReadonlySet<Address> | null) => Promise<void>;
}

export interface JournalSettings {
  readonly plan: Plan;
  readonly desired: Desired;
  /** What `--only` and `--except` leave in. */
  readonly selects: (address: Address) => boolean;
  /** What is desired is a part of what is declared. */
  readonly isPartial: boolean;
  readonly ledger: Ledger;
  readonly past: readonly LedgerEvent[];
  readonly command: string;
  readonly clock: Pick<Clock, 'now'>;
}

/** Every call rejects when the ledger cannot be written; what it would have said is then lost. */
export function openJournal({
  plan,
  desired,
  selects,
  isPartial,
  ledger,
  past,
  command,
  clock,
}: JournalSettings): Journal {
  const run = randomUUID();
  const events: LedgerEvent[] = [];
  const intents = new Map<string, string>();
  const imaged = new Set<Address>();
  const imageOf = imagesOf(plan);
  const seenBefore = sightings(plan);
  let isOrderTold = false;
  const stamp = (): Stamp => ({ v: 1, at: new Date(clock.now()).toISOString() });
  let kept: Promise<unknown> = Promise.resolve();
  /** What was once lost stays lost: nothing may leave after that, whatever else can be written again. */
  const record = async (more: readonly LedgerEvent[]): Promise<void> => {
    if (more.length > 0) {
      for (const event of more) events.push(event);
      kept = Promise.all([kept, ledger.append(more)]);
    }
    await kept;
  };
  const before = foldLedger(past);

  function departures(step: Step, resolve: Resolve, told: Stamp): readonly LedgerEvent[] {
    const { id, address, type, operation } = step;
    const { v, at } = told;
    const images = step.serves.flatMap((served): readonly LedgerEvent[] => {
      const image = imageOf(served);
      if (image === null) return [];
      imaged.add(served);
      const { id: object, spec } = image;
      return [{ v, at, type: 'before', run, address: served, id: object, spec }];
    });
    if (operation === 'delete') return [...images, ...remakingOf(plan, step, told)];
    if (!makesAnObject(step) || address === null) return images;
    const intent = intents.get(id) ?? randomUUID();
    intents.set(id, intent);
    const identity = identityOf(KINDS[type], step.fields, resolve);
    const seen = [...seenBefore(type, address), ...formerOf(before, address)];
    return [...images, { v, at, type: 'intent', id: intent, address, kind: type, operation, identity, seen }];
  }

  /** Once, before the first request that changes the order. */
  function orderBefore(steps: readonly Step[]): readonly LedgerEvent[] {
    if (isOrderTold || !steps.some(changesOrder)) return [];
    isOrderTold = true;
    const order = plan.live_order.filter((reference): reference is Address => isAddress(reference));
    return [{ ...stamp(), type: 'order', moment: 'before', run, kind: ORDERED.name, order }];
  }

  /** The order that now holds, when it is complete and not known yet. */
  function orderAfter(outcomes: Outcomes): readonly LedgerEvent[] {
    const rules = desired.ruleOrder;
    const own = plan.steps.filter(({ type }) => type === ORDERED.name);
    const known = before.orders.get(ORDERED.name)?.order;
    const isKnown = own.length === 0 && known !== undefined && sameList(known, rules);
    if (isKnown || (rules.length === 0 && known === undefined)) return [];
    const { bindings } = foldLedger([...past, ...events]);
    const isComplete =
      own.every(({ id }) => outcomes.get(id)?.status === 'done') &&
      rules.every((address) => selects(address) && bindings.has(address));
    if (!isComplete) return [];
    return [{ ...stamp(), type: 'order', moment: 'applied', run, kind: ORDERED.name, order: rules }];
  }

  function holding(done: ReadonlySet<Address>, outcomes: Outcomes): readonly LedgerEvent[] {
    return [...applied(plan, done, before.applied, stamp(), isPartial), ...orderAfter(outcomes)];
  }

  function endings({ step, outcome }: Ended, told: Stamp): readonly LedgerEvent[] {
    const intent = intents.get(step.id);
    if (intent === undefined || isUnsure(outcome)) return [];
    intents.delete(step.id);
    const created = outcome.status === 'done' ? outcome.id : null;
    return created === null
      ? [{ ...told, type: 'done', intent, outcome: 'refused' }]
      : [{ ...told, type: 'done', intent, outcome: 'created', created }];
  }

  return {
    run,
    state: () => foldLedger([...past, ...events]),
    stateWithDeleted: () =>
      foldLedger([...past, ...events.filter((event) => event.type !== 'forgotten' || event.because !== 'deleted')]),
    intentOf: ({ id }) => intents.get(id) ?? null,
    begin: () => record(adoptions(plan, stamp())),
    departing: (steps, resolve) => {
      const told = stamp();
      return record([...orderBefore(steps), ...steps.flatMap((step) => departures(step, resolve, told))]);
    },
    ended: (results, secrets) => {
      const told = stamp();
      // Ownership first: a line that a crash cuts off must not be the one that says whose an object is.
      const ends = [
        ...ownership(results, told),
        ...secretEvents(secrets, told.at),
        ...results.flatMap((result) => endings(result, told)),
      ];
      // Whoever waits for it next hears of a failure.
      record(ends).catch(() => {});
    },
    kept: () => record([]),
    hold: (done, outcomes) => record(holding(done, outcomes)),
    close: (outcome, outcomes, done) => {
      const held = done === null ? [] : holding(done, outcomes);
      const unsure = unsureOf(plan, outcomes).filter((address) => imaged.has(address));
      const end = { ...stamp(), type: 'run', id: run, command, outcome } as const;
      return record([...held, unsure.length === 0 ? end : { ...end, unsure }]);
    },
  };
}

/** What is about to be deleted only in order to be made again. */
function remakingOf({ steps }: Plan, { address }: Step, stamp: Stamp): readonly LedgerEvent[] {
  const again = steps.find((step) => step.operation === 'create' && step.address === address);
  return address === null || again === undefined ? [] : [{ ...stamp, type: 'remaking', address, spec: again.fields }];
}

/** A value hangs on its definition, and is written like an update. */
export function makesAnObject({ operation, type, address }: Step): boolean {
  return operation === 'create' && address !== null && KINDS[type].definition === undefined;
}

/**
 * What the plan saw that a create could be mistaken for, whoever owns it: anything of a kind whose ids the service makes; of one that is named by
 * its address only what has that name.
 */
function sightings({ references, unmanaged }: Plan): (kind: KindName, address: Address) => readonly ObjectId[] {
  const byKind = new Map<KindName, ObjectId[]>();
  const note = (kind: KindName, id: ObjectId): void => {
    const known = byKind.get(kind);
    if (known === undefined) byKind.set(kind, [id]);
    else known.push(id);
  };
  for (const [address, id] of Object.entries(references)) note(kindOf(address as Address), id);
  for (const { type, id } of unmanaged) note(type, id);
  return (kind, address) => {
    if (KINDS[kind].identity !== undefined) return byKind.get(kind) ?? [];
    const own = references[address];
    return own === undefined ? [] : [own];
  };
}

/** An object that was lost is not the new one, should it be listed again. */
function formerOf({ bindings }: LedgerState, address: Address): readonly ObjectId[] {
  const known = bindings.get(address);
  return known === undefined || KINDS[kindOf(address)].identity === undefined ? [] : [known.id];
}

function changesOrder({ type, operation, position }: Step): boolean {
  return type === ORDERED.name && (operation === 'create' || operation === 'delete' || position !== null);
}

function isAddress(reference: string): boolean {
  return reference.startsWith(`${ORDERED.name}/`);
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}

/** What is written in part, or perhaps. */
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
