// One difference as a sentence for the people who run the desk: who or what, how it was changed, and what the files say.

import { isList } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { isAddress, isMembership, KINDS, kindOf } from '../../kinds/index.ts';
import { sidesInWords, valueText } from '../../kinds/words.ts';
import type { Difference } from '../../plan/differences/difference.ts';

/** Phrases of one value in a sentence. */
const MOST_PHRASES = 4;

/** `Ewa is now suspended: changed in the application; the files say otherwise`. Without a full stop. `nameOf`: of an address, where more than the item is known. */
export function sentenceOf(item: Difference, nameOf: (address: string) => string = keyIn): string {
  const { kind, status, type, name } = item;
  const subject = item.path.length === 0 && item.id === null && !isAddress(item.address) ? KINDS[type].noun.many : name;
  switch (kind) {
    case 'changed': {
      const member = memberText(item, nameOf);
      if (member === null) return `${subject}${changeText(item)}`;
      return isOnLicense(item) ? `Changed ${inApplication(item)}: ${member}` : member;
    }
    case 'missing':
      return status === 'pending'
        ? `The ${KINDS[type].noun.one} ${subject} is in the files and not on the license yet`
        : `The ${KINDS[type].noun.one} ${subject} was deleted ${inApplication(item)}; the files have it`;
    case 'unmanaged':
      return status === 'pending'
        ? `The ${KINDS[type].noun.one} ${subject} is no longer in the files, and still on the license`
        : `The ${KINDS[type].noun.one} ${subject} is on the license, and no file has it${changerText(item, '; changed last')}`;
    case 'reordered':
      return status === 'pending'
        ? `The files have another order of the ${KINDS[type].noun.many} than the license`
        : `The order of the ${KINDS[type].noun.many} was changed ${inApplication(item)}${orderText(item, nameOf)}`;
    case 'unreadable':
      return `${fieldText(item)} of ${subject} cannot be read back`;
    case 'pending-approval':
      return `${subject} waits for approval`;
    case 'due':
      return `The hours of ${subject} are those of an earlier date`;
  }
}

function keyIn(address: string): string {
  return address.slice(address.indexOf('/') + 1);
}

/** `: Returns now comes before All others`, of the first place where the orders differ. */
function orderText(item: Difference, nameOf: (address: string) => string): string {
  const move = moveIn(item);
  return move === null ? '' : `: ${nameOf(move.moved)} now comes ${move.side} ${nameOf(move.other)}`;
}

/** The first move of an order that was changed, by its reason; both sides have the same items. Null for no such difference. */
export function moveIn({ live, desired, reason }: Difference) {
  const [is = [], was = []] = [live, desired].map((side) => (isList(side) ? side.map(String) : []));
  const at = is.findIndex((each, place) => each !== was[place]);
  const [first, second] = [is[at], was[at]];
  if (first === undefined || second === undefined) return null;
  const isMoved = (each: string): boolean =>
    reason?.split(', ').some((one) => one.startsWith(`${each} in place `)) === true;
  const before = is[is.indexOf(second) - 1];
  return isMoved(second) && !isMoved(first) && before !== undefined
    ? ({ moved: second, side: 'after', other: before } as const)
    : ({ moved: first, side: 'before', other: second } as const);
}

/** Where it was changed, as people at the desk call it, and by whom where that is known. */
function inApplication(item: Difference): string {
  return `in the application${changerText(item)}`;
}

function changerText({ changed_by: changer }: Difference, begin = ''): string {
  return changer === undefined ? '' : `${begin} by ${changer}`;
}

function isOnLicense({ status }: Difference): boolean {
  return status === 'drift' || status === 'conflict';
}

function fieldText({ path }: Difference): string {
  return path.join(' ').replaceAll('_', ' ');
}

/** `Ann in Sales: last`; null for what is no membership. */
function memberText(item: Difference, named: (address: string) => string): string | null {
  const {
    type,
    name,
    path: [field = '', member],
    live,
    desired,
  } = item;
  if (member === undefined || !isMembership(type, field)) return null;
  const other = named(member).replace(/^(?:agent|bot|group)\//, '');
  const [person, group] = KINDS[type].serving === undefined ? [other, name] : [name, other];
  const as = (value: Json): string => (value === null ? 'no member' : scalarText(value));
  return `${person} in ${group}: ${as(live)}; the files say ${as(desired)}`;
}

/** What follows the name of the object. */
function changeText(item: Difference): string {
  const { live, desired } = item;
  if (typeof live === 'boolean' && item.path.length === 1) {
    const state = `${live ? '' : 'not '}${fieldText(item)}`;
    return isOnLicense(item)
      ? ` is now ${state}: changed ${inApplication(item)}; the files say otherwise`
      : ` is ${state} on the license; the files say otherwise`;
  }
  const differing = hoursText(item);
  const [now, wanted] = [sideText(item, live), sideText(item, desired)];
  const files = desired === null ? 'no file says so' : `the files say ${wanted}`;
  const what = differing ?? `${fieldText(item)} ${isOnLicense(item) ? 'is now' : 'is'} ${now}; ${files}`;
  return isOnLicense(item) ? `: changed ${inApplication(item)}: ${what}` : `: ${what}`;
}

/** `Mon-Fri 13:00-20:00, in the files 09:00-17:00`; null for a field that is not said day by day. */
function hoursText({ address, path: [name = '', ...deeper], live, desired }: Difference): string | null {
  const field = isAddress(address) && deeper.length === 0 ? KINDS[kindOf(address)].fields[name] : undefined;
  const days = field === undefined ? [] : sidesInWords(field, [live, desired]);
  if (days.length === 0) return null;
  return days
    .map(({ about, says: [now, wanted] }) => `${about} ${now ?? 'nothing'}, in the files ${wanted ?? 'nothing'}`)
    .join('; ');
}

function sideText({ address, path }: Difference, value: Json): string {
  const [name = ''] = path;
  const field = isAddress(address) && path.length === 1 ? KINDS[kindOf(address)].fields[name] : undefined;
  const text = field === undefined ? scalarText(value) : valueText(field, value, MOST_PHRASES);
  return text === '' ? 'nothing' : text;
}

function scalarText(value: Json): string {
  if (value === null) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
