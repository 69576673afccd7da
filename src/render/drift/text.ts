// A look in, what a person at a terminal reads out: what moved and who moved it, the most severe first, with the commands that end it.

import { SEVERITIES, type Severity } from '../../base/model.ts';
import { counted, few } from '../../base/text.ts';
import type { DriftItem, DriftReport, Look } from '../../tasks/drift/report.ts';
import { type Paint, uncoloured } from '../paint.ts';
import { plain } from '../plain.ts';
import { itemLines } from './item-lines.ts';
import { byResource, headline } from './resources.ts';
import { canBeIgnored, quoted, waysOut } from './ways-out.ts';
import { fails, nameOf, noteLines, standing, time, totals, verdict, whyIgnored } from './words.ts';

const HEADINGS: { readonly [severity in Severity]: string } = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'For information',
};

/** On a license that is managed in part there may be hundreds. */
const MOST_UNMANAGED = 20;

function resourceLines(target: string, address: string, items: readonly DriftItem[], paint: Paint): readonly string[] {
  const [first] = items;
  if (first === undefined) return [];
  return [
    `  ${paint('strong', headline(first))}`,
    ...items.flatMap((item) => itemLines(item, paint)).map((line) => `    ${line}`),
    ...waysOut(target, address, items).map((way) => paint('faint', `      ${way}`)),
    '',
  ];
}

function severityLines(
  severity: Severity,
  target: string,
  items: readonly DriftItem[],
  paint: Paint,
): readonly string[] {
  const own = items.filter((item) => item.severity === severity);
  if (own.length === 0) return [];
  const resources = [...byResource(own)];
  const undeclared = resources.filter(([, those]) => those.every(({ kind }) => kind === 'unmanaged'));
  const left = new Set(undeclared.slice(MOST_UNMANAGED).map(([address]) => address));
  const tones = { error: 'error', warning: 'warning', info: 'strong' } as const;
  return [
    `${paint(tones[severity], `${HEADINGS[severity]}:`)}`,
    ...resources
      .filter(([address]) => !left.has(address))
      .flatMap(([address, those]) => resourceLines(target, address, those, paint)),
    ...(left.size === 0
      ? []
      : [`  and ${left.size} more on the license that nothing declares; \`chatform show\` lists them`, '']),
  ];
}

/** What waits for an apply: more than that are shown by a plan. */
const MOST_WAITING = 5;

function waitsForApply({ status, ways_out: ways }: DriftItem): boolean {
  return status === 'pending' && ways.includes('apply');
}

/** What needs nobody tonight, unless the project says that it does: one line for all of a sort. */
function isFolded(item: DriftItem, { fail_on: failOn, items }: DriftReport): boolean {
  if (waitsForApply(item)) return items.filter(waitsForApply).length > MOST_WAITING;
  const isCalm = item.status === 'converged' || item.status === 'unknown' || item.kind === 'pending-approval';
  return isCalm && !fails(item, failOn);
}

function foldedLines(items: readonly DriftItem[], target: string, paint: Paint): readonly string[] {
  const names = (of: (item: DriftItem) => boolean): readonly string[] => items.filter(of).map(nameOf);
  const unknown = names(({ status }) => status === 'unknown');
  const converged = names(({ status }) => status === 'converged');
  const approval = names((item) => item.kind === 'pending-approval' && !waitsForApply(item));
  const waiting = names(waitsForApply);
  return [
    ...(waiting.length === 0
      ? []
      : [
          `${paint('strong', 'Not applied yet:')} ${waiting.length} that are declared: ${few(waiting)}`,
          paint(
            'faint',
            `  \`chatform plan -t ${quoted(target)}\` shows them, \`chatform apply -t ${quoted(target)}\` ends them`,
          ),
        ]),
    ...(approval.length === 0
      ? []
      : [
          `${paint('strong', 'Waiting for an approval:')} ${approval.length}, which an ordinary token cannot give: ${few(approval)}`,
        ]),
    ...(unknown.length === 0
      ? []
      : [
          `${paint('strong', 'Cannot be read back:')} ${unknown.length}, nobody knows whether it differs: ${few(unknown)}`,
        ]),
    ...(converged.length === 0
      ? []
      : [`${paint('strong', 'Converged:')} ${converged.length}, both sides moved to the same: ${few(converged)}`]),
  ];
}

/** Each reason once, with what it covers. */
function ignoredLines({ ignored }: DriftReport, paint: Paint): readonly string[] {
  const covered = new Map<string, readonly string[]>();
  for (const item of ignored) {
    const why = whyIgnored(item);
    covered.set(why, [...(covered.get(why) ?? []), nameOf(item)]);
  }
  return [...covered].map(([why, names]) => `${paint('strong', 'Ignored:')} ${names.length} (${why}): ${few(names)}`);
}

export function driftText(report: DriftReport, paint: Paint): string {
  const { items, target } = report;
  const folded = items.filter((item) => isFolded(item, report));
  const told = items.filter((item) => !isFolded(item, report));
  const notes = noteLines(report);
  const asides = [...foldedLines(folded, target, paint), ...ignoredLines(report, paint)];
  const failing = items.filter((item) => fails(item, report.fail_on)).length;
  const cost = `seen ${time(report.at)} with ${counted(report.requests, 'request')}`;
  return [
    ...SEVERITIES.flatMap((severity) => severityLines(severity, target, told, paint)),
    ...(canBeIgnored(told)
      ? [
          paint(
            'faint',
            'Whatever is meant to be can be ignored: with a reason and an end, under `drift: ignore:` in chatform.yaml.',
          ),
          '',
        ]
      : []),
    ...asides,
    ...(asides.length === 0 ? [] : ['']),
    ...(notes.length === 0 ? [] : [paint('strong', 'Good to know:'), ...notes.map((note) => `  ${note}`), '']),
    `${paint('strong', verdict(report))} ${report.in_sync ? standing(report) : totals(report)}`,
    paint(
      'faint',
      report.in_sync ? cost : `${failing} of ${items.length} fail the look (fail_on: ${report.fail_on}); ${cost}`,
    ),
    '',
  ].join('\n');
}

/** The same in a file. A look that failed says that it did, and nothing of the license. */
export function lookText(look: Look): string {
  if (look.outcome === 'seen') return driftText(look.report, uncoloured);
  return `Error: ${plain(look.message)}\nThe look of ${time(look.at)} failed: nobody knows whether there is drift.\n`;
}
