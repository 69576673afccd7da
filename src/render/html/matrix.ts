// People and the groups they are in in; tables of both, each narrow enough for a sheet of paper, out.

import type { CoverReport, GroupReport } from '../../tasks/coverage/report.ts';
import { type Html, html } from './markup.ts';
import { code, mark, name } from './words.ts';

/** Groups beside each other: more do not fit on paper, nor in anybody's eye. */
const BESIDE = 7;

type Priority = CoverReport['members'][number]['priority'];

/** Of one person in one group; null for none. */
export interface Edge {
  readonly before: Priority | null;
  readonly after: Priority | null;
}

export interface Person {
  readonly address: string;
  readonly name: string;
  /** By the address of the group. */
  readonly edges: ReadonlyMap<string, Edge>;
}

/** Only groups that one of them is in, and of each table only people of its groups. `left` of `cells` are not used. */
export function matrices(
  people: readonly Person[],
  all: readonly GroupReport[],
  cells: number,
): { readonly part: readonly Html[]; readonly left: number } {
  const groups = byChanges(people, all);
  const parts: Html[] = [];
  let left = cells;
  for (let from = 0; from < groups.length; from += BESIDE) {
    const beside = groups.slice(from, from + BESIDE);
    const inside = people.filter(({ edges }) => beside.some(({ address }) => edges.has(address)));
    const shown = inside.slice(0, Math.floor(left / beside.length));
    left -= shown.length * beside.length;
    parts.push(tablePart(shown, beside, inside.length - shown.length));
  }
  return { part: parts, left };
}

/** Those first in which most happens. */
function byChanges(people: readonly Person[], all: readonly GroupReport[]): readonly GroupReport[] {
  const changes = new Map<string, number>();
  for (const { edges } of people)
    for (const [address, { before, after }] of edges)
      changes.set(address, (changes.get(address) ?? 0) + (before === after ? 0 : 1));
  return all
    .filter(({ address }) => changes.has(address))
    .toSorted((one, other) => (changes.get(other.address) ?? 0) - (changes.get(one.address) ?? 0));
}

function tablePart(people: readonly Person[], groups: readonly GroupReport[], more: number): Html {
  return html`
    <div class="scroll" role="region" aria-label="People and groups" tabindex="0">
      <table class="matrix">
        <thead><tr><th scope="col">Who</th>${groups.map((group) => html`<th scope="col">${name(group.name)}</th>`)}</tr></thead>
        <tbody>${people.map((person) => rowPart(person, groups))}</tbody>
      </table>
    </div>
    ${more === 0 ? null : html`<p class="faint">and ${more} more people, whom the changes of the groups name</p>`}`;
}

function rowPart({ name: called, address, edges }: Person, groups: readonly GroupReport[]): Html {
  const key = address.slice(address.indexOf('/') + 1);
  return html`<tr><th scope="row">${name(called)}${code(key)}</th>${groups.map((group) => cellPart(edges.get(group.address)))}</tr>`;
}

function cellPart(edge: Edge | undefined): Html {
  if (edge === undefined) return html`<td></td>`;
  const { before, after } = edge;
  if (before === after) return html`<td>${before}</td>`;
  if (before === null) return html`<td>${mark('add', '+', after ?? '')}<span class="sr"> joins</span></td>`;
  if (after === null) return html`<td>${mark('destroy', '−', before)}<span class="sr"> leaves</span></td>`;
  return html`<td>${mark('change', '~', `${before} → ${after}`)}</td>`;
}
