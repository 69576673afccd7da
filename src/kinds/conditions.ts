// The conditions of a rule: their schema, the one spelling of equal ones, and checks that the schema cannot make.
// Specification: "Auto access rule".

import type { Schema } from '../base/documents.ts';
import { byText, canonicalJson, isList, isObject } from '../base/json.ts';
import type { Json } from '../base/model.ts';
import { clear } from '../base/text.ts';
import type { FieldValue, Phrase } from './field.ts';
import type { Report } from './kind.ts';

const matches = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['value'],
    properties: {
      value: { type: 'string', minLength: 1, description: 'The text to look for.' },
      exact_match: {
        type: 'boolean',
        description: 'Whether the whole must be equal to the text; otherwise containing it is enough.',
      },
    },
  },
} as const satisfies Schema;

function matcher(subject: string) {
  return {
    type: 'object',
    additionalProperties: false,
    description: `Looks at the ${subject}. Either \`values\` or \`exclude_values\`, a list such as \`[{ value: ... }]\`.`,
    properties: {
      values: { ...matches, description: `Matches when the ${subject} matches at least one.` },
      exclude_values: { ...matches, description: `Matches when the ${subject} matches none.` },
    },
  } as const satisfies Schema;
}

const GEOGRAPHY = ['country', 'country_code', 'region', 'city'] as const;

export const conditionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: matcher('URL of the page the customer is on'),
    domain: matcher('domain of that URL'),
    geolocation: {
      type: 'object',
      additionalProperties: false,
      required: ['values'],
      description: 'Looks at where the customer is.',
      properties: {
        values: {
          type: 'array',
          minItems: 1,
          description: 'Matches when at least one item matches; an item matches when all its members do.',
          items: {
            type: 'object',
            additionalProperties: false,
            properties: Object.fromEntries(
              GEOGRAPHY.map((name) => [
                name,
                {
                  type: 'string',
                  minLength: 1,
                  description: `The ${name.replace('_', ' ')} of the customer.`,
                } as const,
              ]),
            ),
          },
        },
      },
    },
  },
} as const satisfies Schema;

/** As a valid manifest has them. */
type Conditions = FieldValue<typeof conditionsSchema>;

/** Each item once, in a fixed order; without `exact_match: false`, which means the same as leaving it out. Service notes, "Auto access". */
function canonicalItems(items: Json | undefined): Json | undefined {
  if (!isList(items)) return items;
  const distinct = new Map(items.map((item) => canonicalItem(item)).map((item) => [canonicalJson(item), item]));
  return [...distinct].sort(([a], [b]) => byText(a, b)).map(([, item]) => item);
}

function canonicalItem(item: Json): Json {
  if (!isObject(item)) return item;
  const members = Object.entries(item).filter(
    ([name, value]) => value !== null && value !== '' && !(name === 'exact_match' && value === false),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, name === 'country_code' ? codeText(value) : value]));
}

/** Countries are compared in any case of letters; their codes are written in capitals. */
function codeText(code: Json): Json {
  return typeof code === 'string' && /^[a-z]{2}$/i.test(code) ? code.toUpperCase() : code;
}

/** The one spelling of conditions that say the same. */
export function canonicalConditions(value: Json): Json {
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const [subject, condition] of Object.entries(value)) {
    if (!isObject(condition)) continue;
    const members = Object.entries(condition)
      .map(([name, items]) => [name, canonicalItems(items)] as const)
      .filter((member): member is readonly [string, Json] => isList(member[1]) && member[1].length > 0);
    if (members.length > 0) kept[subject] = Object.fromEntries(members);
  }
  return kept;
}

/** The first text or place that each condition looks for, in a few words. */
export function conditionWords(conditions: Conditions = {}): string {
  const words = Object.values<Json>(conditions).flatMap((condition) => {
    const { values, exclude_values: others } = isObject(condition) ? condition : {};
    const [included, excluded] = [firstText(values), firstText(others)];
    return [...(excluded === null ? [] : [`not ${excluded}`]), ...(included === null ? [] : [included])];
  });
  return words.join(' ');
}

