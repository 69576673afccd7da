// Findings about a target in, one line for each, and what to do about it, out. Decides nothing.

import { counted } from '../base/text.ts';
import type { Diagnosis } from '../tasks/doctor/diagnose.ts';
import type { Finding, Status } from '../tasks/doctor/finding.ts';
import type { Paint, Tone } from './paint.ts';
import { plain } from './plain.ts';

const TONES: { readonly [status in Status]: Tone } = {
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

function costLine(requests: { readonly [action: string]: number }): string {
  const total = Object.values(requests).reduce((sum, count) => sum + count, 0);
  const actions = Object.entries(requests).map(([action, count]) => `${count} ${action}`);
  return `${counted(total, 'request')} sent${total === 0 ? '' : `: ${actions.sort().join(', ')}`}`;
}

export function doctorText(
  { findings, summary }: Diagnosis,
  requests: { readonly [action: string]: number },
  paint: Paint,
): string {
  const counts = [
    `${summary.ok} ok`,
    counted(summary.warning, 'warning'),
    counted(summary.problem, 'problem'),
    `${summary.unchecked} unchecked`,
  ].join(', ');
  return [
    ...findings.flatMap((finding) => findingLines(finding, paint)),
    '',
    `${paint('strong', summary.problem === 0 ? 'No problem.' : 'There is a problem.')} ${counts}.`,
    paint('faint', costLine(requests)),
    '',
  ].join('\n');
}
