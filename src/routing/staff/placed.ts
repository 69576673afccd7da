// The agents, bots and groups of a manifest or a license in the form that staff.ts reads. plan/staffing.ts has those of a plan.

import { isObject } from '../../base/json.ts';
import type {
  Address,
  DatedHours,
  Desired,
  External,
  KindName,
  Live,
  LiveObject,
  Spec,
  Version,
} from '../../base/model.ts';
import { dayAt } from '../../base/week.ts';
import { KIND_NAMES, KINDS, MEMBERSHIP } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { keepsOthers } from '../../kinds/priority.ts';
import { heldOn, weekdayHours } from './dates.ts';
import type { Placed } from './staff.ts';

/** A kind that staff.ts reads, and the fields it needs. */
interface Staffed {
  readonly kind: Kind;
  readonly fields: ReadonlySet<string>;
}

export const STAFFING: ReadonlyMap<KindName, Staffed> = new Map(
  KIND_NAMES.flatMap((name): readonly (readonly [KindName, Staffed])[] => {
    const kind = KINDS[name];
    if (kind === MEMBERSHIP.right.kind) return [[name, { kind, fields: new Set([MEMBERSHIP.right.field]) }]];
    if (kind.serving === undefined) return [];
    const { groups, slots, hours } = kind.serving;
    // The fields that may bar an agent from chats change by actions of their own.
    const bars = Object.keys(kind.fields).filter((field) => kind.fields[field]?.writable === 'transition');
    return [[name, { kind, fields: new Set([groups, slots, hours, ...bars]) }]];
  }),
);

/** What the files alone say. A field they leave out is not known, except the number of chats, which the service fills in for a new agent. */
export function declaredPlaces({ resources, externals, dated }: Desired): readonly Placed[] {
  const declared = resources.filter(({ kind }) => STAFFING.has(kind));
  const named = externals.filter(({ kind }) => STAFFING.has(kind));
  return [
    ...declared.map(({ address, kind, key, id, spec }): Placed => {
      const { name } = spec;
      const slots = KINDS[kind].serving?.slots;
      const preset = slots === undefined || spec[slots] !== undefined ? undefined : KINDS[kind].fields[slots]?.default;
      return {
        reference: address,
        kind,
        name: typeof name === 'string' ? name : key,
        spec: slots === undefined || preset === undefined ? spec : { ...spec, [slots]: preset },
        decides: decidedIn(spec),
        ...(slots === undefined || preset === undefined ? {} : { assumed: [slots] }),
        ...datedOf(dated?.get(address)),
        ...builtinOf(kind, id),
      };
    }),
    ...named.map((external): Placed => ({ ...placedExternal(external), spec: {}, decides: [] })),
  ];
}

/** The fields that a declared spec decides in full. */
export function decidedIn(spec: Spec): readonly string[] {
  return Object.keys(spec).filter((name) => !keepsOthers(spec[name]));
}

function datedOf(found: { readonly hours: DatedHours } | undefined): Pick<Placed, 'dated'> {
  return found === undefined ? {} : { dated: found.hours };
}

function placedExternal({
  address,
  kind,
  id,
  name,
}: External): Pick<Placed, 'reference' | 'kind' | 'name' | 'builtin'> {
  return { reference: address, kind, name: name ?? String(id), ...builtinOf(kind, id) };
}

/** Service notes: "Groups", group 0. */
function builtinOf(kind: KindName, id: External['id']): Pick<Placed, 'builtin'> {
  return KINDS[kind] === MEMBERSHIP.right.kind && id === 0 ? { builtin: true } : {};
}

/** What the license alone says: references are ids. */
export function livePlaces({ objects }: Live): readonly Placed[] {
  return [...STAFFING.keys()].flatMap((kind) =>
    (objects[kind] ?? []).map((object) => livePlace(object, String(object.id), object.spec)),
  );
}

/**
 * The same people with hours by date, where the files have them: the license has those of seven days. Today's are as the license has them. References
 * are addresses.
 */
export function withDates(
  placed: readonly Placed[],
  { dated }: Pick<Desired, 'dated'>,
  now: number,
): readonly Placed[] {
  if (dated === undefined) return placed;
  return placed.map((each) => {
    const hours = each.spec[KINDS[each.kind].serving?.hours ?? ''];
    const found = dated.get(each.reference as Address)?.hours;
    if (found === undefined || !isObject(hours)) return each;
    return { ...each, dated: heldOn(found, dayAt(found.timezone, now), weekdayHours(hours['schedule'])) };
  });
}

/** An object under the given name; the spec names others in the same way. */
export function livePlace({ kind, name, facts }: LiveObject, reference: string, spec: Spec): Placed {
  return { reference, kind, name, spec, decides: [], ...(facts.builtin === true ? { builtin: true } : {}) };
}

/** The spec with the zone that the manifest names, where the service has none for the hours. */
export function inDeclaredZone(kind: KindName, spec: Spec, desired: Spec | null, version: Version): Spec {
  const { serving } = KINDS[kind];
  if (serving === undefined || serving.zoned.includes(version)) return spec;
  const [hours, declared] = [spec[serving.hours], desired?.[serving.hours]];
  const { timezone } = isObject(declared) ? declared : {};
  return isObject(hours) && timezone !== undefined ? { ...spec, [serving.hours]: { timezone, ...hours } } : spec;
}
