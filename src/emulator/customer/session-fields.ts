// Session fields: an ordered list of objects with one key each. Specification: "Resources and their fields".

import { refuse } from '../engine/refusal.ts';
import { checked, list, quoted, recordOf, string } from '../engine/shape.ts';
import type { CustomerSettings } from './settings.ts';

/** Duplicate keys are possible. */
export const sessionFields = checked(list(recordOf(string)), (fields, path) => {
  for (const [index, field] of fields.entries())
    if (Object.keys(field).length !== 1)
      refuse('validation', `${quoted(`${path}[${index}]`)} must have one key and its text`);
});
export type GivenSessionFields = ReturnType<typeof sessionFields>;

export function requireFieldsWithin({ limits }: CustomerSettings, fields: GivenSessionFields): void {
  if (limits.sessionFields !== -1 && fields.length > limits.sessionFields)
    refuse('validation', `${quoted('session_fields')} must have at most ${limits.sessionFields} keys`);
}

const keyOf = (field: GivenSessionFields[number]): string | undefined => Object.keys(field)[0];

/** Kept fields with new ones: a key that is there keeps its place and gets its new text; the others follow. */
export function mergedFields(kept: GivenSessionFields, given: GivenSessionFields): GivenSessionFields {
  const placed = new Set<string | undefined>();
  const inPlace = kept.flatMap((field) => {
    const key = keyOf(field);
    const now = given.filter((one) => keyOf(one) === key);
    if (now.length === 0) return [field];
    if (placed.has(key)) return [];
    placed.add(key);
    return now;
  });
  return [...inPlace, ...given.filter((one) => !placed.has(keyOf(one)))];
}
