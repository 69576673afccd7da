// Rules of a greeting for all visitors at once: which exclude each other, which mean the same, and which rule of routing takes their pages.

import { byText, canonicalJson, isList, isObject } from '../base/json.ts';
import type { Json, JsonObject, Spec } from '../base/model.ts';
import { canonicalRules } from '../kinds/greeting-rules.ts';
import { type Assumptions, type Chain, cased, type ParsedRule, type Program } from './rules.ts';
import { pageUrl, urlPart } from './text.ts';

/** Operators by which a text must not be there. */
export const NEGATIVE = ['doesnt_equal', 'doesnt_contain'];

/** The rules of a greeting in their one spelling. */
export function rulesOf(rules: Json | undefined): readonly JsonObject[] {
  const canonical = canonicalRules(rules ?? []);
  return isList(canonical) ? canonical.filter(isObject) : [];
}

/** Sets of rules of which one must hold whole, so that the greeting shows: the disjunctive normal form. */
export function clausesOf(rules: readonly JsonObject[], chain: Chain): readonly (readonly JsonObject[])[] {
  const clauses: JsonObject[][] = [[]];
  for (const [index, rule] of rules.entries()) {
    const open = chain === 'in-order' ? clauses : clauses.slice(-1);
    if (index > 0 && rule['condition'] === 'or') clauses.push([rule]);
    else for (const clause of open) clause.push(rule);
  }
  return clauses;
}

/** A text in the URL of each page of a greeting: the whole URL, or a part. */
interface PageText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** One text for each way to see a greeting; null where one of them is open to pages of any URL. */
function pageTexts({ rules }: Spec, assumptions: Assumptions): readonly PageText[] | null {
  const texts = clausesOf(rulesOf(rules), assumptions.greetings).map((clause): PageText | null => {
    const rule = clause.find(({ type, operator }) => type === 'url_current' && !NEGATIVE.includes(String(operator)));
    if (rule === undefined) return null;
    const [sought, isWhole] = [String(rule['value'] ?? ''), rule['operator'] !== 'contains'];
    const text = isWhole ? (pageUrl(sought)?.url ?? urlPart(sought)) : urlPart(sought);
    return { text: cased(text, assumptions), isWhole };
  });
  return texts.every((text) => text !== null) ? texts : null;
}

/**
 * The rule that takes each visitor of the pages of a greeting before one leads to its group; null where a visitor may be left.
 * `open` names the rules that are not fully known.
 */
export function takenFrom(
  group: string,
  spec: Spec,
  { rules, assumptions }: Program,
  open: ReadonlySet<string>,
): ParsedRule | null {
  const taking = pageTexts(spec, assumptions)?.map((page) => {
    const next = rules.find(
      (rule) => open.has(rule.name) || rule.groups.includes(group) || takesAll(rule, page, assumptions),
    );
    return next === undefined || open.has(next.name) || next.groups.includes(group) ? null : next;
  });
  return taking?.every((rule) => rule !== null) === true ? (taking[0] ?? null) : null;
}

/** Whether a rule matches every URL with a text. */
function takesAll({ tests }: ParsedRule, { text, isWhole }: PageText, { conditions }: Assumptions): boolean {
  const holds = tests.map(
    (test) =>
      test.on === 'url' &&
      test.wants === 'one' &&
      test.words.some((word) => (word.exact ? isWhole && word.text === text : text.includes(word.text))),
  );
  return conditions === 'all' ? holds.length > 0 && !holds.includes(false) : holds.includes(true);
}

/** Two rules that no visitor meets together; null when one may meet each way to see the greeting. */
export function contradictionIn({ rules }: Spec, chain: Chain): readonly [JsonObject, JsonObject] | null {
  const clauses = clausesOf(rulesOf(rules), chain);
  const found = clauses.map(contradictionOf);
  return found.every((pair) => pair !== null) ? (found[0] ?? null) : null;
}

function contradictionOf(clause: readonly JsonObject[]): readonly [JsonObject, JsonObject] | null {
  for (const [index, rule] of clause.entries())
    for (const other of clause.slice(index))
      if (rule['type'] === other['type'] && excludes(rule, other)) return [rule, other];
  return null;
}

/** The numbers from `least` to `most` that a rule allows; for counts and seconds, which are whole. */
function span({ type, operator, value }: JsonObject): readonly [number, number] | null {
  const number = Number(value);
  const zero = type === 'visits_number' || type === 'pages_view_number' ? 1 : 0;
  switch (operator) {
    case 'equals':
      return [Math.max(zero, number), number];
    case 'lower_than':
      return [zero, number - 1];
    case 'lower_or_equal':
      return [zero, number];
    case 'greater_than':
      return [Math.max(zero, number + 1), Number.POSITIVE_INFINITY];
    case 'greater_or_equal':
      return [Math.max(zero, number), Number.POSITIVE_INFINITY];
    default:
      return null;
  }
}

const NUMBERS = ['visit_time_site', 'visit_time_page', 'pages_view_number', 'visits_number'];

/** Whether no visitor meets both rules of one type. What a visitor has several of, such as visited pages, may meet any two. */
function excludes(rule: JsonObject, other: JsonObject): boolean {
  if (NUMBERS.includes(String(rule['type']))) {
    const [one, two] = [span(rule), span(other)];
    if (one === null || two === null) return isOpposite(rule, other, 'equals', 'doesnt_equal', (a, b) => a === b);
    return Math.max(one[0], two[0]) > Math.min(one[1], two[1]);
  }
  if (rule['type'] !== 'url_current' && rule['type'] !== 'url_referrer') return false;
  const isDifferent =
    rule['operator'] === 'equals' && other['operator'] === 'equals' && rule['value'] !== other['value'];
  return (
    isDifferent ||
    isOpposite(rule, other, 'equals', 'doesnt_equal', (a, b) => a === b) ||
    isOpposite(rule, other, 'equals', 'contains', (a, b) => !a.includes(b)) ||
    isOpposite(rule, other, 'equals', 'doesnt_contain', (a, b) => a.includes(b)) ||
    isOpposite(rule, other, 'contains', 'doesnt_contain', (a, b) => a.includes(b))
  );
}

function isOpposite(
  rule: JsonObject,
  other: JsonObject,
  first: string,
  second: string,
  isImpossible: (a: string, b: string) => boolean,
): boolean {
  const [one, two] = rule['operator'] === first ? [rule, other] : [other, rule];
  if (one['operator'] !== first || two['operator'] !== second) return false;
  return isImpossible(String(one['value']), String(two['value']));
}

/** Equal for greetings that show to the same visitors at the same moments, as far as that is plain. */
export function meaningOf({ rules }: Spec, chain: Chain): string {
  const clauses = clausesOf(rulesOf(rules), chain).map((clause) => [
    ...new Set(clause.map(({ condition: _, ...rule }) => canonicalJson(rule))),
  ]);
  const needed = clauses.filter(
    (clause, index) =>
      !clauses.some(
        (other, place) =>
          place !== index &&
          other.every((rule) => clause.includes(rule)) &&
          (other.length < clause.length || place < index),
      ),
  );
  return canonicalJson(needed.map((clause) => clause.sort(byText)).sort((a, b) => byText(a.join(), b.join())));
}
