// What a rehearsal showed in; lines for a person, or a member of the plan's document, out. Decides nothing.

import type { JsonObject } from '../base/model.ts';
import { counted } from '../base/text.ts';
import type { Rehearsal } from '../tasks/rehearse/rehearsal.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';

/** Lines of each part, at most; the document has all. */
const LISTED = 10;

export function rehearsalText(
  { passed, withheld, failed, left, diagnostics, requests }: Rehearsal,
  paint: Paint,
): string {
  if (withheld)
    return `${paint('error', 'Not rehearsed:')} the plan is withheld, so that an apply would not begin either.\n`;
  const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
  if (passed) {
    return `${paint('add', 'Rehearsed')} on a copy of the license: ${counted(sent, 'request')}, and nothing is left to do.\n`;
  }
  const lines = [
    ...failed.map(({ step, reason }) => `${plain(step)}: ${plain(reason)}`),
    ...(left === null
      ? ['no plan can be made afterwards']
      : left.map((step) => `still to do afterwards: ${plain(step)}`)),
    ...diagnostics.map(({ code, message }) => `${code}: ${plain(message)}`),
  ];
  const more = lines.length - LISTED;
  return [
    `${paint('error', 'The rehearsal on a copy of the license failed:')}`,
    ...lines.slice(0, LISTED).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
  ].join('\n');
}

/** `rehearsal` of the document of a plan. */
export function rehearsalMember({ passed, withheld, failed, left, diagnostics, requests }: Rehearsal): JsonObject {
  return {
    passed,
    withheld,
    failed: failed.map((each) => ({ ...each })),
    left,
    problems: diagnostics.map(({ code, message }) => ({ code, message })),
    requests,
  };
}
