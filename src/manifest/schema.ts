// The JSON Schema (2020-12) of a manifest, for the validator and for editors. The texts that editors show are the `about` of kinds and fields.

import type { Schema } from '../base/documents.ts';
import type { Json } from '../base/model.ts';
import { oneOf } from '../base/text.ts';
import type { Field } from '../kinds/field.ts';
import { KIND_NAMES, MEMBERSHIP } from '../kinds/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { largest, limitText } from '../kinds/limits.ts';
import { periodSchemas } from '../kinds/priority.ts';
import { calendarSchema, namedScheduleSchema } from '../kinds/scheduler-schemas.ts';
import { MANIFEST_VERSION } from './compose.ts';
import { absencesSchema, peopleDefinitions, peopleSchema } from './people-schema.ts';
import { routesSchema } from './routes.ts';
import { ABSENCES, ALL_KINDS, PEOPLE, SHARED } from './sections.ts';
import { declarationSchema, VARIABLE_KEY } from './variables.ts';

/** A key with a slash would make addresses ambiguous. */
const PLAIN_KEY: Schema = { pattern: '^[^/]+$', description: 'A key without a slash: addresses are made of keys.' };
const { kind: AGENT } = MEMBERSHIP.left;

const ANY_KEY: Schema = { minLength: 1, description: 'A key that is not empty.' };

const KEY_ABOUT = 'Name of the rule; addresses and overlays refer to it.';

/** For `target`, limits are left out: they are checked with those of the target. An editor knows no target, and gets the largest limits. */
type Reader = 'target' | 'editor';

/** The schema of a whole manifest after overlays and substitution. Each file of it also fits the schema. */
export function manifestSchema(reader: Reader = 'target'): Schema {
  const made = schemas.get(reader) ?? schemaFor(reader);
  schemas.set(reader, made);
  return made;
}

const schemas = new Map<Reader, Schema>();

function schemaFor(reader: Reader): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'chatform manifest',
    description: 'What agents, groups, bots, bot templates, auto-access rules and properties a license should have.',
    type: 'object',
    additionalProperties: false,
    required: ['version'],
    patternProperties: ANCHOR_MEMBERS,
    properties: {
      version: versionSchema(MANIFEST_VERSION),
      ...sectionSchemas(reader),
      [ABSENCES]: absencesSchema,
      [PEOPLE]: peopleSchema,
      ...sharedSchemas(),
      routes: routesSchema,
      moved: movedSchema(),
      leavers: leaversSchema,
    },
    $defs: { ...referenceSchemas(), ...peopleDefinitions({ ...periodSchemas, ...fieldSchemas(AGENT, reader) }) },
  };
}

export const ANCHOR_MEMBERS: Schema = { '^x-': { description: 'Holds YAML anchors; chatform ignores it.' } };

/** The schema of `version:`. */
export function versionSchema(version: number): Schema {
  return { const: version, description: `Version of the notation: ${version}.` };
}

function sectionSchemas(reader: Reader): Schema {
  const sections: Record<string, Schema> = {};
  for (const kind of ALL_KINDS) {
    const [name, ...rest] = kind.at;
    if (name !== undefined && isSection(kind)) sections[name] = memberSchema(kind, rest, reader, ['object', 'null']);
  }
  return sections;
}

function sharedSchemas(): Schema {
  const members: Schema = {
    schedules: namedScheduleSchema,
    calendars: calendarSchema,
    variables: declarationSchema,
  };
  const sections = SHARED.map(({ name, about }): [string, Schema] => [
    name,
    {
      type: ['object', 'null'],
      description: about,
      propertyNames: name === 'variables' ? VARIABLE_KEY : { minLength: 1 },
      additionalProperties: members[name] ?? {},
    },
  ]);
  return Object.fromEntries(sections);
}

function isSection(kind: Kind): boolean {
  return !kind.at.slice(1).some((part) => part !== '*' && part !== '#');
}

/** The schema of the members below `at`, from a section down to an entry. */
function memberSchema(
  kind: Kind,
  at: readonly string[],
  reader: Reader,
  types: readonly string[] = ['object'],
): Schema {
  const [part, ...rest] = at;
  if (part === undefined) return kind.entry === 'value' ? valueSchema(kind, reader) : entrySchema(kind, reader);
  if (part === '#') {
    return {
      type: types.map((type) => (type === 'object' ? 'array' : type)),
      description: aboutKind(kind),
      items: memberSchema(kind, rest, reader),
    };
  }
  return {
    type: types.length === 1 ? 'object' : types,
    description: types.length === 1 && rest.length === 0 ? `Names in one namespace. ${kind.about}` : aboutKind(kind),
    propertyNames: rest.length === 0 && kind.slashes === true ? ANY_KEY : PLAIN_KEY,
    ...(reader === 'editor' && rest.length === 1 && kind.definition ? { properties: kind.definition.known } : {}),
    additionalProperties: memberSchema(kind, rest, reader),
  };
}

function valueSchema(kind: Kind, reader: Reader): Schema {
  const field = kind.fields['value'];
  return field === undefined ? {} : fieldSchema(field, reader);
}

