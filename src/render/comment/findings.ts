// Why there is no plan in; a list of it in sight, errors first, each with its place, out.

import type { Diagnostic } from '../../base/model.ts';
import { code } from '../markdown-text.ts';
import { listed } from './budget.ts';
import type { Origin } from './subject.ts';
import { cut, placed } from './words.ts';

const LONGEST = 600;

export function findingList(diagnostics: readonly Diagnostic[], origin: Origin, room: number): string {
  const sorted = diagnostics.toSorted((one, other) => rank(one) - rank(other));
  return listed(
    '',
    sorted.map((each) => line(each, origin)),
    room,
    (left) => `- and ${left} more, which the run names\n`,
  );
}

function rank({ severity }: Diagnostic): number {
  return severity === 'error' ? 0 : 1;
}

function line({ severity, place, message, remedy }: Diagnostic, origin: Origin): string {
  const help = remedy === null ? '' : `\n  to go on: ${code(cut(remedy, LONGEST))}`;
  return `- **${severity}** at ${placed(place, origin)}: ${code(cut(message, LONGEST))}${help}\n`;
}
