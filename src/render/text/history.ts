// The terminal text of `history` and `undo --list`: runs, and what they did to each object.

import { few } from '../../base/text.ts';
import type { RunOutlineEntry, WordedField } from '../../tasks/history/outline.ts';
import type { ObjectOfRun, RunEntry, RunHistory } from '../../tasks/history/schema.ts';
import type { Paint, Tone } from '../paint.ts';
import { plain, time, value } from '../plain.ts';
import * as words from '../words/history.ts';
import { differingText } from './changes.ts';
import { capped, headedTable, table } from './layout.ts';

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
      ? ['No run is recorded.']
      : isOneRun
        ? runLines(only, outline(only), paint)
        : only.objects === undefined
          ? headedTable([['RUN', 'WHEN (UTC)', 'HOW', 'WHO', 'WHAT'], ...runs.map(runRow)], paint)
          : runs.flatMap((entry, index) => [
              ...(index === 0 ? [] : ['']),
              ...changeLines(entry, outline(entry), paint),
            ]);
  return [head(paint), ...[...body, ...(notes.length === 0 ? [] : ['', ...notes])].map((line) => `${line}\n`)].join('');
}

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
  const { id, at, ended_at: end, target, outcome, undoes, finished_by: by, undo } = entry;
  const seconds = end === null ? null : Math.round((Date.parse(end) - Date.parse(at)) / 1000);
  const [who = '', ...more] = words.whoLines(entry.by);
  const facts = [
    ['how', `${words.howText(entry)}${target === null ? '' : ` on ${plain(target)}`}, ${words.RUN_ENDINGS[outcome]}`],
    ['when', `${time(at)}${seconds === null ? '' : `, ${seconds} s`}`],
    ['who', who],
    ...more.map((line) => ['', line]),
    ['what', words.changesText(entry)],
    ...(undoes === null ? [] : [['undoes', `run ${words.shortId(undoes)}`]]),
    ...(by === null ? [] : [['', `run ${words.shortId(by)} finished it`]]),
    ['undo', undo.possible === 'yes' ? `chatform undo ${words.shortId(id)}` : undoText(entry)],
  ];
  return [paint('strong', `Run ${plain(id)}`), ...table(facts, paint.width, '  '), '', ...objectLines(entry, outline, paint)];
}

/** `in part: ...`, `no: ...`. */
function undoText({ undo: { possible, reason } }: RunEntry): string {
  return plain([possible.replace('_', ' '), ...(reason === null ? [] : [reason])].join(': '));
}

function changeLines(entry: RunEntry, outline: readonly RunOutlineEntry[], paint: Paint): readonly string[] {
  const [id, at, how, who] = runRow(entry);
  const ending = entry.outcome === 'done' ? '' : `, ${words.RUN_ENDINGS[entry.outcome]}`;
  const whom = entry.by === null ? 'who is not recorded' : `by ${who}`;
  return [`${paint('strong', `${id}  ${at}`)}  ${how}${ending}, ${whom}`, ...objectLines(entry, outline, paint)];
}

function objectLines(entry: RunEntry, outline: readonly RunOutlineEntry[], paint: Paint): readonly string[] {
  const lines = outline.slice(0, MOST_ENTRIES).flatMap((each) => entryLines(each, paint));
  const more = outline.length - MOST_ENTRIES;
  const missing = words.valuesText(entry);
  return [
    ...lines,
    ...orderLines(entry, paint),
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
  applied: 'applied; the run recorded no earlier values',
  secret: 'its secret was written or reset',
  adopted: 'adopted',
  imported: 'imported',
  released: 'no longer owned',
};

const MOST_NAMES = 5;

function entryLines({ objects, text, fields }: RunOutlineEntry, paint: Paint): readonly string[] {
  const [{ action, from, address }] = objects;
  const [sign, tone] = SIGNS[action];
  const said = [text, from === null ? '' : `was ${from}`, SAID[action] ?? ''].filter((part) => part !== '');
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

function orderLines({ order }: RunEntry, paint: Paint): readonly string[] {
  if (order === undefined || order.after === null) return [];
  const place = new Map(order.before.map((address, index) => [address, index + 1]));
  const moved = order.after.flatMap((address, index) => {
    const was = place.get(address);
    return was === undefined || was === index + 1
      ? []
      : [`${plain(address)}  position ${was} ${paint('faint', '->')} ${index + 1}`];
  });
  return capped(moved, MOST_ENTRIES).map((line) => `${paint('move', '  ^')} ${line}`);
}

/** `undo --list`. */
export function undoListText({ history, head }: Pick<HistoryView, 'history' | 'head'>, paint: Paint): string {
  const able = history.runs.filter(({ undo }) => undo.possible !== 'no');
  const unable = history.runs.filter(({ undo }) => undo.possible === 'no');
  const gone = words.compactedText(history);
  const parts = [
    able.length === 0
      ? ['No run can be undone.']
      : [
          paint('strong', 'Can be undone:'),
          ...headedTable(
            [
              ['RUN', 'WHEN (UTC)', 'HOW', 'WHO', 'WHAT'],
              ...able.map((entry) => [
                ...runRow(entry).slice(0, -1),
                `${words.whatText(entry)}${entry.undo.possible === 'yes' ? '' : `; ${undoText(entry)}`}`,
              ]),
            ],
            paint,
          ),
        ],
    unable.length === 0
      ? []
      : [
          paint('strong', 'Cannot be undone:'),
          ...headedTable(
            [
              ['RUN', 'WHEN (UTC)', 'HOW', 'WHY'],
              ...unable.map((entry) => [...runRow(entry).slice(0, 3), plain(entry.undo.reason ?? '')]),
            ],
            paint,
          ),
        ],
    gone === null ? [] : [gone],
    able.length === 0
      ? []
      : ['This is what the ledger knows. `chatform undo RUN --plan` also compares with the license.'],
  ];
  const text = parts.filter((lines) => lines.length > 0).map((lines) => lines.map((line) => `${line}\n`).join(''));
  return head(paint) + text.join('\n');
}
