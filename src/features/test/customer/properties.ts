// Properties as customers may see them: a value, or a default, shows if and only if the access of its definition lets customers read it there. Values
// may be secret, so only digests of them are told. Specification of the Customer Chat Web API: "Properties"; of the Configuration API: "Property".

import { digest } from '../../../base/digest.ts';
import { equalJson } from '../../../base/json.ts';
import type { Address, Json, Spec } from '../../../base/model.ts';
import { counted } from '../../../base/text.ts';
import { valueInNfc } from '../../../kinds/fields.ts';
import { splitName } from '../../../kinds/namespaced.ts';
import { mayCustomersRead, ON_GROUP, ON_LICENSE, property } from '../../../kinds/property.ts';
import { groupProperty, licenseProperty } from '../../../kinds/property-values.ts';
import { isKeptForm } from '../../../plan/diff.ts';
import {
  type Answers,
  askedText,
  type CustomerQuestion,
  groupValuesQuestion,
  LICENSE_VALUES,
  result,
  unseen,
  valuesIn,
} from './questions.ts';
import type { Checked } from './schema.ts';
import { type CustomerSubject, declaredGroups, sourceAt } from './subject.ts';

/** One property in one place where a value, or a default, is to be read. */
interface PlacedProperty {
  readonly definition: Address;
  readonly namespace: string;
  readonly name: string;
  /** Member of `access` that decides about the place. */
  readonly location: string;
  /** What people call the place. */
  readonly place: string;
  readonly question: CustomerQuestion;
  /** Where the value is declared; null for a default. */
  readonly declared: Address | null;
  readonly value: Json;
  readonly isReadable: boolean;
}

function placed(subject: CustomerSubject): readonly PlacedProperty[] {
  const { resources } = subject.desired;
  const values = new Map<Address, Spec>(resources.map(({ address, spec }) => [address, spec]));
  return resources.flatMap(({ address: definition, kind, key, spec }) => {
    if (kind !== property.name) return [];
    const [namespace, name] = splitName(key);
    const about = { definition, namespace, name };
    return [
      ...placedOn(ON_LICENSE, spec, values.get(`${licenseProperty.name}/${key}`)).map((found) => ({
        ...about,
        ...found,
        location: ON_LICENSE,
        place: 'the license',
        question: LICENSE_VALUES,
        declared: found.isDefault ? null : (`${licenseProperty.name}/${key}` as const),
      })),
      ...declaredGroups(subject).flatMap((group) => {
        const address = `${groupProperty.name}/${group.key}/${key}` as const;
        return placedOn(ON_GROUP, spec, values.get(address)).map((found) => ({
          ...about,
          ...found,
          location: ON_GROUP,
          place: group.address,
          question: groupValuesQuestion(group.id),
          declared: found.isDefault ? null : address,
        }));
      }),
    ];
  });
}

/** Nothing where the definition allows no value, or there is neither a value nor a default. */
function placedOn(location: string, definition: Spec, given: Spec | undefined) {
  const isReadable = mayCustomersRead(definition, location);
  const value = given?.['value'] ?? definition['default_value'];
  if (isReadable === null || value === undefined) return [];
  return [{ value, isReadable, isDefault: given?.['value'] === undefined }];
}

/** One request for the license, and one for each group that has something to see. */
export function propertyQuestions(subject: CustomerSubject): readonly CustomerQuestion[] {
  const all = placed(subject).map(({ question }) => question);
  return [...all.filter((question) => question === LICENSE_VALUES), ...all];
}

/** One result for each definition whose values all show as they should; one for each value that does not. */
export function propertyResults(subject: CustomerSubject, answers: Answers): readonly Checked[] {
  const all = placed(subject).map((each) => ({ each, found: judged(each, subject, answers) }));
  return [...new Set(all.map(({ each }) => each.definition))].flatMap((definition) => {
    const own = all.filter(({ each }) => each.definition === definition);
    const wrong = own.flatMap(({ found }) => (found === null ? [] : [found]));
    const right = own.flatMap(({ each, found }) => (found === null ? [each] : []));
    return [...(right.length === 0 ? [] : [agreeing(definition, right, subject)]), ...wrong];
  });
}

function agreeing(definition: Address, right: readonly PlacedProperty[], subject: CustomerSubject): Checked {
  const [shown, hidden] = [right.filter(({ isReadable }) => isReadable), right.filter(({ isReadable }) => !isReadable)];
  const sides = [
    ...(shown.length === 0 ? [] : [`customers see it on ${placesText(shown)}`]),
    ...(hidden.length === 0 ? [] : [`customers do not see it on ${placesText(hidden)}`]),
  ];
  return result('property', 'ok', definition, sides.join(', and '), { source: sourceAt(subject, definition) });
}

function placesText(those: readonly PlacedProperty[]): string {
  const groups = those.filter(({ location }) => location === ON_GROUP);
  const license = those.length > groups.length ? ['the license'] : [];
  const named = groups.length > 2 ? [counted(groups.length, 'group')] : groups.map(({ place }) => place);
  return [...license, ...named].join(' and ');
}

/** Null for a property that shows as it should. */
function judged(each: PlacedProperty, subject: CustomerSubject, answers: Answers): Checked | null {
  const { definition, namespace, name, location, place, question, declared, value, isReadable } = each;
  const values = valuesIn(answers, question);
  const access = { source: sourceAt(subject, definition, ['access', location]), asked: askedText(question) };
  if (values === null) return unseen('property', 'refused', definition, `it was not asked on ${place}`);
  if ('gone' in values)
    return result('property', 'differs', definition, `customers have no ${place}`, {
      ...access,
      expected: 'a group',
      found: 'no such group',
    });
  if ('hindrance' in values) return unseen('property', values.hindrance, definition, values.reason, access);
  const shown = values.seen.get(namespace)?.get(name);
  const found = shown === undefined ? undefined : valueInNfc(shown);
  const rights = `access.${location}.customer`;
  if (found === undefined) {
    if (!isReadable) return null;
    const hidden = { ...access, expected: 'visible', found: 'hidden' };
    return isTypeDefault(value)
      ? unseen(
          'property',
          'type-default',
          definition,
          `no value shows on ${place}, and an unset one would read the same`,
          hidden,
        )
      : result('property', 'differs', definition, `customers cannot see it on ${place}; ${rights} says read`, hidden);
  }
  if (!isReadable) {
    const shown = { ...access, expected: 'hidden', found: 'visible' };
    return result(
      'property',
      'differs',
      definition,
      `customers can see it on ${place}; ${rights} does not say read`,
      shown,
    );
  }
  if (declared === null || equalJson(found, value)) return null;
  if (isKeptForm(subject.applied.get(declared), 'value', value, found)) return null;
  const [seen, wanted] = [shortDigest(found), shortDigest(value)];
  return result(
    'property',
    'differs',
    definition,
    `customers see another value on ${place}: its digest is ${seen}, and ${wanted} is declared`,
    {
      asked: access.asked,
      expected: wanted,
      found: seen,
      source: sourceAt(subject, declared),
    },
  );
}

/** What the service may leave out instead of telling it: a property that was never set reads the same. */
function isTypeDefault(value: Json): boolean {
  return value === false || value === 0 || value === '';
}

/** Enough to tell two values apart. */
function shortDigest(value: Json): string {
  return `sha256:${digest(value).slice(0, 12)}`;
}
