// One difference between applied, live and declared as lines of a terminal.

import { assertNever } from '../../base/errors.ts';
import { isList, isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/model.ts';
import type { DriftKind } from '../../project/drift-settings.ts';
import type { Difference, DriftItem } from '../../tasks/drift/report.ts';
import type { Paint } from '../../view/paint.ts';
import { plain, shortened, value } from '../../view/plain.ts';
import { capped } from '../../view/terminal/layout.ts';
import { differenceLines } from '../../view/values.ts';
import * as words from '../words/drift.ts';

/** One difference: what it is, applied -> live -> declared, which side changed, and its history. */
export function itemLines(item: DriftItem, paint: Paint): readonly string[] {
  return sideLines(item, words.history(item), paint);
}

/** The same with other remarks than its history. */
export function sideLines(item: Difference, remarks: readonly string[], paint: Paint): readonly string[] {
  const source = item.source === null ? '' : paint('faint', `  ${plain(item.source.file)}:${item.source.line}`);
  const [first = '', ...inside] = whatDiffers(item, paint);
  const reason = item.reason === null || item.status === 'converged' ? [] : [plain(item.reason)];
  const said = [...reason, ...remarks].map((line) =>
    line.startsWith('a fight') ? `${paint('error', '!')} ${line}` : line,
  );
  return [`${sign(item, paint)} ${first}${source}`, ...[...inside, ...said].map((line) => `  ${line}`)];
}

/** An object that the manifest does not declare, on one line. */
export function undeclaredLine(item: DriftItem, paint: Paint): string {
  const said = [item.in_words ?? '', item.reason ?? ''].filter((part) => part !== '').map(plain);
  return `${sign(item, paint)} ${[plain(item.address), said.join('; ')].join('  ').trimEnd()}`;
}

function sign({ kind, status }: Difference, paint: Paint): string {
  if (status === 'conflict') return paint('error', '!');
  const signs: { readonly [each in DriftKind]: string } = {
    changed: paint('change', '~'),
    missing: paint('destroy', '-'),
    unmanaged: paint('add', '+'),
    reordered: paint('move', '^'),
    unreadable: paint('faint', '?'),
    'pending-approval': paint('faint', '?'),
    due: paint('faint', '~'),
  };
  return signs[kind];
}

function whatDiffers(item: Difference, paint: Paint): readonly string[] {
  const { kind, live } = item;
  switch (kind) {
    case 'changed':
    case 'due':
      return [item.base, item.live, item.desired].some(isCompound)
        ? insideLines(item, paint)
        : [valuesLine(item, paint)];
    case 'unreadable':
      return [`${words.pathText(item)}: ${words.DIFFERS[kind]}, declared ${words.shortValue(item.desired)}`];
    case 'unmanaged':
      return [words.DIFFERS[kind], ...(isObject(live) ? atMost(tellingLines(live, item.name, paint)) : [])];
    case 'reordered':
      return [words.DIFFERS[kind], ...orderLines(item)];
    case 'missing':
    case 'pending-approval':
      return [words.DIFFERS[kind]];
    default:
      return assertNever(kind);
  }
}

/** Fields that say what an object is: not its name again, and no empty values. */
function tellingLines(spec: JsonObject, name: string, paint: Paint): readonly string[] {
  const telling = Object.entries(spec).filter(([, json]) => !isEmpty(json) && json !== name);
  return telling.flatMap(([field, json]) => differenceLines(plain(field), undefined, json, paint));
}

function isEmpty(json: Json): boolean {
  return isCompound(json) ? Object.keys(json ?? {}).length === 0 : json === '' || json === false || json === null;
}

function isCompound(json: Json): boolean {
  return isObject(json) || isList(json);
}

/** `applied "a" -> live "b" -> declared "a"`: the side that changed is coloured. */
function valuesLine(item: Difference, paint: Paint): string {
  const licenseMoved = item.status === 'drift' || item.status === 'conflict';
  const repositoryMoved = item.status === 'pending' || item.status === 'conflict';
  const arrow = paint('faint', '->');
  const isHidden = words.isHidden(item);
  const known = (json: Json): string => (isHidden && json === null ? 'unknown' : words.shortValue(json));
  return [
    `${words.pathText(item)}:`,
    ...(item.applied_at === null ? [] : [`applied ${known(item.base)}`, arrow]),
    `live ${licenseMoved ? paint('change', known(item.live)) : known(item.live)}`,
    arrow,
    `declared ${repositoryMoved ? paint('change', words.shortValue(item.desired)) : words.shortValue(item.desired)}`,
  ].join(' ');
}

/** Mappings and lists: only the members that differ. */
function insideLines(item: Difference, paint: Paint): readonly string[] {
  const { base, live, desired, status, applied_at: applied } = item;
  const name = words.pathText(item);
  const between = (title: string, before: Json, after: Json): readonly string[] => [
    title,
    ...atMost(memberLines(name, before, after, paint)).map((line) => `  ${line}`),
  ];
  if (applied === null) return [name, ...between('live -> declared', live, desired)];
  return [
    name,
    ...(status === 'pending' ? [] : between('applied -> live', base, live)),
    ...(status === 'drift' || status === 'converged' ? [] : between('applied -> declared', base, desired)),
  ];
}

function memberLines(name: string, before: Json, after: Json, paint: Paint): readonly string[] {
  const lines = differenceLines(name, before ?? undefined, after ?? undefined, paint);
  // Lists are compared as sets: when only their order differs, the whole lists show it.
  return lines.length > 0
    ? lines
    : [
        `${paint('change', '~')} ${name}: ${shortened(value(before), 120)} ${paint('faint', '->')} ${shortened(value(after), 120)}`,
      ];
}

/** A longer list is not shown: the reason of the difference names what is out of place. */
const LONGEST_ORDER = 12;

function orderLines({ base, live, desired, applied_at: applied }: Difference): readonly string[] {
  const order = (title: string, json: Json): readonly string[] =>
    isList(json) ? [`${title} ${json.map((each) => plain(String(each))).join(', ')}`] : [];
  if (isList(live) && live.length > LONGEST_ORDER) return [];
  return [
    ...(applied === null ? [] : order('applied ', base)),
    ...order('live    ', live),
    ...order('declared', desired),
  ];
}

/** Lines inside of one value. */
const MOST_LINES = 8;

function atMost(lines: readonly string[]): readonly string[] {
  return lines.length === MOST_LINES + 1 ? lines : capped(lines, MOST_LINES);
}
