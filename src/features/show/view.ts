// The view of what a license has: counts by kind, the objects of a kind, or one resource in full.

import { groupedBy } from '../../base/grouped.ts';
import { isObject } from '../../base/json.ts';
import type { Address, Json } from '../../base/model.ts';
import { capital, counted } from '../../base/text.ts';
import { isMembership, KINDS, kindOf } from '../../kinds/index.ts';
import { valueText } from '../../kinds/words.ts';
import type { Block, FactsBlock, Mark, Row, Table, Text, View } from '../../view/blocks.ts';
import { time } from '../../view/plain.ts';
import { differencesBlock } from '../../view/words/difference.ts';
import { listOf } from './lists.ts';
import { type MembersBy, memberCounts, membersResult, membersTable, membersView } from './members.ts';
import type { Shown, ShownObject, ShownReference } from './schema.ts';

const READ: Mark = { sign: '✓', word: 'read', tone: 'calm' };
const IN_PART: Mark = { sign: '!', word: 'in part', tone: 'warning' };

export function shownView(shown: Shown, by: MembersBy): View {
  const { target, members, resources, warnings, failures } = shown;
  const name = { text: target, as: 'name' } as const;
  const warned = [...warnings, ...failures.map((failure) => `not everything could be read: ${failure}`)];
  const frame = {
    mark: failures.length === 0 ? READ : IN_PART,
    about: warned.map((text): Text => [{ text: 'Warning:', tone: 'warning' }, ` ${text}`]),
  };
  if (members !== undefined)
    return {
      ...frame,
      ...membersView(members, by),
      title: ['Group members of ', name],
      result: membersResult(members),
    };
  if (resources === null)
    return { ...frame, title: ['Content of ', name], result: countsText(shown), body: [kindsTable(shown)] };
  const [only] = resources;
  if (shown.referred_to_by !== null && only !== undefined)
    return {
      ...frame,
      title: ['Content of ', name, ', ', { text: only.address, as: 'address' }],
      result: resourceText(only, shown),
      body: resourceBlocks(only, shown),
    };
  return {
    ...frame,
    title: ['Content of ', name, ', ', nounOf(shown, 2)],
    result: countsText(shown),
    body: [listOf(resources) ?? resourcesTable(resources)],
  };
}

function nounOf({ kinds }: Pick<Shown, 'kinds'>, count: number): string {
  const [kind, ...others] = kinds;
  const { one, many } =
    kind === undefined || others.length > 0 ? { one: 'object', many: 'objects' } : KINDS[kind.type].noun;
  return count === 1 ? one : many;
}

/** `3 groups: 1 declared, 2 unmanaged.` */
function countsText(shown: Shown): string {
  const sum = (of: 'total' | 'declared' | 'owned' | 'unmanaged'): number =>
    shown.kinds.reduce((total, kind) => total + kind[of], 0);
  const parts = (['declared', 'owned', 'unmanaged'] as const).flatMap((of) =>
    sum(of) > 0 ? [`${sum(of)} ${of}`] : [],
  );
  const total = sum('total');
  return `${total} ${nounOf(shown, total)} on the license${parts.length === 0 ? '' : `: ${parts.join(', ')}`}.`;
}

/** Counts of one target among others. */
export function figuresOf({ members, kinds, resources, differences }: Shown): { readonly [column: string]: number } {
  if (members !== undefined) {
    const { groups, agents, bots } = memberCounts(members);
    return { groups, agents, bots };
  }
  if (differences !== null) return { differences: differences.length };
  return { objects: resources?.length ?? kinds.reduce((sum, { total }) => sum + total, 0) };
}

function kindsTable({ kinds }: Shown): Table {
  return {
    type: 'table',
    name: 'Objects by kind',
    columns: ['Kind', 'Total', 'Declared', 'Owned', 'Unmanaged'].map((title, at) => ({ title, isNumber: at > 0 })),
    rows: kinds.map(({ type, read, total, declared, owned, unmanaged }) => ({
      cells: [type, ...(read ? [total, declared, owned, unmanaged] : ['not read', '', '', ''])],
    })),
  };
}

/** Columns of the kind, in the words of people. */
function resourcesTable(resources: readonly ShownObject[]): Table {
  const columns = columnsOf(resources);
  const titles = ['address', 'name', ...columns, 'ownership'];
  return {
    type: 'table',
    name: 'Objects',
    columns: titles.map((title) => ({ title: titleOf(title) })),
    rows: resources.map((resource) => ({ cells: cellsOf(resource, columns, '-') })),
    isList: true,
  };
}

