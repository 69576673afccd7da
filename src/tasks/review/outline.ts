// Outline of a plan: what a person reads first. Each changed field of each changed object is in it; only creates, deletes and equal changes are condensed.

import { countedBy, grouped } from '../../base/grouped.ts';
import type { Address, KindName, Reference } from '../../base/model.ts';
import { clear, counted, few } from '../../base/text.ts';
import type { Named } from '../../kinds/field.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import { changesBetween, soleNames, summaryOf, type WordChange } from '../../kinds/words.ts';
import type { FieldChange, Note, Plan, ResourceChange } from '../../plan/plan.ts';

/** One differing field in words. */
export interface OutlinedField {
  readonly change: FieldChange;
  readonly words: readonly WordChange[];
}

/** One object, or several of a kind that are condensed: created, deleted, or changed alike. */
export interface OutlineEntry {
  readonly changes: readonly [ResourceChange, ...ResourceChange[]];
  /** Of one object, or the owner of several values; null for objects that are counted. */
  readonly address: string | null;
  /** `33 agents`; where it has an address, what is said of that. */
  readonly text: string;
  /** The summary with fewer names at a time, for a line that has no room for all. */
  readonly shorter: readonly string[];
  /** Of objects that are counted: people by their names, all others by their keys. */
  readonly names: readonly string[];
  /** What differs; empty for what is created or deleted. */
  readonly fields: readonly OutlinedField[];
}

export interface Outline {
  /** In the order of the plan, each where its first object stands. */
  readonly entries: readonly OutlineEntry[];
  /** `12 agents`, by kind. */
  readonly unmanaged: readonly string[];
  /** The same of those who wait for an approval since an earlier apply. Their notes were shown with it, so they are only counted. */
  readonly waiting: readonly string[];
  readonly told: ReadonlySet<Note>;
}

/** More objects of one kind than that, all created or all deleted, share a line. */
const MOST_ALONE = 10;

/** From so many objects on, equal changes share a block. */
const LEAST_ALIKE = 3;

export function outlineOf(plan: Plan): Outline {
  const named = namesIn(plan);
  const remarked = remarkedIn(plan);
  const drafts = plan.resource_changes.map((change) => draftOf(change, named, remarked.get(change.address)));
  const alike = grouped(drafts.map(({ change, alikeness }) => [alikeness, change]));
  const entries = drafts.flatMap(({ change, fields, alikeness }): readonly OutlineEntry[] => {
    const those = alike.get(alikeness) ?? [change];
    const least = fields.length === 0 ? MOST_ALONE + 1 : LEAST_ALIKE;
    if (those.length < least) {
      const owned = fields.length === 0 ? valuesWith(change, those) : [change];
      const [head, ...rest] = owned[0] === change ? owned : [];
      if (head === undefined) return [];
      return [
        rest.length === 0
          ? { changes: [head], address: head.address, ...textsOf(head, named), names: [], fields }
          : valuesEntry([head, ...rest], named),
      ];
    }
    const [first, ...others] = those[0] === change ? those : [];
    return first === undefined
      ? []
      : [
          {
            changes: [first, ...others],
            address: null,
            text: countText(change.type, those.length),
            shorter: [],
            names: those.map(({ type, address }) => (KINDS[type].choosesId === true ? named(address) : keyIn(address))),
            fields,
          },
        ];
  });
  const told = toldIn(plan);
  return {
    entries,
    unmanaged: countTexts(plan.unmanaged.filter(({ released }) => released === null)),
    waiting: countTexts(told.map(({ address }) => ({ type: kindOf(address) }))),
    told: new Set(told),
  };
}

/** Of changes alike, the values that have the same owner as one of them; only itself where it is no value. */
function valuesWith(change: ResourceChange, those: readonly ResourceChange[]): readonly ResourceChange[] {
  if (KINDS[change.type].entry !== 'value') return [change];
  return those.filter(({ address }) => ownerIn(address) === ownerIn(change.address));
}

/** `group_property/sales/app` of `group_property/sales/app/tier`. */
function ownerIn(address: Address): string {
  return address.slice(0, address.lastIndexOf('/'));
}

/** `first_reply_target 20, support_tier priority`, of one owner. */
function valuesEntry(changes: OutlineEntry['changes'], named: Named): OutlineEntry {
  const owner = ownerIn(changes[0].address);
  const names = changes.map(({ address }) => address.slice(owner.length + 1));
  const values = changes.map((change, nth) => `${names[nth]} ${textsOf(change, named).text}`);
  const [text = '', ...shorter] = [
    ...[values, names].flatMap((each) => MOST_PHRASES.map((most) => few(each, most))),
    counted(changes.length, 'value'),
  ];
  return { changes, address: owner, text, shorter, names: [], fields: [] };
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
function textsOf(
  { address, type, name, id, change }: ResourceChange,
  named: Named,
): Pick<OutlineEntry, 'text' | 'shorter'> {
  const spec = change.actions[0] === 'create' ? change.after : change.after === null ? change.before : null;
  if (spec === null)
    return { text: address.endsWith(`/${name}`) || name === String(id) ? '' : clear(name), shorter: [] };
  const [text = '', ...shorter] = MOST_PHRASES.map((most) => summaryOf(KINDS[type], spec, named, most));
  return { text, shorter: [...new Set(shorter)].filter((each) => each.length < text.length) };
}

/** Phrases of one field in a summary: as many as fit. */
const MOST_PHRASES = [5, 4, 3, 2, 1];

function countText(type: KindName, count: number): string {
  const { one, many } = KINDS[type].noun;
  return counted(count, one, many);
}

function countTexts(objects: readonly { readonly type: KindName }[]): readonly string[] {
  return Array.from(
    countedBy(objects, ({ type }) => type),
    ([type, count]) => countText(type, count),
  );
}

/** Notes on a state that lasts: the plan that makes or adopts the object shows them, and its owner has seen them since. */
function toldIn({ notes, resource_changes: changes }: Plan): readonly Note[] {
  const fresh = new Set(
    changes.flatMap(({ address, change, adopting }) =>
      adopting || (change.actions as readonly string[]).includes('create') ? [address] : [],
    ),
  );
  return notes.filter(({ kind, address }) => kind === 'pending-approval' && !fresh.has(address));
}

/** The name that only one object has; else the key of the address, or the id. */
function namesIn({ resource_changes: changes, unmanaged, names: unchanged = {} }: Plan): Named {
  const names = soleNames([
    ...changes.map(({ address, type, name, change: { after } }) => {
      const wanted = after?.['name'];
      return { kind: type, reference: address, name: typeof wanted === 'string' ? wanted : name };
    }),
    ...unmanaged.map(({ type, id, name }) => ({ kind: type, reference: String(id), name })),
  ]);
  return (reference) => clear(unchanged[reference] ?? names.get(reference) ?? keyIn(reference));
}

/** The part of an address after its kind; a bare id as it is. */
function keyIn(reference: Reference): string {
  return reference.slice(reference.indexOf('/') + 1);
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
