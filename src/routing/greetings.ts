// Rules of a greeting as a program: whether a visitor sees it, and on which conditions where that depends on time or history.
// How `and` and `or` combine is in no page: docs/how-to/greet-visitors.md states the assumption. today/configuration.md, "Greetings".

import { byText, canonicalJson, isList, isObject } from '../base/json.ts';
import type { Json, JsonObject, Spec } from '../base/model.ts';
import { canonicalRules, ruleWords } from '../kinds/greeting-rules.ts';
import { type Assumptions, type Chain, cased } from './rules.ts';
import { pageUrl, urlPart } from './text.ts';
import type { ComparedVisitor, Visitor } from './visitor.ts';

/** A visitor as greetings look at one. */
export interface GreetedVisitor {
  readonly described: Visitor;
  readonly compared: ComparedVisitor;
  readonly assumptions: Assumptions;
}

/** What has to be so that a greeting shows: a sentence, or several of which all or one must hold. */
export type ShowCondition =
  | string
  | { readonly all: readonly ShowCondition[] }
  | { readonly any: readonly ShowCondition[] };

/** Whether a greeting shows to a visitor, or on which condition. */
export type Showing = boolean | ShowCondition;

function both(one: Showing, other: Showing): Showing {
  if (one === false || other === false) return false;
  if (one === true) return other;
  return other === true ? one : { all: [one, other] };
}

function either(one: Showing, other: Showing): Showing {
  if (one === true || other === true) return true;
  if (one === false) return other;
  return other === false ? one : { any: [one, other] };
}

function rulesOf(rules: Json | undefined): readonly JsonObject[] {
  const canonical = canonicalRules(rules ?? []);
  return isList(canonical) ? canonical.filter(isObject) : [];
}

/** Combines what each rule says. The condition of the first means nothing. */
export function combined(rules: readonly JsonObject[], chain: Chain, answer: (rule: JsonObject) => Showing): Showing {
  const [first, ...rest] = rules;
  if (first === undefined) return true;
  if (chain === 'and-first')
    return clausesOf(rules, chain).reduce<Showing>(
      (before, clause) => either(before, clause.map(answer).reduce(both, true)),
      false,
    );
  return rest.reduce<Showing>(
    (before, rule) => (rule['condition'] === 'or' ? either : both)(before, answer(rule)),
    answer(first),
  );
}

/** Whether a greeting of this spec shows to a visitor of its group. */
export function showing({ rules }: Spec, visitor: GreetedVisitor): Showing {
  return combined(rulesOf(rules), visitor.assumptions.greetings, (rule) => ruleAnswer(rule, visitor));
}

const NEGATIVE = ['doesnt_equal', 'doesnt_contain'];

/** Whether a text is as an operator asks. */
function isMet(operator: Json | undefined, text: string, sought: string): boolean {
  switch (operator) {
    case 'doesnt_equal':
      return text !== sought;
    case 'contains':
      return text.includes(sought);
    case 'doesnt_contain':
      return !text.includes(sought);
    default:
      return text === sought;
  }
}

function ruleAnswer(rule: JsonObject, { described, compared, assumptions }: GreetedVisitor): Showing {
  const { type, operator, value, session_field: field } = rule;
  const sought = String(value ?? '');
  switch (type) {
    case 'url_current': {
      const isWhole = operator === 'equals' || operator === 'doesnt_equal';
      const wanted = isWhole ? (pageUrl(sought)?.url ?? urlPart(sought)) : urlPart(sought);
      return isMet(operator, compared.url, cased(wanted, assumptions));
    }
    case 'geolocation': {
      const { country, country_code: code, region, city } = described;
      const places = [country, code, region, city].flatMap((each) => each?.toLowerCase() ?? []);
      const isNegative = NEGATIVE.includes(String(operator));
      const positive = operator === 'doesnt_equal' ? 'equals' : operator === 'doesnt_contain' ? 'contains' : operator;
      if (places.some((place) => isMet(positive, place, sought.toLowerCase()))) return !isNegative;
      return city === undefined ? conditionOf(rule) : isNegative;
    }
    case 'custom_variable': {
      const [[name, wanted] = ['', null]] = Object.entries(isObject(field) ? field : {});
      const said = described.variables?.[name];
      return said === undefined ? conditionOf(rule) : isMet(operator, said, String(wanted));
    }
    default:
      return conditionOf(rule);
  }
}

const PLACES: { readonly [type: string]: string } = { visit_time_page: 'on the page', visit_time_site: 'on the site' };

/** `after 30 s on the page`; what else depends on the visitor, in the words of its rule. */
function conditionOf(rule: JsonObject): string {
  const { type, operator, value } = rule;
  const where = PLACES[String(type)];
  if (where === undefined || (operator !== 'greater_or_equal' && operator !== 'greater_than'))
    return `if ${ruleWords(rule)}`;
  return `after ${operator === 'greater_than' ? 'more than ' : ''}${value} s ${where}`;
}

