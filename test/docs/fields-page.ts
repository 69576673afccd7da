// The kinds in; the page about every field of every kind out. What a reader cannot find in a contract has to get into the contract.

import { type Json, VERSIONS, type Version } from '../../src/base/model.ts';
import { KIND_NAMES, KINDS } from '../../src/kinds/index.ts';
import { type Field, type Kind, perVersion } from '../../src/kinds/kind.ts';
import { limitText } from '../../src/kinds/limits.ts';

const INTRODUCTION = `# Fields

Every field of every kind, as chatform knows it. This page is made from the code; what a field accepts in detail is in
[the schema](../schemas/manifest.schema.json), and what a plan says of fields that it cannot simply write in
[Plan and apply](apply.md#out-of-reach).

| Word | What it means |
|---|---|
| create, update | It can be written at any time |
| create | It can be set when the object is made, and never again: a later difference is out of reach |
| create, made again | Changing it deletes the object and makes it again, which may lose data and has to be acknowledged |
| own action | It changes by an action of its own, in a request of its own |
| for good | Once written it can never be taken back, so it has to be acknowledged |
| no | That version cannot write it |
| in lists | Every plan sees it |
| one by one | It is read with a request for each declared object |
| on some licenses | Where the service does not show it, what was applied is remembered |
| never | It is write-only: what was applied is remembered |

The default is what the service fills in when a new object is made without the field. A field that a reading leaves out means the value
in the last but one column; where there is none, nothing is known then, and the plan says so. Limits can be changed for a license with
[\`limits:\`](project.md#settings-of-a-target).
`;

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
  const forGood = field.irreversible === true ? ', for good' : '';
  switch (perVersion(field.writable, version)) {
    case 'always':
      return `create, update${forGood}`;
    case 'create':
      return kind.replacing === undefined ? 'create' : 'create, made again';
    case 'transition':
      return `${field.onCreate === true ? 'create, own action' : 'own action'}${forGood}`;
    case 'never':
      return 'no';
  }
}

const READ = { list: 'in lists', get: 'one by one', sometimes: 'on some licenses', never: 'never' } as const;

function read(field: Field): string {
  if (field.option === true) return 'never: it says how to write';
  const each = VERSIONS.map((version) => READ[perVersion(field.readable, version)]);
  return new Set(each).size === 1
    ? (each[0] ?? '')
    : VERSIONS.map((version, at) => `${each[at]} (${version})`).join(', ');
}

function limit({ limit: own, schema }: Field): string {
  const most = own === undefined ? null : limitText(own);
  return most === null ? '' : `${most}${schema['type'] === 'string' ? ' characters' : ''}`;
}

function fieldRow(kind: Kind, name: string, field: Field): readonly string[] {
  return [
    `\`${name}\``,
    ...VERSIONS.map((version) => written(kind, field, version)),
    read(field),
    code(field.default),
    limit(field),
    code(field.absent),
    field.about,
  ];
}

function capacity({ capacity: own }: Kind): string {
  const most = own === undefined ? null : limitText({ create: own.limit, update: own.limit });
  if (own === undefined) return 'not limited';
  return `${most ?? 'as many as the license has'}${own.per === 'namespace' ? ' per owner client' : ''} (\`limits.${own.limit}\`)`;
}

function prune({ prune: own, permanent }: Kind): string {
  if (own === 'none') return 'kept, unless `prune:` says otherwise';
  return permanent === undefined ? 'deleted' : 'deleted; kept where it is published';
}

/** What some version, or some credential, asks of a new object that declares nothing. */
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
    ['Versions', kind.versions.join(', ')],
    ['Recognised by', kind.naturalKeys.map(({ about }) => about).join('; else ')],
    ['Needed to make one', names(kind.required)],
    ...demands(kind).map((demand) => ['Needed too', demand]),
    ['Ours and no longer declared', prune(kind)],
    ['At most', capacity(kind)],
    ...(kind.replacing === undefined ? [] : [['Made again', kind.replacing.loses ?? 'nothing is lost']]),
    ...(kind.secret === undefined ? [] : [['Has a secret', `in ${kind.secret.versions.join(', ')}, told once`]]),
    ...(kind.manualStep === undefined ? [] : [['Left for a person', kind.manualStep]]),
  ]);
}

function computed({ computed: own }: Kind): readonly string[] {
  if (own === undefined) return [];
  const rows = Object.entries(own).map(([name, { about, versions }]) => [`\`${name}\``, versions.join(', '), about]);
  return [
    'Computed: the service alone decides these, so they can be neither declared nor compared.',
    '',
    table([['Member', 'Versions', 'What it is'], ...rows]),
  ];
}

function section(kind: Kind): string {
  const head = [
    'Field',
    ...VERSIONS.map((version) => `Written in ${version}`),
    'Read back',
    'Default',
    'Limit',
    'A reading without it',
    'What it is',
  ];
  const rows = Object.entries(kind.fields).map(([name, field]) => fieldRow(kind, name, field));
  const title = kind.noun.many.charAt(0).toUpperCase() + kind.noun.many.slice(1);
  return [`## ${title}`, '', kind.about, '', facts(kind), table([head, ...rows]), ...computed(kind)].join('\n');
}

export function fieldsPage(): string {
  return [INTRODUCTION, ...KIND_NAMES.map((name) => section(KINDS[name]))].join('\n').replace(/\n+$/, '\n');
}
