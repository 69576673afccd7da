// The members of a page: tables of people and groups that say who is there, joins, leaves and changes priority, each narrow enough for a sheet of paper.

import type { CoverReport, GroupReport, MemberReport } from '../../tasks/coverage/report.ts';
import { code, type Html, html, mark, name } from '../../view/html/markup.ts';
import type { PlanPictures } from './input.ts';

/** The priority of one person in one group; null for none. */
export interface MembershipChange {
  readonly before: MemberReport['priority'] | null;
  readonly after: MemberReport['priority'] | null;
}

export interface GroupMember {
  readonly address: string;
  readonly name: string;
  /** What has to be known in addition to the groups; empty for most. */
  readonly note: string;
  /** By the address of the group. */
  readonly groups: ReadonlyMap<string, MembershipChange>;
}

type GroupColumn = Pick<GroupReport, 'address' | 'name'>;

/** Cells of all tables that a browser lays out at once. */
const MOST_CELLS = 20_000;

export function membersSection({ cover }: PlanPictures): Html | null {
  const { groups } = cover.report;
  const people = peopleOf(groups);
  if (people.length === 0) return null;
  return html`
    <section aria-labelledby="members">
      <h2 id="members">Group members <span class="count">${people.filter(isChanging).length}</span></h2>
      ${changedMembers(people, groups)}
    </section>`;
}

function isChanging({ groups }: GroupMember): boolean {
  return [...groups.values()].some(({ before, after }) => before !== after);
}

export const PRIORITIES_PART = html`Chats go to <em>first</em>, then <em>normal</em>, then <em>last</em>; a <em>supervisor</em> gets none assigned.`;

/** Those who change, and those who do not, folded. */
export function changedMembers(people: readonly GroupMember[], groups: readonly GroupColumn[]): Html {
  const changing = people.filter(isChanging);
  const others = people.filter((person) => !isChanging(person));
  const first = matrices(changing, groups, MOST_CELLS);
  const second = matrices(others, groups, first.left);
  return html`
    ${changing.length === 0 ? html`<p>No agent joins or leaves a group, or changes priority in one.</p>` : html`<p>${mark('add', '+', 'joins')} ${mark('destroy', '−', 'leaves')} ${mark('change', '~', 'changes priority')}; without a mark: stays. ${PRIORITIES_PART}</p>${first.parts}`}
    ${others.length === 0 ? null : html`<details class="more"><summary>${others.length} who do not change</summary>${second.parts}</details>`}`;
}

/** All of them, of one side alone. */
export function allMembers(people: readonly GroupMember[], groups: readonly GroupColumn[]): Html {
  return html`<p>${PRIORITIES_PART}</p>${matrices(people, groups, MOST_CELLS).parts}`;
}

function peopleOf(groups: readonly GroupReport[]): readonly GroupMember[] {
  const people = new Map<string, { readonly name: string; readonly groups: Map<string, MembershipChange> }>();
  const note = (side: CoverReport | null, group: string, when: keyof MembershipChange): void => {
    for (const { address, name: called, priority } of side?.members ?? []) {
      const person = people.get(address) ?? { name: called, groups: new Map() };
      people.set(address, person);
      person.groups.set(group, { before: null, after: null, ...person.groups.get(group), [when]: priority });
    }
  };
  for (const { address, before, cover } of groups) {
    note(before, address, 'before');
    note(cover, address, 'after');
  }
  const sorted = [...people].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([address, person]) => ({ address, note: '', ...person }));
}

/** Groups next to each other: more do not fit on paper. */
const COLUMNS = 7;

/** Only groups that one of the people is in, and in each table only people of its groups. `left` of `cells` are not used. */
function matrices(
  people: readonly GroupMember[],
  all: readonly GroupColumn[],
  cells: number,
): { readonly parts: readonly Html[]; readonly left: number } {
  const groups = byChanges(people, all);
  const parts: Html[] = [];
  let left = cells;
  for (let from = 0; from < groups.length; from += COLUMNS) {
    const columns = groups.slice(from, from + COLUMNS);
    const inside = people.filter((person) => columns.some(({ address }) => person.groups.has(address)));
    const shown = inside.slice(0, Math.floor(left / columns.length));
    left -= shown.length * columns.length;
    parts.push(tablePart(shown, columns, inside.length - shown.length));
  }
  return { parts, left };
}

/** The groups with the most changes first. */
function byChanges(people: readonly GroupMember[], all: readonly GroupColumn[]): readonly GroupColumn[] {
  const changes = new Map<string, number>();
  for (const person of people)
    for (const [address, { before, after }] of person.groups)
      changes.set(address, (changes.get(address) ?? 0) + (before === after ? 0 : 1));
  return all
    .filter(({ address }) => changes.has(address))
    .toSorted((one, other) => (changes.get(other.address) ?? 0) - (changes.get(one.address) ?? 0));
}

function tablePart(people: readonly GroupMember[], groups: readonly GroupColumn[], more: number): Html {
  return html`
    <div class="scroll" role="region" aria-label="People and groups" tabindex="0">
      <table class="matrix">
        <thead><tr><th scope="col">Who</th>${groups.map((group) => html`<th scope="col">${name(group.name)}</th>`)}</tr></thead>
        <tbody>${people.map((person) => rowPart(person, groups))}</tbody>
      </table>
    </div>
    ${more === 0 ? null : html`<p class="faint">and ${more} more people; the document has all of them</p>`}`;
}

function rowPart(
  { name: called, address, note, groups: memberships }: GroupMember,
  groups: readonly GroupColumn[],
): Html {
  const key = address.slice(address.indexOf('/') + 1);
  const remark = note === '' ? null : html`<span class="remark">${note}</span>`;
  return html`<tr><th scope="row">${name(called)}${code(key)}${remark}</th>${groups.map((group) => cellPart(memberships.get(group.address)))}</tr>`;
}

function cellPart(change: MembershipChange | undefined): Html {
  return html`<td>${change === undefined ? null : priorityPart(change)}</td>`;
}

/** The priority, marked where it changes. */
export function priorityPart({ before, after }: MembershipChange): Html {
  if (before === after) return html`${before}`;
  if (before === null) return html`${mark('add', '+', after ?? '')}<span class="sr"> joins</span>`;
  if (after === null) return html`${mark('destroy', '−', before)}<span class="sr"> leaves</span>`;
  return mark('change', '~', `${before} → ${after}`);
}
