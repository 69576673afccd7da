// The terminal text of the doctor: a line for each check, and what to do about it.

import { sumOf } from '../../base/grouped.ts';
import { counted } from '../../base/text.ts';
import type { Diagnosis } from '../../tasks/doctor/diagnose.ts';
import type { CheckStatus, Finding } from '../../tasks/doctor/schema.ts';
import type { Paint, Tone } from '../../view/paint.ts';
import { plain } from '../../view/plain.ts';
import { actionsText, type RequestCounts } from '../../view/terminal/layout.ts';

const TONES: { readonly [status in CheckStatus]: Tone } = {
  ok: 'add',
  warning: 'warning',
  problem: 'error',
  unchecked: 'faint',
};

const STATUS_WIDTH = 'unchecked'.length;
const CHECK_WIDTH = 'write scopes'.length;

function findingLines({ check, status, message, remedy }: Finding, paint: Paint): readonly string[] {
  const name = check.replaceAll('_', ' ');
  const line = `${paint(TONES[status], status.padEnd(STATUS_WIDTH))}  ${name.padEnd(CHECK_WIDTH)}  ${plain(message)}`;
  const indent = ' '.repeat(STATUS_WIDTH + CHECK_WIDTH + 4);
  return remedy === null ? [line] : [line, `${indent}${paint('help', 'to do:')} ${plain(remedy)}`];
}

/** The checks of `verify` that lack nothing, and each thing that is missing with the checks that lack it. */
function verifyLines(verify: Diagnosis['verify'], paint: Paint): readonly string[] {
  if (verify === null) return [];
  const ready = verify.flatMap(({ check, missing }) => (missing.length === 0 ? [check] : []));
  const gaps = [...new Set(verify.flatMap(({ missing }) => missing))];
  const lacking = (gap: string): string => {
    const checks = verify.flatMap(({ check, missing }) => (missing.includes(gap) ? [check] : []));
    return checks.length === verify.length ? 'every check' : checks.join(', ');
  };
  return [
    '',
    'Checks of `chatform verify`:',
    ...(ready.length === 0 ? [] : [`  ${paint('add', 'ready')}    ${ready.join(', ')}`]),
    ...gaps.flatMap((gap) => [
      `  ${paint('faint', 'missing')}  ${lacking(gap)}`,
      `           ${paint('help', 'needs:')} ${plain(gap)}`,
    ]),
  ];
}

function reportLines(reports: Diagnosis['reports'], paint: Paint): readonly string[] {
  if (reports === null) return [];
  const { status, scope, missing } = reports;
  const tone = status === 'ready' ? 'add' : 'faint';
  const needs = missing ?? `a token with ${scope}${status === 'untried' ? '; --reports asks one report to see' : ''}`;
  return [
    '',
    'Reports, for `report`, `plan --impact`, `coverage --against` and `follow`:',
    `  ${paint(tone, status)}${' '.repeat('missing  '.length - status.length)}${status === 'ready' ? `the token has ${scope}` : `${paint('help', 'needs:')} ${plain(needs)}`}`,
  ];
}

export function doctorText(
  { findings, summary, verify, reports }: Diagnosis,
  requests: RequestCounts,
  paint: Paint,
): string {
  const counts = [
    `${summary.ok} ok`,
    counted(summary.warning, 'warning'),
    counted(summary.problem, 'problem'),
    `${summary.unchecked} unchecked`,
  ].join(', ');
  const sent = sumOf(requests);
  return [
    ...findings.flatMap((finding) => findingLines(finding, paint)),
    ...verifyLines(verify, paint),
    ...reportLines(reports, paint),
    '',
    `${paint('strong', summary.problem === 0 ? 'No problem.' : 'There is a problem.')} ${counts}.`,
    paint('faint', `${counted(sent, 'request')} sent${sent === 0 ? '' : `: ${actionsText(requests)}`}`),
    '',
  ].join('\n');
}
