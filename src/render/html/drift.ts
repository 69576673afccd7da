// The HTML page of a drift check: what differs, on which side it changed, before and after. A check that failed is a page that says so.

import { groupedBy } from '../../base/grouped.ts';
import { isAsSevere, type Severity } from '../../base/model.ts';
import { counted } from '../../base/text.ts';
import type { DriftKind } from '../../project/drift-settings.ts';
import type { DriftCheck, DriftItem, DriftReport } from '../../tasks/drift/report.ts';
import {
  code,
  folded,
  type Html,
  html,
  listed,
  type MarkTone,
  mark,
  name,
  nameBeyond,
  numbers,
  sizeOf,
} from '../../view/html/markup.ts';
import { page, timePart } from '../../view/html/shell.ts';
import * as words from '../words/drift.ts';
import { differenceParts } from './differences.ts';

/** Bytes of the resources of a page, the share of those shown in full, and their number: a slow browser must not wait for more. */
const ROOM = 7_500_000;
const IN_FULL = 0.7;
const MOST_IN_FULL = 2000;

/** Resources of one part in sight. */
const TOGETHER = 200;

/** A page with at most so many resources has no folds. */
const FEW = 12;

export function driftPage(look: DriftCheck): string {
  return look.outcome === 'seen' ? seenPage(look.report) : failedPage(look);
}

type FailedCheck = Extract<DriftCheck, { readonly outcome: 'failed' }>;

function failedPage({ target, at, message }: FailedCheck): string {
  const of = target === null ? null : html` of ${name(target)}`;
  return page(
    target === null ? 'Drift: the check failed' : `Drift of ${target}: the check failed`,
    html`
    <header>
      <h1>Drift${of} ${mark('destroy', '!', 'the check failed')}</h1>
      <p class="faint">Tried ${timePart(at)}. It is not known whether there is drift.</p>
    </header>
    <main id="main" tabindex="-1"><section aria-labelledby="why"><h2 id="why">Why</h2><p>${message}</p></section></main>`,
  );
}

type PartName =
  | 'conflict'
  | 'license'
  | 'unmanaged'
  | 'pending'
  | 'approval'
  | 'due'
  | 'unknown'
  | 'converged'
  | 'ignored';

/** In the order of the page: what a person has to decide comes first. */
const PARTS: { readonly [part in PartName]: readonly [title: string, about: string] } = {
  conflict: ['Changed on both sides', 'The license and the manifest changed to different values since the last apply.'],
  license: ['Changed on the license', 'The license changed since the last apply, and the manifest did not.'],
  unmanaged: ['Unmanaged', 'These objects are on the license, and the manifest does not declare them.'],
  pending: ['Not applied yet', 'The manifest declares this, and no apply has written it.'],
  approval: ['Waiting for an approval', 'An ordinary token cannot approve these agents.'],
  due: ['Due', 'The hours of a date that has come, which the next apply makes. No person changed them.'],
  unknown: ['Cannot be read back', 'The service does not return these values, so it is not known whether they differ.'],
  converged: [
    'Same on both sides',
    'Both sides changed to the same value. The next apply records it without a request.',
  ],
  ignored: ['Ignored', 'The project ignores these differences.'],
};

function partOf({ status, kind, ignored }: DriftItem): PartName {
  if (ignored !== null) return 'ignored';
  if (kind === 'unmanaged') return 'unmanaged';
  if (kind === 'pending-approval') return 'approval';
  if (kind === 'due') return 'due';
  return status === 'drift' ? 'license' : status;
}

