// Who is in which group, before and after, in; a matrix of people and groups that says who stays, joins, leaves and changes place, out.

import type { CoverReport, GroupReport } from '../../tasks/coverage/report.ts';
import { type Html, html } from './markup.ts';
import { type Edge, matrices, type Person } from './matrix.ts';
import type { Scene } from './told.ts';
import { mark } from './words.ts';

/** Cells of both tables together that a browser lays out without a wait. */
const MOST_CELLS = 20_000;

export function membersSection({ cover }: Scene): Html | null {
  const { groups } = cover.report;
  const people = peopleOf(groups);
  const changing = people.filter(({ edges }) => [...edges.values()].some(({ before, after }) => before !== after));
  if (people.length === 0) return null;
  const others = people.filter((person) => !changing.includes(person));
  const first = matrices(changing, groups, MOST_CELLS);
  const second = matrices(others, groups, first.left);
  return html`
    <section aria-labelledby="members">
      <h2 id="members">Who is in which group <span class="count">${changing.length}</span></h2>
      ${changing.length === 0 ? html`<p>Nobody joins or leaves a group, or changes place in one.</p>` : html`<p>${mark('add', '+', 'joins')} ${mark('destroy', '−', 'leaves')} ${mark('change', '~', 'changes place')} and without a mark: stays. Chats go to <em>first</em>, then <em>normal</em>, then <em>last</em>; a <em>supervisor</em> gets none assigned.</p>${first.part}`}
      ${others.length === 0 ? null : html`<details class="more"><summary>${others.length} who stay where they are</summary>${second.part}</details>`}
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
