// A rule as text in; the rule as something that can be asked, or the place of its mistake, out. The only file that knows the library, which is
// loaded with the first rule.

import type { Environment } from '@marcbachmann/cel-js';

/** What is wrong with a rule, and which of its characters are meant. */
export interface Mistake {
  /** One sentence without a full stop. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export type Rule =
  | { readonly mistake: Mistake; readonly ask: null }
  | { readonly mistake: null; readonly ask: (plan: unknown) => unknown };

/** The parts that the library's errors have in common. */
interface CelError {
  readonly summary?: string;
  readonly range?: { readonly start: number; readonly end: number };
}

let environment: Promise<Environment> | null = null;

async function load(): Promise<Environment> {
  const { Environment } = await import('@marcbachmann/cel-js');
  const limits = { maxAstNodes: 5000, maxDepth: 100, maxListElements: 1000, maxMapEntries: 1000, maxCallArguments: 32 };
  return new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false, limits }).registerVariable(
    'plan',
    'map',
  );
}

/** An error of the library as one sentence, and where it lies. */
export function mistakeOf(error: unknown, rule: string): Mistake {
  const { summary, range } = error as CelError;
  const text = summary ?? (error instanceof Error ? error.message : String(error));
  const message = text.charAt(0).toLowerCase() + text.slice(1);
  return { message, start: range?.start ?? 0, end: range?.end ?? rule.length };
}

/** What a rule can give that is a yes or a no, or may turn out to be one. */
const ANSWERS = new Set(['bool', 'dyn']);

export async function readRule(rule: string): Promise<Rule> {
  environment ??= load();
  const cel = await environment;
  const { valid, error, type } = cel.check(rule);
  if (!valid) return { mistake: mistakeOf(error, rule), ask: null };
  if (type !== undefined && !ANSWERS.has(String(type))) {
    const message = `the rule gives ${String(type)}, and only true or false is an answer`;
    return { mistake: { message, start: 0, end: rule.length }, ask: null };
  }
  const parsed = cel.parse(rule);
  return { mistake: null, ask: (plan) => parsed({ plan }) };
}
