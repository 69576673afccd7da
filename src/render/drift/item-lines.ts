// One difference in; the lines that show it out: what it is, base -> live -> desired, who moved, and what else a person has to know.

import { assertNever } from '../../base/errors.ts';
import type { Json } from '../../base/model.ts';
import type { DriftKind } from '../../project/drift-settings.ts';
import type { Difference, DriftItem } from '../../tasks/drift/report.ts';
import { differences } from '../difference.ts';
import type { Paint } from '../paint.ts';
import { plain, value } from '../plain.ts';
import { cut, DIFFERS, history, pathOf, shortly } from './words.ts';

/** Lines that the inside of one value takes at most. */
const MOST_LINES = 8;

const LONGEST_ORDER = 12;

export function itemLines(item: DriftItem, paint: Paint): readonly string[] {
  return differenceLines(item, history(item), paint);
}

/** `told` is what to say of it beside the values. */
export function differenceLines(item: Difference, told: readonly string[], paint: Paint): readonly string[] {
  const source = item.source === null ? '' : paint('faint', `  ${plain(item.source.file)}:${item.source.line}`);
  const [first = '', ...inside] = whatDiffers(item, paint);
  const reason = item.reason === null || item.status === 'converged' ? [] : [plain(item.reason)];
  const said = [...reason, ...told].map((line) =>
    line.startsWith('a fight') ? `${paint('error', '!')} ${line}` : line,
  );
  return [`${sign(item, paint)} ${first}${source}`, ...[...inside, ...said].map((line) => `  ${line}`)];
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
  };
  return signs[kind];
}

function whatDiffers(item: Difference, paint: Paint): readonly string[] {
  const { kind, live } = item;
  switch (kind) {
    case 'changed':
      return [item.base, item.live, item.desired].some(isCompound) ? insideOf(item, paint) : [sides(item, paint)];
    case 'unreadable':
      return [`${pathOf(item)}: ${DIFFERS[kind]}, declared ${shortly(item.desired)}`];
    case 'unmanaged':
      return [DIFFERS[kind], ...atMost(isMembers(live) ? described(live, item.name, paint) : [])];
    case 'reordered':
      return [DIFFERS[kind], ...orderLines(item)];
    case 'missing':
    case 'pending-approval':
      return [DIFFERS[kind]];
    default:
      return assertNever(kind);
  }
}

type Members = { readonly [name: string]: Json };

/** What tells what it is: neither its name again, nor what says nothing. */
function described(spec: Members, name: string, paint: Paint): readonly string[] {
  const telling = Object.entries(spec).filter(([, json]) => !isEmpty(json) && json !== name);
  return telling.flatMap(([field, json]) => differences(plain(field), undefined, json, paint));
}

function isEmpty(json: Json): boolean {
  return isCompound(json) ? Object.keys(json ?? {}).length === 0 : json === '' || json === false || json === null;
}

function isMembers(json: Json): json is Members {
  return isCompound(json) && !Array.isArray(json);
}

function isCompound(json: Json): boolean {
  return typeof json === 'object' && json !== null;
}

/** `applied "a" -> live "b" -> declared "a"`: who moved is the one who is not like the one before. */
function sides(item: Difference, paint: Paint): string {
  const licenseMoved = item.status === 'drift' || item.status === 'conflict';
  const repositoryMoved = item.status === 'pending' || item.status === 'conflict';
  const arrow = paint('faint', '->');
  // What is never read back is known only by the digest of what was applied; a definition that has to be made again may be such a thing.
  const isHidden = item.reach === 'unverified' || item.reach === 'unreadable' || item.reach === 'replace';
  const known = (json: Json): string => (isHidden && json === null ? 'unknown' : shortly(json));
  return [
    `${pathOf(item)}:`,
    ...(item.applied_at === null ? [] : [`applied ${known(item.base)}`, arrow]),
    `live ${licenseMoved ? paint('change', known(item.live)) : known(item.live)}`,
    arrow,
    `declared ${repositoryMoved ? paint('change', shortly(item.desired)) : shortly(item.desired)}`,
  ].join(' ');
}

/** Mappings and lists: only the members that differ. */
function insideOf(item: Difference, paint: Paint): readonly string[] {
  const { base, live, desired, status, applied_at: applied } = item;
  const name = pathOf(item);
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
  const lines = differences(name, before ?? undefined, after ?? undefined, paint);
  // Lists are told apart as sets; when only their order differs, the whole of them says it.
  return lines.length > 0
    ? lines
    : [`${paint('change', '~')} ${name}: ${cut(value(before), 120)} ${paint('faint', '->')} ${cut(value(after), 120)}`];
}

function orderLines({ base, live, desired, applied_at: applied }: Difference): readonly string[] {
  const order = (title: string, json: Json): readonly string[] =>
    Array.isArray(json) ? [`${title} ${json.map((each) => plain(String(each))).join(', ')}`] : [];
  // Of a long list, what is out of place says more than its beginning.
  if (Array.isArray(live) && live.length > LONGEST_ORDER) return [];
  return [
    ...(applied === null ? [] : order('applied ', base)),
    ...order('live    ', live),
    ...order('declared', desired),
  ];
}

function atMost(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_LINES;
  return more <= 1 ? lines : [...lines.slice(0, MOST_LINES), `and ${more} more`];
}
