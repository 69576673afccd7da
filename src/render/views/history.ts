// The view of `history` and `undo --list`: runs, and what they did to each object.

import type { WordedObject } from '../../tasks/history/outline.ts';
import type { FieldOfRun, ObjectOfRun, RunEntry, RunHistory } from '../../tasks/history/schema.ts';
import type { Block, Column, Item, OrderEntry, Section, Side, Table, Text, View } from '../../view/blocks.ts';
import { time } from '../../view/plain.ts';
import { jsonValue } from '../../view/values.ts';
import { ACTIONS } from '../../view/words/actions.ts';
import * as words from '../words/history.ts';

/** What is shown of a history. */
export interface HistoryReading {
  readonly history: RunHistory;
  /** When the ledger was read, RFC 3339. */
  readonly at: string;
  /** The objects of a run in words. */
  readonly worded: (entry: RunEntry) => readonly WordedObject[];
  /** Only one run was asked for. */
  readonly isOneRun: boolean;
}

export function historyView(reading: HistoryReading): View {
  const { history, at } = reading;
  const { target, ledger, runs } = history;
  return {
    title: ['History of ', { text: target ?? ledger, as: 'name' }],
    mark: { ...ACTIONS.adopted, word: runs.length === 1 ? '1 run' : `${runs.length} runs` },
    result: 'What chatform changed, and who started it, newest first.',
    about: [['Made ', { text: time(at), as: 'time' }, ' of ', { text: ledger, as: 'file' }, '. Nothing was changed.']],
    body: historyBlocks(reading),
  };
}

/** Runs, newest first; with objects, what each did to them. */
export function historyBlocks({ history, worded, isOneRun }: HistoryReading): readonly Block[] {
  const { runs, older } = history;
  const [only] = runs;
  const gone = words.compactedText(history);
  return [
    ...(only === undefined
      ? [{ type: 'text', text: 'No run to show.' } as const]
      : isOneRun
        ? [runSection(only, worded(only), 0)]
        : only.objects === undefined
          ? [runTable(runs)]
          : runs.map((entry, index) => runSection(entry, worded(entry), index + 1))),
    ...(older === 0
      ? []
      : [{ type: 'text', text: `${older} older; --last N shows more, --json all of them` } as const]),
    ...(gone === null ? [] : [{ type: 'text', text: gone } as const]),
  ];
}

const COLUMNS: readonly Column[] = [
  ...['Run', 'When (UTC)', 'How', 'Who', 'What'].map((title) => ({ title })),
  { title: 'Undo', dispensable: 1 },
];

function runTable(runs: readonly RunEntry[]): Table {
  return { type: 'table', name: 'Runs', columns: COLUMNS, rows: runs.map((entry) => ({ cells: runCells(entry) })) };
}

function runCells(entry: RunEntry): readonly Text[] {
  const { possible, reason } = entry.undo;
  return [
    { text: words.shortId(entry.id), as: 'address' },
    words.minuteText(entry.at),
    words.howText(entry),
    words.whoText(entry.by),
    words.whatText(entry),
    [words.POSSIBLE[possible], ...(reason === null ? [] : [`: ${reason}`])],
  ];
}

/** `nth` 0: the only one, in full. */
function runSection(entry: RunEntry, objects: readonly WordedObject[], nth: number): Section {
  const [id = '', at = '', how = '', who = ''] = [
    words.shortId(entry.id),
    words.minuteText(entry.at),
    words.howText(entry),
    words.whoText(entry.by),
  ];
  const ending = entry.outcome === 'done' ? '' : `, ${words.RUN_ENDINGS[entry.outcome]}`;
  const whom = entry.by === null ? 'who is not recorded' : `by ${who}`;
  const missing = words.valuesText(entry);
  const items = objects.map((object) => objectItem(object, positionsIn(entry)));
  return {
    type: 'section',
    id: `r${nth}`,
    title: nth === 0 ? `Run ${id}` : `${id}  ${at}  ${how}${ending}, ${whom}`,
    body: [
      ...(nth === 0 ? [{ type: 'facts', facts: factsOf(entry) } as const] : []),
      ...(items.length === 0 ? [] : [{ type: 'items', sides: SIDES, items, isOpen: true } as const]),
      ...orderBlocks(entry),
      ...(missing === null ? [] : [{ type: 'text', text: { text: missing, tone: 'warning' } } as const]),
    ],
  };
}

function factsOf(entry: RunEntry): readonly (readonly [string, Text])[] {
  const { id, at, ended_at: end, target, outcome, finished_by: by, undo } = entry;
  const seconds = end === null ? '' : `, ${((Date.parse(end) - Date.parse(at)) / 1000).toFixed(1)} s`;
  const [who = '', ...more] = words.whoLines(entry.by);
  const command: Text = { text: `chatform undo ${words.shortId(id)}`, as: 'command' };
  const why = [words.POSSIBLE[undo.possible], ...(undo.reason === null ? [] : [undo.reason])].join(': ');
  return [
    ['how', `${words.howText(entry)}${target === null ? '' : ` on ${target}`}, ${words.RUN_ENDINGS[outcome]}`],
    ['when', [{ text: time(at), as: 'time' }, seconds]],
    ['who', who],
    ...more.map((line) => ['', line] as const),
    ['what', words.changesText(entry)],
    ...(by === null ? [] : [['', `run ${words.shortId(by)} finished it`] as const]),
    ['undo', undo.possible === 'yes' ? command : why],
  ];
}

