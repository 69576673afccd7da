// A manifest or a reading of a license in; its agents, bots and groups as staff.ts takes them out. What a plan leaves behind is told by the plan.

import { KIND_NAMES, KINDS, MEMBERSHIP } from '../kinds/index.ts';
import type { Desired, External, KindName, Live, LiveObject, Spec } from '../model.ts';
import type { Placed } from './staff.ts';

/** Those that staff.ts looks at, and what it has to know of them. */
export const STAFFING: ReadonlyMap<KindName, ReadonlySet<string>> = new Map(
  KIND_NAMES.flatMap((kind): readonly (readonly [KindName, ReadonlySet<string>])[] => {
    const { serving, fields } = KINDS[kind];
    if (KINDS[kind] === MEMBERSHIP.right.kind) return [[kind, new Set([MEMBERSHIP.right.field])]];
    if (serving === undefined) return [];
    const bars = Object.keys(fields).filter((name) => fields[name]?.writable === 'transition');
    return [[kind, new Set([serving.groups, serving.slots, serving.hours, ...bars])]];
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
