// The conditions of an auto access rule come in and are checked. Must not know the rule they belong to.
// Specification: "Auto access rule".

import { refuse } from '../engine/refusal.ts';
import type { JsonReader } from '../engine/shape.ts';
import { bool, list, object, optional, quoted, string, text } from '../engine/shape.ts';

const match = object({ value: text, exact_match: optional(bool) });
const lists = object({ values: optional(list(match, 1)), exclude_values: optional(list(match, 1)) });

/** `url` or `domain`: positive or negative, one of both. */
const matches: JsonReader<ReturnType<typeof lists>> = (value, path) => {
  const given = lists(value, path);
  const { values, exclude_values } = given;
  if (values !== undefined && exclude_values !== undefined)
    refuse('validation', `${quoted(`${path}.values`)} cannot be combined with \`exclude_values\``);
  if (values === undefined && exclude_values === undefined)
    refuse('validation', `${quoted(path)} needs \`values\` or \`exclude_values\``);
  return given;
};

const members = object({
  country: optional(string),
  country_code: optional(string),
  region: optional(string),
  city: optional(string),
});

const place: JsonReader<ReturnType<typeof members>> = (value, path) => {
  const given = members(value, path);
  if (Object.values(given).every((member) => member === ''))
    refuse('validation', `${quoted(path)} needs one of \`country\`, \`country_code\`, \`region\`, \`city\``);
  return given;
};

const kinds = object({
  url: optional(matches),
  domain: optional(matches),
  geolocation: optional(object({ values: list(place, 1) })),
});

export const conditions: JsonReader<ReturnType<typeof kinds>> = (value, path) => {
  const given = kinds(value, path);
  if (Object.keys(given).length === 0)
    refuse('validation', `${quoted(path)} needs one of \`url\`, \`domain\`, \`geolocation\``);
  return given;
};
