// Lists of one kind for people: rules as sentences in their order, and people as a roster. Other kinds are a table.

import { countedBy, groupedBy } from '../../base/grouped.ts';
import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/model.ts';
import { series } from '../../base/text.ts';
import { KINDS, ORDERED } from '../../kinds/index.ts';
import { changesBetween } from '../../kinds/words.ts';
import type { Block, Entry, List, Row, Table, Text } from '../../view/blocks.ts';
import type { ShownObject } from './schema.ts';

/** Names of groups in the place of their addresses. */
type Called = { readonly [group: string]: string };

export interface RuleNote {
  readonly isFaint?: boolean;
  readonly below?: readonly Text[];
}

/** The rules as sentences, or the roster; null for other kinds. */
export function listOf(resources: readonly ShownObject[]): Block | null {
  const [first] = resources;
  if (first === undefined) return null;
  if (first.type === ORDERED.name) return ruleList(resources);
  return KINDS[first.type].serving === undefined ? null : roster(resources);
}

/** `noteOf`: what else is said of a rule. */
export function ruleList(
  rules: readonly ShownObject[],
  noteOf: (rule: ShownObject) => RuleNote = () => ({}),
  called: Called = {},
): List {
  const texts = rules.map((rule): Entry => {
    const { address, ownership, spec } = rule;
    const { description } = spec;
    const { isFaint = false, below = [] } = noteOf(rule);
    const known = [
      ...(typeof description === 'string' && description !== '' ? [description] : []),
      ...(ownership === 'declared' ? [] : [OWNERSHIP[ownership]]),
    ];
    const tone = isFaint ? ({ tone: 'faint' } as const) : {};
    return {
      text: [
        { text: address, as: 'address', ...tone },
        { text: `: ${ruleSentence(spec, called)}`, ...tone },
      ],
      below: [...known.map((text) => ({ text, tone: 'faint' }) as const), ...below],
    };
  });
  return { type: 'list', texts, isOrdered: true, most: Number.POSITIVE_INFINITY };
}

/** `if the URL contains /pricing or /plans, and the visitor is from PL: to group/sales`. */
export function ruleSentence(spec: ShownObject['spec'], called: Called = {}): string {
  const conditions = saidOf('conditions', spec, called).map(
    ({ about, says }) => `${SUBJECT[about] ?? `the ${about}`} ${says}`,
  );
  const [to] = saidOf('access', spec, called);
  return `${conditions.length === 0 ? 'conditions not read' : `if ${conditions.join(', and ')}`}: to ${to?.says ?? 'no group'}`;
}

const SUBJECT: { readonly [about: string]: string } = { from: 'the visitor is from' };

/** What a field says of each subject, with all values: any of them is enough. */
function saidOf(
  name: 'conditions' | 'access',
  spec: ShownObject['spec'],
  called: Called,
): readonly { readonly about: string; readonly says: string }[] {
  const [field, value] = [ORDERED.fields[name], spec[name]];
  if (field === undefined || value === undefined) return [];
  const subjects = groupedBy(
    changesBetween(field, null, value, (reference) => called[reference] ?? reference),
    ({ about }) => about,
  );
  const joint = name === 'access' ? 'and' : 'or';
  return Array.from(subjects, ([about, all]) => ({
    about,
    says: series(
      all.map(({ after }) => after ?? ''),
      joint,
    ),
  }));
}

const OWNERSHIP = { owned: 'no longer declared', unmanaged: 'no file has it' } as const;

/** A line for each person: how many chats, of which groups, and what keeps them from it. Where there is no room, the address goes, then the role. */
function roster(people: readonly ShownObject[]): Table {
  const names = countedBy(people, ({ name }) => name);
  const isShared = people.some(({ name, id }) => name !== String(id) && (names.get(name) ?? 0) > 1);
  const rows = people.map((person): Row => {
    const { address, type, name, spec } = person;
    const { serving } = KINDS[type];
    const chats = serving === undefined ? undefined : spec[serving.slots];
    return {
      cells: [
        { text: address, as: 'address' },
        name,
        chats === undefined ? '-' : String(chats),
        { names: groupsOf(serving === undefined ? undefined : spec[serving.groups]) },
        { names: notesOf(person) },
        typeof spec['role'] === 'string' ? spec['role'] : '',
      ],
    };
  });
  return {
    type: 'table',
    name: 'Roster',
    columns: [
      // Two people of one name are told apart by their addresses.
      { title: 'Address', ...(isShared ? {} : { dispensable: 2 }) },
      ...['Name', 'Chats', 'Groups', 'Note'].map((title) => ({ title })),
      { title: 'Role', dispensable: 1 },
    ],
    rows,
    isList: true,
  };
}

/** `sales (first)`: the key, and the priority that is not the usual one. */
function groupsOf(groups: Json | undefined): readonly string[] {
  if (!isObject(groups)) return [];
  return Object.entries(groups).map(([group, priority]) => {
    const key = group.replace(/^group\//, '');
    return priority === 'normal' ? key : `${key} (${String(priority)})`;
  });
}

/** What is unusual about a person, the most important first. */
function notesOf({ type, spec, ownership }: ShownObject): readonly string[] {
  const { serving } = KINDS[type];
  const bar = serving?.bar(spec) ?? null;
  return [
    ...(bar === null ? [] : [bar]),
    ...(serving !== undefined && spec[serving.slots] === 0 ? ['no chats'] : []),
    ...(ownership === 'declared' ? [] : [OWNERSHIP[ownership]]),
  ];
}
