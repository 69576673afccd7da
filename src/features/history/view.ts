// The view of `history` and of `undo --list`: runs, what they did to each object, and whether they can be undone.

import { capital, counted } from '../../base/text.ts';
import type { LedgerEvent } from '../../ledger/events.ts';
import { planSequence } from '../../plan/order/sequence.ts';
import type { Block, Column, Item, OrderEntry, Section, Side, Table, Text, View } from '../../view/blocks.ts';
import { plain, shortId, time } from '../../view/plain.ts';
import { jsonValue } from '../../view/values.ts';
import { ACTIONS } from '../../view/words/actions.ts';
import { undoCommand } from '../../view/words/commands.ts';
import { whoText } from '../../view/words/who.ts';
import { asksObjects, type HistoryQuestion, runHistory } from './history.ts';
import { namesInLedger, type WordedObject, wordedObjects } from './outline.ts';
import type { FieldOfRun, ObjectOfRun, RunEntry, RunHistory } from './schema.ts';
import * as words from './words.ts';

export interface ShownHistory extends RunHistory {
  /** The objects of each run in words. The document does not have them. */
  readonly worded: readonly (readonly WordedObject[])[];
}

/** What a ledger says of its runs, with their objects in words. @throws as runHistory does */
export function shownHistory(
  events: readonly LedgerEvent[],
  about: Pick<RunHistory, 'ledger' | 'target'>,
  question: HistoryQuestion,
): ShownHistory {
  const history = runHistory(events, about, question);
  const named = namesInLedger(events);
  return { ...history, worded: history.runs.map(({ objects = [] }) => wordedObjects(objects, named)) };
}

/** Runs, newest first; of one run, or with `only` or `find`, what each did to its objects. */
export function historyView(
  history: ShownHistory,
  question: Pick<HistoryQuestion, 'run' | 'only' | 'find' | 'inFull'>,
): View {
  const { run, find } = question;
  const { target, ledger, runs, older, worded } = history;
  const [first] = runs;
  const isOne = run !== null && runs.length === 1 && first !== undefined;
  const more = older === 0 ? '' : `; ${older} older: --limit N shows more, --json all of them`;
  const sections = runs.map((entry, index) => runSection(entry, worded[index] ?? [], isOne ? 0 : index + 1));
  return {
    title: ['History of ', { text: target ?? ledger, as: 'name' }],
    mark: { ...ACTIONS.adopted, word: counted(runs.length, 'run') },
    result: isOne
      ? undoText(first, target)
      : first === undefined
        ? find === null
          ? 'No run to show.'
          : `No run has ${JSON.stringify(find)} in an address, a name, a reason, or in who ran it.`
        : `${counted(runs.length, 'run')}, newest first${more}.`,
    about: [],
    body: [...(asksObjects(question) ? sections : [runTable(runs)]), ...compactedBlocks(history)],
  };
}

/** Whether a run can be taken back, and by which command. */
function undoText({ id, undo: { possible, reason } }: RunEntry, target: string | null): Text {
  if (possible === 'no') return `Cannot be undone: ${reason}.`;
  return [
    `Can be undone${possible === 'yes' ? '' : ` in part (${reason})`}: `,
    { text: undoCommand(target, id), as: 'command' },
  ];
}

function compactedBlocks(history: ShownHistory): readonly Block[] {
  const text = words.compactedText(history);
  return text === null ? [] : [{ type: 'text', text }];
}

const COLUMNS: readonly Column[] = ['Run', 'When (UTC)', 'How', 'Who', 'What'].map((title) => ({ title }));

/** A reason stands below what the run did. */
function runTable(runs: readonly RunEntry[]): Table {
  const rows = runs.map((entry) => {
    const { possible, reason } = entry.undo;
    const undo = [words.POSSIBLE[possible], ...(reason === null ? [] : [`: ${reason}`])];
    return { cells: runCells(entry).toSpliced(-1, 0, undo), remarks: reasonTexts(entry) };
  });
  const columns = COLUMNS.toSpliced(-1, 0, { title: 'Undo', dispensable: 1 });
  return { type: 'table', name: 'Runs', columns, rows };
}

