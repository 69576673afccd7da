// Changes of a plan as items: an object each, with the fields that differ in words and member by member.

import type { Json } from '../../base/model.ts';
import { clear } from '../../base/text.ts';
import type { Named } from '../../kinds/field.ts';
import { isMembership, KINDS } from '../../kinds/index.ts';
import { changesBetween, soleNames, summaryOf } from '../../kinds/words.ts';
import type { FieldChange, Note, Plan, ResourceChange } from '../../plan/plan.ts';
import type { Item, Items, Mark, Side, Text } from '../../view/blocks.ts';
import { memberChanges } from '../../view/values.ts';
import { ACTIONS } from '../../view/words/actions.ts';
import { actionOf, NOTE_PLACES, type NotesOf, notesOf } from '../../view/words/plan.ts';
import { MOST_PHRASES } from '../../view/writers/terminal-items.ts';
import { impactRemarks } from './impact.ts';

const SIDES: readonly Side[] = [
  { short: 'before', title: 'Before' },
  { short: 'after', title: 'After' },
];

/** Changes that are shown one by one, and those of which nothing is known to differ. */
export interface SortedChanges {
  readonly listed: readonly ResourceChange[];
  readonly unseen: readonly ResourceChange[];
}

export function sortedChanges(plan: Plan): SortedChanges {
  const notes = notesOf(plan);
  const { resource_changes: all } = plan;
  const unseen = new Set(all.filter((change) => isUnseen(change, notes(change.address))));
  const isListed = (change: ResourceChange): boolean => actionOf(change) !== null || change.fields.length > 0;
  return { listed: all.filter((change) => isListed(change) && !unseen.has(change)), unseen: [...unseen] };
}

/** Whether some of its fields cannot be read, the others are as desired, and nothing is to be said of its ownership. */
function isUnseen(change: ResourceChange, notes: readonly Note[]): boolean {
  const action = actionOf(change);
  if (action !== null && action !== 'adopt') return false;
  if (notes.some(({ kind }) => NOTE_PLACES[kind] === 'ownership')) return false;
  return change.fields.every(({ reach }) => reach === 'unreadable');
}

/** By which a danger links to its change. */
export function idsOf({ listed }: SortedChanges): ReadonlyMap<string, string> {
  return new Map(listed.map(({ address }, index) => [address, `c${index + 1}`]));
}

/** Null without a change. */
export function changesBlock(plan: Plan, changes: SortedChanges, withPeople: boolean): Items | null {
  if (changes.listed.length === 0) return null;
  const about: AboutChanges = {
    named: namesIn(plan),
    notes: notesOf(plan),
    remarks: impactRemarks(plan, withPeople),
    ids: idsOf(changes),
  };
  const items = changes.listed.map((change) => changeItem(change, about));
  return { type: 'items', sides: SIDES, items, isPlaceDetail: true, isRemarked: true };
}

