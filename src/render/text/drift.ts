// The terminal text of a drift check: what changed and on which side, the most severe first, with the commands that end it.

import { assertNever } from '../../base/errors.ts';
import { grouped } from '../../base/grouped.ts';
import { isList, isObject } from '../../base/json.ts';
import { type Json, type JsonObject, SEVERITIES, type Severity } from '../../base/model.ts';
import { counted, few } from '../../base/text.ts';
import type { DriftKind } from '../../project/drift-settings.ts';
import type { Acceptance } from '../../run/accept.ts';
import type { Difference, DriftCheck, DriftItem, DriftReport } from '../../tasks/drift/report.ts';
import type { SinceCheck } from '../../tasks/drift/since.ts';
import { differenceLines } from '../difference.ts';
import { type Paint, uncoloured } from '../paint.ts';
import { plain, shortened, time, value } from '../plain.ts';
import * as words from '../words/drift.ts';
import { block, capped } from './layout.ts';
import { columnsOf } from './narrow.ts';

/** The check as a file: the whole text of its report, or why it failed. */
export function lookText(look: DriftCheck): string {
  if (look.outcome === 'seen') return driftText(look.report, uncoloured, { details: true });
  return `Error: ${plain(look.message)}\nThe check of ${time(look.at)} failed: it is not known whether there is drift.\n`;
}

interface DriftView {
  /** Every difference in full. Otherwise what is known and needs no action is a line for each sort. */
  readonly details?: boolean | undefined;
}

export function driftText(report: DriftReport, paint: Paint, { details = false }: DriftView = {}): string {
  const { items, target } = report;
  const isCollapsed = details ? () => false : collapsing(report);
  const listed = items.filter((item) => !isCollapsed(item));
  const asides = asideLines(report, items.filter(isCollapsed), details, paint);
  return [
    ...SEVERITIES.flatMap((severity) =>
      severityLines(severity, target, listed, paint, details ? Number.POSITIVE_INFINITY : MOST_UNMANAGED),
    ),
    ...(listed.some((item) => item.ways_out.includes('ignore')) ? [paint('faint', IGNORE_HINT), ''] : []),
    ...asides,
    ...(asides.length === 0 ? [] : ['']),
    ...block(paint('strong', 'Good to know:'), words.noteTexts(report)),
    ...resultLines(report, paint),
  ].join('\n');
}

/** How the license stands, and what the check cost. */
function resultLines(report: DriftReport, paint: Paint): readonly string[] {
  const cost = `Checked ${plain(report.target)} ${time(report.at)} with ${counted(report.requests, 'request')}.`;
  return [
    `${paint('strong', words.resultWord(report))} ${report.in_sync ? words.standing(report) : words.totals(report)}`,
    paint('faint', cost),
    '',
  ];
}

/** What changed since an earlier check. */
export function sinceText(report: DriftReport, { at, news, ended, ignored }: SinceCheck, paint: Paint): string {
  const names = (title: string, items: readonly DriftItem[]): readonly string[] =>
    items.length === 0 ? [] : [`${paint('strong', `${title}:`)} ${items.length}: ${few(items.map(words.nameOf))}`];
  const asides = [...names('Ended', ended), ...names('Ignored now', ignored)];
  return [
    paint('strong', `Since the check of ${time(at)}:`),
    ...SEVERITIES.flatMap((severity) => severityLines(severity, report.target, news, paint)),
    ...asides,
    ...(asides.length === 0 ? [] : ['']),
    ...block(paint('strong', 'Good to know:'), words.noteTexts(report)),
    ...resultLines(report, paint),
  ].join('\n');
}

const IGNORE_HINT = 'Intended? Ignore it under `drift: ignore:`, with a reason and an end date.';

const HEADINGS: { readonly [severity in Severity]: string } = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'For information',
};

/** A license that is managed in part can have hundreds of unmanaged objects. */
const MOST_UNMANAGED = 20;

function severityLines(
  severity: Severity,
  target: string,
  items: readonly DriftItem[],
  paint: Paint,
  mostUnmanaged = MOST_UNMANAGED,
): readonly string[] {
  const own = items.filter((item) => item.severity === severity);
  if (own.length === 0) return [];
  const resources = [...words.byResource(own)];
  const undeclared = resources.filter(([, those]) => those.every(({ kind }) => kind === 'unmanaged'));
  const left = new Set(undeclared.slice(mostUnmanaged).map(([address]) => address));
  const tones = { error: 'error', warning: 'warning', info: 'strong' } as const;
  return [
    `${paint(tones[severity], `${HEADINGS[severity]}:`)}`,
    ...resources
      .filter(([address]) => !left.has(address))
      .flatMap(([address, those]) => resourceLines(target, address, those, paint)),
    ...(left.size === 0
      ? []
      : [`  and ${left.size} more that the manifest does not declare; \`chatform drift --details\` lists them`, '']),
  ];
}

