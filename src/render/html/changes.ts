// The changes of a page, by kind: each resource as a fold with a table of its fields. From some size on a change is one line, and then only counted, so
// that a browser can open a page of any plan.

import { groupedBy } from '../../base/grouped.ts';
import type { Json } from '../../base/model.ts';
import type { FieldChange, Note, ResourceChange } from '../../plan/plan.ts';
import { code, type Html, html, type MarkTone, mark, name, sentence, sizeOf } from '../../view/html/markup.ts';
import { value } from '../../view/plain.ts';
import { memberChanges } from '../../view/values.ts';
import { actionOf, isUnseen, NOTE_PLACES, type NotesOf, notesOf, type ResourceAction } from '../words/plan.ts';
import type { PageInput } from './input.ts';

/** The share of the room for changes in full; the rest is for lines. */
const IN_FULL = 0.7;

/** Changes in full: each has about twenty elements, and a slow browser must not wait for more. */
const MOST_IN_FULL = 2000;

/** A plan with at most so many changes has no folds. */
const FEW = 12;

/** Changes in one fold. */
const TOGETHER = 200;

/** The markup of a change, and the id that links to it. */
export interface ChangePart {
  readonly anchor: string;
  readonly part: Html;
}

/** By address; dangerous changes get the room, in bytes, before the others. */
export function changeParts({ plan }: PageInput, room: number): ReadonlyMap<string, ChangePart> {
  const notes = notesOf(plan);
  const listed = plan.resource_changes.filter((change) => isListed(change, notes));
  const isOpen = listed.length <= FEW;
  const parts = new Map<string, ChangePart>();
  let used = 0;
  for (const change of listed.toSorted((one, other) => other.danger.length - one.danger.length)) {
    if (used > room) break;
    const anchor = `c${parts.size + 1}`;
    const part =
      used > room * IN_FULL || parts.size >= MOST_IN_FULL
        ? linePart(change, anchor)
        : changePart(change, notes(change.address), anchor, isOpen);
    parts.set(change.address, { anchor, part });
    used += sizeOf(part);
  }
  return parts;
}

/** Writes the address of a change as a link to it, if it is on the page. */
export function linkTo(parts: ReadonlyMap<string, ChangePart>): (address: string) => Html {
  return (address) => {
    const known = parts.get(address);
    return known === undefined ? code(address) : html`<a href="#${known.anchor}">${code(address)}</a>`;
  };
}

export function changesSection({ plan, pictures }: PageInput, parts: ReadonlyMap<string, ChangePart>): Html | null {
  const notes = notesOf(plan);
  const listed = plan.resource_changes.filter((change) => isListed(change, notes));
  const asTheyAre = plan.resource_changes.filter((change) => isAsItIs(change, notes));
  if (listed.length + asTheyAre.length === 0) return null;
  return html`
    <section aria-labelledby="changes">
      <h2 id="changes">Changes <span class="count">${listed.length}</span></h2>
      ${[...groupedBy(listed, ({ type }) => type)].map(
        ([type, changes]) => html`
          <h3>${sentence(pictures?.nouns[type] ?? type.replaceAll('_', ' '))} <span class="count">${changes.length}</span></h3>
          ${foldedParts(changes, parts)}`,
      )}
      ${adoptedPart(asTheyAre)}
    </section>`;
}

/** Whether something changes, or would if it could. */
function isListed(change: ResourceChange, notes: NotesOf): boolean {
  return !isAsItIs(change, notes) && (actionOf(change) !== null || change.fields.length > 0);
}

/** Whether an object is adopted, and nothing else happens to it. */
function isAsItIs(change: ResourceChange, notes: NotesOf): boolean {
  return actionOf(change) === 'adopt' && isUnseen(change, notes(change.address)) && change.fields.length === 0;
}

function foldedParts(changes: readonly ResourceChange[], rendered: ReadonlyMap<string, ChangePart>): Html {
  const parts = changes.flatMap(({ address }) => rendered.get(address)?.part ?? []);
  const left = changes.length - parts.length;
  const chunks = Array.from({ length: Math.ceil(parts.length / TOGETHER) }, (_, index) => index * TOGETHER);
  return html`
    ${chunks.map((from) => {
      const chunk = parts.slice(from, from + TOGETHER);
      return from === 0
        ? chunk
        : html`<details class="more"><summary>${from + 1} to ${from + chunk.length}</summary>${chunk}</details>`;
    })}
    ${left === 0 ? null : html`<p class="faint">and ${left} more; <code>chatform plan --json</code> has all of them</p>`}`;
}

function changePart(change: ResourceChange, notes: readonly Note[], id: string, isOpen: boolean): Html {
  // Notes about a field or in the headline are there.
  const own = notes.filter(({ kind }) => NOTE_PLACES[kind] !== 'field' && NOTE_PLACES[kind] !== 'headline');
  const inner = [
    own.length === 0
      ? null
      : html`<ul class="remarks">${own.map(({ kind, message }) => html`<li class="${NOTE_PLACES[kind] === 'danger' ? 'destroy' : 'change'}">${message}</li>`)}</ul>`,
    change.moved === null
      ? null
      : html`<p>${mark('move', '↕', 'moved')} from position ${change.moved.from} to position ${change.moved.to} of the declared rules</p>`,
    fieldTable(change),
  ];
  if (inner.every((part) => part === null)) return linePart(change, id);
  const open = isOpen ? html` open` : null;
  return html`<details class="resource" id="${id}"${open}><summary>${headline(change)}</summary><div class="body">${inner}</div></details>`;
}

