// Rules of a greeting: their schema, the one spelling of equal ones, their words, and checks that the schema cannot make.
// today/configuration.md, "Greetings".

import type { Schema } from '../base/documents.ts';
import { isList, isObject } from '../base/json.ts';
import type { Json, JsonObject, Version } from '../base/model.ts';
import { clear } from '../base/text.ts';
import type { Phrase } from './field.ts';
import type { Report } from './kind.ts';

export const OPERATORS = [
  'equals',
  'doesnt_equal',
  'lower_than',
  'lower_or_equal',
  'greater_than',
  'greater_or_equal',
  'contains',
  'doesnt_contain',
] as const;

export type Operator = (typeof OPERATORS)[number];

/** What a type of rule looks at, what its value is, and what else it needs. */
interface RuleType {
  readonly about: string;
  readonly value: 'seconds' | 'count' | 'text' | null;
  readonly also?: 'urls' | 'session_field';
}

export const RULE_TYPES = {
  visit_time_site: { about: 'time on the site', value: 'seconds' },
  visit_time_page: { about: 'time on the page', value: 'seconds' },
  url_current: { about: 'URL', value: 'text' },
  url_visited: { about: 'a visited URL', value: 'text' },
  url_referrer: { about: 'the page before', value: 'text' },
  pages_view_number: { about: 'viewed pages', value: 'count' },
  visits_number: { about: 'visits', value: 'count' },
  geolocation: { about: 'place', value: 'text' },
  search_keyword: { about: 'searched words', value: 'text' },
  url_funnel: { about: 'visited pages in this order', value: null, also: 'urls' },
  url_match_page_view_number: { about: 'views of one of these pages', value: 'count', also: 'urls' },
  custom_variable: { about: 'custom variable', value: null, also: 'session_field' },
  ads_traffic: { about: 'advertisement', value: null, also: 'session_field' },
} as const satisfies { readonly [type: string]: RuleType };

export type RuleTypeName = keyof typeof RULE_TYPES;

export const MOST_SECONDS = 900;
const ADVERTISERS = ['microsoft', 'facebook', 'google', 'twitter', 'yahoo'];
const NUMERIC: readonly Operator[] = ['lower_than', 'lower_or_equal', 'greater_than', 'greater_or_equal'];
const TEXTUAL: readonly Operator[] = ['contains', 'doesnt_contain'];

const operator = {
  enum: OPERATORS,
  description: 'How the value is compared; without it, `equals`.',
} as const satisfies Schema;

/** `written`: where people may write numbers. */
function rulesSchemaOf(scalar: Schema) {
  return {
    type: 'array',
    maxItems: 10,
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['type'],
      description: 'One rule: `{ type: visit_time_page, operator: greater_or_equal, value: 30 }`.',
      properties: {
        condition: {
          enum: ['and', 'or'],
          description: 'How the rule combines with those before it, in their order; without it, `and`.',
        },
        type: {
          enum: Object.keys(RULE_TYPES),
          description: 'What the rule looks at, such as `url_current` or `visit_time_page`.',
        },
        operator,
        value: { ...scalar, description: 'What is looked for: a text, whole seconds from 0 to 900, or a count.' },
        urls: {
          type: 'array',
          minItems: 1,
          maxItems: 10,
          description: 'Pages of `url_funnel`, in their order, or of `url_match_page_view_number`.',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['url'],
            description: 'One page.',
            properties: {
              url: { type: 'string', minLength: 1, description: 'The URL, or a part of it.' },
              operator,
            },
          },
        },
        session_field: {
          type: 'object',
          minProperties: 1,
          maxProperties: 1,
          propertyNames: { maxLength: 255 },
          additionalProperties: { ...scalar, description: 'The value.' },
          description: `One name and its value, for \`custom_variable\` and \`ads_traffic\`; of the latter, the name is ${ADVERTISERS.join(', ')}.`,
        },
      },
    },
  } as const;
}

export const rulesSchema = rulesSchemaOf({ type: 'string' });
export const writtenRulesSchema = rulesSchemaOf({ type: ['string', 'number', 'boolean'] });

const text = (value: Json): Json => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);

/** Whether a type of rule takes a value, and so an operator. */
export function takesValue(type: Json | undefined): boolean {
  return (
    typeof type !== 'string' || !Object.hasOwn(RULE_TYPES, type) || RULE_TYPES[type as RuleTypeName].value !== null
  );
}

/** Values as texts, and what is absent as the service takes it: `and`, and `equals`. */
export function canonicalRules(value: Json): Json {
  if (!isList(value)) return value;
  return value.map((rule): Json => {
    if (!isObject(rule)) return rule;
    const { condition, operator: by, value: sought, urls, session_field: field, ...rest } = rule;
    const compared = by ?? 'equals';
    return withoutNull({
      condition: condition ?? 'and',
      ...rest,
      operator: takesValue(rule['type']) || compared !== 'equals' ? compared : null,
      value: sought === '' ? null : text(sought ?? null),
      urls: isList(urls)
        ? urls.map((each) => (isObject(each) ? { operator: 'equals', ...withoutNull(each) } : each))
        : (urls ?? null),
      session_field: isObject(field)
        ? Object.fromEntries(Object.entries(field).map(([name, member]) => [name, text(member)]))
        : (field ?? null),
    });
  });
}

