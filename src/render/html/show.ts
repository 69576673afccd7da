// The HTML page of `show`: what a license has by kind, one kind, one resource in full, or who is in which group.

import type { Json } from '../../base/model.ts';
import type { Shown, ShownMember, ShownMembers, ShownObject } from '../../tasks/show/schema.ts';
import {
  code,
  folded,
  type Html,
  html,
  type MarkTone,
  mark,
  name,
  nameBeyond,
  numbers,
  sentence,
} from '../../view/html/markup.ts';
import { page, timePart } from '../../view/html/shell.ts';
import { value } from '../../view/plain.ts';
import { differencesBlock } from '../../view/words/difference.ts';
import { blocksPart } from '../../view/writers/html.ts';
import { kindRows, pointerCells, resourceFacts, resourceRows } from '../words/show.ts';
import {
  type ListedMember,
  memberCounts,
  memberNote,
  memberState,
  membersByGroup,
  membersNowhere,
  type ShownMembership,
  STAFF_VIEWS,
  sizeText,
} from '../words/staff.ts';
import { allMembers, changedMembers, type GroupMember, type MembershipChange, priorityPart } from './members.ts';

/** Rows of one page. */
const MOST_ROWS = 5000;

/** Items of a list in sight. */
const LISTED = 30;

/** Lists of members that are open at first. */
const OPEN = 6;

/** `columns` are the fields that a table of objects has; `at` is when the license was read, RFC 3339. */
export function showPage(shown: Shown, columns: readonly string[], at: string): string {
  const { title, read, parts } = subjectOf(shown, columns);
  return page(
    `${sentence(title)} of ${shown.target}`,
    html`
    <header>
      <h1>${name(sentence(title))} of ${name(shown.target)}</h1>
      ${read}
      <p class="faint">Made ${timePart(at)}. Nothing was changed.</p>
      ${shown.manifest_read ? null : html`<p>${mark('change', '!', 'no manifest')} The manifest does not exist or has errors, so nothing counts as declared.</p>`}
    </header>
    <main id="main" tabindex="-1">${parts}</main>`,
  );
}

interface PageSubject {
  readonly title: string;
  /** What was looked at. */
  readonly read: Html | null;
  readonly parts: readonly (Html | null)[];
}

function subjectOf(shown: Shown, columns: readonly string[]): PageSubject {
  const { members, resources, kinds } = shown;
  if (members !== undefined)
    return {
      title: 'Group members',
      read: html`<p>Who is in which group, ${STAFF_VIEWS[members.view]}.</p>`,
      parts: memberParts(members),
    };
  const read = html`<p>As it is on the license, version ${shown.api_version} of its API.</p>`;
  if (resources === null) return { title: 'Content', read, parts: [contentPart('Objects by kind', kindRows(kinds))] };
  const [only] = resources;
  if (shown.referred_to_by !== null && only !== undefined)
    return { title: `${only.type.replaceAll('_', ' ')} ${only.name}`, read, parts: resourceParts(only, shown) };
  const type = kinds[0]?.type.replaceAll('_', ' ') ?? '';
  return { title: `${type} list`, read, parts: [contentPart('Objects', resourceRows(resources, columns))] };
}

/** Rows under their head, as a table that scrolls by itself. */
function tablePart(label: string, [head = [], ...rows]: readonly (readonly string[])[]): Html {
  const shown = rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  return html`
    <div class="scroll" role="region" aria-label="${label}" tabindex="0">
      <table>
        <thead><tr>${head.map((title) => html`<th scope="col">${titleText(title)}</th>`)}</tr></thead>
        <tbody>${shown.map((row) => html`<tr>${row.map((cell, column) => (column === 0 ? html`<th scope="row">${code(cell)}</th>` : html`<td>${name(cell)}</td>`))}</tr>`)}</tbody>
      </table>
    </div>
    ${more <= 0 ? null : html`<p class="faint">and ${more} more; <code>--csv</code> has all of them</p>`}`;
}

/** `LANGUAGE CODE` as people write it. */
function titleText(title: string): string {
  return `${title.charAt(0)}${title.slice(1).toLowerCase()}`;
}

function contentPart(title: string, rows: readonly (readonly string[])[]): Html {
  const count = rows.length - 1;
  return html`
    <section aria-labelledby="content">
      <h2 id="content">${title} <span class="count">${count}</span></h2>
      ${count === 0 ? html`<p>There are no such objects.</p>` : tablePart(title, rows)}
    </section>`;
}

