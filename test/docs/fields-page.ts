// The page about every field of every kind, made from the kinds, and about the properties of the service. It has no facts of its own.

import { DEFAULT_PROPERTIES, type DefaultProperty, LIMITED_RESOURCES } from '../../src/base/default-properties.ts';
import type { Schema } from '../../src/base/documents.ts';
import { canonicalJson, isList, isObject } from '../../src/base/json.ts';
import { type Json, VERSIONS, type Version } from '../../src/base/model.ts';
import { anyOf } from '../../src/kinds/features.ts';
import { type Field, perVersion } from '../../src/kinds/field.ts';
import { KIND_NAMES, KINDS } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { limitText, versionsText } from '../../src/kinds/limits.ts';

const INTRODUCTION = `# Fields

Every field of every kind, and what it accepts. This page is made from the code. [The manifest](manifest.md) says how fields
are written, and [the schema](../../schemas/manifest.schema.json) is for editors. A plan names each field that it cannot simply
write. In the names of members, \`NAME\` stands for any name, and \`[]\` for each item of a list.

| Word | Meaning |
|---|---|
| create, update | It can be written at any time |
| create | It can be set only when the object is created: a later difference cannot be changed through the API |
| create, replace | A change deletes the object and creates it again. This may lose data and must be acknowledged |
| own action | It has an action of its own, so a change takes a request of its own |
| irreversible | It cannot be undone, so it must be acknowledged |
| no | This version cannot write it |
| in lists | Every plan reads it |
| one by one | It takes one request for each declared object |
| on some licenses | Some licenses do not return it: then it is compared with what was last applied |
| never | It is write-only: it is compared with what was last applied |

Where the versions differ, the version is in brackets. The default is the value that the service gives a new object without this
field. A target can change the limits with [\`limits:\`](chatform-yaml.md).
`;

type Row = readonly string[];

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rest.map(line), ''].join('\n');
}

function code(value: Json | undefined): string {
  return value === undefined ? '' : `\`${JSON.stringify(value)}\``;
}

function names(values: readonly string[]): string {
  return values.map((name) => `\`${name}\``).join(', ');
}

function written(kind: Kind, field: Field, version: Version): string {
  if (!kind.versions.includes(version)) return 'no';
  const forGood = field.irreversible === true ? ', irreversible' : '';
  switch (perVersion(field.writable, version)) {
    case 'always':
      return `create, update${forGood}`;
    case 'create':
      return kind.replacing === undefined ? 'create' : 'create, replace';
    case 'transition':
      return `${field.onCreate === true ? 'create, own action' : 'own action'}${forGood}`;
    case 'never':
      return 'no';
  }
}

const READ = { list: 'in lists', get: 'one by one', sometimes: 'on some licenses', never: 'never' } as const;

function read(field: Field): string {
  if (field.option === true) return 'never: an option of the write';
  return perVersionText(VERSIONS.map((version) => READ[perVersion(field.readable, version)]));
}

function perVersionText(each: readonly string[]): string {
  return versionsText(each, ' (', ')');
}

function limit({ limit: own, schema }: Field): string {
  const most = own === undefined ? null : limitText(own);
  return most === null ? '' : `${most}${schema['type'] === 'string' ? ' characters' : ''}`;
}

function fieldRow(kind: Kind, name: string, field: Field): readonly string[] {
  return [
    `\`${name}\``,
    perVersionText(VERSIONS.map((version) => written(kind, field, version))),
    read(field),
    code(field.default),
    limit(field),
    field.about,
  ];
}

function capacity({ capacity: own }: Kind): string {
  const most = own === undefined ? null : limitText({ create: own.limit, update: own.limit });
  if (own === undefined) return 'no limit';
  return `${most ?? 'as many as the license has'}${own.per === 'namespace' ? ` for each ${['owner client', ...(own.among ?? [])].join(' and ')}` : ''} (\`limits.${own.limit}\`)`;
}

