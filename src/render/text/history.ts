// The terminal text of `history` and `undo --list`: runs, and what they did to each object.

import { few } from '../../base/text.ts';
import type { RunOutlineEntry, WordedField } from '../../tasks/history/outline.ts';
import type { ObjectOfRun, RunEntry, RunHistory } from '../../tasks/history/schema.ts';
import type { Paint, Tone } from '../../view/paint.ts';
import { plain, time, value } from '../../view/plain.ts';
import { headedTable, INDENT, table } from '../../view/terminal/layout.ts';
import * as words from '../words/history.ts';
import { differingText } from './changes.ts';

/** What is shown of a history. */
export interface HistoryView {
  readonly history: RunHistory;
  /** The first line, with its end. */
  readonly head: (paint: Paint) => string;
  readonly outline: (entry: RunEntry) => readonly RunOutlineEntry[];
}

/** Entries of one run that a terminal shows. */
const MOST_ENTRIES = 100;

/** Runs, newest first; with objects, what each did to them. */
export function historyText({ history, head, outline }: HistoryView, isOneRun: boolean, paint: Paint): string {
  const { runs, older } = history;
  const [only] = runs;
  const gone = words.compactedText(history);
  const notes = [
    ...(older === 0 ? [] : [`${older} older; --last N shows more, --json all of them`]),
    ...(gone === null ? [] : [gone]),
  ];
  const body =
    only === undefined
      ? ['No run to show.']
      : isOneRun
        ? runLines(only, outline(only), paint)
        : only.objects === undefined
          ? headedTable([RUN_COLUMNS, ...runs.map(runRow)], paint)
          : runs.flatMap((entry, index) => [
              ...(index === 0 ? [] : ['']),
              ...changeLines(entry, outline(entry), paint),
            ]);
  return [head(paint), ...[...body, ...(notes.length === 0 ? [] : ['', ...notes])].map((line) => `${line}\n`)].join('');
}

const RUN_COLUMNS = ['RUN', 'WHEN (UTC)', 'HOW', 'WHO', 'WHAT'] as const;

function runRow(entry: RunEntry): readonly string[] {
  const { id, at } = entry;
  return [
    words.shortId(id),
    words.minuteText(at),
    words.howText(entry),
    words.whoText(entry.by),
    words.whatText(entry),
  ];
}

/** One run in full. */
function runLines(entry: RunEntry, outline: readonly RunOutlineEntry[], paint: Paint): readonly string[] {
  const { id, at, ended_at: end, target, outcome, finished_by: by, undo } = entry;
  const seconds = end === null ? null : (Date.parse(end) - Date.parse(at)) / 1000;
  const [who = '', ...more] = words.whoLines(entry.by);
  const facts = [
    ['how', `${words.howText(entry)}${target === null ? '' : ` on ${plain(target)}`}, ${words.RUN_ENDINGS[outcome]}`],
    ['when', `${time(at)}${seconds === null ? '' : `, ${seconds.toFixed(1)} s`}`],
    ['who', who],
    ...more.map((line) => ['', line]),
    ['what', words.changesText(entry)],
    ...(by === null ? [] : [['', `run ${words.shortId(by)} finished it`]]),
    ['undo', undo.possible === 'yes' ? `chatform undo ${words.shortId(id)}` : undoText(entry)],
  ];
  return [
    paint('strong', `Run ${words.shortId(id)}`),
    ...table(facts, paint.width, INDENT),
    '',
    ...objectLines(entry, outline, paint),
  ];
}

/** `in part: ...`, `no: ...`. */
function undoText({ undo: { possible, reason } }: RunEntry): string {
  return plain([words.POSSIBLE[possible], ...(reason === null ? [] : [reason])].join(': '));
}

function changeLines(entry: RunEntry, outline: readonly RunOutlineEntry[], paint: Paint): readonly string[] {
  const [id, at, how, who] = runRow(entry);
  const ending = entry.outcome === 'done' ? '' : `, ${words.RUN_ENDINGS[entry.outcome]}`;
  const whom = entry.by === null ? 'who is not recorded' : `by ${who}`;
  return [`${paint('strong', `${id}  ${at}`)}  ${how}${ending}, ${whom}`, ...objectLines(entry, outline, paint)];
}

