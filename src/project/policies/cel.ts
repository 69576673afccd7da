// Rules in CEL, parsed. The only file that knows the library, which is loaded with the first rule.

import type { Environment } from '@marcbachmann/cel-js';
import { asError } from '../../base/errors.ts';
import { memberMistake, type RuleMistake } from './members.ts';

export type PolicyRule =
  | { readonly mistake: RuleMistake }
  | {
      readonly mistake: null;
      /** A member that no plan has. */
      readonly unknown: RuleMistake | null;
      /** It reads the impact of a plan, which only `--demand` gives one. */
      readonly readsImpact: boolean;
      readonly ask: (plan: { readonly [member: string]: unknown }) => unknown;
    };

/** What the errors of the library have in common. */
interface CelError {
  readonly summary?: string;
  readonly range?: { readonly start: number; readonly end: number };
}

let environment: Promise<Environment> | null = null;

async function load(): Promise<Environment> {
  const { Environment } = await import('@marcbachmann/cel-js');
  const limits = { maxAstNodes: 5000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000, maxCallArguments: 32 };
  return new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false, limits })
    .registerVariable('plan', 'map')
    .registerVariable('impact', 'map');
}

/** An error of the library as one sentence with its place. */
export function mistakeOf(error: unknown, rule: string): RuleMistake {
  const { summary, range } = error as CelError;
  const text = summary ?? asError(error).message;
  const message = text.charAt(0).toLowerCase() + text.slice(1);
  return { message, start: range?.start ?? 0, end: range?.end ?? rule.length };
}

/** Types of rules that are true or false, or whose type is known only when they run. */
const ANSWERS = new Set(['bool', 'dyn']);

export async function readRule(rule: string): Promise<PolicyRule> {
  environment ??= load();
  const cel = await environment;
  const { valid, error, type } = cel.check(rule);
  if (!valid) return { mistake: mistakeOf(error, rule) };
  if (type !== undefined && !ANSWERS.has(String(type))) {
    const message = `the rule gives ${String(type)}, not true or false`;
    return { mistake: { message, start: 0, end: rule.length } };
  }
  const parsed = cel.parse(rule);
  return {
    mistake: null,
    unknown: memberMistake(parsed.ast),
    readsImpact: names(parsed.ast, IMPACT),
    ask: (plan) => parsed({ plan, [IMPACT]: plan[IMPACT] ?? {} }),
  };
}

/** A variable, and the member of the plan that it stands for. */
const IMPACT = 'impact';

/** Whether a rule names the word anywhere, as a variable, a member or a text: a rule that might read it counts as one that does. */
function names(part: unknown, word: string): boolean {
  if (part === word) return true;
  if (Array.isArray(part)) return part.some((each) => names(each, word));
  return part instanceof Object && 'args' in part && names(part.args, word);
}