function prune({ prune: own, permanent }: Kind): string {
  if (own === 'none') return 'kept, unless `prune:` is set';
  return permanent === undefined ? 'deleted' : 'deleted; a published one is kept';
}

/** What a version or a credential demands of a new object that declares nothing. */
function demands({ creatable }: Kind): readonly string[] {
  const makers = VERSIONS.flatMap((version) =>
    (['bearer', 'basic'] as const).map((credential) => ({ version, credential })),
  );
  return [...new Set(makers.flatMap((maker) => creatable?.({}, maker)?.message ?? []))];
}

function facts(kind: Kind): string {
  const section = kind.at.map((part) => (part === '#' ? '[]' : `.${part}`)).join('');
  return table([
    ['About the kind', ''],
    ['Section', `\`${section.slice(1)}\``],
    ['Address', `\`${kind.name}/...\``],
    ['Versions', anyOf(kind.versions)],
    ['Recognised by', kind.naturalKeys.map(({ about }) => about).join('; otherwise ')],
    ['Needed to create one', names(kind.required)],
    ...demands(kind).map((demand) => ['Also needed', demand]),
    ['Owned and no longer declared', prune(kind)],
    ['At most', capacity(kind)],
    ...(kind.replacing === undefined ? [] : [['When it is replaced', kind.replacing.loses ?? 'nothing is lost']]),
    ...(kind.secret === undefined ? [] : [['Has a secret', `in ${anyOf(kind.secret.versions)}, shown once`]]),
    ...(kind.manualStep === undefined
      ? []
      : [['Manual step', `without \`${kind.manualStep.unless}\`: ${kind.manualStep.text}`]]),
  ]);
}

function computed({ computed: own }: Kind): readonly string[] {
  if (own === undefined) return [];
  const rows = Object.entries(own).map(([name, { about, versions }]) => [`\`${name}\``, anyOf(versions), about]);
  return [
    'Computed by the service, so they can be neither declared nor compared:',
    '',
    table([['Member', 'Versions', 'What it is'], ...rows]),
  ];
}

/** The closed choice of a value; of an open one, examples. */
function choiceOf({ enum: own, else: otherwise, examples }: Schema): string {
  const choice = own ?? (isObject(otherwise) ? otherwise['enum'] : undefined);
  const texts = (values: readonly Json[]): string =>
    names(values.flatMap((value) => (value === null ? [] : typeof value === 'string' ? value : JSON.stringify(value))));
  if (isList(choice)) return texts(choice);
  return isList(examples) ? `such as ${texts(examples)}` : '';
}

/** Rows of the members of a value, such as `rules[].type`. */
function memberRows(path: string, { items, properties, additionalProperties: entry }: Schema): readonly Row[] {
  return [
    ...(isObject(items) ? memberRows(`${path}[]`, items) : []),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
      isObject(member) ? [valueRow(`${path}.${name}`, member), ...memberRows(`${path}.${name}`, member)] : [],
    ),
    ...(isObject(entry) ? [valueRow(`${path}.NAME`, entry), ...memberRows(`${path}.NAME`, entry)] : []),
  ];
}

/** A list has the choice of its items. */
function valueRow(path: string, schema: Schema): Row {
  const { items, description } = schema;
  return [
    `\`${path}\``,
    choiceOf(isObject(items) ? items : schema),
    typeof description === 'string' ? description : '',
  ];
}

/** The kind before this one whose field of this name has the same members. */
function sameMembers(kind: Kind, name: string, field: Field): Kind | undefined {
  const before = KIND_NAMES.slice(0, KIND_NAMES.indexOf(kind.name)).map((each): Kind => KINDS[each]);
  return before.find(({ fields }) => {
    const other = fields[name];
    return other !== undefined && canonicalJson(writtenSchema(other)) === canonicalJson(writtenSchema(field));
  });
}

const writtenSchema = ({ written: own, schema }: Field): Schema => own ?? schema;

