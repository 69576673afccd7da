// A plan in, what withholds it and what policies remark on it, as text, out. Decides nothing.

import type { Plan } from '../plan/plan.ts';
import type { Paint } from './paint.ts';
import { plain } from './plain.ts';

export function withheldLines(plan: Plan, paint: Paint): readonly string[] {
  if (plan.withheld.length === 0) return [];
  return [
    paint('error', 'Withheld: nothing is applied while this stands.'),
    ...plan.withheld.flatMap(({ guard, message, remedy }) => [
      `  ${paint('strong', guard)}: ${plain(message)}`,
      `    to go on: ${plain(remedy)}`,
    ]),
    '',
  ];
}

/** Policies that only warn; those that deny are among what is withheld. */
export function policyLines({ policies }: Plan, paint: Paint): readonly string[] {
  const warnings = policies.filter(({ level, passed }) => level === 'warn' && !passed);
  if (warnings.length === 0) return [];
  const lines = warnings.map(({ name, message, failure }) => {
    const why = failure === null ? '' : ` (${failure})`;
    return `  ${paint('strong', plain(name))}: ${plain(message + why)}`;
  });
  return [paint('warning', 'Policies that warn:'), ...lines, ''];
}

/** What is withheld, for somebody who does not see the plan. Ends with a line break; empty when nothing is. */
export function withheldText(plan: Plan, paint: Paint): string {
  return withheldLines(plan, paint).join('\n');
}
