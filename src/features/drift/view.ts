// The view of a drift check: what differs, the most severe first, with the commands that end it; what is known and needs no action is folded.

import { groupedBy } from '../../base/grouped.ts';
import { SEVERITIES, type Severity } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { Block, Fold, Item, Section, Span, Table, Text, View } from '../../view/blocks.ts';
import { time } from '../../view/plain.ts';
import { quoted } from '../../view/words/commands.ts';
import {
  differenceItem,
  headline,
  LIVE_SIDE,
  nameOf,
  SIDES,
  unmanagedItem,
  waysOut,
} from '../../view/words/difference.ts';
import type { DriftItem, DriftReport } from './schema.ts';
import * as words from './words.ts';

export function driftView(report: DriftReport): View {
  const { items } = report;
  const isFolded = folding(report);
  const listed = items.filter((item) => !isFolded(item));
  const body: readonly Block[] = [
    countsSection(report),
    ...SEVERITIES.flatMap((severity) => severitySection(severity, report, listed)),
    ...(listed.some((item) => item.ways_out.includes('ignore')) ? [{ type: 'text', text: IGNORE_HINT } as const] : []),
    ...foldSections(report, items.filter(isFolded)),
    ...notesSection(report),
  ];
  return { ...frameOf(report), body };
}

/** How the license stands, and what the check cost. */
function frameOf(report: DriftReport): Omit<View, 'body'> {
  const { target, at, requests, in_sync: isInSync } = report;
  const name = { text: target, as: 'name' } as const;
  return {
    title: ['Drift of ', name],
    mark: isInSync
      ? { sign: '✓', word: words.isIdle(report) ? 'nothing compared' : 'in sync', tone: 'add' }
      : { sign: '!', word: 'drift', tone: 'error' },
    result: [strong(words.resultWord(report)), ` ${isInSync ? words.standing(report) : words.totals(report)}`],
    about: [[`Checked ${target} `, { text: time(at), as: 'time' }, ` with ${counted(requests, 'request')}.`]],
  };
}

const IGNORE_HINT: Text = [
  { text: 'Intended? Ignore it under ', tone: 'faint' },
  { text: 'drift: ignore:', as: 'code', tone: 'faint' },
  { text: ', with a reason and an end date.', tone: 'faint' },
];

function strong(text: string): Span {
  return { text, tone: 'strong' };
}

function countsSection({ summary, items }: DriftReport): Section {
  const { by_severity: severities, ignored, unmanaged } = summary;
  const count = (isMeant: (item: DriftItem) => boolean): number => items.filter(isMeant).length;
  return {
    type: 'section',
    id: 'summary',
    title: 'Summary',
    body: [
      {
        type: 'counts',
        counts: [
          ['errors', severities.error, 'destroy'],
          ['warnings', severities.warning, 'change'],
          ['for information', severities.info, 'calm'],
          ['changed on both sides', summary.conflict, 'destroy'],
          ['changed on the license', summary.drift - unmanaged, 'change'],
          ['unmanaged', unmanaged, 'add'],
          [
            'not applied yet',
            count(({ status, kind }) => status === 'pending' && kind !== 'pending-approval' && kind !== 'due'),
            'move',
          ],
          ['ignored', ignored, 'calm'],
        ],
      },
    ],
  };
}

const SEVERITY: {
  readonly [severity in Severity]: Pick<Section, 'id' | 'title' | 'weight'> & Required<Pick<Section, 'tone'>>;
} = {
  error: { id: 'errors', title: 'Errors', tone: 'error', weight: 30 },
  warning: { id: 'warnings', title: 'Warnings', tone: 'warning', weight: 20 },
  info: { id: 'information', title: 'For information', tone: 'strong', weight: 10 },
};

function severitySection(severity: Severity, report: DriftReport, items: readonly DriftItem[]): readonly Section[] {
  const own = items.filter((item) => item.severity === severity);
  if (own.length === 0) return [];
  return [{ type: 'section', ...SEVERITY[severity], count: own.length, body: itemBlocks(own, report, severity) }];
}

/** Resources with their fields, then what the manifest does not declare. */
function itemBlocks(all: readonly DriftItem[], report: DriftReport, scope: string): readonly Block[] {
  const undeclared = all.filter(isBrief);
  const resources = words.byResource(all.filter((item) => !isBrief(item)));
  const items = Array.from(resources, ([address, those]) =>
    resourceItem(those, report.at, waysOut(report.target, address, those.filter(counts))),
  );
  const isOpen = scope === 'error';
  return [
    ...(items.length === 0 ? [] : [{ type: 'items', sides: SIDES, items, isOpen, isSpaced: true } as const]),
    ...undeclaredBlocks(undeclared, report, scope, isOpen),
  ];
}

/** Objects that the manifest does not declare, those with the same ways out together. */
function undeclaredBlocks(
  items: readonly DriftItem[],
  { target, at }: DriftReport,
  scope: string,
  isOpen: boolean,
): readonly Block[] {
  const alike = groupedBy(items, ({ ways_out: ways }) => ways.join());
  const blocks = Array.from(alike.values(), (those): Block => {
    const remarks = waysOut(target, those.length > 1 ? 'ADDRESS' : those[0].address, those.filter(counts));
    const own = those.map((item) => unmanagedItem(item, remarksOf(item, at)));
    return { type: 'items', sides: LIVE_SIDE, items: own, isOpen, remarks, isAddressed: those.length > 1 };
  });
  if (scope === 'usual' || blocks.length === 0) return blocks;
  const title = 'On the license, and the manifest does not declare';
  return [{ type: 'section', id: `unmanaged-${scope}`, title, body: blocks }];
}