function columnsOf([first]: readonly ShownObject[]): readonly string[] {
  if (first === undefined) return [];
  const { columns, computed = {} } = KINDS[first.type];
  return [...columns, ...Object.entries(computed).flatMap(([name, { listed }]) => (listed === true ? [name] : []))];
}

function titleOf(column: string): string {
  return capital(column.replaceAll('_', ' '));
}

function cellsOf(
  { type, address, id, name, spec, computed, ownership }: ShownObject,
  columns: readonly string[],
  unread: string,
): Row['cells'] {
  return [
    { text: address, as: 'address' },
    name === String(id) ? '' : name,
    ...columns.map((column) => {
      const json = spec[column] ?? computed?.[column];
      if (json === undefined) return unread;
      const names = namesIn(json);
      return names === null ? wordsOf({ type }, column, json, () => null) || briefly(json) : { names };
    }),
    ownership,
  ];
}

/** The members of a list or a mapping, also below a single name (`groups a`, `b`); null for other values. */
function namesIn(json: Json): readonly string[] | null {
  if (typeof json !== 'object' || json === null) return null;
  if (Array.isArray(json)) return json.every(isScalar) ? json.map(briefly) : null;
  const members = Object.entries(json);
  if (members.every(([, member]) => isScalar(member)))
    return members.map(([name, member]) => `${name} ${briefly(member)}`.trim());
  const [[name, member] = ['', null], ...others] = members;
  const [first, ...rest] = (others.length === 0 ? namesIn(member) : null) ?? [];
  return first === undefined ? null : [`${name} ${first}`, ...rest];
}

function isScalar(json: Json): boolean {
  return typeof json !== 'object' || json === null;
}

function briefly(json: Json): string {
  if (json === null) return '';
  if (typeof json !== 'object') return String(json);
  if (Array.isArray(json)) return json.map(briefly).join(', ');
  return Object.entries(json)
    .map(([name, member]) => `${name} ${briefly(member)}`.trim())
    .join(', ');
}

function resourceText({ address, ownership }: ShownObject, { differences }: Shown): string {
  const differing =
    differences === null || differences.length === 0 ? '' : `; ${counted(differences.length, 'difference')}`;
  return `${address}: ${ownership}${differing}.`;
}

function resourceBlocks(
  entry: ShownObject,
  { refers_to: to, referred_to_by: by, differences }: Shown,
): readonly Block[] {
  const [first, ...others] = differences ?? [];
  const names = new Map((to ?? []).flatMap(({ address, name }) => (name === null ? [] : [[address, name] as const])));
  const named = (reference: string): string | null => names.get(reference) ?? null;
  return [
    factsOf(entry),
    {
      type: 'section',
      id: 'fields',
      title: 'On the license',
      body: [
        {
          type: 'facts',
          facts: Object.entries({ ...entry.spec, ...entry.computed }).flatMap(([field, json]) => {
            const said = wordsOf(entry, field, json, named);
            return said === '' ? fieldFacts(field, json, named) : [[field, said] as const];
          }),
        },
        ...(entry.unread.length === 0
          ? []
          : [{ type: 'text', text: { text: `not read: ${entry.unread.join(', ')}`, tone: 'faint' } } as const]),
      ],
    },
    ...(first === undefined
      ? []
      : [
          {
            type: 'section',
            id: 'differences',
            title: 'Differs from the applied or declared values',
            count: others.length + 1,
            body: [differencesBlock([first, ...others])],
          } as const,
        ]),
    // References of fields stand among these.
    ...referencesSection(
      'to',
      'Belongs to',
      (to ?? []).filter(({ field }) => field === null),
    ),
    ...referencesSection(
      'by',
      'Referred to by',
      (by ?? []).filter((other) => !isSaidBy(entry, other)),
    ),
  ];
}

/** Whether a reference is the membership that a field of the object has already said. */
function isSaidBy({ type, spec }: ShownObject, { address, field }: ShownReference): boolean {
  return Object.entries(spec).some(
    ([own, value]) =>
      isMembership(type, own) &&
      field !== null &&
      isMembership(kindOf(address as Address), field) &&
      isObject(value) &&
      Object.hasOwn(value, address),
  );
}

