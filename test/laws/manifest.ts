// A wish and the license it is made for in; the manifest that asks for it out, valid on that license.

import type { Address, Desired, External, Json, KindName, ObjectId, Reference, Spec } from '../../src/base/model.ts';
import type { Declared } from '../desired.ts';
import { desiredOf } from '../desired.ts';
import { DRAWINGS, recordedAs } from './kinds/index.ts';
import type { Records } from './records.ts';
import { AGENTS, BOTS, DEFINITIONS, GROUPS, OTHER_AGENTS, OTHER_GROUPS, RULES, TEMPLATES } from './slots.ts';
import type { Wish } from './wish.ts';

export interface Setting {
  readonly records: Records;
  /** What the ledger owns. */
  readonly bindings: ReadonlyMap<Address, ObjectId>;
}

export const mailOf = (slot: number): string => `${AGENTS[slot]}@example.com`;

/** Where a person who edits by hand finds them. */
export const OTHERS: {
  readonly [name: string]: { readonly kind: KindName; readonly id: ObjectId; readonly name: string };
} = {
  general: { kind: 'group', id: 0, name: 'General' },
  walkins: { kind: 'group', id: 90, name: 'Walk-ins' },
  boss: { kind: 'agent', id: 'boss@example.com', name: 'The Boss' },
  zoe: { kind: 'agent', id: 'zoe@example.com', name: 'Zoe' },
};

function isLive(kind: KindName, id: ObjectId, all: Records): boolean {
  const { agents, groups, bots, templates, rules, properties } = all;
  switch (kind) {
    case 'agent':
      return agents.some((found) => found.id === id);
    case 'group':
      return groups.some((found) => found.id === id);
    case 'bot':
      return bots.some((found) => found.id === id);
    case 'bot_template':
      return templates.some((found) => found.id === id);
    case 'auto_access':
      return rules.some((found) => found.id === id);
    case 'property':
      return properties.some(({ namespace, name }) => `${namespace}/${name}` === id);
    case 'license_property':
    case 'group_property':
      return false;
    default:
      return recordedAs(kind, id, all) !== undefined;
  }
}

/** Which part of a wish the license lets a manifest say: required fields can be left out, and ids named, of what is there and ours. */
function entryOf(
  kind: KindName,
  key: string,
  spec: Spec,
  how: { readonly withId: boolean; readonly omitted: readonly string[] },
  { bindings, records }: Setting,
): Declared {
  const id = bindings.get(`${kind}/${key}`);
  const known = id !== undefined && isLive(kind, id, records);
  // Without its access nobody can say whether a definition can have a default.
  const omitted = how.omitted.includes('access') ? [...how.omitted, 'default_value'] : how.omitted;
  const kept = Object.entries(spec).filter(([name]) => !(known && omitted.includes(name)));
  const named = known && how.withId && kind !== 'property' ? { id } : {};
  return { kind, key, spec: Object.fromEntries(kept), ...named };
}

