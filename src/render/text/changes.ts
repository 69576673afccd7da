// Changes of a plan as lines of a terminal: an outline of them, or each with all of its fields.

import type { Json } from '../../base/model.ts';
import type { FieldChange, Note, ResourceChange } from '../../plan/plan.ts';
import type { OutlinedField, OutlineEntry } from '../../tasks/review/outline.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, value } from '../../view/plain.ts';
import { columnsOf, cutTo, ELLIPSIS, fewWithin } from '../../view/terminal/narrow.ts';
import { differenceLines } from '../../view/values.ts';
import * as words from '../words/plan.ts';

const SIGNS: { readonly [action in words.ResourceAction]: (paint: Paint) => string } = {
  create: (paint) => paint('add', '  +'),
  update: (paint) => paint('change', '  ~'),
  replace: (paint) => `${paint('destroy', '-')}/${paint('add', '+')}`,
  delete: (paint) => paint('destroy', '  -'),
  move: (paint) => paint('move', '  ^'),
  adopt: (paint) => paint('faint', '  ='),
};

const WORDS: { readonly [action in words.ResourceAction]: string } = {
  create: 'is created',
  update: 'changes',
  replace: 'is replaced',
  delete: 'is destroyed',
  move: 'moves',
  adopt: 'is adopted as it is',
};

const NOT_CHANGEABLE = 'cannot be changed through the API';

/** Names in a line that stands for several objects. */
const MOST_NAMES = 5;

/** What else is told next to a change: notes, and what it carries by the reports. */
export interface Remarks {
  readonly notes: readonly Note[];
  readonly carried: readonly string[];
}

/** How to show long ids: by their beginnings, where the line of an entry is too wide with them. Ids that begin alike stay whole. */
export function shortIdsOf(entries: readonly OutlineEntry[], { width }: Paint): (text: string) => string {
  if (width === undefined) return asIs;
  const lines = entries.flatMap(({ address, text }) => (address === null ? [] : [`${SIGN_ROOM}${address}  ${text}`]));
  const wide = lines.filter((line) => columnsOf(line) > width);
  if (!wide.some((line) => LONG_ID.test(line))) return asIs;
  const ids = new Set(lines.flatMap((line) => line.match(LONG_IDS) ?? []));
  if (new Set([...ids].map(shortId)).size < ids.size) return asIs;
  return (text) => text.replaceAll(LONG_IDS, shortId);
}

function asIs(text: string): string {
  return text;
}

const LONG_ID = /\b[0-9a-f]{8}[0-9a-f-]{16,}\b/;
const LONG_IDS = new RegExp(LONG_ID, 'g');

function shortId(id: string): string {
  return `${id.slice(0, 8)}${ELLIPSIS}`;
}

/** As wide as what stands in front of an address. */
const SIGN_ROOM = '    ';

/** A line for an object, or for several that are condensed; below it the fields that differ. */
export function entryLines(
  entry: OutlineEntry,
  { notes, carried }: Remarks,
  short: (text: string) => string,
  paint: Paint,
): readonly string[] {
  const { changes, fields } = entry;
  const [change] = changes;
  const action = words.actionOf(change);
  if (action === null && fields.length === 0) return [];
  const sign = action === null ? paint('warning', '  !') : SIGNS[action](paint);
  const lines = [
    ...notesAt('ownership', notes, paint),
    ...fields.map((field) => outlinedLine(field, paint)),
    ...carried,
  ];
  const named = entry.address === null ? severalText(entry, paint) : aloneText(entry, entry.address, short, paint);
  return [`${sign} ${named}`, ...indented(lines)];
}

/** What is said of the object is cut where it does not fit; what happens to it is not. */
function aloneText(
  { changes: [change], text, shorter }: OutlineEntry,
  of: string,
  short: (text: string) => string,
  paint: Paint,
): string {
  const { adopting, recreating, moved } = change;
  const action = words.actionOf(change);
  const happens = [
    ...(action === null ? [NOT_CHANGEABLE] : []),
    ...(action === 'replace' ? ['deleted and made again'] : []),
    ...(action === 'create' && recreating ? ['created again'] : []),
    ...(adopting ? ['adopted'] : []),
    ...(moved === null ? [] : [`position ${moved.from} ${paint('faint', '->')} ${moved.to}`]),
  ];
  const { width = Number.POSITIVE_INFINITY } = paint;
  const address = plain(short(of));
  const room = width - columnsOf([`${SIGN_ROOM}${address}  `, ...happens].join(', '));
  const summary = text === '' ? [] : [shownIn(room, [text, ...shorter].map(short).map(plain))];
  const about = [...summary, ...happens].join(', ');
  return `${paint('strong', address)}${about === '' ? '' : `  ${about}`}`;
}

/** Columns of a summary without which it goes on the next line. */
const LEAST_SUMMARY = 12;

/** The first of the texts that fits; else the last one, cut. */
function shownIn(room: number, texts: readonly string[]): string {
  const fitting = texts.find((text) => columnsOf(text) <= room);
  if (fitting !== undefined) return fitting;
  return room < LEAST_SUMMARY ? (texts[0] ?? '') : cutAtWord(texts.at(-1) ?? '', room);
}

/** After a whole word, and not in a count of what is left out. */
function cutAtWord(text: string, room: number): string {
  const cut = cutTo(text, room);
  const words = cut.slice(0, Math.max(0, cut.lastIndexOf(' '))).replace(/(?:,| and(?: \d+)?)$/, '');
  return words === '' ? cut : `${words}${ELLIPSIS}`;
}

