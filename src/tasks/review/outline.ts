// Outline of a plan: what a person reads first. Each changed field of each changed object is in it; only creates, deletes and equal changes are condensed.

import type { KindName, Reference } from '../../base/model.ts';
import { clear, counted } from '../../base/text.ts';
import type { Named } from '../../kinds/field.ts';
import { KINDS } from '../../kinds/index.ts';
import { changesBetween, summaryOf, type WordChange } from '../../kinds/words.ts';
import type { FieldChange, Note, Plan, ResourceChange } from '../../plan/plan.ts';

/** One differing field in words. */
export interface OutlinedField {
  readonly change: FieldChange;
  readonly words: readonly WordChange[];
}

/** One object, or several of a kind that are condensed: created, deleted, or changed alike. */
export interface OutlineEntry {
  readonly changes: readonly [ResourceChange, ...ResourceChange[]];
  /** `33 agents`; the summary of a single object. */
  readonly text: string;
  /** What differs; empty for what is created or deleted. */
  readonly fields: readonly OutlinedField[];
}

export interface Outline {
  /** In the order of the plan, each where its first object stands. */
  readonly entries: readonly OutlineEntry[];
  /** `12 agents`, by kind. */
  readonly unmanaged: readonly string[];
}

/** More objects of one kind than that, all created or all deleted, share a line. */
const MOST_ALONE = 10;

/** From so many objects on, equal changes share a block. */
const LEAST_ALIKE = 3;

export function outlineOf(plan: Plan): Outline {
  const named = namesIn(plan);
  const remarked = remarkedIn(plan);
  const drafts = plan.resource_changes.map((change) => draftOf(change, named, remarked.get(change.address)));
  const alike = new Map<string, ResourceChange[]>();
  for (const { change, alikeness } of drafts) {
    const others = alike.get(alikeness);
    if (others === undefined) alike.set(alikeness, [change]);
    else others.push(change);
  }
  const entries = drafts.flatMap(({ change, fields, alikeness }): readonly OutlineEntry[] => {
    const those = alike.get(alikeness) ?? [change];
    const least = fields.length === 0 ? MOST_ALONE + 1 : LEAST_ALIKE;
    if (those.length < least) return [{ changes: [change], text: textOf(change, named), fields }];
    const [first, ...others] = those[0] === change ? those : [];
    return first === undefined
      ? []
      : [{ changes: [first, ...others], text: countText(change.type, those.length), fields }];
  });
  return { entries, unmanaged: countTexts(plan.unmanaged.filter(({ released }) => released === null)) };
}

interface EntryDraft {
  readonly change: ResourceChange;
  readonly fields: readonly OutlinedField[];
  /** Equal for what is condensed together. */
  readonly alikeness: string;
}

/** `remarks`: what else is told of the object; its own line when that names it. */
function draftOf(change: ResourceChange, named: Named, remarks: string | undefined): EntryDraft {
  const { type, change: made, moved, adopting, recreating, address } = change;
  const isWhole = made.actions.length === 1 && (made.actions[0] === 'create' || made.actions[0] === 'delete');
  const fields = isWhole
    ? []
    : change.fields.map((field): OutlinedField => ({ change: field, words: wordsOf(change, field, named) }));
  const isAlone = moved !== null || remarks === ITS_OWN;
  const said = fields.map(({ change: { field, before, after, reach, reason }, words }) =>
    reach === 'unreachable' || reach === 'unreadable'
      ? [field, reach, before, after, reason]
      : [field, reach, reason, words],
  );
  const alikeness = isAlone ? address : JSON.stringify([type, made.actions, adopting, recreating, remarks, said]);
  return { change, fields, alikeness };
}

function wordsOf({ type }: ResourceChange, { field, before, after }: FieldChange, named: Named): readonly WordChange[] {
  const known = KINDS[type].fields[field];
  return known === undefined ? [] : changesBetween(known, before, after, named);
}

/** What is created or deleted in words; of another object the name that its address lacks. */
function textOf({ address, type, name, id, change }: ResourceChange, named: Named): string {
  const spec = change.actions[0] === 'create' ? change.after : change.after === null ? change.before : null;
  if (spec !== null) return summaryOf(KINDS[type], spec, named);
  return address.endsWith(`/${name}`) || name === String(id) ? '' : clear(name);
}

function countText(type: KindName, count: number): string {
  const { one, many } = KINDS[type].noun;
  return counted(count, one, many);
}

function countTexts(objects: readonly { readonly type: KindName }[]): readonly string[] {
  const counts = new Map<KindName, number>();
  for (const { type } of objects) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => countText(type, count));
}

/** The name that only one object has; else the key of the address, or the id. */
function namesIn({ resource_changes: changes, unmanaged }: Plan): Named {
  const names = new Map<Reference, string>();
  const holders = new Map<string, number>();
  const add = (reference: Reference, type: KindName, name: string): void => {
    names.set(reference, name);
    const holder = `${type} ${name}`;
    holders.set(holder, (holders.get(holder) ?? 0) + 1);
  };
  for (const { address, type, name, change } of changes) {
    const { name: wanted } = change.after ?? {};
    add(address, type, typeof wanted === 'string' ? wanted : name);
  }
  for (const { type, id, name } of unmanaged) add(String(id), type, name);
  const types = new Map<Reference, KindName>([
    ...changes.map(({ address, type }) => [address, type] as const),
    ...unmanaged.map(({ id, type }) => [String(id), type] as const),
  ]);
  return (reference) => {
    const [name, type] = [names.get(reference), types.get(reference)];
    const isOnly = name !== undefined && holders.get(`${type} ${name}`) === 1;
    return clear(isOnly ? name : reference.slice(reference.indexOf('/') + 1));
  };
}

const ITS_OWN = 'its own';

/** What else is told next to the change of an address. */
function remarkedIn({ notes, impact }: Plan): ReadonlyMap<string, string> {
  const remarks = new Map<string, string>();
  for (const { address, kind, message } of notes)
    if (NEXT_TO_CHANGE.has(kind)) remarks.set(address, `${remarks.get(address) ?? ''}${kind} ${message}\n`);
  const measured = [
    ...(impact?.changes ?? []).map(({ address }) => address),
    ...(impact?.people ?? []).flatMap(({ address, group }) => [address, group]),
    ...(impact?.groups ?? []).filter(({ worse }) => worse.length > 0).flatMap(({ touched_by: by }) => by),
  ];
  for (const address of measured) remarks.set(address, ITS_OWN);
  return remarks;
}

/** Notes on ownership; dangers have a place of their own. */
const NEXT_TO_CHANGE: ReadonlySet<Note['kind']> = new Set(['stranger', 'rebinding', 'rename']);
