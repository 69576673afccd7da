// The changes of a plan in; each resource as a fold with its fields, by kind, out. However many there are, the page can be opened: from some size on a
// change is one line, and at last only counted.

import type { Note, ResourceChange } from '../../plan/plan.ts';
import { value } from '../plain.ts';
import { isUnseen, SHOWN } from '../plan-text.ts';
import { fieldTable } from './field-rows.ts';
import { type Html, html, sizeOf } from './markup.ts';
import type { Told } from './told.ts';
import { code, FATES, type Fate, fateOf, mark, name, sentence, sourceMark } from './words.ts';

/** The part of the room that changes are told of in full in; the rest is for lines. */
const IN_FULL = 0.7;

/** Changes that are told of in full: each has some twenty elements, and a browser that is slow shall not be made to wait for more. */
const MOST_IN_FULL = 2000;

/** A plan with at most so many changes is read from top to bottom, so nothing of it is folded. */
const FEW = 12;

/** Changes in one fold. */
const TOGETHER = 200;

/** What the page says of a change, and the name that leads to it. */
export interface ChangePart {
  readonly anchor: string;
  readonly part: Html;
}

/** By address; dangerous ones have the room, in bytes, before the others. What is not in it is only counted. */
export function changeParts({ plan }: Told, room: number): ReadonlyMap<string, ChangePart> {
  const notes = grouped(plan.notes, ({ address }) => address);
  const told = plan.resource_changes.filter((change) => isTold(change, notes));
  const isOpen = told.length <= FEW;
  const parts = new Map<string, ChangePart>();
  let used = 0;
  for (const change of told.toSorted((one, other) => other.danger.length - one.danger.length)) {
    if (used > room) break;
    const anchor = `c${parts.size + 1}`;
    const part =
      used > room * IN_FULL || parts.size >= MOST_IN_FULL
        ? linePart(change, anchor)
        : changePart(change, notes.get(change.address) ?? [], anchor, isOpen);
    parts.set(change.address, { anchor, part });
    used += sizeOf(part);
  }
  return parts;
}

/** A link to what the page says of a change; what it does not speak of is only named. */
export function linkTo(parts: ReadonlyMap<string, ChangePart>): (address: string) => Html {
  return (address) => {
    const known = parts.get(address);
    return known === undefined ? code(address) : html`<a href="#${known.anchor}">${code(address)}</a>`;
  };
}

export function changesSection({ plan, scene }: Told, parts: ReadonlyMap<string, ChangePart>): Html | null {
  const notes = grouped(plan.notes, ({ address }) => address);
  const told = plan.resource_changes.filter((change) => isTold(change, notes));
  const asTheyAre = plan.resource_changes.filter((change) => isAsItIs(change, notes));
  if (told.length + asTheyAre.length === 0) return null;
  return html`
    <section aria-labelledby="changes">
      <h2 id="changes">Changes <span class="count">${told.length}</span></h2>
      ${[...grouped(told, ({ type }) => type)].map(
        ([type, changes]) => html`
          <h3>${sentence(scene?.nouns[type] ?? type.replaceAll('_', ' '))} <span class="count">${changes.length}</span></h3>
          ${foldedParts(changes, parts)}`,
      )}
      ${adoptedPart(asTheyAre)}
    </section>`;
}

function grouped<T, K>(items: readonly T[], by: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const known = groups.get(by(item));
    if (known === undefined) groups.set(by(item), [item]);
    else known.push(item);
  }
  return groups;
}

/** By address. */
type Notes = ReadonlyMap<string, readonly Note[]>;

/** Something of it changes, or would if it could. */
function isTold(change: ResourceChange, notes: Notes): boolean {
  return !isAsItIs(change, notes) && (fateOf(change) !== 'stays' || change.fields.length > 0);
}

/** It becomes ours, and nothing else is to be said of it. */
function isAsItIs(change: ResourceChange, notes: Notes): boolean {
  return fateOf(change) === 'adopt' && isUnseen(change, notes.get(change.address) ?? []) && change.fields.length === 0;
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
    ${left === 0 ? null : html`<p class="faint">and ${left} more, which <code>chatform plan --json</code> has in full</p>`}`;
}

function changePart(change: ResourceChange, notes: readonly Note[], id: string, isOpen: boolean): Html {
  const fate = fateOf(change);
  // What stands at a field or in the headline is said there.
  const own = notes.filter(({ kind }) => SHOWN[kind] !== 'field' && SHOWN[kind] !== 'headline');
  const inner = [
    own.length === 0
      ? null
      : html`<ul class="remarks">${own.map(({ kind, message }) => html`<li class="${SHOWN[kind] === 'danger' ? 'destroy' : 'change'}">${message}</li>`)}</ul>`,
    change.moved === null
      ? null
      : html`<p>${mark('move', '↕', 'moved')} from place ${change.moved.from} to place ${change.moved.to} of the declared rules</p>`,
    fieldTable(change),
  ];
  if (inner.every((part) => part === null)) return linePart(change, id);
  const open = isOpen ? html` open` : null;
  return html`<details class="resource" id="${id}"${open}><summary>${headline(change, fate)}</summary><div class="body">${inner}</div></details>`;
}

function linePart(change: ResourceChange, id: string): Html {
  return html`<p class="resource line" id="${id}">${headline(change, fateOf(change))}</p>`;
}

function headline(change: ResourceChange, fate: Fate): Html {
  const { tone, sign, word } = FATES[fate];
  const isAlike = change.address.endsWith(`/${change.name}`);
  const extra = [
    ...(change.recreating ? ['created again: it is gone from the license'] : []),
    ...(change.adopting && fate !== 'adopt' ? ['exists, and becomes ours'] : []),
  ];
  return html`${mark(tone, sign, word)} ${code(change.address)}${isAlike ? null : html` <span class="name">${name(value(change.name))}</span>`}${extra.map((each) => html` <span class="extra">${each}</span>`)} ${sourceMark(change.source)}`;
}

function adoptedPart(changes: readonly ResourceChange[]): Html | null {
  if (changes.length === 0) return null;
  return html`
    <h3>Adopted as they are <span class="count">${changes.length}</span></h3>
    <p>They exist on the license, are as the files say, and become ours.</p>
    <details class="more"><summary>Their addresses</summary><p class="names">${changes.map(({ address }) => html`${code(address)} `)}</p></details>`;
}