/** What a field accepts, where that is a choice or has members of its own. */
function values(kind: Kind): readonly string[] {
  const rows = Object.entries(kind.fields).flatMap(([name, field]): readonly Row[] => {
    const schema = writtenSchema(field);
    const [row, members] = [valueRow(name, schema), memberRows(name, schema)];
    const same = members.length > 1 ? sameMembers(kind, name, field) : undefined;
    if (same !== undefined)
      return [
        [`\`${name}\``, '', `The members are those of [${same.noun.many}](#${same.noun.many.replaceAll(' ', '-')}).`],
      ];
    return [...(row[1] === '' ? [] : [row]), ...members];
  });
  return rows.length === 0 ? [] : ['What they accept:', '', table([['Member', 'Values', 'What it is'], ...rows])];
}

function section(kind: Kind): string {
  const head = ['Field', 'Written', 'Read back', 'Default', 'Limit', 'What it is'];
  const rows = Object.entries(kind.fields).map(([name, field]) => fieldRow(kind, name, field));
  const title = kind.noun.many.charAt(0).toUpperCase() + kind.noun.many.slice(1);
  return [
    `## ${title}`,
    '',
    kind.about,
    '',
    facts(kind),
    ...(rows.length === 0 ? [] : [table([head, ...rows])]),
    ...values(kind),
    ...computed(kind),
  ].join('\n');
}

type Location = keyof DefaultProperty['access'];
const SETTINGS: readonly Location[] = ['license', 'group'];

const hasAccess = ({ access }: DefaultProperty, locations: readonly Location[]): boolean =>
  locations.some((location) => access[location] !== undefined);

/** `read`, `write`, both or nothing, at each location; the locations are named where they differ. */
function rightsText({ access }: DefaultProperty, user: 'agent' | 'customer', locations: readonly Location[]): string {
  const places = locations.filter((location) => access[location] !== undefined);
  const rights = places.map((location) => (access[location]?.[user] ?? []).join(', '));
  if (new Set(rights).size === 1) return rights[0] ?? '';
  return places.flatMap((place, at) => (rights[at] === '' ? [] : [`${rights[at]} (${place})`])).join('; ');
}

function propertyRow(property: DefaultProperty, locations: readonly Location[]): readonly string[] {
  const { namespace, name, type, access, domain, about } = property;
  return [
    `\`${namespace}\``,
    `\`${name}\``,
    locations.filter((location) => access[location] !== undefined).join(', '),
    type,
    domain === undefined ? '' : domain.map(code).join(', '),
    rightsText(property, 'agent', locations),
    rightsText(property, 'customer', locations),
    `${about}.`,
  ];
}

const PROPERTY_HEAD = ['Namespace', 'Name', 'On', 'Type', 'Values', 'Agents', 'Customers', 'What it is'];

function propertyTable(locations: readonly Location[]): string {
  const rows = DEFAULT_PROPERTIES.filter(
    (property) => property.namespace !== 'limits' && hasAccess(property, locations),
  ).map((property) => propertyRow(property, locations));
  return table([PROPERTY_HEAD, ...rows]);
}

/** Properties that every license has. */
function defaultProperties(): string {
  return [
    '## Properties of the service',
    '',
    'Every license has these properties. Their names, types and access never change. A manifest sets those on which agents have',
    '`write`, under `license_properties` or under `properties` of a group. chatform refuses everything else before it reads the',
    'license.',
    '',
    propertyTable(SETTINGS),
    `The namespace \`limits\` has \`.base\`, \`.additional\` and \`.hard\` of ${names(LIMITED_RESOURCES)}. Agents can read them on the`,
    'license, and only the service sets them.',
    '',
    'Properties of chats, threads and events. An application reads and writes them through the APIs of chats:',
    '',
    propertyTable(['chat', 'thread', 'event']),
  ].join('\n');
}

export function fieldsPage(): string {
  return [INTRODUCTION, ...KIND_NAMES.map((name) => section(KINDS[name])), defaultProperties()]
    .join('\n')
    .replace(/\n+$/, '\n');
}
