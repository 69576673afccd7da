// Who is in which group, before and after, in; a matrix of people and groups that says who stays, joins, leaves and changes place, out.

import type { CoverReport, GroupReport } from '../../cover/report.ts';
import { type Html, html } from './markup.ts';
import type { Scene } from './told.ts';
import { code, mark, name } from './words.ts';

/** Cells of both tables together that a browser lays out without a wait. */
const MOST_CELLS = 20_000;

type Priority = CoverReport['members'][number]['priority'];

interface Edge {
  readonly before: Priority | null;
  readonly after: Priority | null;
}

interface Person {
  readonly address: string;
  readonly name: string;
  /** By the address of the group. */
  readonly edges: ReadonlyMap<string, Edge>;
}

export function membersSection({ cover }: Scene): Html | null {
  const { groups } = cover.report;
  const people = peopleOf(groups);
  const changing = people.filter(({ edges }) => [...edges.values()].some(({ before, after }) => before !== after));
  if (people.length === 0) return null;
  const others = people.filter((person) => !changing.includes(person));
  const [first, left] = matrix(changing, groups, MOST_CELLS);
  const [second] = matrix(others, groups, left);
  return html`
    <section aria-labelledby="members">
      <h2 id="members">Who is in which group <span class="count">${changing.length}</span></h2>
      ${changing.length === 0 ? html`<p>Nobody joins or leaves a group, or changes place in one.</p>` : html`<p>${mark('add', '+', 'joins')} ${mark('destroy', '−', 'leaves')} ${mark('change', '~', 'changes place')} and without a mark: stays. Chats go to <em>first</em>, then <em>normal</em>, then <em>last</em>; a <em>supervisor</em> gets none assigned.</p>${first}`}
      ${others.length === 0 ? null : html`<details class="more"><summary>${others.length} who stay where they are</summary>${second}</details>`}
    </section>`;
}

function peopleOf(groups: readonly GroupReport[]): readonly Person[] {
  const people = new Map<string, { readonly name: string; readonly edges: Map<string, Edge> }>();
  const note = (side: CoverReport | null, group: string, when: keyof Edge): void => {
    for (const { address, name: called, priority } of side?.members ?? []) {
      const person = people.get(address) ?? { name: called, edges: new Map() };
      people.set(address, person);
      person.edges.set(group, { before: null, after: null, ...person.edges.get(group), [when]: priority });
    }
  };
  for (const { address, before, cover } of groups) {
    note(before, address, 'before');
    note(cover, address, 'after');
  }
  const sorted = [...people].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([address, person]) => ({ address, ...person }));
}

/** Only the groups that one of them is in. The table, and how many cells are left. */
function matrix(people: readonly Person[], all: readonly GroupReport[], cells: number): readonly [Html, number] {
  const changes = new Map<string, number>();
  for (const { edges } of people)
    for (const [address, { before, after }] of edges)
      changes.set(address, (changes.get(address) ?? 0) + (before === after ? 0 : 1));
  // On a narrow page only the first columns are in sight.
  const groups = all
    .filter(({ address }) => changes.has(address))
    .toSorted((one, other) => (changes.get(other.address) ?? 0) - (changes.get(one.address) ?? 0));
  const shown = people.slice(0, Math.floor(cells / Math.max(1, groups.length)));
  const more = people.length - shown.length;
  const table = html`
    <div class="scroll" role="region" aria-label="People and groups" tabindex="0">
      <table class="matrix">
        <thead><tr><th scope="col">Who</th>${groups.map((group) => html`<th scope="col">${name(group.name)}</th>`)}</tr></thead>
        <tbody>${shown.map((person) => html`<tr><th scope="row">${name(person.name)}${code(person.address.slice(person.address.indexOf('/') + 1))}</th>${groups.map(({ address }) => cellPart(person.edges.get(address)))}</tr>`)}</tbody>
      </table>
    </div>
    ${more === 0 ? null : html`<p class="faint">and ${more} more people, which the changes of the groups have</p>`}`;
  return [table, cells - shown.length * groups.length];
}

function cellPart(edge: Edge | undefined): Html {
  if (edge === undefined) return html`<td></td>`;
  const { before, after } = edge;
  if (before === after) return html`<td>${before}</td>`;
  if (before === null) return html`<td>${mark('add', '+', after ?? '')}<span class="sr"> joins</span></td>`;
  if (after === null) return html`<td>${mark('destroy', '−', before)}<span class="sr"> leaves</span></td>`;
  return html`<td>${mark('change', '~', `${before} → ${after}`)}</td>`;
}