function objectLines(entry: RunEntry, outline: readonly RunOutlineEntry[], paint: Paint): readonly string[] {
  const moves = movesIn(entry);
  const lines = outline.slice(0, MOST_ENTRIES).flatMap((each) => entryLines(each, moves, paint));
  const more = outline.length - MOST_ENTRIES;
  const missing = words.valuesText(entry);
  return [
    ...lines,
    ...(more <= 0 ? [] : [`  and ${more} more; --json and --csv have all of them`]),
    ...(missing === null ? [] : [paint('warning', `  ${missing}`)]),
  ];
}

const SIGNS: { readonly [action in ObjectOfRun['action']]: readonly [sign: string, tone: Tone] } = {
  added: ['  +', 'add'],
  changed: ['  ~', 'change'],
  replaced: ['-/+', 'destroy'],
  destroyed: ['  -', 'destroy'],
  unknown: ['  ?', 'warning'],
  failed: ['  !', 'warning'],
  applied: ['  =', 'faint'],
  secret: ['  =', 'faint'],
  token: ['  =', 'faint'],
  token_unanswered: ['  ?', 'warning'],
  adopted: ['  =', 'faint'],
  imported: ['  =', 'faint'],
  renamed: ['  ^', 'move'],
  released: ['  /', 'faint'],
};

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

const MOST_NAMES = 5;

function entryLines(
  { objects, text, fields }: RunOutlineEntry,
  moves: (address: string) => string,
  paint: Paint,
): readonly string[] {
  const [{ action, from, address }] = objects;
  const [sign, tone] = SIGNS[action];
  const said = [text, from === null ? '' : `was ${from}`, SAID[action] ?? '', moves(address)].filter(
    (part) => part !== '',
  );
  const line =
    objects.length === 1
      ? [paint('strong', plain(address)), said.map(plain).join(', ')]
      : [
          paint('strong', `${[text, SAID[action]].filter((part) => part !== undefined).join(', ')}:`),
          few(
            objects.map((object) => plain(object.address)),
            MOST_NAMES,
          ),
        ];
  return [
    `${paint(tone, sign)} ${line.filter((part) => part !== '').join('  ')}`,
    ...fields.map((field) => `      ${fieldLine(field, paint)}`),
  ];
}

function fieldLine({ field, words: differing }: WordedField, paint: Paint): string {
  const { field: name, before, after } = field;
  const missing = words.unknownText(field);
  if (missing === null) return `${plain(name)} ${differingText(differing, before, after, paint)}`;
  const known = field.unknown.includes('before') ? after : before;
  return `${plain(name)}: ${field.unknown.length === 2 ? '' : `${value(known)}; `}${paint('faint', missing)}`;
}

/** Of a rule that is in another place after the run: both, from 1. */
function movesIn({ order }: RunEntry): (address: string) => string {
  const before = new Map(order?.before.map((address, index) => [address, index + 1]));
  const after = new Map(order?.after?.map((address, index) => [address, index + 1]));
  return (address) => {
    const [was, is] = [before.get(address), after.get(address)];
    return was === undefined || is === undefined || was === is ? '' : `position ${was} -> ${is}`;
  };
}

/** `undo --list`. */
export function undoListText({ history, head }: Pick<HistoryView, 'history' | 'head'>, paint: Paint): string {
  const { runs } = history;
  const those = (possible: RunEntry['undo']['possible']) => runs.filter(({ undo }) => undo.possible === possible);
  const withReasons = (title: string, entries: readonly RunEntry[]): readonly string[] => {
    const rows = entries.map((entry) => [...runRow(entry).slice(0, 3), plain(entry.undo.reason ?? '')]);
    return listed(title, ['RUN', 'WHEN (UTC)', 'HOW', 'WHY'], rows, paint);
  };
  const [able, partly] = [those('yes'), those('in_part')];
  const gone = words.compactedText(history);
  const isAny = able.length + partly.length > 0;
  const parts = [
    isAny ? listed('Can be undone:', RUN_COLUMNS, able.map(runRow), paint) : ['No run can be undone.'],
    withReasons('Can be undone in part:', partly),
    withReasons('Cannot be undone:', those('no')),
    gone === null ? [] : [gone],
    isAny ? ['This is what the ledger knows. `chatform undo RUN --plan` also compares with the license.'] : [],
  ];
  const text = parts.filter((lines) => lines.length > 0).map((lines) => lines.map((line) => `${line}\n`).join(''));
  return head(paint) + text.join('\n');
}

/** A titled table; nothing without rows. */
function listed(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): readonly string[] {
  return rows.length === 0 ? [] : [paint('strong', title), ...headedTable([columns, ...rows], paint)];
}
