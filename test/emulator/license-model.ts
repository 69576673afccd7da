// A model of a license, in a few maps and lists, and the effect of each action on it: a second, smaller reading of the specification.
// Knows only the ids that the emulator answered.

export interface Model {
  readonly agents: Set<string>;
  readonly groups: Set<number>;
  /** `agent group` -> priority. */
  readonly edges: Map<string, string>;
  rules: readonly { readonly id: string; readonly groups: readonly number[] }[];
  /** Name -> whether it is published; all of them ints from 0 to 3. */
  readonly properties: Map<string, boolean>;
  /** `holder name` -> value; a holder is `license` or the id of a group. */
  readonly values: Map<string, number>;
}

const OWNER = 'owner@example.com';

/** A license that has an owner, another agent, a group and a property. */
export function freshModel(): Model {
  return {
    agents: new Set([OWNER, 'ann']),
    groups: new Set([0, 1]),
    edges: new Map([
      [`${OWNER} 0`, 'normal'],
      ['ann 1', 'first'],
    ]),
    rules: [],
    properties: new Map([['p', false]]),
    values: new Map(),
  };
}

const endOf = (edge: string, end: 0 | 1): string => edge.split(' ')[end] ?? '';

function drop(map: Map<string, unknown>, isLost: (key: string) => boolean): void {
  for (const key of [...map.keys()]) if (isLost(key)) map.delete(key);
}

export function deleteAgent(model: Model, id: string): void {
  model.agents.delete(id);
  drop(model.edges, (edge) => endOf(edge, 0) === id);
}

export function deleteGroup(model: Model, id: number): void {
  model.groups.delete(id);
  drop(model.edges, (edge) => endOf(edge, 1) === String(id));
  drop(model.values, (key) => endOf(key, 0) === String(id));
  model.rules = model.rules.map((rule) => ({ ...rule, groups: rule.groups.filter((group) => group !== id) }));
}

/** The whole map of one end of the relation: `edges` is by the other end. */
export function setEdges(model: Model, end: 0 | 1, id: string, edges: ReadonlyMap<string, string>): void {
  drop(model.edges, (edge) => endOf(edge, end) === id);
  for (const [other, priority] of edges) model.edges.set(end === 0 ? `${id} ${other}` : `${other} ${id}`, priority);
}

/** Puts a rule before another one, or at the end; one that is in the list already is moved. */
export function placeRule(model: Model, rule: Model['rules'][number], next: string): void {
  const rest = model.rules.filter(({ id }) => id !== rule.id);
  const at = next === '' ? rest.length : rest.findIndex(({ id }) => id === next);
  model.rules = [...rest.slice(0, at), rule, ...rest.slice(at)];
}

export function unregister(model: Model, name: string): void {
  model.properties.delete(name);
  drop(model.values, (key) => endOf(key, 1) === name);
}