function counts({ ignored }: DriftItem): boolean {
  return ignored === null;
}

/** What a line says whole. */
export function isBrief({ kind, ignored }: DriftItem): boolean {
  return kind === 'unmanaged' && ignored === null;
}

/** A resource with all of its differences. */
export function resourceItem(items: readonly [DriftItem, ...DriftItem[]], at: string, remarks: readonly Text[]): Item {
  return { label: headline(items[0]), items: items.map((item) => differenceItem(item, remarksOf(item, at))), remarks };
}

/** `at`: the time of the check. */
export function remarksOf(item: DriftItem, at: string): readonly Text[] {
  const why = words.whyIgnored(item);
  return [...words.history(item, at), ...(why === '' ? [] : [`ignored: ${why}`])];
}

/** More differences than that which wait for an apply are left to `chatform plan`. */
const MOST_WAITING = 5;

function waitsForApply({ status, ways_out: ways }: DriftItem): boolean {
  return status === 'pending' && ways.includes('apply');
}

/** Whether a difference needs no action now. */
function folding({ fail_on: failOn, items }: DriftReport): (item: DriftItem) => boolean {
  const areManyWaiting = items.filter(waitsForApply).length > MOST_WAITING;
  return (item) => (words.isCalm(item) ? !words.fails(item, failOn) : waitsForApply(item) && areManyWaiting);
}

/** A fold for each sort of what is known. */
function foldSections(report: DriftReport, items: readonly DriftItem[]): readonly Section[] {
  const plan: Text = { text: `chatform plan -t ${quoted(report.target)}`, as: 'code' };
  const fold = (
    id: string,
    title: string,
    own: readonly DriftItem[],
    brief: Text = String(own.length),
  ): readonly Section[] =>
    own.length === 0
      ? []
      : [foldSection(id, title, { brief, names: own.map(nameOf) }, own.length, itemBlocks(own, report, id))];
  const sort = (isMeant: (item: DriftItem) => boolean): readonly DriftItem[] => items.filter(isMeant);
  const waiting = sort((item) => waitsForApply(item) && !words.isCalm(item));
  const due = sort(({ kind }) => kind === 'due');
  const usual = sort(({ usual }) => usual);
  const names = words.notCheckedNames(report);
  const reasons = words.notChecked(report);
  return [
    ...fold('waiting', 'Not applied yet', waiting, [`${waiting.length}; `, plan, ' shows them']),
    ...fold(
      'approval',
      'Waiting for approval',
      sort(({ kind }) => kind === 'pending-approval'),
    ),
    ...fold('due', 'By a date that has come', due, `${due.length}, which the next apply makes`),
    ...fold(
      'unknown',
      'Cannot be read back',
      sort(({ status }) => status === 'unknown'),
    ),
    ...fold(
      'converged',
      'Changed to the same value on both sides',
      sort(({ status }) => status === 'converged'),
    ),
    ...fold('usual', 'Unmanaged', usual, kindsText(usual, report)),
    ...fold('ignored', 'Ignored', report.ignored, ignoredText(report.ignored)),
    ...(names === null || reasons === null
      ? []
      : [
          foldSection('unchecked', 'Not checked', { brief: names, isComplete: true }, undefined, [
            { type: 'text', text: reasons },
          ]),
        ]),
  ];
}

function foldSection(
  id: string,
  title: string,
  fold: Fold,
  count: number | undefined,
  body: readonly Block[],
): Section {
  return { type: 'section', id, title, fold, weight: -10, body, ...(count === undefined ? {} : { count }) };
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

/** Each reason once, with the number of differences that it covers. */
function ignoredText(ignored: readonly DriftItem[]): string {
  const covered = groupedBy(ignored, words.whyIgnored);
  if (covered.size > MOST_REASONS) return `${ignored.length}, for ${covered.size} reasons`;
  return Array.from(covered, ([why, those]) => `${those.length} (${why})`).join(', ');
}

function notesSection({ notes }: DriftReport): readonly Section[] {
  if (notes.length === 0) return [];
  const texts = notes.map(
    ({ message, source }): Text =>
      source === null ? message : [{ text: `${source.file}:${source.line}`, as: 'file' }, `: ${message}`],
  );
  return [{ type: 'section', id: 'notes', title: 'Good to know', weight: 5, body: [{ type: 'list', texts }] }];
}

const COLUMNS = [
  ...['severity', 'status', 'kind', 'address', 'name', 'path', 'applied', 'live', 'declared', 'reason'],
  ...['file', 'line', 'applied_at', 'first_seen', 'ignored'],
];

/** A row for each difference, ignored ones included. */
export function driftTable(report: DriftReport): Table {
  const rows = [...report.items, ...report.ignored].map((item) => ({ cells: cellsOf(item) }));
  return { type: 'table', columns: COLUMNS.map((title) => ({ title })), rows };
}

function cellsOf(item: DriftItem): readonly (string | number)[] {
  const { severity, status, kind, address, name, path, base, live, desired, reason, source, ignored } = item;
  return [
    ...[severity, status, kind, address, name, path.join('.')],
    // A text as it is, another value as JSON.
    ...[base, live, desired].map((json) =>
      json === null ? '' : typeof json === 'string' ? json : JSON.stringify(json),
    ),
    ...[reason ?? '', source?.file ?? '', source?.line ?? '', item.applied_at ?? ''],
    ...[item.first_seen, ignored?.reason ?? ''],
  ];
}
