// What runs did to objects, in words.

import type { Address, Json, Reference } from '../../base/model.ts';
import { clear } from '../../base/text.ts';
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

/** One object of a run in words. */
export interface WordedObject {
  readonly object: ObjectOfRun;
  /** The summary of one that was added or destroyed. */
  readonly text: string;
  /** Of what was changed. */
  readonly fields: readonly WordedField[];
  readonly noun: { readonly one: string; readonly many: string };
}

/** Names in the summary of an object. */
const MOST_NAMES = 8;

export function wordedObjects(objects: readonly ObjectOfRun[], named: Named): readonly WordedObject[] {
  return objects.map((object) => ({
    object,
    text: summaryIn(object, named),
    fields: isSummed(object) ? [] : object.fields.map((field) => ({ field, words: wordsOf(object, field, named) })),
    noun: KINDS[object.type].noun,
  }));
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
