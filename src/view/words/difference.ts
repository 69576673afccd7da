// One difference between applied, live and declared as an item, for drift and for all that compares a license with its files.

import { KIND, STATUS, type WayOut } from '../../base/difference.ts';
import { isList, isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import type { Field } from '../../kinds/field.ts';
import { isAddress, KINDS, kindOf } from '../../kinds/index.ts';
import { sidesInWords } from '../../kinds/words.ts';
import type { Difference } from '../../plan/differences/difference.ts';
import { type Item, type Items, type Mark, plainText, type Side, type Text, type Value } from '../blocks.ts';
import { time } from '../plain.ts';
import { jsonValue, memberChanges, sidesOfMembers } from '../values.ts';
import { quoted } from './commands.ts';

export const SIDES: readonly Side[] = [
  { short: 'applied', title: 'Applied' },
  { short: 'live', title: 'On the license' },
  { short: 'declared', title: 'In the manifest' },
];

/** Of an object that only the license has. */
export const LIVE_SIDE: readonly Side[] = [{ short: 'live', title: 'On the license' }];

/** Whether the ledger has no apply to compare with, as a new or a lost ledger: then nothing says which side changed. */
export function isUnapplied({ status, kind, applied_at: applied }: Difference): boolean {
  return status === 'pending' && applied === null && kind !== 'unmanaged' && kind !== 'pending-approval';
}

/** An object that nothing declares: no apply knew it, so nothing says whether it came since the last one. */
export function isUnmanaged({ status, kind }: Difference): boolean {
  return status === 'drift' && kind === 'unmanaged';
}

export function movedText(item: Difference): string {
  if (isUnmanaged(item)) return 'nothing declares it';
  if (item.kind === 'due') return 'the date has come';
  return isUnapplied(item) ? 'the ledger has no apply of it' : STATUS[item.status].moved;
}

/** Which side changed, and since when; null when that is not the question. */
export function movement(item: Difference): Text | null {
  const { status, kind, applied_at: applied } = item;
  if ((kind === 'unmanaged' && applied === null) || kind === 'pending-approval' || status === 'unknown') return null;
  if (applied === null) return movedText(item);
  return [`${movedText(item)} since the apply of `, { text: time(applied), as: 'time' }];
}

export function pathText({ path }: Difference): string {
  return path.join('.');
}

/** Where it differs: `group/sales language_code`. */
export function nameOf(item: Difference): string {
  return item.path.length === 0 ? item.address : `${item.address} ${pathText(item)}`;
}

/** What differs, without the values: the same text as long as it is the same difference. */
export function titleOf(item: Difference): string {
  const path = pathText(item);
  return `${item.address} ${item.kind === 'changed' && path !== '' ? path : `${path} ${KIND[item.kind].differs}`.trim()}`;
}

/** The address, and the name of an object whose address does not have it. */
export function headline({ address, name, path, id }: Difference): Text {
  const isOrder = id === null && path.length === 0 && !address.includes('/');
  const own = { text: address, as: 'address' } as const;
  return isOrder || address.endsWith(`/${name}`) || name === String(id)
    ? own
    : [own, ', named ', { text: name, as: 'name' }];
}

/** The sign of its kind; its word says which side changed. */
export function markOf(item: Difference): Mark {
  const { sign, tone, word } = KIND[item.kind];
  if (item.status === 'conflict') return { sign: '!', tone: 'error', word: word.conflict };
  return { sign, tone, word: isUnapplied(item) && item.kind === 'changed' ? 'not applied yet' : word[item.status] };
}

const MOVED: { readonly [status in Difference['status']]: readonly number[] } = {
  drift: [1],
  pending: [2],
  conflict: [1, 2],
  converged: [1, 2],
  unknown: [],
};

/** What differs: a field with its sides, or what is said of a whole object. */
export function differenceItem(item: Difference, more: readonly Text[]): Item {
  const { kind, status, reason, source: place } = item;
  const label: Text = { text: pathText(item), as: 'field' };
  const remarks = [...(reason === null || status === 'converged' ? [] : [reason]), ...more];
  const about = { mark: markOf(item), place, remarks };
  switch (kind) {
    case 'changed':
    case 'due':
      return { ...about, label, moved: MOVED[status], ...valuesOf(item) };
    case 'unreadable':
      return { ...about, label, values: [undefined, { unknown: KIND[kind].differs }, jsonValue(item.desired)] };
    case 'reordered':
      return { ...about, label: KIND[kind].differs, details: () => orders(item) };
    case 'unmanaged':
      return { ...about, label: KIND[kind].differs, items: tellingItems(item, 1) };
    case 'missing':
    case 'pending-approval':
      return { ...about, label: [...(item.path.length === 0 ? [] : [label, ' ']), KIND[kind].differs] };
  }
}

function valuesOf(item: Difference): Pick<Item, 'values' | 'items'> {
  const { base, live, desired, applied_at: applied, status } = item;
  // Its reason says what differs.
  if (fieldOf(item)?.secret === true) return {};
  const sides = [applied === null ? undefined : base, live, desired];
  const words = wordItems(item, sides);
  if (words.length > 0) return { items: words.map((each) => ({ ...each, moved: MOVED[status] })) };
  const isCompound = sides.some((side) => isObject(side) || isList(side));
  const items = isCompound ? sidesOfMembers(pathText(item), sides) : [];
  const [only, ...others] = items;
  if (others.length === 0 && only?.values !== undefined && plainText(only.label) === pathText(item))
    return { values: only.values };
  // When only an order differs, the whole values show it.
  if (items.length > 0) return { items: items.map((each) => ({ ...each, moved: MOVED[status] })) };
  return { values: sides.map((side, at) => sideValue(side, isHidden(item) && at < 2)) };
}

/** Days of hours and the like, with what each side says of them. */
function wordItems(item: Difference, sides: readonly (Json | undefined)[]): readonly Item[] {
  const field = fieldOf(item);
  const [name] = item.path;
  if (field === undefined) return [];
  return sidesInWords(field, sides).map(({ about, says }) => ({
    label: { text: `${name} ${about}`, as: 'field' },
    values: says,
  }));
}

/** The field that differs as a whole. */
function fieldOf({ address, path: [name = '', ...deeper] }: Difference): Field | undefined {
  return isAddress(address) && deeper.length === 0 ? KINDS[kindOf(address)].fields[name] : undefined;
}

/** Whether its values are not known: a field that cannot be read back is known only by the digest of what was applied; a definition to be replaced may have such fields. */
function isHidden({ reach }: Difference): boolean {
  return reach === 'unverified' || reach === 'unreadable' || reach === 'replace';
}

function sideValue(json: Json | undefined, isUnknown: boolean): Value {
  if (json === undefined) return undefined;
  return json === null && isUnknown ? { unknown: 'unknown' } : jsonValue(json);
}

function orders({ base, live, desired, applied_at: applied }: Difference): readonly Item[] {
  const sides = [applied === null ? null : base, live, desired];
  return sides.flatMap((side, at) =>
    isList(side) ? [{ label: SIDES[at]?.short ?? '', names: side.map(String) }] : [],
  );
}

/** An object that the manifest does not declare: in words, with all else as details. */
export function unmanagedItem(
  item: Difference & { readonly in_words?: string },
  more: readonly Text[],
  remarks: readonly Text[] = [],
): Item {
  const { reason, in_words: words = '' } = item;
  const details = [...tellingItems(item, 0), ...more.map((label) => ({ label }))];
  return {
    mark: markOf(item),
    label: words === '' ? headline(item) : { text: item.address, as: 'address' },
    ...(words === '' ? {} : { about: words }),
    ...(details.length === 0 ? {} : { details: () => details }),
    remarks: [...(reason === null ? [] : [reason]), ...remarks],
  };
}

/** Fields that say what an object is: not its name again, and no empty values. `before`: sides in front of the live one. */
function tellingItems({ live, name }: Difference, before: number): readonly Item[] {
  const telling = isObject(live) ? Object.entries(live).filter(([, json]) => !isEmpty(json) && json !== name) : [];
  return telling.flatMap(([field, json]) =>
    memberChanges(field, undefined, json).map((each) => ({
      label: { text: each.name, as: 'field' } as const,
      values: [...Array.from({ length: before }, () => undefined), each.after],
    })),
  );
}

function isEmpty(json: Json): boolean {
  return isObject(json) || isList(json)
    ? Object.keys(json).length === 0
    : json === '' || json === false || json === null;
}

const COMMANDS: { readonly [way in Exclude<WayOut, 'ignore'>]: readonly [who: string, command: string, flag: string] } =
  {
    apply: ['manifest wins:  ', 'apply', '--only'],
    accept: ['license wins:   ', 'drift', '--accept'],
    import: ['license wins:   ', 'import', '--only'],
  };

/** The commands that end the differences of a resource, and which side wins by each. */
export function waysOut(target: string, address: string, items: readonly Difference[]): readonly Text[] {
  return (Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]).flatMap((way) => {
    if (!items.some((item) => item.ways_out.includes(way))) return [];
    const [who, command, flag] = COMMANDS[way];
    const text = `chatform ${command} -t ${quoted(target)} ${flag} ${quoted(address)}`;
    return [[{ text: who, tone: 'faint' } as const, { text, as: 'command', tone: 'faint' } as const]];
  });
}

/** The differences of one resource, where nothing is said but which side changed. */
export function differencesBlock(differences: readonly [Difference, ...Difference[]]): Items {
  const items = differences.map((each) => {
    const moved = movement(each);
    return differenceItem(each, moved === null ? [] : [moved]);
  });
  return { type: 'items', sides: SIDES, items: [{ label: headline(differences[0]), items }], isOpen: true };
}