function linePart(change: ResourceChange, id: string): Html {
  return html`<p class="resource line" id="${id}">${headline(change)}</p>`;
}

const ACTION_MARKS: {
  readonly [action in ResourceAction | 'stays']: readonly [tone: MarkTone, sign: string, word: string];
} = {
  create: ['add', '+', 'created'],
  update: ['change', '~', 'changed'],
  replace: ['destroy', '±', 'replaced'],
  delete: ['destroy', '−', 'destroyed'],
  move: ['move', '↕', 'moved'],
  adopt: ['calm', '=', 'adopted'],
  stays: ['calm', '!', 'cannot be changed'],
};

function headline(change: ResourceChange): Html {
  const action = actionOf(change) ?? 'stays';
  const { source } = change;
  const isAlike = change.address.endsWith(`/${change.name}`);
  const extra = [
    ...(change.recreating ? ['created again: it is no longer on the license'] : []),
    ...(change.adopting && action !== 'adopt' ? ['exists, and is adopted'] : []),
  ];
  return html`${mark(...ACTION_MARKS[action])} ${code(change.address)}${isAlike ? null : html` <span class="name">${name(value(change.name))}</span>`}${extra.map((each) => html` <span class="extra">${each}</span>`)} ${source === null ? null : html`<span class="source">${`${source.file}:${source.line}`}</span>`}`;
}

function adoptedPart(changes: readonly ResourceChange[]): Html | null {
  if (changes.length === 0) return null;
  return html`
    <h3>Adopted as they are <span class="count">${changes.length}</span></h3>
    <p>They exist on the license, match the files, and are adopted.</p>
    <details class="more"><summary>Their addresses</summary><p class="names">${changes.map(({ address }) => html`${code(address)} `)}</p></details>`;
}

/** Characters of one value, and rows of one resource. */
const LONGEST_VALUE = 1200;
const MOST_ROWS = 120;

interface FieldRow {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly tone: MarkTone;
  /** Null for nothing. */
  readonly remark: string | null;
}

/** Null without a field. */
function fieldTable(change: ResourceChange): Html | null {
  const rows = rowsOf(change);
  if (rows.length === 0) return null;
  const more = rows.length - MOST_ROWS;
  return html`
    <table class="fields">
      <thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
      <tbody>${rows.slice(0, MOST_ROWS).map(rowPart)}</tbody>
    </table>
    ${more <= 0 ? null : html`<p class="faint">and ${more} more; the document of the plan has all of them</p>`}`;
}

function rowsOf({ change, fields }: ResourceChange): readonly FieldRow[] {
  if (change.after === null && change.before !== null)
    return Object.entries(change.before).flatMap(([field, json]) => differing(field, json, undefined));
  return fields.flatMap(fieldRows);
}

function fieldRows(change: FieldChange): readonly FieldRow[] {
  const { field, before, after, reach, reason } = change;
  switch (reach) {
    case 'write':
    case 'transition':
    case 'replace':
      return differing(field, before ?? undefined, after);
    case 'unverified':
      return [{ field, before: null, after: value(after), tone: 'change', remark: reason }];
    case 'unreachable': {
      const same = value(before);
      return [
        {
          field,
          before: same,
          after: same,
          tone: 'calm',
          remark: `stays: ${value(after)} cannot be set through the API: ${reason}`,
        },
      ];
    }
    case 'unreadable':
      return [{ field, before: null, after: value(after), tone: 'calm', remark: `cannot be verified: ${reason}` }];
  }
}

function differing(field: string, before: Json | undefined, after: Json | undefined): readonly FieldRow[] {
  return memberChanges(field, before, after).map((each) => ({
    field: each.name,
    before: each.before,
    after: each.after,
    tone: each.before === null ? 'add' : each.after === null ? 'destroy' : 'change',
    remark: null,
  }));
}

function rowPart({ field, before, after, tone, remark }: FieldRow): Html {
  const note = remark === null ? null : html`<p class="remark">${remark}</p>`;
  return html`<tr class="${tone}"><th scope="row">${field}</th><td class="was">${before === null ? none() : code(shortened(before))}</td><td class="is">${after === null ? gone() : code(shortened(after))}${note}</td></tr>`;
}

function none(): Html {
  return html`<span class="faint" aria-label="nothing">–</span>`;
}

function gone(): Html {
  return mark('destroy', '−', 'removed');
}

function shortened(text: string): string {
  const characters = text.length - LONGEST_VALUE;
  return characters <= 0 ? text : `${text.slice(0, LONGEST_VALUE)} … and ${characters} more characters`;
}
