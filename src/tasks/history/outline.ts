// Outline of what runs did to objects: values in words, and equal changes of several objects as one.

import { grouped } from '../../base/grouped.ts';
import type { Address, Json, Reference } from '../../base/model.ts';
import { clear, counted } from '../../base/text.ts';
import type { Named } from '../../kinds/field.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import { changesBetween, soleNames, summaryOf, type WordChange } from '../../kinds/words.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import type { FieldOfRun, ObjectOfRun } from './schema.ts';

/** One field in words. */
export interface WordedField {
  readonly field: FieldOfRun;
  readonly words: readonly WordChange[];
}

/** One object, or several of a kind to which the run did the same. */
export interface RunOutlineEntry {
  readonly objects: readonly [ObjectOfRun, ...ObjectOfRun[]];
  /** `33 agents`; the summary of a single object that was added or destroyed. */
  readonly text: string;
  /** Of what was changed. */
  readonly fields: readonly WordedField[];
}

/** Names in the summary of an object. */
const MOST_NAMES = 8;

/** More objects of one kind than that, with no fields to show, share a line. */
const MOST_ALONE = 10;

/** From so many objects on, equal changes share a block. */
const LEAST_ALIKE = 3;

export function outlineOfRun(objects: readonly ObjectOfRun[], named: Named): readonly RunOutlineEntry[] {
  const drafts = objects.map((object) => {
    const isWhole = isSummed(object);
    const fields = isWhole ? [] : object.fields.map((field) => ({ field, words: wordsOf(object, field, named) }));
    const said = fields.map(({ field: { field, unknown }, words }) => [field, unknown, words]);
    return { object, fields, likeness: JSON.stringify([object.type, object.action, said]) };
  });
  const alike = grouped(drafts.map(({ object, likeness }) => [likeness, object]));
  return drafts.flatMap(({ object, fields, likeness }): readonly RunOutlineEntry[] => {
    const [first = object, ...others] = alike.get(likeness) ?? [];
    const least = fields.length === 0 ? MOST_ALONE + 1 : LEAST_ALIKE;
    if (others.length + 1 < least) return [{ objects: [object], text: summaryIn(object, named), fields }];
    const { one, many } = KINDS[object.type].noun;
    return first === object
      ? [{ objects: [first, ...others], text: counted(others.length + 1, one, many), fields }]
      : [];
  });
}

function wordsOf({ type }: ObjectOfRun, { field, before, after, unknown }: FieldOfRun, named: Named) {
  const known = KINDS[type].fields[field];
  return known === undefined || unknown.length > 0 ? [] : changesBetween(known, before, after, named);
}

/** Whether a summary says more of it than its fields. */
function isSummed({ action, members }: ObjectOfRun): boolean {
  return members === undefined && (action === 'added' || action === 'destroyed');
}

function summaryIn(object: ObjectOfRun, named: Named): string {
  if (!isSummed(object)) return '';
  const { type, action, fields } = object;
  const side = action === 'added' ? 'after' : 'before';
  return summaryOf(
    KINDS[type],
    Object.fromEntries(fields.map((field): [string, Json] => [field.field, field[side]])),
    named,
    MOST_NAMES,
  );
}

/** The name that the ledger last had for an object, where only one object has it; else the key of its address. */
export function namesInLedger(events: readonly LedgerEvent[]): Named {
  const names = new Map<Address, string>();
  // Of addresses that have no object any more, and of objects that the ledger does not own.
  const others = new Map<Reference, string>();
  const leave = (address: Address): string | undefined => {
    const name = names.get(address);
    if (name !== undefined) others.set(address, name);
    names.delete(address);
    return name;
  };
  for (const event of events) {
    if (event.type === 'moved') {
      const name = leave(event.from);
      if (name !== undefined) names.set(event.to, name);
    } else if (event.type === 'forgotten') leave(event.address);
    else if (event.type === 'run') {
      for (const [reference, name] of Object.entries(event.names ?? {})) others.set(reference as Reference, name);
    } else if (event.type === 'applied' || event.type === 'before') {
      const name = event.spec?.['name'];
      if (typeof name === 'string') names.set(event.address, name);
    }
  }
  const sole = soleNames([...names].map(([address, name]) => ({ kind: kindOf(address), reference: address, name })));
  const nameOf = (reference: Reference): string | undefined =>
    names.has(reference as Address) ? sole.get(reference) : others.get(reference);
  return (reference) => clear(nameOf(reference) ?? reference.slice(reference.indexOf('/') + 1));
}
