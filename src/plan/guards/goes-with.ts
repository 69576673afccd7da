// Objects that the service deletes with another one, such as the greetings of a group: what a delete takes that the plan does not delete by itself.

import { groupedBy } from '../../base/grouped.ts';
import type { Address, Live, LiveObject } from '../../base/model.ts';
import { clear, counted, few } from '../../base/text.ts';
import { KINDS, kindGoneWith } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { isInReach } from '../diff.ts';
import type { Draft } from '../draft.ts';

/** Names of a kind in one danger. */
const MOST_NAMES = 3;

interface Taken {
  readonly said: string;
  readonly own: readonly LiveObject[];
}

/** Returns the drafts, where each delete says what goes with its object. */
export function takingAlong(drafts: readonly Draft[], live: Live): readonly Draft[] {
  if (!drafts.some(({ verb }) => verb === 'delete')) return drafts;
  const leaving = new Set(drafts.filter(leavesByItself).map(({ object }) => object));
  const staying = Object.values(KINDS).flatMap((kind) => {
    const objects = kind.goesWith === undefined ? [] : (live.objects[kind.name] ?? []);
    const left = objects.filter((object) => !leaving.has(object));
    return left.length === 0 ? [] : [[kind, groupedBy(left, (object) => belongsTo(kind, object).join())] as const];
  });
  if (staying.length === 0) return drafts;
  return drafts.map((made) => {
    const { verb, kind, object } = made;
    if (verb !== 'delete' || object === null) return made;
    const taken = staying.flatMap(([other, objects]): readonly Taken[] => {
      const own = objects.get(`${kind.name}/${object.id}`);
      return own === undefined ? [] : [{ said: named(other, own), own }];
    });
    if (taken.length === 0) return made;
    const addresses = taken.flatMap(({ own }) => own.map((each): Address => `${each.kind}/id/${each.id}`));
    return { ...made, takes: { said: taken.map(({ said }) => said).join(' and '), addresses } };
  });
}

/** The objects with which the service deletes this one, as `<kind>/<id>`. */
export function belongsTo(kind: Kind, { id, spec, facts }: LiveObject): readonly string[] {
  const { parents, goesWith, madeBy } = kind;
  return [
    ...(parents?.(String(id)) ?? []),
    ...(goesWith === undefined ? [] : [`${kindGoneWith(kind)}/${spec[goesWith]}`]),
    ...(madeBy === undefined || facts.derived !== true ? [] : [`${madeBy}/${id}`]),
  ];
}

/** Whether the plan deletes an object, or moves it to another one, so that it is no loss. */
export function leavesByItself({ verb, kind, fields }: Draft): boolean {
  const isMoved = fields.some((change) => change.field === kind.goesWith && isInReach(change));
  return verb === 'delete' || (kind.goesWith !== undefined && (verb === 'replace' || isMoved));
}

/** `2 greetings (Cart help, Night)`. */
function named({ noun }: Kind, objects: readonly LiveObject[]): string {
  const names = objects.map(({ name }) => clear(name)).toSorted();
  return `${counted(objects.length, noun.one, noun.many)} (${few(names, MOST_NAMES)})`;
}
