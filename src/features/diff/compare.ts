// How two licenses differ: their objects are paired by address, then by name, and compared field by field, references by what they lead to.

import { groupedBy } from '../../base/grouped.ts';
import { equalJson } from '../../base/json.ts';
import type { KindName, Reference, Spec } from '../../base/model.ts';
import { mapReferences } from '../../kinds/fields.ts';
import { KIND_NAMES, KINDS, MEMBERSHIP, ORDERED } from '../../kinds/index.ts';
import { planSequence } from '../../plan/order/sequence.ts';
import type { SourcePlace } from '../../plan/plan.ts';
import type { DifferentObject } from './schema.ts';

/** An object of one side, declared or live. */
export interface ComparedObject {
  /** `<kind>/<key>`; `<kind>/<id>` of an object that is unmanaged. */
  readonly address: Reference;
  readonly type: KindName;
  readonly name: string;
  /** An object without one is known by its name alone: ids of two licenses have nothing to do with each other. */
  readonly hasKey: boolean;
  /** References are addresses of the same side. A field that is not there was not read, or is not declared. */
  readonly spec: Spec;
  readonly source: SourcePlace | null;
}

export interface ComparedSides {
  /** In their order where the kind has one. */
  readonly target: readonly ComparedObject[];
  readonly other: readonly ComparedObject[];
  /** `live` has no value that was not read; what a file leaves out is a difference. */
  readonly on: 'files' | 'live';
}

export interface Compared {
  readonly items: readonly DifferentObject[];
  readonly alike: number;
}

export function compared({ target, other, on }: ComparedSides): Compared {
  const [here, there] = labelled(target, other);
  const partners = new Map(there.map((each) => [each.label, each]));
  const labels = new Set(here.map(({ label }) => label));
  const moves = movesBetween(here, there);
  const both = here.map((each): DifferentObject | null => {
    const partner = partners.get(each.label);
    if (partner === undefined) return alone(each, 'only_in_target');
    const moved = moves.get(each.label);
    const fields = fieldsOf(each, partner, on);
    if (fields.length === 0 && moved === undefined) return null;
    const { label: address, type, name, source } = each;
    const about = { is: 'different', type, address, name, fields, source, other_source: partner.source } as const;
    return moved === undefined ? about : { ...about, moved };
  });
  const items = [
    ...both.filter((item) => item !== null),
    ...there.filter(({ label }) => !labels.has(label)).map((each) => alone(each, 'only_in_other')),
  ];
  return {
    items: items.toSorted((a, b) => KIND_NAMES.indexOf(a.type) - KIND_NAMES.indexOf(b.type)),
    alike: both.filter((item) => item === null).length,
  };
}

/** `label` is the same for what is the same on both sides, and its references are labels. */
interface LabelledObject extends ComparedObject {
  readonly label: string;
}

function labelled(
  target: readonly ComparedObject[],
  other: readonly ComparedObject[],
): readonly [readonly LabelledObject[], readonly LabelledObject[]] {
  const partners = partnersOf(target, other);
  const shared = new Map(
    [...partners].flatMap(([one, two]) => {
      const label = [one, two].find(({ hasKey }) => hasKey)?.address ?? calledText(one);
      return [
        [one, label],
        [two, label],
      ] as const;
    }),
  );
  return [withLabels(target, shared, 'target'), withLabels(other, shared, 'other')];
}

/** By address, then by a name that only one object of a side has. */
function partnersOf(
  target: readonly ComparedObject[],
  other: readonly ComparedObject[],
): ReadonlyMap<ComparedObject, ComparedObject> {
  const keyed = new Map(other.flatMap((each) => (each.hasKey ? [[each.address, each]] : [])));
  const partners = new Map(
    target.flatMap((each) => {
      const partner = each.hasKey ? keyed.get(each.address) : undefined;
      return partner === undefined ? [] : [[each, partner]];
    }),
  );
  const taken = new Set(partners.values());
  const [open, otherOpen] = [target.filter((each) => !partners.has(each)), other.filter((each) => !taken.has(each))];
  const named = soleCalled(otherOpen);
  for (const [called, each] of soleCalled(open)) {
    const partner = named.get(called);
    if (partner !== undefined) partners.set(each, partner);
  }
  return partners;
}

/** `group/Sales`. */
function calledText({ type, name }: ComparedObject): string {
  return `${type}/${name}`;
}

function soleCalled(all: readonly ComparedObject[]): ReadonlyMap<string, ComparedObject> {
  const held = groupedBy(all, calledText);
  return new Map([...held].flatMap(([called, [only, ...others]]) => (others.length === 0 ? [[called, only]] : [])));
}

function withLabels(
  all: readonly ComparedObject[],
  shared: ReadonlyMap<ComparedObject, string>,
  side: string,
): readonly LabelledObject[] {
  const sole = new Set(soleCalled(all).values());
  const labels = new Map<Reference, string>(
    all.map((each) => {
      const own = each.hasKey ? each.address : sole.has(each) ? calledText(each) : `${each.address} (${side})`;
      return [each.address, shared.get(each) ?? own];
    }),
  );
  const labelOf = (reference: Reference): string => labels.get(reference) ?? reference;
  return all.map((each) => ({
    ...each,
    label: labelOf(each.address),
    spec: mapReferences(KINDS[each.type], each.spec, labelOf),
  }));
}

function alone(
  { label, type, name, spec, source }: LabelledObject,
  is: 'only_in_target' | 'only_in_other',
): DifferentObject {
  const places = is === 'only_in_target' ? { source, other_source: null } : { source: null, other_source: source };
  return { is, type, address: label, name, fields: [], ...places, spec };
}

function fieldsOf(here: LabelledObject, there: LabelledObject, on: ComparedSides['on']): DifferentObject['fields'] {
  const { type } = here;
  const { left } = MEMBERSHIP;
  return Object.keys(KINDS[type].fields).flatMap((field) => {
    const [target, other] = [here.spec[field], there.spec[field]];
    if (target === undefined && other === undefined) return [];
    // On a license, groups have all of their members.
    const isTwice = type === left.kind.name && field === left.field;
    if (on === 'live' && (target === undefined || other === undefined || isTwice)) return [];
    if (equalJson(target ?? null, other ?? null)) return [];
    return [{ field, target: target ?? null, other: other ?? null }];
  });
}

/** The fewest rules that come earlier or later, of those that both have. */
function movesBetween(
  here: readonly LabelledObject[],
  there: readonly LabelledObject[],
): ReadonlyMap<string, NonNullable<DifferentObject['moved']>> {
  const orderOf = (all: readonly LabelledObject[]): readonly string[] =>
    all.filter(({ type }) => type === ORDERED.name).map(({ label }) => label);
  const [order, otherOrder] = [orderOf(here), orderOf(there)];
  const common = order.filter((label) => otherOrder.includes(label));
  const otherCommon = otherOrder.filter((label) => common.includes(label));
  const { kept } = planSequence(
    common,
    otherCommon.map((key) => ({ key, live: true, changed: false })),
  );
  const places = new Map(otherCommon.map((label, place) => [label, place + 1]));
  return new Map(
    common.flatMap((label, place) =>
      kept.includes(label) ? [] : [[label, { target: place + 1, other: places.get(label) ?? 0 }] as const],
    ),
  );
}