/** Each text and place that conditions look for: `URL contains` `/pricing`. */
export function conditionPhrases(value: Json): readonly Phrase[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([subject, condition]) => {
    const { values, exclude_values: others } = isObject(condition) ? condition : {};
    return [...itemPhrases(subject, values, true), ...itemPhrases(subject, others, false)];
  });
}

function itemPhrases(subject: string, items: Json | undefined, isWanted: boolean): readonly Phrase[] {
  return (isList(items) ? items : []).filter(isObject).map((item): Phrase => {
    const { value, exact_match: exact } = item;
    const place = [...GEOGRAPHY].reverse().flatMap((name) => item[name] ?? []);
    const verbs = isWanted ? (['is', 'contains'] as const) : (['is not', 'does not contain'] as const);
    const about =
      value === undefined ? 'from' : `${subject === 'url' ? 'URL' : subject} ${verbs[exact === true ? 0 : 1]}`;
    const says = value === undefined ? place.map(clear).join(', ') : clear(value);
    return { key: `${about} ${canonicalJson(item)}`, about, says };
  });
}

/** The most precise word of the first item: a city says more than its country. */
function firstText(items: Json | undefined): string | null {
  const item = isList(items) ? items[0] : undefined;
  if (!isObject(item)) return null;
  const text = ['value', ...[...GEOGRAPHY].reverse()]
    .map((name) => item[name])
    .find((each) => typeof each === 'string');
  return typeof text === 'string' ? text.replace(/^https?:\/\/(www\.)?/, '') : null;
}

/** Reports what the schema cannot say of conditions. */
export function checkConditions(conditions: Json | undefined, report: Report): void {
  if (!isObject(conditions)) return;
  if (Object.keys(conditions).length === 0) {
    report(
      ['conditions'],
      'missing-field',
      'a rule needs at least one condition',
      'add `url`, `domain` or `geolocation`',
    );
  }
  for (const subject of ['url', 'domain']) {
    const condition = conditions[subject];
    if (!isObject(condition)) continue;
    if ('values' in condition && 'exclude_values' in condition) {
      report(
        ['conditions', subject, 'exclude_values'],
        'exclusive-fields',
        '`values` and `exclude_values` cannot be combined',
        'keep one of them, or make two rules',
      );
    } else if (!('values' in condition) && !('exclude_values' in condition)) {
      report(
        ['conditions', subject],
        'missing-field',
        `\`${subject}\` needs \`values\` or \`exclude_values\``,
        'add the texts to look for',
      );
    }
  }
  for (const [subject, condition] of Object.entries(conditions)) {
    if (!isObject(condition)) continue;
    for (const name of ['values', 'exclude_values']) checkTwice(condition[name], ['conditions', subject, name], report);
  }
  const { geolocation } = conditions;
  const { values: places } = isObject(geolocation) ? geolocation : {};
  (isList(places) ? places : []).forEach((place, index) => {
    if (isObject(place) && Object.keys(place).length === 0) {
      report(
        ['conditions', 'geolocation', 'values', index],
        'missing-field',
        'a geolocation item needs at least one member',
        `add ${GEOGRAPHY.map((name) => `\`${name}\``).join(', ')}`,
      );
    }
  });
}

/** Reports items that mean the same as an earlier one: probably another one was meant. */
export function checkTwice(items: Json | undefined, path: readonly string[], report: Report): void {
  const known = new Set<string>();
  for (const [index, item] of (isList(items) ? items : []).entries()) {
    const text = canonicalJson(canonicalItem(item));
    if (known.has(text))
      report([...path, index], 'duplicate-item', `${text} is in the list twice`, 'keep one of the two');
    known.add(text);
  }
}
