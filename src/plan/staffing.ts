// A comparison in; who is on the license, and who is once everything within reach is written, out, as routing/staff.ts takes them. Judges nothing.

import type { LiveObject, Version } from '../model.ts';
import { inDeclaredZone, livePlace, STAFFING } from '../routing/placed.ts';
import type { Placed } from '../routing/staff.ts';
import { aftermath } from './aftermath.ts';
import type { Comparison } from './compare.ts';
import { liveSpec } from './diff.ts';
import type { Draft } from './draft.ts';

export interface Staffing {
  readonly before: readonly Placed[];
  readonly after: readonly Placed[];
}

/** Both in the plan's terms. */
export function staffing({ live, bindings, drafts }: Comparison): Staffing {
  const { version } = live;
  const staffed = drafts.filter(({ kind }) => STAFFING.has(kind.name));
  const draftOf = new Map(staffed.map((made) => [made.object, made]));
  const before = [...STAFFING].flatMap(([name, { kind }]) =>
    (live.objects[name] ?? []).map((object): readonly [LiveObject, Placed] => {
      const made = draftOf.get(object);
      const found = made?.live ?? liveSpec(kind, object, bindings);
      const spec = inDeclaredZone(name, found, made?.desired ?? null, version);
      return [object, livePlace(object, bindings.referenceTo(name, object.id), spec)];
    }),
  );
  const strangers = before.filter(([object]) => !draftOf.has(object));
  return {
    before: before.map(([, placed]) => placed),
    after: [...staffed.flatMap((made) => placedBy(made, version)), ...strangers.map(([, placed]) => placed)],
  };
}

/** A field that is out of reach stays as it is, whatever the manifest decides. */
function placedBy(made: Draft, version: Version): readonly Placed[] {
  const left = aftermath(made);
  if (left === null) return [];
  const spec = inDeclaredZone(made.kind.name, left, made.desired, version);
  const { address: reference, kind, resource, object } = made;
  const name = typeof spec['name'] === 'string' ? spec['name'] : (object?.name ?? resource?.key ?? reference);
  const decides = Object.keys(made.desired ?? {});
  const builtin = object?.facts.builtin === true ? { builtin: true as const } : {};
  return [{ reference, kind: kind.name, name, spec, decides, ...builtin }];
}