/** What chatform knows of an object in addition to its fields. */
function factsOf(entry: ShownObject): FactsBlock {
  const { address, name, id, ownership, origin, last_applied: applied, source, spec } = entry;
  const owned = ownership === 'owned' ? 'no longer' : 'no';
  return {
    type: 'facts',
    facts: [
      ['address', { text: address, as: 'address' }],
      ...(name === String(id) || spec['name'] === name ? [] : [['name', name] as const]),
      ...(address.endsWith(`/${id}`) ? [] : [['id', String(id)] as const]),
      ['declared', source === null ? owned : { text: `${source.file}:${source.line}`, as: 'file' }],
      ['owned', origin ?? 'no'],
      ...(applied === null ? [] : [['last applied', { text: time(applied), as: 'time' }] as const]),
    ],
  };
}

/** A text that needs no quotes. */
const BARE = /^(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z][\w @./+-]*(?<! )$/i;

/** A value that people say in words, such as hours; empty for one that they do not. */
function wordsOf(
  { type }: Pick<ShownObject, 'type'>,
  name: string,
  json: Json,
  named: (reference: string) => string | null,
): string {
  const field = KINDS[type].fields[name];
  if (field?.phrases === undefined || isMembership(type, name)) return '';
  return valueText(field, json, Number.POSITIVE_INFINITY, (reference) => {
    const called = named(reference);
    return called === null ? reference : `${reference} (${called})`;
  });
}

/**
 * A mapping is a fact for each member, a list of other lists and mappings a fact for each entry; a reference also has its name.
 */
function fieldFacts(name: string, json: Json, named: (reference: string) => string | null): FactsBlock['facts'] {
  const withName = (reference: string, text: string): string => {
    const called = named(reference);
    return called === null ? text : `${text}, ${called}`;
  };
  if (typeof json === 'string') return [[name, withName(json, scalar(json))]];
  if (typeof json !== 'object' || json === null) return [[name, scalar(json)]];
  if (!Array.isArray(json)) {
    const members = Object.entries(json);
    return members.length === 0
      ? [[name, '{}']]
      : members.flatMap(([member, each]) =>
          typeof each === 'string' && named(member) !== null
            ? [[`${name}.${member}`, withName(member, scalar(each))] as const]
            : fieldFacts(`${name}.${member}`, each, named),
        );
  }
  if (json.length === 0) return [[name, '[]']];
  return json.every((each) => typeof each !== 'object')
    ? [[name, json.map((each) => (typeof each === 'string' ? withName(each, scalar(each)) : scalar(each))).join(', ')]]
    : json.map((each, index) => [index === 0 ? name : '', scalar(each)] as const);
}

function scalar(json: Json): string {
  return typeof json === 'string' && BARE.test(json) ? json : JSON.stringify(json);
}

function referencesSection(id: string, title: string, references: readonly ShownReference[]): readonly Block[] {
  if (references.length === 0) return [];
  const rows = Array.from(groupedBy(references, ({ address }) => address).values(), ([first, ...others]): Row => {
    const { address, name } = first;
    const isNamed = name === null || address.endsWith(`/${name}`);
    const fields = [first, ...others].map(({ field }) => field ?? 'value').join(', ');
    return { cells: [{ text: address, as: 'address' }, isNamed ? '' : name, fields] };
  });
  const columns = [{ title: 'Object' }, { title: 'Name', dispensable: 1 }, { title: 'Field' }];
  return [
    {
      type: 'section',
      id,
      title,
      count: rows.length,
      body: [{ type: 'table', name: title, columns, rows, isList: true }],
    },
  ];
}

/** As a program reads it. */
export function shownTable({ members, resources, kinds }: Shown, by: MembersBy): Table {
  if (members !== undefined) return membersTable(members, by);
  if (resources === null)
    return {
      type: 'table',
      columns: ['kind', 'total', 'declared', 'owned', 'unmanaged'].map((title) => ({ title })),
      rows: kinds.map(({ type, read, total, declared, owned, unmanaged }) => ({
        cells: [type, ...(read ? [total, declared, owned, unmanaged] : ['not read', '', '', ''])],
      })),
    };
  const columns = columnsOf(resources);
  return {
    type: 'table',
    columns: ['address', 'name', ...columns, 'ownership'].map((title) => ({ title })),
    rows: resources.map((resource) => ({ cells: cellsOf(resource, columns, 'not read') })),
  };
}
