// Who an event of a calendar of absences is about: an attendee, a person whom its summary names, or its organizer.

import { isObject } from '../base/json.ts';
import { listed, nearest } from '../base/nearest.ts';
import { personOf } from '../base/person.ts';
import { inNfc } from '../base/text.ts';
import { type CalendarProperty, calendarText, type MarkHere } from '../yaml/calendar.ts';
import type { CalendarEvent } from './events.ts';
import type { DeclaredEntry } from './sections.ts';

/** Who is away; or why that is not known, and where. */
export type EventPeople =
  | { readonly entries: readonly DeclaredEntry[] }
  | { readonly entries: null; readonly mark: MarkHere; readonly message: string; readonly meant: string | null };

interface NamedPerson {
  readonly entry: DeclaredEntry;
  readonly name: string;
  readonly words: readonly string[];
}

const ADDRESS = /[^\s<>()",;:]+@[^\s<>()",;:]+/g;

/** @param people - By account. */
export function peopleReader(people: ReadonlyMap<string, DeclaredEntry>): (event: CalendarEvent) => EventPeople {
  const named = [...people.values()].flatMap((entry): readonly NamedPerson[] => {
    const { name } = isObject(entry.value) ? entry.value : {};
    const words = typeof name === 'string' ? wordsOf(name) : [];
    // One word may be any: `Leave in May`.
    return typeof name === 'string' && words.length > 1 ? [{ entry, name, words }] : [];
  });
  const byFirst = new Map<string, NamedPerson[]>();
  for (const each of named) {
    const [first = ''] = each.words;
    byFirst.set(first, [...(byFirst.get(first) ?? []), each]);
  }
  const declaredAmong = (addresses: readonly string[]): readonly DeclaredEntry[] => [
    ...new Set(addresses.flatMap((address) => people.get(personOf(address)) ?? [])),
  ];
  const nearestAddress = (address: string): string | null => nearest(personOf(address), [...people.keys()]);

  return ({ properties, mark }) => {
    const attending = properties.filter((each) => each.name === 'ATTENDEE' && isPerson(each));
    const attendees = attending.flatMap(addressIn);
    const away = declaredAmong(attendees);
    if (away.length > 0) return { entries: away };
    const summary = properties.find(({ name }) => name === 'SUMMARY');
    const text = summary === undefined ? '' : inNfc(calendarText(summary.value));
    const written = text.match(ADDRESS) ?? [];
    const addressed = declaredAmong(written);
    const entries = addressed.length > 0 ? addressed : [...new Set(namesIn(text).map(({ entry }) => entry))];
    if (entries.length === 1) return { entries };
    if (summary !== undefined && entries.length > 1) {
      const message = `the event names ${listed(entries.map(({ key }) => `\`${key}\``))}`;
      return { entries: null, mark: summary.mark, message, meant: null };
    }
    const [attendee] = attendees;
    if (attending[0] !== undefined && attendee !== undefined) {
      const message = `no agent \`${attendee}\` is declared`;
      return { entries: null, mark: attending[0].mark, message, meant: nearestAddress(attendee) };
    }
    const [address] = written;
    if (summary !== undefined && address !== undefined) {
      const message = `no agent \`${address}\` is declared`;
      return { entries: null, mark: summary.mark, message, meant: nearestAddress(address) };
    }
    const organizer = declaredAmong(properties.filter(({ name }) => name === 'ORGANIZER').flatMap(addressIn));
    if (organizer.length > 0) return { entries: organizer };
    return {
      entries: null,
      mark: summary?.mark ?? mark,
      message: 'the event names no declared agent',
      meant: nearestName(text),
    };
  };

  /** Names in a text that are not a part of a longer one there. */
  function namesIn(text: string): readonly NamedPerson[] {
    const words = wordsOf(text);
    const found = words.flatMap((word, from) =>
      (byFirst.get(word) ?? [])
        .filter((person) => person.words.every((each, index) => words[from + index] === each))
        .map((person) => ({ person, from, to: from + person.words.length })),
    );
    const isPart = (one: (typeof found)[number]): boolean =>
      found.some(({ from, to }) => from <= one.from && to >= one.to && to - from > one.to - one.from);
    return found.filter((each) => !isPart(each)).map(({ person }) => person);
  }

  /** The address of the person whose name a part of the text nearly is. */
  function nearestName(text: string): string | null {
    const names = named.map(({ name }) => name);
    for (const part of [...text.split(/[:(),–—-]/), text]) {
      const meant = nearest(part.trim(), names);
      const person = named.find(({ name }) => name === meant);
      if (person !== undefined) return person.entry.key;
    }
    return null;
  }
}

/** Not a room, and not a person who is not coming. */
function isPerson({ parameters }: CalendarProperty): boolean {
  const isRoom = /^(?:ROOM|RESOURCE|GROUP)$/i.test(parameters.get('CUTYPE') ?? '');
  return !isRoom && parameters.get('PARTSTAT')?.toUpperCase() !== 'DECLINED';
}

function addressIn({ value }: CalendarProperty): readonly string[] {
  const [, address] = /^\s*mailto:(\S+)\s*$/i.exec(value) ?? [];
  return address === undefined ? [] : [address];
}

function wordsOf(text: string): readonly string[] {
  return inNfc(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