function entrySchema(kind: Kind, reader: Reader): Schema {
  const properties: Record<string, Schema> = {};
  if (kind.at.includes('#')) properties['key'] = { type: 'string', ...PLAIN_KEY, description: KEY_ABOUT };
  if (kind.id !== undefined)
    properties['id'] = idSchema(kind, `Id of the ${kind.noun.one} that the entry is bound to.`);
  if (kind.external === true) properties['external'] = externalSchema(kind);
  if (kind.outside !== undefined) Object.assign(properties, periodSchemas);
  if (kind.handsOver !== undefined) {
    properties[kind.handsOver] = {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      description: `Groups to which the ${kind.noun.one} hands chats over: a note that chatform checks and never sends.`,
      items: { $ref: '#/$defs/group_reference' },
    };
  }
  Object.assign(properties, fieldSchemas(kind, reader));
  for (const inner of ALL_KINDS) {
    const name = inner.at[kind.at.length];
    if (!isSection(inner) && name !== undefined && kind.at.every((part, depth) => part === inner.at[depth])) {
      properties[name] = memberSchema(inner, inner.at.slice(kind.at.length + 1), reader);
    }
  }
  const { computed = {}, instead = {} } = kind;
  const own = [
    ...Object.entries(computed).map(([name, { about }]) => [name, `remove it: a file cannot set it. ${about}`]),
    ...Object.entries(instead),
  ];
  return {
    type: 'object',
    description: kind.about,
    additionalProperties: false,
    properties,
    ...requirements(kind),
    // Only the message of an error reads it.
    ...(reader === 'target' && own.length > 0 ? { computed: Object.fromEntries(own) } : {}),
  };
}

/** Fields that an entry must have: some always, the others unless the entry is bound to an object that exists. */
function requirements(kind: Kind): Schema {
  const always = [...(kind.at.includes('#') ? ['key'] : []), ...(kind.identifying ?? [])];
  const unbound = kind.choosesId === true ? [] : kind.required.filter((name) => !always.includes(name));
  const bindings = [
    ...(kind.id === undefined ? [] : [{ required: ['id'] }]),
    ...(kind.external === true ? [{ required: ['external'] }] : []),
  ];
  if (unbound.length === 0 || bindings.length === 0) return { required: [...always, ...unbound] };
  return { required: always, if: { anyOf: bindings }, else: { required: unbound } };
}

function idSchema(kind: Kind, description: string): Schema {
  return kind.id === 'integer'
    ? { type: 'integer', minimum: 0, description }
    : { type: 'string', minLength: 1, description };
}

function externalSchema(kind: Kind): Schema {
  return {
    type: 'object',
    description: `One ${kind.noun.one} that is looked up, by its \`id\` or its \`name\`, and never written.`,
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: {
      id: idSchema(kind, `Id of the ${kind.noun.one}.`),
      name: { type: 'string', minLength: 1, description: `Name of the ${kind.noun.one}; no other may have it.` },
    },
  };
}

function fieldSchemas({ fields }: Kind, reader: Reader): Schema {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, reader)]));
}

function fieldSchema(field: Field, reader: Reader): Schema {
  const preset: Schema = field.default === undefined ? {} : { default: field.default };
  const bound = reader === 'editor' ? boundOf(field) : {};
  return { ...(field.written ?? field.schema), ...bound, ...preset, description: aboutField(field) };
}

function boundOf({ limit, schema }: Field): Schema {
  if (limit === undefined || !Number.isFinite(largest(limit))) return {};
  return schema['type'] === 'string' ? { maxLength: largest(limit) } : { maximum: largest(limit) };
}

function aboutField({ about, limit, schema }: Field): string {
  const most = limit === undefined ? null : limitText(limit);
  if (most === null) return about;
  return `${about} At most ${most}${schema['type'] === 'string' ? ' characters' : ''}.`;
}

function aboutKind({ about, capacity }: Kind): string {
  const most = capacity === undefined ? null : limitText({ create: capacity.limit, update: capacity.limit });
  if (most === null) return about;
  return `${about} At most ${most}${capacity?.per === 'namespace' ? [' per owner client', ...(capacity.among ?? [])].join(' and ') : ''}.`;
}

/** `$defs/<kind>_reference` for every kind that items of a list, or a value, point at. */
function referenceSchemas(): Schema {
  const definitions: Record<string, Json> = {};
  for (const kind of ALL_KINDS) {
    const pointed = ALL_KINDS.some(({ fields }) =>
      Object.values(fields).some(({ references }) => references?.kind === kind.name && references.at !== 'keys'),
    );
    if (!pointed) continue;
    definitions[`${kind.name}_reference`] = {
      description: `The key of ${oneOf(kind.noun.one)}, or \`{ external: { id | name } }\` for one that is not managed here.`,
      type: ['string', 'object'],
      additionalProperties: false,
      required: ['external'],
      properties: { external: externalSchema(kind) },
    };
  }
  return definitions;
}

const leaversSchema: Schema = {
  type: ['array', 'null'],
  description: 'People who left, by their keys: their accounts are suspended, and they leave every group.',
  items: { type: 'string', minLength: 1, description: 'The e-mail address of a person who left.' },
};

function movedSchema(): Schema {
  const address = (description: string): Schema => ({
    type: 'string',
    pattern: `^(${KIND_NAMES.join('|')})/.+$`,
    description,
  });
  return {
    type: ['array', 'null'],
    description:
      'Renamed keys, whose objects are kept: `- { from: group/old, to: group/new }`. An agent whose address changes gets a new account, and the old one is suspended.',
    items: {
      type: 'object',
      description: 'One renamed key.',
      additionalProperties: false,
      required: ['from', 'to'],
      properties: { from: address('Address before.'), to: address('Address now.') },
    },
  };
}