/** `after 30 s on the page, and if visits above 2`. */
export function conditionText(condition: ShowCondition, isInner = false): string {
  if (typeof condition === 'string') return condition;
  const [parts, word] = 'all' in condition ? [condition.all, 'and'] : [condition.any, 'or'];
  const text = parts.map((part) => conditionText(part, true)).join(` ${word} `);
  return isInner ? `(${text})` : text;
}

/** A greeting of a group that a visitor reaches, and whether it shows. */
export interface Greeted {
  /** Address; the id of one that no file declares. */
  readonly greeting: string;
  readonly name: string | null;
  readonly shows: 'yes' | 'no' | 'if';
  /** Why, or on which condition. */
  readonly why: string;
}

/** A greeting as routing reads it: its group under the name that rules have for it. */
export interface GreetingSource {
  readonly greeting: string;
  readonly group: string;
  readonly spec: Spec;
  /** It shows only while a member of the group accepts chats. */
  readonly hidesOffline?: true;
}

/** The property of a group that hides its greetings while the group is offline. */
export const HIDES_OFFLINE = 'smart_actions/greeting.hide_when_offline';
const WHILE_ONLINE = 'while a member of its group accepts chats';

/**
 * What the greetings of these groups do for a visitor at a moment, in milliseconds; null for any moment at which they are on.
 * `isOffline`: whether no member of a group can accept chats then.
 */
export function greetedBy(
  greetings: readonly GreetingSource[],
  groups: readonly string[],
  visitor: GreetedVisitor,
  at: number | null,
  isOffline: (group: string) => boolean = () => false,
): readonly Greeted[] {
  return greetings
    .filter(({ group }) => groups.includes(group))
    .map(({ greeting, group, spec, hidesOffline }) => {
      const name = nameOf(spec);
      const isHidden = hidesOffline === true && isOffline(group);
      const idle = idleBecause(spec, at) ?? (isHidden ? 'no member of its group is at work then' : null);
      const shown = idle === null ? showing(spec, visitor) : false;
      const found = hidesOffline === true ? both(shown, WHILE_ONLINE) : shown;
      if (found !== true && found !== false) return { greeting, name, shows: 'if', why: conditionText(found) };
      return { greeting, name, shows: found ? 'yes' : 'no', why: idle ?? reasonsFor(found, spec, visitor) };
    });
}

/** The greetings for the page of a visitor that belong to other groups, so that the visitor does not see them. */
export function greetedElsewhere(
  greetings: readonly GreetingSource[],
  groups: readonly string[],
  visitor: GreetedVisitor,
  at: number | null,
): readonly Greeted[] {
  const isForPage = (rule: JsonObject): boolean =>
    rule['type'] === 'url_current' &&
    !NEGATIVE.includes(String(rule['operator'])) &&
    ruleAnswer(rule, visitor) === true;
  return greetings
    .filter(({ group, spec }) => !groups.includes(group) && rulesOf(spec['rules']).some(isForPage))
    .filter(({ spec }) => idleBecause(spec, at) === null && showing(spec, visitor) !== false)
    .map(({ greeting, group, spec }) => ({
      greeting,
      name: nameOf(spec),
      shows: 'no',
      why: `it belongs to ${group}, which does not get this visitor`,
    }));
}

function nameOf({ name }: Spec): string | null {
  return typeof name === 'string' ? name : null;
}

function idleBecause({ active, active_from: from, active_until: until }: Spec, at: number | null): string | null {
  if (active === false) return 'it is not active';
  if (at === null) return null;
  if (typeof from === 'string' && from !== '' && at < Date.parse(from)) return `it begins at ${from}`;
  return typeof until === 'string' && until !== '' && at >= Date.parse(until) ? `it ended at ${until}` : null;
}

/** The rules that are so, or of a greeting that does not show, those that are not. */
function reasonsFor(isShown: boolean, { rules }: Spec, visitor: GreetedVisitor): string {
  const telling = rulesOf(rules).filter((rule) => ruleAnswer(rule, visitor) === isShown);
  const words = telling.map(ruleWords).join(', ');
  if (isShown) return words === '' ? 'it has no rule' : words;
  return `not so: ${words}`;
}

/** Sets of rules of which one must hold whole, so that the greeting shows: the disjunctive normal form. */
function clausesOf(rules: readonly JsonObject[], chain: Chain): readonly (readonly JsonObject[])[] {
  const clauses: JsonObject[][] = [[]];
  for (const [index, rule] of rules.entries()) {
    const open = chain === 'in-order' ? clauses : clauses.slice(-1);
    if (index > 0 && rule['condition'] === 'or') clauses.push([rule]);
    else for (const clause of open) clause.push(rule);
  }
  return clauses;
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
