// All entries in; memberships that one side declares and the other, being complete, denies out. DESIGN: "Membership is one relation".

import { isObject } from '../base/json.ts';
import type { Address, Json, JsonObject, KindName } from '../base/model.ts';
import { pointing } from '../kinds/fields.ts';
import { isMembership } from '../kinds/index.ts';
import type { Emit } from '../yaml/collector.ts';
import { at } from '../yaml/wording.ts';
import { addressOf, type Declared } from './sections.ts';

/** One declared side: the whole of the memberships of one entry. */
interface Side {
  readonly entry: Declared;
  readonly field: string;
  readonly points: KindName;
  readonly members: JsonObject;
}

export function checkMemberships(entries: readonly Declared[], emit: Emit): void {
  const sides = new Map<Address, Side>();
  for (const entry of entries) {
    const side = sideOf(entry);
    if (side !== null) sides.set(entry.address, side);
  }
  for (const side of sides.values()) {
    for (const [key, priority] of Object.entries(side.members)) {
      const other = sides.get(addressOf(side.points, key));
      if (other !== undefined) compare(side, key, priority, other, emit);
    }
  }
}

function sideOf(entry: Declared): Side | null {
  const { kind, value } = entry;
  for (const { name, pointer } of pointing(kind)) {
    const members = isObject(value) ? value[name] : undefined;
    if (isMembership(kind.name, name) && isObject(members))
      return { entry, field: name, points: pointer.kind, members };
  }
  return null;
}

function compare(side: Side, key: string, priority: Json, other: Side, emit: Emit): void {
  const same = Object.hasOwn(other.members, side.entry.key) ? other.members[side.entry.key] : undefined;
  if (same === priority) return;
  const path = [...side.entry.path, side.field, key];
  if (same === undefined) {
    const message = `\`${other.entry.address}\` declares its \`${other.field}\`, and \`${side.entry.key}\` is not among them`;
    emit({
      ...at(path, 'key', 'contradiction', message, 'declare the membership on one side, or the same on both'),
      related: [{ path: [...other.entry.path, other.field], part: 'key', message: 'the other side' }],
    });
  } else if (side.entry.address < other.entry.address) {
    const message = `the priority is ${JSON.stringify(priority)} here and ${JSON.stringify(same)} on the other side`;
    emit({
      ...at(path, 'value', 'contradiction', message, 'declare the membership on one side, or the same on both'),
      related: [{ path: [...other.entry.path, other.field, side.entry.key], part: 'value', message: 'the other side' }],
    });
  }
}
