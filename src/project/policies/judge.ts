// Which policies a plan passes. A rule that is false, fails or takes too long denies the plan.

import { createContext, runInContext } from 'node:vm';
import type { Address, Policy, PolicyResult } from '../../base/model.ts';
import { few } from '../../base/text.ts';
import { isAddress } from '../../kinds/index.ts';
import { mistakeOf, readRule } from './cel.ts';

/** Milliseconds for all rules together: a thousand times what a sensible rule takes for a large plan. A project can have any number of rules. */
const BUDGET = 5000;

/** A bigint is what CEL calls `int`, so that rules can count: `plan.summary.add + 1`. */
function celValue(_name: string, value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** Why a rule about the impact of a plan has no result where the plan was made without it. */
export const WITHOUT_IMPACT = 'it reads the impact of the plan, and the plan was made without --demand';

/** Why a rule cannot be answered that reads the impact; null where nothing of the impact is missing. */
function impactMissing({ impact }: Members): string | null {
  if (!isMembers(impact)) return WITHOUT_IMPACT;
  const { missing } = impact;
  const [first] = Array.isArray(missing) ? missing : [];
  return first === undefined ? null : `it reads the impact of the plan, and ${String(first)}`;
}

/** Figures of the impact that a rule names and that are not known: they pass no comparison. */
function unknownFigures(rule: string, { impact }: Members): string | null {
  const names = Object.entries(isMembers(impact) ? impact : {}).flatMap(([name, value]) =>
    value === null && new RegExp(`\\b${name}\\b`).test(rule) ? [name] : [],
  );
  return names.length === 0 ? null : `it reads the impact of the plan, where ${names.join(' and ')} is not known`;
}

type Members = { readonly [member: string]: unknown };

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Answer = Pick<PolicyResult, 'passed' | 'failure'>;

function answered(value: unknown): Answer {
  if (typeof value === 'boolean') return { passed: value, failure: null };
  const given = value === null ? 'null' : typeof value === 'bigint' ? String(value) : `a ${typeof value}`;
  return { passed: false, failure: `the rule gave ${given}, not true or false` };
}

function failed(rule: string, error: unknown, time: string): Answer {
  if ((error as { readonly code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
    return { passed: false, failure: `${time} ran out while the rule was asked` };
  const { message, start } = mistakeOf(error, rule);
  const lines = rule.slice(0, start).split('\n');
  const place = `character ${(lines.at(-1)?.length ?? 0) + 1}`;
  const where = rule.trim().includes('\n') ? `line ${lines.length}, ${place}` : place;
  return { passed: false, failure: `${message}, at ${where} of the rule` };
}

/** Stops a rule that does not end, also in a regular expression. The rule runs in this thread, so nothing else could stop it. */
function within(time: number, ask: () => unknown): unknown {
  return runInContext('ask()', createContext({ ask }), { timeout: time });
}

/** Objects that a message names at most; it counts the rest. */
const MOST_NAMES = 5;

/** Entries of a list at most: the rule is asked once more for each entry of the lists that it reads. */
const MOST_ASKED = 2000;

interface Offender {
  readonly address: string;
  /** With its values that the rule names. */
  readonly text: string;
}

/**
 * The objects for which a rule is false that is true without any: it is asked about each entry of a list alone. A rule about all of them together, such as
 * a sum, has none.
 */
function offendersOf(
  rule: string,
  plan: Members,
  ask: (plan: Members) => unknown,
  budget: number,
): { readonly found: readonly Offender[]; readonly took: number } {
  const started = performance.now();
  const words = new Set(rule.match(/\w+/g) ?? []);
  const passes = (list: string, entries: readonly unknown[]): boolean => {
    try {
      return ask({ ...plan, [list]: entries }) === true;
    } catch {
      return true;
    }
  };
  const search = (): readonly Offender[] =>
    Object.entries(plan).flatMap(([list, entries]) => {
      const isRead = Array.isArray(entries) && entries.length <= MOST_ASKED && words.has(list);
      if (!isRead || !entries.every(isAddressed) || !passes(list, [])) return [];
      return entries
        .filter((entry) => !passes(list, [entry]))
        .map(({ address, ...entry }) => ({ address, text: [address, ...valuesIn(entry, words)].join(' ') }));
    });
  let found: readonly Offender[] = [];
  try {
    found = within(budget, search) as readonly Offender[];
  } catch {
    // The time of all policies ran out: the result stands without names.
  }
  return { found, took: performance.now() - started };
}

function isAddressed(entry: unknown): entry is Members & { readonly address: string } {
  return isMembers(entry) && typeof entry['address'] === 'string';
}

/** The fields of an object, as it will be, that a rule names: the part of it that the rule is probably about. */
function valuesIn({ change }: Members, words: ReadonlySet<string>): readonly string[] {
  const after = isMembers(change) ? change['after'] : null;
  if (!isMembers(after)) return [];
  return Object.entries(after)
    .filter(([field]) => words.has(field))
    .map(([field, value]) => `${field} ${typeof value === 'string' ? value : JSON.stringify(value, plainValue)}`);
}

/** Numbers as they were before `celValue`. */
function plainValue(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

export interface JudgedPolicy extends PolicyResult {
  /** The objects that its message names, or counts. */
  readonly addresses: readonly Address[];
}

export async function anyReadsImpact(policies: readonly Policy[]): Promise<boolean> {
  const rules = await Promise.all(policies.map(({ rule }) => readRule(rule)));
  return rules.some((rule) => rule.mistake === null && rule.readsImpact);
}

/** `document` is the text that `plan --json` prints. In the order of the policies, which have `budget` milliseconds together. */
export async function judge(
  policies: readonly Policy[],
  document: string,
  budget: number = BUDGET,
): Promise<readonly JudgedPolicy[]> {
  const plan = JSON.parse(document, celValue) as Members;
  const results: JudgedPolicy[] = [];
  const time = `the ${budget / 1000} s for all policies together`;
  let left = budget;
  for (const { name, rule, level, message } of policies) {
    const read = await readRule(rule);
    const missing = read.mistake === null && read.readsImpact ? impactMissing(plan) : null;
    let answer: Answer;
    try {
      if (read.mistake !== null) answer = { passed: false, failure: read.mistake.message };
      else if (missing !== null) answer = { passed: false, failure: missing };
      else if (left <= 0) answer = { passed: false, failure: `${time} ran out before the rule was asked` };
      else {
        const started = performance.now();
        try {
          answer = answered(within(Math.ceil(left), () => read.ask(plan)));
        } finally {
          left -= performance.now() - started;
        }
      }
    } catch (error) {
      const unknown = read.mistake === null && read.readsImpact ? unknownFigures(rule, plan) : null;
      answer = unknown === null ? failed(rule, error, time) : { passed: false, failure: unknown };
    }
    const isAsked = read.mistake === null && !answer.passed && answer.failure === null;
    const offenders = isAsked
      ? offendersOf(rule, plan, read.ask, Math.max(1, Math.ceil(left)))
      : { found: [], took: 0 };
    left -= offenders.took;
    const texts = offenders.found.map(({ text }) => text);
    const about = texts.length === 0 ? '' : `: ${few(texts, MOST_NAMES)}`;
    const addresses = [...new Set(offenders.found.map(({ address }) => address))].filter(isAddress);
    const said = `${message ?? 'its rule is not true of this plan'}${about}`;
    results.push({ name, level, ...answer, message: said, addresses });
  }
  return results;
}