function seenPage(report: DriftReport): string {
  const parts = groupedBy([...report.items, ...report.ignored], partOf);
  const sections: readonly (readonly [id: string, title: string, part: Html])[] = [
    ...resourceSections(report, parts),
    ...(report.notes.length === 0
      ? []
      : [
          [
            'notes',
            'Good to know',
            html`<section aria-labelledby="notes"><h2 id="notes">Good to know</h2>${listed(words.noteTexts(report).map((text) => html`${text}`))}</section>`,
          ] as const,
        ]),
  ];
  const contents =
    sections.length === 0
      ? null
      : html`<nav aria-label="Contents"><ul>${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
  const main = html`<main id="main" tabindex="-1">${summaryPart(report, parts)}${sections.map(([, , part]) => part)}</main>`;
  return page(`Drift of ${report.target}: ${resultOf(report)}`, html`${headerPart(report)}${contents}${main}`);
}

function resultOf(report: DriftReport): string {
  if (!report.in_sync) return 'drift';
  return words.isIdle(report) ? 'nothing compared' : 'in sync';
}

function headerPart(report: DriftReport): Html {
  const { target, at, in_sync: isInSync, requests } = report;
  const unchecked = words.notChecked(report);
  const result = isInSync ? mark('add', '✓', resultOf(report)) : mark('destroy', '!', resultOf(report));
  return html`
    <header>
      <h1>Drift of ${name(target)} ${result}</h1>
      <p>${isInSync ? words.standing(report) : words.totals(report)}</p>
      ${unchecked === null ? null : html`<p>Not checked: ${unchecked}.</p>`}
      <p class="faint">Checked ${timePart(at)} with ${counted(requests, 'request')}. The check itself has changed nothing on the license.</p>
    </header>`;
}

type ItemsByPart = ReadonlyMap<PartName, readonly DriftItem[]>;

function summaryPart({ summary }: DriftReport, parts: ItemsByPart): Html {
  const { by_severity: severities, fights } = summary;
  const count = (part: PartName): number => parts.get(part)?.length ?? 0;
  return html`
    <section aria-labelledby="summary">
      <h2 id="summary">Summary</h2>
      ${numbers([
        ['errors', severities.error, 'destroy'],
        ['warnings', severities.warning, 'change'],
        ['for information', severities.info, 'calm'],
        ['changed on both sides', count('conflict'), 'destroy'],
        ['changed on the license', count('license'), 'change'],
        ['unmanaged', count('unmanaged'), 'add'],
        ['not applied yet', count('pending'), 'move'],
        ['fights with another writer', fights, 'destroy'],
        ['ignored', count('ignored'), 'calm'],
      ])}
    </section>`;
}

/** The resources of each part, in the order of the report; from some size on a resource is one line, and then only counted. */
function resourceSections(
  { items, target }: DriftReport,
  parts: ItemsByPart,
): readonly (readonly [PartName, string, Html])[] {
  const isOpen = words.byResource(items).size <= FEW;
  let used = 0;
  let count = 0;
  const rendered = (address: string, those: readonly DriftItem[]): Html | null => {
    if (used > ROOM) return null;
    const isFull = used < ROOM * IN_FULL && count < MOST_IN_FULL;
    const part = isFull ? resourcePart(address, those, target, isOpen) : linePart(address, those);
    count += 1;
    used += sizeOf(part);
    return part;
  };
  return (Object.keys(PARTS) as readonly PartName[]).flatMap((id) => {
    const own = parts.get(id) ?? [];
    if (own.length === 0) return [];
    const [title, about] = PARTS[id];
    const resources = [...words.byResource(own)];
    const shown = resources.flatMap(([address, those]) => rendered(address, those) ?? []);
    const left = resources.length - shown.length;
    const section = html`
      <section aria-labelledby="${id}">
        <h2 id="${id}">${title} <span class="count">${own.length}</span></h2>
        <p>${about}</p>
        ${folded(shown, TOGETHER, (together) => html`${together}`)}
        ${left === 0 ? null : html`<p class="faint">and ${left} more; <code>--report json=FILE</code> has all of them</p>`}
      </section>`;
    return [[id, title, section] as const];
  });
}

function resourcePart(address: string, items: readonly DriftItem[], target: string, isOpen: boolean): Html {
  const ways = items.every(({ ignored }) => ignored !== null) ? [] : words.waysOut(target, address, items);
  const open = isOpen ? html` open` : null;
  return html`
    <details class="resource"${open}>
      <summary>${headlinePart(address, items)}</summary>
      <div class="body">
        ${differenceParts(items, remarksOf)}
        ${ways.length === 0 ? null : html`<ul class="remarks">${ways.map((way) => html`<li class="calm">${code(way)}</li>`)}</ul>`}
      </div>
    </details>`;
}

function linePart(address: string, items: readonly DriftItem[]): Html {
  return html`<p class="resource line">${headlinePart(address, items)}</p>`;
}

function remarksOf(item: DriftItem): readonly string[] {
  const why = words.whyIgnored(item);
  return [...words.history(item), ...(why === '' ? [] : [`ignored: ${why}`])];
}

const SEVERITY_MARKS: { readonly [severity in Severity]: readonly [tone: MarkTone, sign: string, word: string] } = {
  error: ['destroy', '!', 'error'],
  warning: ['change', '!', 'warning'],
  info: ['calm', 'i', 'information'],
};

const KIND_MARKS: { readonly [kind in DriftKind]: readonly [tone: MarkTone, sign: string, word: string] } = {
  changed: ['change', '~', 'changed'],
  missing: ['destroy', '−', 'missing'],
  unmanaged: ['add', '+', 'unmanaged'],
  reordered: ['move', '↕', 'reordered'],
  unreadable: ['calm', '?', 'cannot be read'],
  'pending-approval': ['calm', '?', 'waits'],
  due: ['calm', '~', 'due'],
};

function headlinePart(address: string, items: readonly DriftItem[]): Html {
  const [first] = items;
  if (first === undefined) return code(address);
  const worst = items.reduce((found, { severity }) => (isAsSevere(found, severity) ? found : severity), first.severity);
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const fields = items.filter(({ path }) => path.length > 0).length;
  const isOrder = first.id === null && first.path.length === 0 && !address.includes('/');
  return html`${mark(...SEVERITY_MARKS[worst])} ${kinds.map((kind) => html`${mark(...KIND_MARKS[kind])} `)}${code(address)}${isOrder ? null : nameBeyond(address, first.name)}${fields > 1 ? html` <span class="faint">${fields} fields</span>` : null}`;
}
