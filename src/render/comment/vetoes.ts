// What withholds a plan, and what policies remark on it, in; the list of it out: what is wrong first, then what would let it go.

import type { Plan } from '../../plan/plan.ts';
import { code } from '../markdown-text.ts';
import { bytes, listed } from './budget.ts';
import { cut } from './words.ts';

const LONGEST = 600;

export function vetoList({ withheld, policies }: Plan, room: number): string {
  const vetoes = withheld.map(
    ({ guard, message, remedy }) =>
      `- **${guard}**: ${code(cut(message, LONGEST))}\n  to go on: ${code(cut(remedy, LONGEST))}\n`,
  );
  const stops = listed(
    '\n**Withheld: nothing is applied while this stands.**\n\n',
    vetoes,
    room,
    (left) => `- and ${left} more\n`,
  );
  const remarks = policies
    .filter(({ level, passed }) => level === 'warn' && !passed)
    .map(({ name, message, failure }) => {
      const why = failure === null ? '' : ` (${failure})`;
      return `- ${code(cut(name, LONGEST))}: ${code(cut(message + why, LONGEST))}\n`;
    });
  const warned = listed(
    '\n**Policies that warn:**\n\n',
    remarks,
    room - bytes(stops),
    (left) => `- and ${left} more\n`,
  );
  return `${stops}${warned}`;
}