function severalText({ changes, text: count, names, fields }: OutlineEntry, paint: Paint): string {
  const [first] = changes;
  const isSame = fields.some(({ change }) => words.unwrittenText(change) === null);
  const what = [
    ...(first?.adopting === true ? [' adopted'] : []),
    ...(first?.recreating === true ? [' created again'] : []),
    ...(fields.length === 0 ? [] : [isSame ? ' with the same change' : ` with a difference that ${NOT_CHANGEABLE}`]),
  ].join('');
  const title = `${count}${what}:`;
  const { width = Number.POSITIVE_INFINITY } = paint;
  const room = width - columnsOf(`${SIGN_ROOM}${title} `);
  return `${paint('strong', title)} ${fewWithin(names.map(plain), MOST_NAMES, room)}`;
}

/** `work_scheduler Mon-Fri 13:00-20:00 -> 13:00-21:00`. */
function outlinedLine({ change, words: differing }: OutlinedField, paint: Paint): string {
  const { field, before, after, reach, reason } = change;
  const unwritten = words.unwrittenText(change);
  if (unwritten !== null) return `${paint('warning', '!')} ${plain(field)}: ${unwritten}`;
  const said = differingText(differing, before, after, paint);
  const why = reach === 'unverified' && reason !== null ? ` ${paint('faint', `(${plain(reason)})`)}` : '';
  return `${plain(field)} ${said}${why}`;
}

/** `Mon-Fri 13:00-20:00 -> 13:00-21:00, +Sat 10:00-14:00`; the values where no words say what differs. */
export function differingText(
  differing: OutlinedField['words'],
  before: Json | undefined,
  after: Json | undefined,
  paint: Paint,
): string {
  const arrow = paint('faint', '->');
  const texts = differing.map((each) => {
    const phrase = (...parts: readonly string[]): string =>
      parts
        .filter((part) => part !== '')
        .map(plain)
        .join(' ');
    if (each.before === null) return paint('add', `+${phrase(each.about, each.after ?? '')}`);
    if (each.after === null) return paint('destroy', `-${phrase(each.about, each.before)}`);
    return `${phrase(each.about, each.before)} ${arrow} ${plain(each.after)}`;
  });
  return texts.length === 0 ? `${value(before)} ${arrow} ${value(after)}` : texts.join(', ');
}

/** A change with all of its fields, where it is declared, and an empty line. */
export function changeLines(change: ResourceChange, { notes, carried }: Remarks, paint: Paint): readonly string[] {
  const action = words.actionOf(change);
  if (action === null && change.fields.length === 0) return [];
  const named = paint('strong', plain(change.address));
  const head =
    action === null
      ? `${paint('warning', '  !')} ${named} differs, and ${NOT_CHANGEABLE}`
      : `${SIGNS[action](paint)} ${named} ${WORDS[action]}${action === 'create' && change.recreating ? ' again' : ''}${change.adopting && action !== 'adopt' ? ', and is adopted' : ''}`;
  const { source, moved } = change;
  const place = source === null ? '' : paint('faint', `  ${plain(source.file)}:${source.line}`);
  const lines = [
    ...(action === null
      ? []
      : [...nameLine(change), ...notesAt('danger', notes, paint), ...notesAt('ownership', notes, paint)]),
    ...(moved === null ? [] : [`${paint('move', '^')} position ${moved.from} ${paint('faint', '->')} ${moved.to}`]),
    ...change.fields.flatMap((field) => fieldLines(field, paint)),
    ...carried,
  ];
  return [`${head}${place}`, ...indented(lines), ''];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `      ${line}`);
}

function notesAt(place: 'danger' | 'ownership', notes: readonly Note[], paint: Paint): readonly string[] {
  const tone = place === 'danger' ? 'error' : 'warning';
  return notes
    .filter(({ kind }) => words.NOTE_PLACES[kind] === place)
    .map(({ message }) => `${paint(tone, '!')} ${plain(message)}`);
}

/** The name of a live object whose address does not have it. */
function nameLine({ address, name, id, change }: ResourceChange): readonly string[] {
  const isNamed = address.endsWith(`/${name}`) || change.after?.['name'] === name || name === String(id);
  return isNamed || change.actions[0] === 'create' ? [] : [`named ${value(name)}`];
}

function fieldLines(change: FieldChange, paint: Paint): readonly string[] {
  const { before, after, reach, reason } = change;
  const field = plain(change.field);
  if (reach === 'unverified')
    return [`${paint('change', '~')} ${field}: ${value(after)} ${paint('faint', `(${plain(reason ?? '')})`)}`];
  const unwritten = words.unwrittenText(change);
  return unwritten === null
    ? differenceLines(field, before ?? undefined, after, paint)
    : [`${paint('warning', '!')} ${field}: ${unwritten}`];
}

/** A line for each object that cannot be read, below each reason. */
export function unseenLines(unseen: readonly ResourceChange[]): ReadonlyMap<string, readonly string[]> {
  const byReason = new Map<string, string[]>();
  for (const change of unseen) {
    for (const reason of new Set(change.fields.map((field) => field.reason ?? ''))) {
      const names = change.fields.flatMap(({ field, reason: why }) => ((why ?? '') === reason ? [field] : []));
      const lines = byReason.get(reason) ?? [];
      byReason.set(reason, lines);
      lines.push(`${plain(change.address)}: ${names.map(plain).join(', ')}`);
    }
  }
  return byReason;
}
