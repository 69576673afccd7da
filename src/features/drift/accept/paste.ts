// What a person can write by hand where an acceptance edits no file: the YAML of one difference, and its place.

import { asWritten } from '../../../authoring/entry.ts';
import { pairOf, writerIn } from '../../../authoring/nodes.ts';
import { PLAIN_STYLE } from '../../../authoring/style.ts';
import { isObject, valueAt } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/model.ts';
import { splitName } from '../../../kinds/namespaced.ts';
import type { Difference } from '../../../plan/differences/difference.ts';
import type { SourcePlace } from '../../../plan/plan.ts';
import type { Path } from '../../../yaml/places.ts';
import { isNotAccepted } from './change.ts';
import { changesOf } from './changes.ts';
import type { Declarations } from './declarations.ts';
import type { Declaring } from './declaring.ts';
import { markIn } from './layers.ts';

export interface Paste {
  /** From the section on: `groups:`. */
  readonly lines: readonly string[];
  /** The value that it replaces, or the entry that it goes before; null for a new member at the end. */
  readonly place: SourcePlace | null;
  readonly is: 'replaced' | 'before' | 'added';
}

/** Null where nothing can be written: what is to go, and what a manifest cannot declare. */
export function pasteOf(item: Difference, declared: Declarations, declaring: Declaring): Paste | null {
  const changes = changesOf(item, declared, declaring);
  const edits = isNotAccepted(changes) ? [] : changes;
  const insert = edits.find(({ op }) => op === 'insert');
  if (insert?.op === 'insert') {
    const at = [...insert.path, insert.index];
    const isBefore = valueAt(declared.layers.composed.value, at) !== undefined;
    return pasted(insert.path, insert.items, isBefore ? at : null, 'before', item, declared);
  }
  const set = edits.findLast(({ op }) => op === 'set');
  if (set?.op === 'set') return pasted(set.path, set.value, set.path, 'replaced', item, declared);
  const entry = declared.entries.get(item.address);
  const { kind, path, live } = item;
  if (kind !== 'changed' || entry === undefined || path.length === 0) return null;
  const [name = ''] = path;
  if (name === entry.kind.serving?.hours) {
    // The hours of a schedule that others may have are written at the entry, whole.
    const object = declared.live.objects[item.type]?.find(({ id }) => id === item.id);
    const [field, hours] = [entry.kind.fields[name], object?.spec[name]];
    if (field === undefined || hours === undefined) return null;
    const at = [...entry.path, name];
    return pasted(at, asWritten(field, hours), at, 'replaced', item, declared);
  }
  if (live === null) return null;
  const at = [...entry.path, ...path];
  return pasted(at, live, at, 'replaced', item, declared);
}

function pasted(
  path: Path,
  value: Json,
  at: Path | null,
  is: Paste['is'],
  { address }: Difference,
  { layers }: Declarations,
): Paste {
  const [section, ...inner] = path;
  const whole = nested(inner, value, splitName(address)[1]);
  const lines = writerIn(PLAIN_STYLE).lines(pairOf(String(section), whole, [], PLAIN_STYLE), WIDTH);
  const isThere = at !== null && valueAt(layers.composed.value, at) !== undefined;
  if (!isThere) return { lines, place: null, is: 'added' };
  const { file, line, column } = markIn(layers, at).place;
  return { lines, place: { file, line, column }, is };
}

const WIDTH = 100;

/** The value below its path; an entry of a list has its key. */
function nested([name, ...inner]: Path, value: Json, key: string): Json {
  if (name === undefined) return value;
  const below = nested(inner, value, key);
  if (typeof name !== 'number') return { [name]: below };
  return [isObject(below) ? ({ key, ...below } satisfies JsonObject) : below];
}
