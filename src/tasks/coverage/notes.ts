// Staff in; what was assumed of it, and what nobody knows, as sentences, out.

import { MEMBERSHIP } from '../../kinds/index.ts';
import type { Bar } from '../../kinds/kind.ts';
import { isWorked } from '../../staff/shifts.ts';
import type { Person, Staff } from '../../staff/staff.ts';
import { addressOf } from './address.ts';

const MOST = 3;

const BARS = ['suspended', 'awaiting approval'] as const satisfies readonly Bar[];

/** Of those who can get chats; `zone` is the one that was taken where none is known. */
export function notesOf({ groups, people }: Staff, zone: string): readonly string[] {
  const serving = new Set(groups.flatMap(({ members }) => members.filter(({ barred }) => barred === null).map(nameOf)));
  const free = people.filter((person) => serving.has(nameOf(person)));
  const zoneless = free.filter(({ hours }) => hours.status === 'shifts' && hours.isZoneAssumed);
  const elsewhere = zoneless.filter(({ hours }) => hours.status === 'shifts' && hours.zone !== zone);
  return [
    ...BARS.map((bar) =>
      note(
        people.filter((person) => person.bar === bar),
        (who) => `no chats are assigned while ${bar}: ${who}`,
      ),
    ),
    note(
      groups
        .filter(({ isWhole }) => !isWhole)
        .map(({ reference }) => ({ kind: MEMBERSHIP.right.kind.name, reference })),
      (who) => `nothing says who else is in ${who}`,
    ),
    note(
      zoneless.filter((person) => !elsewhere.includes(person)),
      (who) => `the hours of ${who} name no time zone: they are counted in ${zone}`,
    ),
    note(elsewhere, (who) => `the service keeps no time zone for ${who}: the hours are counted in the one declared`),
    note(
      free.filter(({ hours, tireless }) => hours.status === 'unknown' && !tireless),
      (who) => `the hours of ${who} are not known, so they count as without hours`,
    ),
    // Of those that are declared, a lint tells.
    note(
      free.filter(({ hours, isDeclared }) => hours.status === 'shifts' && !isDeclared && !hours.shifts.every(isWorked)),
      (who) => `${who} has shifts that do not end after they begin: those count as nothing`,
    ),
    note(
      free.filter(({ areSlotsAssumed }) => areSlotsAssumed),
      (who) => `no file says how many chats ${who} can have: counted with what the service gives a new one`,
    ),
    note(
      free.filter(({ slots }) => slots === null),
      (who) => `how many chats ${who} can have is not known: the slots are at least those counted`,
    ),
  ].flat();
}

function nameOf({ kind, reference }: Person): string {
  return `${kind} ${reference}`;
}

function note(
  those: readonly { readonly kind: string; readonly reference: string }[],
  sentence: (who: string) => string,
): readonly string[] {
  if (those.length === 0) return [];
  const named = those.slice(0, MOST).map(({ kind, reference }) => addressOf(kind, reference));
  const more = those.length - named.length;
  return [sentence(`${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`)];
}