function resourceLines(target: string, address: string, items: readonly DriftItem[], paint: Paint): readonly string[] {
  const [first] = items;
  if (first === undefined) return [];
  return [
    `  ${paint('strong', words.headline(first))}`,
    ...items.flatMap((item) => itemLines(item, paint)).map((line) => `    ${line}`),
    ...words.waysOut(target, address, items).map((way) => paint('faint', `      ${way}`)),
    '',
  ];
}

/** More differences than that which wait for an apply are left to `chatform plan`. */
const MOST_WAITING = 5;

function waitsForApply({ status, ways_out: ways }: DriftItem): boolean {
  return status === 'pending' && ways.includes('apply');
}

/** Whether a difference needs no action now, so that one line for all of its sort is enough. */
function collapsing({ fail_on: failOn, items }: DriftReport): (item: DriftItem) => boolean {
  const areManyWaiting = items.filter(waitsForApply).length > MOST_WAITING;
  return (item) => {
    if (words.isCalm(item)) return !words.fails(item, failOn);
    return waitsForApply(item) && areManyWaiting;
  };
}

/** Columns of a line that also names what it counts. */
const LONGEST_ASIDE = 80;

/** A line for each sort of what is known: it names what it counts where that fits on the line. */
function asideLines(
  report: DriftReport,
  items: readonly DriftItem[],
  details: boolean,
  paint: Paint,
): readonly string[] {
  const line = (title: string, what: string, names: readonly string[]): readonly string[] => {
    if (names.length === 0) return [];
    const named = `: ${names.join(', ')}`;
    const fits = columnsOf(title) + columnsOf(what) + columnsOf(named) + 2 <= LONGEST_ASIDE;
    return [`${paint('strong', `${title}:`)} ${what}${fits || details ? named : ''}`];
  };
  const sort = (title: string, isMeant: (item: DriftItem) => boolean, whatOf = countText): readonly string[] => {
    const own = items.filter(isMeant);
    return line(title, whatOf(own), own.map(words.nameOf));
  };
  const target = words.quoted(report.target);
  const calm = [
    ...sort('Waiting for an approval', ({ kind }) => kind === 'pending-approval'),
    ...sort(
      'By a date that has come',
      ({ kind }) => kind === 'due',
      (own) => `${own.length}, which the next apply makes`,
    ),
    ...sort('Cannot be read back', ({ status }) => status === 'unknown'),
    ...sort('Changed to the same value on both sides', ({ status }) => status === 'converged'),
    ...sort(
      'Unmanaged',
      ({ usual }) => usual,
      (own) => kindsText(own, report),
    ),
  ];
  const ignored = ignoredLines(report, line);
  const unchecked = details ? words.notChecked(report) : words.notCheckedNames(report);
  return [
    ...sort(
      'Not applied yet',
      (item) => waitsForApply(item) && !words.isCalm(item),
      (own) => `${own.length}; \`chatform plan -t ${target}\` shows them`,
    ),
    ...calm,
    ...ignored,
    ...(unchecked === null ? [] : [`${paint('strong', 'Not checked:')} ${unchecked}`]),
    ...(calm.length + ignored.length === 0 || details ? [] : [paint('faint', '`--details` shows each of them.')]),
  ];
}

function countText(items: readonly DriftItem[]): string {
  return String(items.length);
}

/** `2 agents, 1 group`. */
function kindsText(items: readonly DriftItem[], { kinds }: DriftReport): string {
  const counts = kinds.flatMap(({ type, noun, nouns }) => {
    const count = items.filter((item) => item.type === type).length;
    return count === 0 ? [] : [counted(count, noun, nouns)];
  });
  return counts.join(', ');
}

/** More reasons than that share a line. */
const MOST_REASONS = 3;

/** Each reason once, with the differences that it covers. */
function ignoredLines(
  { ignored }: DriftReport,
  line: (title: string, what: string, names: readonly string[]) => readonly string[],
): readonly string[] {
  const covered = grouped(ignored.map((item) => [words.whyIgnored(item), words.nameOf(item)]));
  if (covered.size > MOST_REASONS)
    return line('Ignored', `${ignored.length}, for ${covered.size} reasons`, ignored.map(words.nameOf));
  return [...covered].flatMap(([why, names]) => line('Ignored', `${names.length} (${why})`, names));
}

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

export function acceptText({ taken, left, files }: Acceptance, paint: Paint): string {
  return [
    ...(taken.length === 0
      ? ['Nothing was copied into the manifest, and no file was written.']
      : [
          `${paint('strong', 'Copied into the manifest:')} ${counted(taken.length, 'difference')}; the files now match the license there.`,
          ...taken.map((item) => `  ${paint('change', '~')} ${words.nameOf(item)}`),
          ...files.map((file) => `  written  ${plain(file)}`),
        ]),
    ...(left.length === 0 ? [] : ['', paint('warning', 'Not copied into the manifest:')]),
    ...left.map(({ item, reason, place }) => {
      const where = place === null ? '' : paint('faint', `  ${plain(place.file)}:${place.line}`);
      return `  ${words.nameOf(item)}: ${plain(reason)}${where}`;
    }),
    '',
    ...(taken.length === 0
      ? []
      : ['Review the files and commit them: the next apply has nothing to send for these differences.', '']),
  ].join('\n');
}
