// What happened in, ledger events out: the one place that says what the ledger learns from a run.

import { digest } from '../base/digest.ts';
import { equalJson } from '../base/json.ts';
import type { Address, Applied, Json, LedgerState, ObjectId, Spec, Version } from '../base/model.ts';
import { KINDS } from '../kinds/index.ts';
import { perVersion } from '../kinds/kind.ts';
import type { BoundEvent, LedgerEvent } from '../ledger/events.ts';
import type { Plan } from '../plan/plan.ts';
import { isInReach } from '../plan/reach.ts';
import type { Ended, Outcomes } from './ended.ts';

/** The format and time of an event. */
type Stamp = Pick<BoundEvent, 'v' | 'at'>;

/** Bindings that need no request: what was made is recorded after all, what exists becomes ours, what is gone is let go, what was renamed keeps what it had. */
export function adoptions({ bindings }: Plan, stamp: Stamp): readonly LedgerEvent[] {
  return [
    ...bindings.recover.flatMap(({ address, id, intent, secret }): readonly LedgerEvent[] => [
      { ...stamp, type: 'bound', address, id, origin: 'created' },
      ...(secret === null ? [] : [{ ...stamp, type: 'secret', address, id, state: secret } as const]),
      { ...stamp, type: 'done', intent, outcome: 'created', created: id },
    ]),
    ...bindings.absent.map((intent): LedgerEvent => ({ ...stamp, type: 'done', intent, outcome: 'refused' })),
    ...bindings.move.map(({ from, to }): LedgerEvent => ({ ...stamp, type: 'moved', from, to })),
    ...bindings.forget.map((address): LedgerEvent => ({ ...stamp, type: 'forgotten', address })),
    ...bindings.adopt.map(
      ({ address, id }): LedgerEvent => ({ ...stamp, type: 'bound', address, id, origin: 'adopted' }),
    ),
  ];
}

/** What a request that just ended means for who owns what. */
export function ownership(results: readonly Ended[], stamp: Stamp): readonly LedgerEvent[] {
  return results.flatMap(({ step, outcome }): readonly LedgerEvent[] => {
    if (outcome.status !== 'done' || step.address === null) return [];
    if (step.operation === 'create' && outcome.id !== null) {
      return [{ ...stamp, type: 'bound', address: step.address, id: outcome.id, origin: 'created' }];
    }
    if (step.operation !== 'delete') return [];
    return [{ ...stamp, type: 'forgotten', address: step.address, because: 'deleted' }];
  });
}

/** What an object is before the plan changes it. */
interface Image {
  readonly id: ObjectId | null;
  readonly spec: Spec | null;
}

/** By address: the fields that the plan changes, or all of an object that goes; null when the plan leaves it as it is. */
export function imagesOf({ resource_changes: changes }: Plan): (address: Address) => Image | null {
  const byAddress = new Map(changes.map((each) => [each.address, each]));
  return (address) => {
    const found = byAddress.get(address);
    if (found === undefined) return null;
    const { id, change, fields } = found;
    if (change.before === null || change.actions[0] === 'delete') return { id, spec: change.before };
    const changed = new Set(fields.map(({ field }) => field));
    return { id, spec: Object.fromEntries(Object.entries(change.before).filter(([name]) => changed.has(name))) };
  };
}

/** Resources of which every step succeeded. */
export function completed(plan: Plan, outcomes: Outcomes): ReadonlySet<Address> {
  const incomplete = new Set(
    plan.steps.filter(({ id }) => outcomes.get(id)?.status !== 'done').flatMap(({ serves }) => serves),
  );
  const served = plan.steps.flatMap(({ serves }) => serves);
  return new Set(served.filter((address) => !incomplete.has(address)));
}

/** The desired specs that now hold: of what was written completely, and of what is without a difference and was not known to be. */
export function applied(
  plan: Plan,
  done: ReadonlySet<Address>,
  known: LedgerState['applied'],
  stamp: Stamp,
  isPartial: boolean,
): readonly LedgerEvent[] {
  return plan.resource_changes.flatMap(({ address, type, change, adopting, fields }): readonly LedgerEvent[] => {
    const { actions, after } = change;
    // What is recorded of an object that we made counts as all of it: fields that nobody could compare would be taken for never set.
    const isWhole = fields.every(({ reach }) => reach !== 'unreadable');
    const isTrue = done.has(address) || ((adopting || isWhole) && actions[0] === 'no-op');
    if (!isTrue || after === null) return [];
    const missed = new Set(fields.flatMap((each) => (isInReach(each) ? [] : [each.field])));
    const before = known.get(address);
    const isKept = (field: string): boolean => missed.has(field) || (isPartial && after[field] === undefined);
    const now = split(type, after, missed, plan.api_version);
    const recorded = adopting || before === undefined ? now : withKept(now, before, isKept);
    const isNews = adopting || done.has(address) || !isKnown(recorded, before);
    return isNews ? [{ ...stamp, type: 'applied', address, ...recorded }] : [];
  });
}

type Recorded = Pick<Applied, 'spec' | 'digests'>;

/** What was applied once, and is out of reach now or not spoken of, stays what was applied last. */
function withKept({ spec, digests }: Recorded, before: Applied, isKept: (field: string) => boolean): Recorded {
  const kept = <T>(values: { readonly [name: string]: T }): { readonly [name: string]: T } =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)));
  return { spec: { ...kept(before.spec), ...spec }, digests: { ...kept(before.digests), ...digests } };
}

function isKnown(recorded: Recorded, known: Applied | undefined): boolean {
  return known !== undefined && equalJson(recorded.spec, known.spec) && equalJson(recorded.digests, known.digests);
}

/** Fields that can be read back stand in the ledger as they are; the others only as digests; none of those that were missed. */
function split(kind: keyof typeof KINDS, spec: Spec, missed: ReadonlySet<string>, version: Version): Recorded {
  const readable: Record<string, Json> = {};
  const digests: Record<string, string> = {};
  for (const [name, value] of Object.entries(spec)) {
    if (missed.has(name)) continue;
    const field = KINDS[kind].fields[name];
    if (field === undefined || field.option === true) continue;
    const reading = perVersion(field.readable, version);
    if (reading === 'list' || reading === 'get') readable[name] = value;
    else digests[name] = digest(value);
  }
  return { spec: readable, digests };
}
