// Rules of a greeting as a program: whether a visitor sees it, and on which conditions where that depends on time or history.
// How `and` and `or` combine is in no page: docs/how-to/greet-visitors.md states the assumption. today/configuration.md, "Greetings".

import { isObject } from '../base/json.ts';
import type { Json, JsonObject, Spec } from '../base/model.ts';
import { ruleWords } from '../kinds/greeting-rules.ts';
import { clausesOf, NEGATIVE, rulesOf } from './greeting-clauses.ts';
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