export function reasonTexts({ reason }: RunEntry): readonly Text[] {
  return reason === null ? [] : [plain(reason)];
}

function runCells(entry: RunEntry): readonly Text[] {
  return [
    { text: shortId(entry.id), as: 'address' },
    words.minuteText(entry.at),
    words.howText(entry),
    whoText(entry.by),
    words.whatText(entry),
  ];
}

/** `nth` 0: the only one, in full. */
function runSection(entry: RunEntry, objects: readonly WordedObject[], nth: number): Section {
  const [id = '', at = '', how = '', who = ''] = [
    shortId(entry.id),
    words.minuteText(entry.at),
    words.howText(entry),
    whoText(entry.by),
  ];
  const ending = entry.outcome === 'done' ? '' : `, ${words.RUN_ENDINGS[entry.outcome]}`;
  const whom = entry.by === null ? 'who is not recorded' : `by ${who}`;
  const missing = words.valuesText(entry);
  return {
    type: 'section',
    id: `r${nth}`,
    title: nth === 0 ? `Run ${id}` : `${id}  ${at}  ${how}${ending}, ${whom}`,
    body: [
      ...(nth === 0
        ? [{ type: 'facts', facts: factsOf(entry) } as const]
        : reasonTexts(entry).map((text) => ({ type: 'text', text }) as const)),
      ...(objects.length > 0 || nth === 0 || missing !== null
        ? []
        : [{ type: 'text', text: capital(`${words.changesText(entry)}.`) } as const]),
      ...changeBlocks(entry, objects),
    ],
  };
}

/** What a run did to its objects, without who ran it and when. */
export function changeBlocks(entry: RunEntry, objects: readonly WordedObject[]): readonly Block[] {
  const missing = words.valuesText(entry);
  const items = objects.map((object) => objectItem(object, positionsIn(entry)));
  return [
    ...(items.length === 0 ? [] : [{ type: 'items', sides: SIDES, items, isOpen: true } as const]),
    ...orderBlocks(entry),
    ...(missing === null ? [] : [{ type: 'text', text: { text: missing, tone: 'warning' } } as const]),
  ];
}