function resourceParts(entry: ShownObject, shown: Shown): readonly (Html | null)[] {
  const { refers_to: to, referred_to_by: by, differences } = shown;
  const [first, ...others] = differences ?? [];
  const fields = Object.entries(entry.spec);
  return [
    html`
    <section aria-labelledby="facts">
      <h2 id="facts">${code(entry.address)}</h2>
      <table class="small"><tbody>${resourceFacts(entry).map(([fact, text]) => html`<tr><th scope="row">${fact}</th><td>${name(text)}</td></tr>`)}</tbody></table>
    </section>`,
    html`
    <section aria-labelledby="fields">
      <h2 id="fields">Fields</h2>
      <table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">On the license</th></tr></thead><tbody>${fields.map(([field, json]) => fieldPart(field, json))}</tbody></table>
      ${entry.unread.length === 0 ? null : html`<p class="faint">Not read: ${entry.unread.join(', ')}</p>`}
    </section>`,
    first === undefined
      ? null
      : html`<section aria-labelledby="differences"><h2 id="differences">Differs from the applied or declared values</h2>${blocksPart([differencesBlock([first, ...others])])}</section>`,
    referencesPart('to', 'Refers to', to),
    referencesPart('by', 'Referred to by', by),
  ];
}

/** A mapping is a row for each member. */
function fieldPart(field: string, json: Json): Html {
  const isMap = typeof json === 'object' && json !== null && !Array.isArray(json) && Object.keys(json).length > 0;
  if (!isMap) return html`<tr><th scope="row">${field}</th><td>${code(value(json))}</td></tr>`;
  return html`${Object.entries(json).map(([member, each]) => fieldPart(`${field}.${member}`, each))}`;
}

function referencesPart(id: string, title: string, references: Shown['refers_to']): Html | null {
  if (references === null || references.length === 0) return null;
  const items = references.map((reference) => {
    const [address = '', called = '', field = ''] = pointerCells(reference);
    return html`${code(address)}${called === '' ? null : html` <span class="name">${name(called)}</span>`} <span class="faint">${field}</span>`;
  });
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="count">${items.length}</span></h2>${folded(items, LISTED)}</section>`;
}

function memberParts(members: ShownMembers): readonly (Html | null)[] {
  const { groups, people, view } = members;
  const placed = people.filter(({ groups: own }) => own.length > 0).map((member) => placedMember(member, view));
  const open = groups.filter(({ complete }) => !complete);
  const tones: readonly MarkTone[] = ['calm', 'calm', 'calm', 'destroy', 'change', 'change'];
  const counts = Object.entries(memberCounts(members));
  return [
    numbers(counts.map(([what, count], index) => [what, count, tones[index] ?? 'calm'])),
    html`
    <section aria-labelledby="members">
      <h2 id="members">People and groups <span class="count">${placed.length}</span></h2>
      ${placed.length === 0 ? html`<p>No agent or bot is in a group.</p>` : view === 'both' ? changedMembers(placed, groups) : allMembers(placed, groups)}
      ${open.length === 0 ? null : html`<p>${mark('change', '!', 'not all')} The files do not say who else is in ${open.map(({ address }) => html`${code(address)} `)}</p>`}
    </section>`,
    ...[...membersNowhere(members)].map(
      ([title, those], index) =>
        html`<section aria-labelledby="nowhere${index}"><h2 id="nowhere${index}">${title} <span class="count">${those.length}</span></h2>${folded(those.map(memberPart), LISTED)}</section>`,
    ),
    groupsPart(members),
  ];
}

function placedMember(member: ShownMember, view: ShownMembers['view']): GroupMember {
  return {
    address: member.address,
    name: member.name,
    note: memberNote(member),
    groups: new Map(member.groups.map((membership) => [membership.group, changeOf(membership, view)])),
  };
}

function memberPart(member: ShownMember): Html {
  const state = memberState(member);
  return html`${code(member.address)}${nameBeyond(member.address, member.name)}${state === '' ? null : html` <span class="faint">${state}</span>`}`;
}

/** A list for each group, first who gets chats first. */
function groupsPart(members: ShownMembers): Html | null {
  const lists = membersByGroup(members);
  if (lists.size === 0) return null;
  let room = MOST_ROWS;
  const parts = members.groups.map(({ address, name: called }, index) => {
    const list = lists.get(address) ?? [];
    const shown = list.slice(0, Math.max(0, room));
    room -= shown.length;
    const more = list.length - shown.length;
    return html`
      <details class="resource"${index < OPEN ? html` open` : null}>
        <summary>${code(address)}${nameBeyond(address, called)} ${sizeText(list)}</summary>
        <div class="body">
          ${list.length === 0 ? html`<p>Nothing is in it.</p>` : listPart(shown, members.view)}
          ${more === 0 ? null : html`<p class="faint">and ${more} more; <code>--csv</code> has all of them</p>`}
        </div>
      </details>`;
  });
  return html`<section aria-labelledby="groups"><h2 id="groups">By group <span class="count">${parts.length}</span></h2>${parts}</section>`;
}

function listPart(list: readonly ListedMember[], view: ShownMembers['view']): Html {
  return html`<table><thead><tr><th scope="col">Priority</th><th scope="col">Who</th></tr></thead><tbody>${list.map(({ member, membership }) => html`<tr><th scope="row">${priorityPart(changeOf(membership, view))}</th><td>${memberPart(member)}</td></tr>`)}</tbody></table>`;
}

/** Where nothing is compared, nothing changes. */
function changeOf({ before, priority }: ShownMembership, view: ShownMembers['view']): MembershipChange {
  return { before: view === 'both' ? before : priority, after: priority };
}
