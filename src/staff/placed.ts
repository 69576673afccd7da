// A manifest or a reading of a license in; its agents, bots and groups as staff.ts takes them out. What a plan leaves behind is told by the plan.

import { isObject } from '../base/json.ts';
import type { Desired, External, KindName, Live, LiveObject, Spec, Version } from '../base/model.ts';
import { KIND_NAMES, KINDS, MEMBERSHIP } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Placed } from './staff.ts';

/** A kind that staff.ts looks at, and the fields it has to know. */
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
    // What may bar somebody changes by an action of its own.
    const bars = Object.keys(kind.fields).filter((field) => kind.fields[field]?.writable === 'transition');
    return [[name, { kind, fields: new Set([groups, slots, hours, ...bars]) }]];
  }),
);

/** What the files say by themselves: a field they leave out is not known, but for the chats at a time, which the service fills in for whoever is new. */
export function declaredPlaces({ resources, externals }: Desired): readonly Placed[] {
  const declared = resources.filter(({ kind }) => STAFFING.has(kind));
  const named = externals.filter(({ kind }) => STAFFING.has(kind));
  return [
    ...declared.map(({ address, kind, key, id, spec }): Placed => {
      const slots = KINDS[kind].serving?.slots;
      const preset = slots === undefined || spec[slots] !== undefined ? undefined : KINDS[kind].fields[slots]?.default;
      return {
        reference: address,
        kind,
        name: typeof spec['name'] === 'string' ? spec['name'] : key,
        spec: slots === undefined || preset === undefined ? spec : { ...spec, [slots]: preset },
        decides: Object.keys(spec),
        ...(slots === undefined || preset === undefined ? {} : { assumed: [slots] }),
        ...builtinOf(kind, id),
      };
    }),
    ...named.map((external): Placed => ({ ...placedExternal(external), spec: {}, decides: [] })),
  ];
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

/** What the license says by itself: references are ids. */
export function livePlaces({ objects }: Live): readonly Placed[] {
  return [...STAFFING.keys()].flatMap((kind) =>
    (objects[kind] ?? []).map((object) => livePlace(object, String(object.id), object.spec)),
  );
}

/** An object under another name than its id, with a spec in the same terms. */
export function livePlace({ kind, name, facts }: LiveObject, reference: string, spec: Spec): Placed {
  return { reference, kind, name, spec, decides: [], ...(facts.builtin === true ? { builtin: true } : {}) };
}

/** Where hours have no zone on the service, the one that the manifest names is the best that is known. */
export function inDeclaredZone(kind: KindName, spec: Spec, desired: Spec | null, version: Version): Spec {
  const { serving } = KINDS[kind];
  if (serving === undefined || serving.zoned.includes(version)) return spec;
  const [hours, declared] = [spec[serving.hours], desired?.[serving.hours]];
  if (!isObject(hours) || !isObject(declared) || declared['timezone'] === undefined) return spec;
  return { ...spec, [serving.hours]: { timezone: declared['timezone'], ...hours } };
}
