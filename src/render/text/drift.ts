// The terminal text of a drift check: what changed and on which side, the most severe first, with the commands that end it.

import { grouped, groupedBy } from '../../base/grouped.ts';
import { SEVERITIES, type Severity } from '../../base/model.ts';
import { counted, few } from '../../base/text.ts';
import type { Acceptance } from '../../run/accept.ts';
import type { DriftCheck, DriftItem, DriftReport } from '../../tasks/drift/report.ts';
import type { SinceCheck } from '../../tasks/drift/since.ts';
import { type Paint, uncoloured } from '../../view/paint.ts';
import { plain, time } from '../../view/plain.ts';
import { block } from '../../view/terminal/layout.ts';
import { columnsOf } from '../../view/terminal/narrow.ts';
import * as words from '../words/drift.ts';
import { itemLines, undeclaredLine } from './differences.ts';

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
    ...SEVERITIES.flatMap((severity) => severityLines(severity, target, listed, paint, details)),
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
  details = false,
): readonly string[] {
  const own = items.filter((item) => item.severity === severity);
  if (own.length === 0) return [];
  const isBrief = ({ kind, returned }: DriftItem): boolean => !details && kind === 'unmanaged' && returned === 0;
  const others = words.byResource(own.filter((item) => !isBrief(item)));
  const tones = { error: 'error', warning: 'warning', info: 'strong' } as const;
  return [
    `${paint(tones[severity], `${HEADINGS[severity]}:`)}`,
    ...[...others].flatMap(([address, those]) => resourceLines(target, address, those, paint)),
    ...undeclaredLines(target, own.filter(isBrief), paint),
  ];
}

/** A line for each object that the manifest does not declare, those with the same ways out together. */
function undeclaredLines(target: string, items: readonly DriftItem[], paint: Paint): readonly string[] {
  const alike = groupedBy(items.slice(0, MOST_UNMANAGED), ({ ways_out: ways }) => ways.join());
  const left = items.length - MOST_UNMANAGED;
  return [
    ...[...alike.values()].flatMap((those) => [
      `  ${paint('strong', 'On the license, and the manifest does not declare:')}`,
      ...those.map((item) => `    ${undeclaredLine(item, paint)}`),
      ...words
        .waysOut(target, those.length > 1 ? 'ADDRESS' : (those[0]?.address ?? ''), those)
        .map((way) => paint('faint', `      ${way}`)),
      '',
    ]),
    ...(left <= 0
      ? []
      : [`  and ${left} more that the manifest does not declare; \`chatform drift --details\` lists them`, '']),
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
