// What a plan leaves as it is, notes, and what an apply costs: facts of a line each, which `--details` lists.

import { countedBy, grouped, groupedBy } from '../../base/grouped.ts';
import type { Address, KindName } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import { KINDS, kindOf } from '../../kinds/index.ts';
import type { Note, Plan, ResourceChange } from '../../plan/plan.ts';
import type { Block, NamesSpan, Section, Text } from '../../view/blocks.ts';
import { actionOf, byMessage, NOTE_PLACES, releasedTitle } from '../../view/words/plan.ts';

/** Names in a line about several objects, and in front of a note. */
const MOST_NAMES = 8;
const MOST_NAMED = 3;

/** Objects listed under one title in a terminal. */
const MOST_OBJECTS = 20;

function several(names: readonly string[], most = MOST_NAMES): NamesSpan {
  return { names: names.map((text) => ({ text, as: 'address' })), most };
}

/** Folds of what needs no decision: the last are about a license and not about the files. */
export function factSections(plan: Plan, unseen: readonly ResourceChange[]): readonly Section[] {
  return [...sharedFacts(unseen), ...licenseFacts(plan)];
}

/** Those that equal plans of several targets have in common. */
export function sharedFacts(unseen: readonly ResourceChange[]): readonly Section[] {
  const adopted = unseen.filter((change) => actionOf(change) === 'adopt').map(({ address }) => address);
  const unread = unseen.filter(({ fields }) => fields.length > 0);
  return [
    ...fold('adopted', 'Adopted as they are', several(adopted), adopted.length, [
      { type: 'text', text: 'They exist on the license, and match the files.' },
      { type: 'list', texts: adopted.map((text) => ({ text, as: 'address' })) },
    ]),
    ...fold(
      'unverified',
      'Cannot be verified',
      several(unread.map(({ address }) => address)),
      unread.length,
      unverifiedBlocks(unread),
    ),
  ];
}

/** Each reason once, with the fields. */
function unverifiedBlocks(unseen: readonly ResourceChange[]): readonly Block[] {
  const byReason = unseen.flatMap(({ address, fields }) =>
    Array.from(
      groupedBy(fields, ({ reason }) => reason ?? ''),
      ([reason, those]) => [reason, { address, names: those.map(({ field }) => field).join(', ') }] as const,
    ),
  );
  return Array.from(grouped(byReason), ([reason, those]) => [
    { type: 'text', text: reason } as const,
    {
      type: 'list',
      texts: those.map(({ address, names }): Text => [{ text: address, as: 'address' }, `: ${names}`]),
    } as const,
  ]).flat();
}

function licenseFacts(plan: Plan): readonly Section[] {
  const lasting = [...toldIn(plan)];
  const waiting = lasting.filter(({ kind }) => kind === 'pending-approval');
  const suspended = lasting.filter(({ kind }) => kind === 'suspended');
  const unmanaged = plan.unmanaged.filter(({ released }) => released === null);
  const { requests, scopes } = plan;
  const kinds = countTexts(waiting.map(({ address }) => ({ type: kindOf(address) })));
  const cost = `${counted(requests.total, 'request')}, ${counted(scopes.length, 'scope')} needed`;
  return [
    ...fold('waiting', 'Waiting for approval', kinds.join(', '), waiting.length, [noteList(waiting)]),
    ...fold(
      'suspended',
      'Suspended on the license',
      several(suspended.map(({ address }) => address)),
      suspended.length,
      [noteList(suspended)],
    ),
    ...fold('unmanaged', 'Unmanaged (not changed)', countTexts(unmanaged).join(', '), unmanaged.length, [
      {
        type: 'list',
        texts: unmanaged.map(
          ({ type, id, name, reason }): Text =>
            `${type} ${JSON.stringify(name)} (${id})${reason === null ? '' : `, ${reason}`}`,
        ),
      },
    ]),
    ...fold('cost', 'Cost of an apply', { text: cost, tone: 'faint' }, requests.total, [
      {
        type: 'table',
        name: 'Requests by action',
        columns: [{ title: 'Action' }, { title: 'Requests', isNumber: true }],
        rows: Object.entries(requests.by_action).map(([action, count]) => ({
          cells: [{ text: action, as: 'field' }, count],
        })),
      },
      { type: 'text', text: ['scopes needed: ', { names: scopes.map((text) => ({ text, as: 'field' })) }] },
    ]),
  ];
}

function fold(id: string, title: string, brief: Text, count: number, body: readonly Block[]): readonly Section[] {
  if (count === 0) return [];
  return [{ type: 'section', id, title, fold: { brief }, weight: -10, body }];
}

/** `12 agents`, by kind. */
function countTexts(objects: readonly { readonly type: KindName }[]): readonly string[] {
  return Array.from(
    countedBy(objects, ({ type }) => type),
    ([type, count]) => counted(count, KINDS[type].noun.one, KINDS[type].noun.many),
  );
}

const LASTING: ReadonlySet<Note['kind']> = new Set(['pending-approval', 'suspended']);

/** Notes on a state that lasts: the plan that makes or adopts the object shows them, and its owner has seen them since. */
function toldIn({ notes, resource_changes: changes }: Plan): ReadonlySet<Note> {
  const fresh = new Set<Address>(
    changes.flatMap(({ address, change, adopting }) =>
      adopting || (change.actions as readonly string[]).includes('create') ? [address] : [],
    ),
  );
  return new Set(notes.filter(({ kind, address }) => LASTING.has(kind) && !fresh.has(address)));
}

/** Each message once, behind whom it is about. */
function noteList(
  notes: readonly Pick<Note, 'address' | 'message'>[],
  most = MOST_NAMED,
  remarks: readonly Text[] = [],
): Block {
  const texts = Array.from(
    byMessage(notes),
    ([message, addresses]): Text => [several(addresses, most), `: ${message}`],
  );
  return { type: 'list', texts, remarks };
}

/** Owned objects that stay, fields that do, objects of a new address, and what is good to know. */
export function noteSections(plan: Plan): readonly Section[] {
  const shownAbove = toldIn(plan);
  const notes = plan.notes.filter((note) => NOTE_PLACES[note.kind] === 'end' && !shownAbove.has(note));
  const released = plan.unmanaged.flatMap(({ released: address, reason }) =>
    address === null ? [] : [{ address, message: reason ?? '' }],
  );
  const fields = plan.notes.filter(({ kind }) => NOTE_PLACES[kind] === 'released');
  const hint = 'still owned; `chatform ledger forget ADDRESS` removes one from this list';
  return [
    ...section('released', releasedTitle(plan), released.length, [
      noteList(released, MOST_NAMES, [{ text: hint, tone: 'faint' }]),
    ]),
    ...section('released-fields', 'No longer managed (keep their values)', fields.length, [noteList(fields)]),
    ...section('notes', 'Good to know', notes.length, [noteList(notes)]),
  ];
}

export function renamedSection({ bindings: { move } }: Plan): readonly Section[] {
  const texts = move.map(({ from, to }): Text => [{ text: from, as: 'address' }, ' -> ', { text: to, as: 'address' }]);
  return section('renamed', 'Renamed (same object)', move.length, [{ type: 'list', texts, most: MOST_OBJECTS }]);
}

function section(id: string, title: string, count: number, body: readonly Block[]): readonly Section[] {
  return count === 0 ? [] : [{ type: 'section', id, title, weight: 5, body }];
}