const SIDES: readonly Side[] = [
  { short: 'before', title: 'Before' },
  { short: 'after', title: 'After' },
];

/** What a sign alone does not say. */
const SAID: { readonly [action in ObjectOfRun['action']]?: string } = {
  replaced: 'deleted and made again',
  unknown: 'a request was sent, and its result is not recorded',
  failed: 'not changed: its request failed or was not sent',
  applied: 'applied; its earlier values are not recorded',
  secret: 'its secret was written or reset',
  token: 'a token of it was issued',
  token_unanswered: 'a token of it may have been issued: its request has no answer',
  adopted: 'adopted',
  imported: 'imported',
  released: 'no longer owned',
};

function objectItem({ object, text, fields, noun }: WordedObject, positions: (address: string) => string): Item {
  const { action, address, from } = object;
  const happens = [from === null ? '' : `was ${from}`, SAID[action] ?? '', positions(address)].filter(
    (part) => part !== '',
  );
  return {
    mark: ACTIONS[action === 'added' ? 'created' : action],
    label: { text: address, as: 'address' },
    ...(text === '' ? {} : { about: text }),
    ...(happens.length === 0 ? {} : { happens: happens.join(', ') }),
    alike: { one: noun.one, many: noun.many, called: address },
    items: fields.map(({ field, words: differing }) => ({
      label: { text: field.field, as: 'field' } as const,
      ...(differing.length === 0 ? {} : { words: differing }),
      ...valuesOf(field),
    })),
  };
}

function valuesOf(field: FieldOfRun): Pick<Item, 'values' | 'about'> {
  const missing = words.unknownText(field);
  if (field.unknown.length === 2) return { about: missing ?? '' };
  const side = (name: 'before' | 'after') =>
    field.unknown.includes(name) && missing !== null ? { unknown: missing } : jsonValue(field[name]);
  return { values: [side('before'), side('after')] };
}

/** Of a rule that is in another place after the run: both, from 1. */
function positionsIn({ order }: RunEntry): (address: string) => string {
  const before = new Map(order?.before.map((address, index) => [address, index + 1]));
  const after = new Map(order?.after?.map((address, index) => [address, index + 1]));
  return (address) => {
    const [was, is] = [before.get(address), after.get(address)];
    return was === undefined || is === undefined || was === is ? '' : `position ${was} -> ${is}`;
  };
}

/** Texts have the positions of the rules that moved. */
function orderBlocks({ order }: RunEntry): readonly Block[] {
  if (order === undefined || order.after === null) return [];
  const sides = [
    { title: 'Order before', entries: order.before.map(ruleEntry) },
    { title: 'Order after', entries: order.after.map(ruleEntry) },
  ] as const;
  const moved = order.after.filter((address, index) => order.before[index] !== address);
  return [{ type: 'picture', picture: { kind: 'order', name: 'Order of the rules', sides, moved }, instead: [] }];
}

function ruleEntry(address: string): OrderEntry {
  return { key: address, label: { text: address, as: 'address' } };
}

/** `undo --list`. */
export function undoListBlocks(history: RunHistory): readonly Block[] {
  const { runs } = history;
  const those = (possible: RunEntry['undo']['possible']) => runs.filter(({ undo }) => undo.possible === possible);
  const section = (
    title: string,
    columns: readonly Column[],
    entries: readonly RunEntry[],
    most: number,
  ): readonly Section[] => {
    if (entries.length === 0) return [];
    const rows = entries.map((entry) => ({
      cells: [...runCells(entry).slice(0, most), ...(most === 3 ? [entry.undo.reason ?? ''] : [])],
    }));
    return [
      { type: 'section', id: `undo-${title.length}`, title, body: [{ type: 'table', name: title, columns, rows }] },
    ];
  };
  const reasons = [...COLUMNS.slice(0, 3), { title: 'Why' }];
  const [able, partly] = [those('yes'), those('in_part')];
  const gone = words.compactedText(history);
  const isAny = able.length + partly.length > 0;
  const note = 'This is what the ledger knows. `chatform undo RUN --plan` also compares with the license.';
  return [
    ...(isAny ? [] : [{ type: 'text', text: 'No run can be undone.' } as const]),
    ...section('Can be undone', COLUMNS.slice(0, 5), able, 5),
    ...section('Can be undone in part', reasons, partly, 3),
    ...section('Cannot be undone', reasons, those('no'), 3),
    ...(gone === null ? [] : [{ type: 'text', text: gone } as const]),
    ...(isAny ? [{ type: 'text', text: note } as const] : []),
  ];
}