function factsOf(entry: RunEntry): readonly (readonly [string, Text])[] {
  const { at, ended_at: end, target, outcome, finished_by: by } = entry;
  const seconds = end === null ? '' : `, ${((Date.parse(end) - Date.parse(at)) / 1000).toFixed(1)} s`;
  const [who = '', ...more] = words.whoLines(entry.by);
  return [
    ['how', `${words.howText(entry)}${target === null ? '' : ` on ${target}`}, ${words.RUN_ENDINGS[outcome]}`],
    ['when', [{ text: time(at), as: 'time' }, seconds]],
    ['who', who],
    ...more.map((line) => ['', line] as const),
    ...reasonTexts(entry).map((text) => ['why', text] as const),
    ['what', words.changesText(entry)],
    ...(by === null ? [] : [['', `run ${shortId(by)} finished it`] as const]),
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
  secret_due: 'another secret is due: the next apply makes it again',
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
  const both = new Set(order.before);
  const after = [...new Set(order.after)].map((key) => ({ key, live: both.has(key), changed: false }));
  const kept = new Set(planSequence([...both], after).kept);
  const moved = order.after.filter((address) => both.has(address) && !kept.has(address));
  return [{ type: 'picture', picture: { kind: 'order', name: 'Order of the rules', sides, moved }, instead: [] }];
}

function ruleEntry(address: string): OrderEntry {
  return { key: address, label: { text: address, as: 'address' } };
}

/** `undo --list`. */
export function undoListView(history: ShownHistory): View {
  const { target, ledger, runs } = history;
  const reasons = [...COLUMNS.slice(0, 3), { title: 'Why' }];
  const parts = POSSIBILITIES.flatMap(({ possible, title }) => {
    const entries = runs.filter(({ undo }) => undo.possible === possible);
    if (entries.length === 0) return [];
    const rows = entries.map((entry) => {
      const cells = runCells(entry);
      return { cells: possible === 'yes' ? cells : [...cells.slice(0, 3), entry.undo.reason ?? ''] };
    });
    const columns = possible === 'yes' ? COLUMNS : reasons;
    const table: Table = { type: 'table', name: title, columns, rows };
    return [
      {
        says: `${entries.length} ${title.toLowerCase()}`,
        section: { type: 'section', id: possible, title, body: [table] } as const,
      },
    ];
  });
  const isAny = runs.some(({ undo }) => undo.possible !== 'no');
  return {
    title: ['Undo of ', { text: target ?? ledger, as: 'name' }],
    mark: { ...ACTIONS.adopted, word: counted(runs.length, 'run') },
    result: isAny
      ? [
          `As far as the ledger knows, ${parts.map(({ says }) => says).join(', ')}. `,
          { text: 'chatform undo RUN --plan', as: 'code' },
          ' also compares with the license.',
        ]
      : 'No run can be undone.',
    about: [],
    body: [...parts.map(({ section }) => section), ...compactedBlocks(history)],
  };
}

const POSSIBILITIES = [
  { possible: 'yes', title: 'Can be undone' },
  { possible: 'in_part', title: 'Can be undone in part' },
  { possible: 'no', title: 'Cannot be undone' },
] as const;

const ABOUT = ['run', 'at', 'ended_at', 'command', 'outcome', 'run_target', 'reason', 'fleet_run'];
const BY = ['user', 'host', 'ci', 'actor', 'repository', 'request', 'commit', 'job'] as const;
const COUNTED = ['added', 'changed', 'replaced', 'destroyed', 'unknown', 'failed', 'adopted', 'imported'];
const FIELDS = ['address', 'action', 'field', 'before', 'after', 'unknown'];

/** A row for each run; of one run, or with `only` or `find`, a row for each field of each object. */
export function historyTable(
  runs: readonly RunEntry[],
  question: Pick<HistoryQuestion, 'run' | 'only' | 'find' | 'inFull'>,
): Table {
  const isByField = asksObjects(question);
  const columns = [...ABOUT, ...BY, ...(isByField ? FIELDS : [...COUNTED, 'values', 'undo'])];
  const rows = isByField ? runs.flatMap(fieldRows) : runs.map(countsRow);
  return { type: 'table', columns: columns.map((title) => ({ title })), rows: rows.map((cells) => ({ cells })) };
}

function aboutCells({ id, at, ended_at: end, command, outcome, target, fleet_run, reason, by }: RunEntry) {
  return [
    id,
    at,
    end ?? '',
    command ?? '',
    outcome,
    target ?? '',
    reason ?? '',
    fleet_run ?? '',
    ...BY.map((member) => by?.[member] ?? ''),
  ];
}

function countsRow(entry: RunEntry): readonly (string | number)[] {
  const counts = COUNTED.map((action) => entry.changes[action] ?? 0);
  return [...aboutCells(entry), ...counts, entry.values, entry.undo.possible];
}

function fieldRows(entry: RunEntry): readonly (readonly string[])[] {
  const { order, objects = [] } = entry;
  const json = (value: FieldOfRun['before']): string => JSON.stringify(value);
  const cells = objects.flatMap(({ address, action, fields }) =>
    fields.length === 0
      ? [[address, action, '', '', '', '']]
      : fields.map(({ field, before, after, unknown }) => [
          ...[address, action, field],
          ...[json(before), json(after), unknown.join(' ')],
        ]),
  );
  if (order !== undefined) cells.push(['', 'reordered', 'order', json(order.before), json(order.after), '']);
  // A run that `find` found by its reason, or by who ran it.
  if (cells.length === 0) cells.push(FIELDS.map(() => ''));
  return cells.map((each) => [...aboutCells(entry), ...each]);
}