function withoutNull(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

const WORDS: { readonly [operator in Operator]: string } = {
  equals: 'is',
  doesnt_equal: 'is not',
  lower_than: 'below',
  lower_or_equal: 'at most',
  greater_than: 'above',
  greater_or_equal: 'at least',
  contains: 'contains',
  doesnt_contain: 'does not contain',
};

function operatorWord(value: Json | undefined): string {
  return typeof value === 'string' && Object.hasOwn(WORDS, value) ? WORDS[value as Operator] : clear(value ?? 'is');
}

/** What a rule in its one spelling asks: `URL contains /pricing`, `time on the page at least 30 s`. */
export function ruleWords(rule: Json): string {
  if (!isObject(rule)) return clear(rule);
  const { type, operator: by, value, urls, session_field: field } = rule;
  const known: RuleType | undefined = Object.hasOwn(RULE_TYPES, String(type))
    ? RULE_TYPES[type as RuleTypeName]
    : undefined;
  const pages = (isList(urls) ? urls : []).filter(isObject);
  const listed = pages.map((page) => `${operatorWord(page['operator'])} ${clear(page['url'] ?? '')}`).join(', ');
  const pair = Object.entries(isObject(field) ? field : {}).map(
    ([name, member]) => `${name} ${operatorWord(by)} ${clear(member)}`,
  );
  const said = /^\d+$/.test(String(value)) ? String(value) : clear(value ?? '');
  const sought = value === undefined ? '' : `${operatorWord(by)} ${said}${known?.value === 'seconds' ? ' s' : ''}`;
  return [known?.about ?? clear(type ?? ''), sought, listed === '' ? '' : `(${listed})`, ...pair]
    .filter((part) => part !== '')
    .join(' ');
}

/** Each rule in words, with how it combines. */
export function rulePhrases(value: Json): readonly Phrase[] {
  return (isList(value) ? value : []).map((rule, index) => {
    const condition = isObject(rule) ? clear(rule['condition'] ?? 'and') : 'and';
    const says = ruleWords(rule);
    return { key: `${index} ${condition} ${says}`, about: index === 0 ? 'when' : condition, says };
  });
}

/** Reports what the schema cannot say of rules. */
export function checkRules(rules: Json | undefined, report: Report, version: Version): void {
  for (const [index, rule] of (isList(rules) ? rules : []).entries()) {
    if (!isObject(rule)) continue;
    const { type } = rule;
    if (typeof type !== 'string' || !Object.hasOwn(RULE_TYPES, type)) continue;
    const name = type as RuleTypeName;
    const path = ['rules', index];
    checkMembers(name, rule, path, report);
    checkValue(name, rule, path, report);
    checkOperator(name, rule, path, report);
    if (name === 'url_match_page_view_number' && version === '3.6') {
      const message = `version 3.6 may not have rules of type \`${name}\`: one page lists it there, and another names it as news of 3.7`;
      report([...path, 'type'], 'unsupported-by-version', message, undefined, 'warning');
    }
  }
}

type RulePath = readonly (string | number)[];

function checkMembers(name: RuleTypeName, rule: JsonObject, path: RulePath, report: Report): void {
  const { value, also }: RuleType = RULE_TYPES[name];
  const needed = [...(value === null ? [] : ['value']), ...(also === undefined ? [] : [also])];
  for (const member of needed)
    if (rule[member] === undefined || rule[member] === '')
      report(path, 'missing-field', `a rule of type \`${name}\` needs \`${member}\``, `add \`${member}\``);
  for (const member of ['value', 'urls', 'session_field'])
    if (rule[member] !== undefined && !needed.includes(member))
      report(
        [...path, member],
        'not-allowed',
        `a rule of type \`${name}\` has no \`${member}\``,
        `it needs ${needed.map((each) => `\`${each}\``).join(' and ')}`,
      );
}

function checkValue(
  name: RuleTypeName,
  { value, session_field: field }: JsonObject,
  path: RulePath,
  report: Report,
): void {
  const { value: expected }: RuleType = RULE_TYPES[name];
  if ((expected === 'seconds' || expected === 'count') && value !== undefined) {
    const what = expected === 'seconds' ? `whole seconds from 0 to ${MOST_SECONDS}` : 'a whole number';
    if (!/^\d+$/.test(String(value)))
      report(
        [...path, 'value'],
        'bad-format',
        `the value of \`${name}\` is ${what}, and ${JSON.stringify(value)} is not`,
      );
    else if (expected === 'seconds' && Number(value) > MOST_SECONDS)
      report([...path, 'value'], 'out-of-range', `${value} seconds are too many`, `a value of \`${name}\` is ${what}`);
  }
  for (const [key, member] of Object.entries(isObject(field) ? field : {})) {
    if ([...String(member)].length > 255)
      report([...path, 'session_field', key], 'too-long', 'the value has more than 255 characters');
    if (name === 'ads_traffic' && !ADVERTISERS.includes(key))
      report(
        [...path, 'session_field', key],
        'not-allowed',
        `\`${key}\` is no advertiser`,
        `one of ${ADVERTISERS.join(', ')}`,
      );
  }
}

/** No page says which operator a type takes; one that can mean nothing is probably a slip. */
function checkOperator(name: RuleTypeName, { operator: by }: JsonObject, path: RulePath, report: Report): void {
  const { value }: RuleType = RULE_TYPES[name];
  const isNumber = value === 'seconds' || value === 'count';
  const unfit: readonly Json[] = isNumber ? TEXTUAL : NUMERIC;
  if (by === undefined || !unfit.includes(by)) return;
  const message = `\`${clear(by)}\` compares ${isNumber ? 'texts' : 'numbers'}, and \`${name}\` is ${isNumber ? 'a number' : 'a text'}`;
  report(
    [...path, 'operator'],
    'not-allowed',
    message,
    isNumber ? 'use `equals` or `greater_or_equal`' : 'use `equals` or `contains`',
    'warning',
  );
}