export function manifestOf(wish: Wish, setting: Setting): Desired {
  const { records, bindings } = setting;
  const used = new Set<string>();
  const external = (name: string): Reference => {
    used.add(name);
    return `${OTHERS[name]?.kind}/${name}`;
  };
  const groupAt = (column: number): Reference | null => {
    if (column >= GROUPS.length) return external(OTHER_GROUPS[column - GROUPS.length] ?? '');
    return wish.groups[column] === null ? null : `group/${GROUPS[column]}`;
  };
  const agentKey = (row: number): string => (wish.agents[row]?.named === true ? (AGENTS[row] ?? '') : mailOf(row));
  const agentAt = (row: number): Reference | null => {
    if (row >= AGENTS.length) return external(OTHER_AGENTS[row - AGENTS.length] ?? '');
    return wish.agents[row] === null ? null : `agent/${agentKey(row)}`;
  };
  const entries = (priorities: readonly (string | null)[], at: (index: number) => Reference | null): Spec =>
    Object.fromEntries(
      priorities.flatMap((priority, index) => {
        const reference = priority === null ? null : at(index);
        return priority === null || reference === null ? [] : [[reference, priority] as const];
      }),
    );

  /** Of a group that keeps the others: only every other agent, who may be none of its members. */
  const membersOf = ({ keepsOthers }: { readonly keepsOthers: boolean }, column: readonly (string | null)[]): Spec => {
    if (!keepsOthers) return entries(column, agentAt);
    const named = column.map((priority, row) => (row % 2 === 0 ? (priority ?? 'none') : null));
    return { ...entries(named, agentAt), others: 'keep' };
  };

  const agents = wish.agents.flatMap((agent, row): readonly Declared[] => {
    if (agent === null) return [];
    const groups = agent.declaresGroups ? { groups: entries(wish.edges[row] ?? [], groupAt) } : {};
    const made = entryOf('agent', agentKey(row), { ...agent.spec, ...groups }, agent, setting);
    return [agent.named ? { ...made, id: mailOf(row) } : made];
  });
  const groups = wish.groups.flatMap((group, column): readonly Declared[] => {
    if (group === null) return [];
    const column_ = wish.edges.map((row) => row[column] ?? null);
    const members = group.declaresAgents ? { agent_priorities: membersOf(group, column_) } : {};
    return [entryOf('group', GROUPS[column] ?? '', { ...group.spec, ...members }, group, setting)];
  });
  const bots = wish.bots.flatMap((bot, slot): readonly Declared[] => {
    if (bot === null) return [];
    const memberships = bot.declaresGroups ? { groups: entries(bot.groups, groupAt) } : {};
    return [entryOf('bot', BOTS[slot] ?? '', { ...bot.spec, ...memberships }, bot, setting)];
  });
  const templates = wish.templates.flatMap((template, slot): readonly Declared[] =>
    template === null ? [] : [entryOf('bot_template', TEMPLATES[slot] ?? '', template.spec, template, setting)],
  );
  const rules = wish.rules.map((rule): Declared => {
    const targets = rule.groups.map(groupAt).filter((reference) => reference !== null);
    const access: Json = { groups: targets.length > 0 ? targets : [external('general')] };
    return entryOf('auto_access', RULES[rule.slot] ?? '', { ...rule.spec, access }, rule, setting);
  });
  const drawn = DRAWINGS.flatMap(({ kind, declared }) =>
    wish.drawn[kind] === undefined
      ? []
      : declared(wish.drawn[kind], {
          groupAt,
          general: () => external('general'),
          idOf: (group) => OTHERS[group.slice('group/'.length)]?.id ?? bindings.get(group as Address),
          bound: (own, key) => bindings.get(`${own}/${key}`),
          entry: (own, key, spec, how) => entryOf(own, key, spec, how, setting),
          records,
        }),
  );
  const definitions = wish.definitions.flatMap((definition, slot): readonly Declared[] =>
    definition === null ? [] : [entryOf('property', definitionKey(slot), definition.spec, definition, setting)],
  );
  const declared = [...agents, ...groups, ...bots, ...templates, ...rules, ...drawn, ...definitions];
  const values = valuesOf(wish, declared, setting);
  return desiredOf(
    [...declared, ...values],
    [...used].map((name) => externalOf(name, wish.externalsById)),
  );
}

function definitionKey(slot: number): string {
  const { namespace, name } = DEFINITIONS[slot] ?? DEFINITIONS[0];
  return `${namespace}/${name}`;
}

function externalOf(name: string, byId: boolean): External {
  const { kind, id, name: title } = OTHERS[name] ?? { kind: 'group', id: 0, name: '' };
  const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
  return { address: `${kind}/${name}`, kind, id: byId ? id : null, name: byId ? null : title, place };
}

/** Values stand where the definition lets them, once this manifest is applied. */
function valuesOf(wish: Wish, declared: readonly Declared[], setting: Setting): readonly Declared[] {
  const chosen = (slot: number, index: number): Json => {
    const { values } = DEFINITIONS[slot] ?? DEFINITIONS[0];
    return values[index % values.length] ?? null;
  };
  const license = wish.licenseValues.flatMap((index, slot): readonly Declared[] =>
    index === null || !accepts(slot, 'license', declared, setting)
      ? []
      : [{ kind: 'license_property', key: definitionKey(slot), spec: { value: chosen(slot, index) } }],
  );
  const groups = wish.groupValues.flatMap((values, column) =>
    values.flatMap((index, slot): readonly Declared[] =>
      index === null || wish.groups[column] === null || !accepts(slot, 'group', declared, setting)
        ? []
        : [
            {
              kind: 'group_property',
              key: `${GROUPS[column]}/${definitionKey(slot)}`,
              spec: { value: chosen(slot, index) },
            },
          ],
    ),
  );
  return [...license, ...groups];
}

function accepts(
  slot: number,
  location: 'license' | 'group',
  declared: readonly Declared[],
  { records, bindings }: Setting,
): boolean {
  const key = definitionKey(slot);
  const live = records.properties.find(({ namespace, name }) => `${namespace}/${name}` === key);
  const own = declared.find(({ kind, key: other }) => kind === 'property' && other === key);
  if (own === undefined) {
    const stays = live !== undefined && (!bindings.has(`property/${key}`) || live.published !== undefined);
    return stays && live.access[location] !== undefined;
  }
  const access = own.spec['access'] ?? live?.access ?? {};
  return Object.hasOwn(Object(access), location);
}
