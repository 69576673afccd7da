// The members of a page: who is in which group, joins, leaves and changes priority.

import type { CoverReport, GroupReport, MemberReport } from '../../tasks/coverage/report.ts';
import { type Html, html } from '../../view/html/markup.ts';
import { matrixPart } from '../../view/pictures/matrix.ts';
import { priorityMark } from '../../view/words/staff.ts';
import type { PlanPictures } from './input.ts';

/** The priority of one person in one group; null for none. */
interface MembershipChange {
  readonly before: MemberReport['priority'] | null;
  readonly after: MemberReport['priority'] | null;
}

interface GroupMember {
  readonly address: string;
  readonly name: string;
  /** By the address of the group. */
  readonly groups: ReadonlyMap<string, MembershipChange>;
}

export function membersSection({ cover }: PlanPictures): Html | null {
  const { groups } = cover;
  const people = peopleOf(groups);
  if (people.length === 0) return null;
  const changing = people.filter((person) => [...person.groups.values()].some(({ before, after }) => before !== after));
  const matrix = matrixPart({
    kind: 'matrix',
    name: 'People and groups',
    labels: ['Name', 'Address'],
    columns: groups.map(({ name }) => name),
    rows: people.map(({ address, name, groups: own }) => ({
      labels: [
        { text: name, as: 'name' },
        { text: address.slice(address.indexOf('/') + 1), as: 'code' },
      ],
      cells: groups.map((group) => {
        const change = own.get(group.address);
        return change === undefined ? null : priorityMark(change.before, change.after);
      }),
    })),
  });
  return html`
    <section aria-labelledby="members">
      <h2 id="members">Group members <span class="count">${changing.length}</span></h2>
      <p>Chats go to <em>first</em>, then <em>normal</em>, then <em>last</em>; a <em>supervisor</em> gets none assigned.</p>
      ${changing.length === 0 ? html`<p>No agent joins or leaves a group, or changes priority in one.</p><details class="more"><summary>${people.length} who do not change</summary>${matrix}</details>` : matrix}
    </section>`;
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
  return sorted.map(([address, person]) => ({ address, ...person }));
}