interface AboutChanges {
  readonly named: Named;
  readonly notes: NotesOf;
  readonly remarks: (address: string) => readonly Text[];
  readonly ids: ReadonlyMap<string, string>;
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
function keyIn(reference: string): string {
  return reference.slice(reference.indexOf('/') + 1);
}

const MARKS = {
  create: ACTIONS.created,
  update: ACTIONS.changed,
  replace: ACTIONS.replaced,
  delete: ACTIONS.destroyed,
  move: ACTIONS.moved,
  adopt: ACTIONS.adopted,
} as const;

function changeItem(change: ResourceChange, { named, notes, remarks, ids }: AboutChanges): Item {
  const {
    address,
    source,
    danger,
    change: { actions, after },
  } = change;
  const id = ids.get(address);
  const action = actionOf(change);
  const happens = happeningsOf(change);
  const own = notes(address);
  const at = (place: 'danger' | 'ownership'): readonly Note[] => own.filter(({ kind }) => NOTE_PLACES[kind] === place);
  const alarmed = { sign: '!', word: 'danger', tone: 'error' } as const;
  const dangers = at('danger').map(({ message }) => ({ mark: alarmed, label: message }));
  // The summary of what is created or destroyed says the most of its fields.
  const isWhole = after === null || (actions.length === 1 && actions[0] === 'create');
  return {
    ...(id === undefined ? {} : { id }),
    mark: action === null ? ACTIONS.unwritten : MARKS[action],
    label: { text: address, as: 'address' },
    ...summaryIn(change, named),
    ...(happens === '' ? {} : { happens }),
    alike: nounOf(change, named),
    place: source,
    ...(isWhole ? {} : { items: fieldItems(change, named) }),
    ...(dangers.length > 0 || isWhole
      ? { details: () => [...dangers, ...(isWhole ? fieldItems(change, named) : [])] }
      : {}),
    remarks: [
      ...at('ownership').map(({ message }): Text => [{ text: '!', tone: 'warning' }, ` ${message}`]),
      ...remarks(address),
    ],
    weight: danger.length > 0 ? 1 : change.change.actions[0] === 'no-op' ? -1 : 0,
  };
}

function happeningsOf(change: ResourceChange): string {
  const { adopting, recreating, moved } = change;
  const action = actionOf(change);
  return [
    ...(action === null ? ['cannot be changed through the API'] : []),
    ...(action === 'replace' ? [replacedText(change)] : []),
    ...(action === 'create' && recreating ? ['created again'] : []),
    ...(adopting ? ['adopted'] : []),
    ...(moved === null ? [] : [`position ${moved.from} -> ${moved.to}`]),
  ].join(', ');
}

/** An object whose replacement comes first is not away in between, unless a note says so. */
function replacedText({ type }: ResourceChange): string {
  return KINDS[type].replacing?.overlaps === undefined ? 'deleted and made again' : 'made again';
}

/** What is created or deleted in words; of another object the name that its address lacks. */
function summaryIn(
  { address, type, name, id, change: { actions, before, after } }: ResourceChange,
  named: Named,
): Pick<Item, 'about' | 'shorter'> {
  const spec = actions[0] === 'create' ? after : after === null ? before : null;
  if (spec === null) return address.endsWith(`/${name}`) || name === String(id) ? {} : { about: clear(name) };
  const [most, ...fewer] = MOST_PHRASES;
  const summary = (phrases: number): string => summaryOf(KINDS[type], spec, named, phrases);
  const about = summary(most);
  return about === '' ? {} : { about, shorter: () => fewer.map(summary) };
}

/** In lists people are called by their names, all others by their keys. */
function nounOf({ type, address }: ResourceChange, named: Named): NonNullable<Item['alike']> {
  const { noun, entry, choosesId } = KINDS[type];
  if (entry !== 'value') return { ...noun, called: choosesId === true ? named(address) : keyIn(address) };
  const end = address.lastIndexOf('/');
  return { ...noun, called: address.slice(end + 1), owner: address.slice(0, end) };
}

/** Of a deleted object the fields that it had. */
function fieldItems({ type, change: { before, after }, fields }: ResourceChange, named: Named): readonly Item[] {
  if (after !== null) return fields.flatMap((field) => fieldItem(type, field, named));
  return Object.entries(before ?? {}).flatMap(([field, had]) =>
    differingItems(type, { field, before: had, after: null }, named),
  );
}

function fieldItem(type: ResourceChange['type'], change: FieldChange, named: Named): readonly Item[] {
  const { reach, reason, field } = change;
  const about = unwrittenText(change);
  if (about !== null)
    return [{ mark: reach === 'unreadable' ? ACTIONS.unseen : ACTIONS.unwritten, label: labelOf(field), about }];
  // Of a secret only the reason says what differs.
  if (KINDS[type].fields[field]?.secret === true && reason !== null)
    return [{ mark: MEMBERS.changed, label: labelOf(field), about: reason }];
  const items = differingItems(type, change, named);
  if (reason === null || (reach !== 'unverified' && !isMembership(type, field))) return items;
  const why: Text = { text: `(${reason})`, tone: 'faint' };
  return items.map((item) => ({
    ...item,
    about: why,
    ...(item.items === undefined ? {} : { items: item.items.map((each) => ({ ...each, about: why })) }),
  }));
}

/** Why a field keeps its live value; null for a field that is written. */
function unwrittenText({ before, after, reach, reason }: FieldChange): string | null {
  if (reach !== 'unreachable' && reach !== 'unreadable') return null;
  const [was, is] = [JSON.stringify(before ?? null), JSON.stringify(after)];
  const why = reason === null ? '' : `: ${reason}`;
  return reach === 'unreachable'
    ? `${was} stays; ${is} cannot be set through the API${why}`
    : `cannot verify ${is}${why}`;
}

function labelOf(text: string): Text {
  return { text, as: 'field' };
}

const MEMBERS = {
  added: { sign: '+', word: 'added', tone: 'add' },
  removed: { sign: '-', word: 'removed', tone: 'destroy' },
  changed: { sign: '~', word: 'changed', tone: 'change' },
} as const satisfies { readonly [how: string]: Mark };

/** A field with its members; the members alone where no words say what differs. */
export function differingItems(
  type: ResourceChange['type'],
  { field, before, after }: { readonly field: string; readonly before: Json; readonly after: Json },
  named: Named,
): readonly Item[] {
  const known = KINDS[type].fields[field];
  const words = known === undefined ? [] : changesBetween(known, before, after, named);
  const members = memberChanges(field, before ?? undefined, after ?? undefined).map(
    (each): Item => ({
      mark: each.before === null ? MEMBERS.added : each.after === null ? MEMBERS.removed : MEMBERS.changed,
      label: labelOf(each.name),
      values: [each.before, each.after],
    }),
  );
  return words.length === 0 ? members : [{ label: labelOf(field), words, items: members }];
}
