// A view without the names of people: a text that names one says somebody instead, and a list says how many. Names of groups, rules and files stay.

import { grouped } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import { KINDS } from '../../kinds/index.ts';
import { splitName } from '../../kinds/namespaced.ts';
import type { StaffPerson } from '../../routing/staff/staff.ts';
import type { View } from '../../view/blocks.ts';
import type { LicensePage } from './page.ts';
import type { AskedRules } from './rules-at.ts';

const SOMEBODY = 'somebody';

/** What looks like the address of a person: also of one who is not on the license. */
const ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** A word, where a name may begin. */
const WORD = /[\p{L}\p{N}]+/gu;

/** Members of a view that are no text for people: the script of a form is trusted by its hash. */
const KEPT: ReadonlySet<string> = new Set(['script', 'data', 'type', 'kind', 'tone', 'as']);

export function withoutPeople(view: View, page: LicensePage): View {
  return hidingPeople(page)(view);
}

/** Whom each need is about: how many people. */
export function needsWithoutNames(page: LicensePage): LicensePage['needs'] {
  const hide = hidingPeople(page);
  return page.needs.map((need) => ({ ...need, says: hide(need.says), names: foldedPeople(hide(need.names)) }));
}

function foldedPeople(names: readonly string[]): readonly string[] {
  const others = names.filter((name) => name !== SOMEBODY);
  const count = names.length - others.length;
  return count === 0 ? names : [counted(count, 'person', 'people'), ...others];
}

/** Of any part of a view. */
function hidingPeople({ people, history }: LicensePage): <Part>(part: Part) => Part {
  const agents = people.filter(({ type }) => KINDS[type].serving?.tireless === false);
  const names = agents.flatMap(({ address, name, id }) => [name, String(id), splitName(address)[1]]);
  const starters = history.runs.flatMap(({ by }) => [by?.user ?? '', by?.actor ?? '']);
  const hide = hiding([...names, ...starters]);
  return <Part>(part: Part) => mapped(part, hide) as Part;
}

/** What answers for a visitor: who gets the chat is an agent without a name, of whom the answer has the number. */
export function withoutStaffNames(asked: AskedRules): AskedRules {
  const { groups, people } = asked.staff;
  // Hours are found by the reference.
  const numbers = new Map(people.map(({ reference }, index) => [reference, index + 1]));
  const nameless = <T extends StaffPerson>(person: T): T => {
    if (person.tireless) return person;
    return { ...person, name: '', reference: `${person.kind}/${numbers.get(person.reference)}` };
  };
  return {
    ...asked,
    staff: {
      people: people.map(nameless),
      groups: groups.map((group) => ({ ...group, members: group.members.map(nameless) })),
    },
  };
}

/** Replaces the names in a text, the longest first, where they are whole words. */
function hiding(names: readonly string[]): (text: string) => string {
  const longestFirst = [...new Set(names)].toSorted((a, b) => b.length - a.length);
  const byWord = grouped(
    longestFirst.flatMap((name) => {
      const [word] = name.match(WORD) ?? [];
      return word === undefined ? [] : [[word, name] as const];
    }),
  );
  return (text) => {
    let shown = '';
    let end = 0;
    for (const { index, 0: word } of text.matchAll(WORD)) {
      if (index < end) continue;
      const found = byWord.get(word)?.find((name) => isNamedAt(text, name, index - name.indexOf(word)));
      if (found === undefined) continue;
      const begin = index - found.indexOf(word);
      shown += text.slice(end, begin) + SOMEBODY;
      end = begin + found.length;
    }
    return hideAddresses(shown + text.slice(end));
  };
}

function hideAddresses(text: string): string {
  return text.replaceAll(ADDRESS, SOMEBODY);
}

/** Any part of a view where it is not known who is on the license. */
export function withoutAddresses<Part>(part: Part): Part {
  return mapped(part, hideAddresses) as Part;
}

function isNamedAt(text: string, name: string, index: number): boolean {
  return index >= 0 && text.startsWith(name, index) && !/^[\p{L}\p{N}]/u.test(text.slice(index + name.length));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Also what is made only when it is shown. */
export function mapped(part: unknown, hide: (text: string) => string): unknown {
  if (typeof part === 'string') return hide(part);
  if (typeof part === 'function') return () => mapped((part as () => unknown)(), hide);
  if (Array.isArray(part)) return part.map((each) => mapped(each, hide));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([member, each]) => {
      if (KEPT.has(member)) return [member, each];
      const shown = mapped(each, hide);
      return [member, member === 'names' && isTexts(shown) ? foldedPeople(shown) : shown];
    }),
  );
}
