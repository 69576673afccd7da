// Members that a rule can read are those of the published plan, and another one is an error at its place.

import { expect, test } from 'vitest';
import { planSchema } from '../../../src/plan/plan.ts';
import { readRule } from '../../../src/project/policies/cel.ts';
import { PLAN_MEMBERS, type PlanMembers } from '../../../src/project/policies/members.ts';

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: Schema | boolean;
}

/** Every path of names that a schema has. */
function paths({ anyOf = [], items, properties = {}, additionalProperties: more }: Schema): readonly string[] {
  return [
    ...anyOf.flatMap(paths),
    ...(items === undefined ? [] : paths(items)),
    ...(typeof more === 'object' ? ['*'] : []),
    ...Object.entries(properties).flatMap(([name, own]) => [name, ...paths(own).map((inner) => `${name}.${inner}`)]),
  ];
}

function pathsIn(members: PlanMembers): readonly string[] {
  return Object.entries(members ?? {}).flatMap(([name, own]) => [
    name,
    ...pathsIn(own).map((inner) => `${name}.${inner}`),
  ]);
}

test('They are those of the schema of a plan, and the fields of kinds', () => {
  const isOfKind = (path: string): boolean => /^resource_changes\.change\.(?:before|after)\./.test(path);
  const own = pathsIn(PLAN_MEMBERS).filter((path) => !isOfKind(path) && path !== 'errored' && path !== 'diagnostics');
  const published = paths(planSchema as Schema).filter((path) => !isOfKind(path) && !/\*\./.test(path));
  expect([...new Set(own)].sort()).toEqual(
    [...new Set(published)].filter((path) => path !== 'errored' && path !== 'diagnostics').sort(),
  );
});

test.each([
  [
    'plan.resource_change.all(c, true)',
    'no plan has the member `resource_change` there; did you mean `resource_changes`?',
  ],
  ['plan.resource_changes.all(c, c.actions == [])', 'no plan has the member `actions` there: it has address'],
  ['plan.resource_changes.all(c, c.change.after.max_chat_count < 9)', 'did you mean `max_chats_count`?'],
  ['!has(plan.summary.added)', 'did you mean `add`?'],
  ['plan.resource_changes.filter(c, c.type == "agent").exists(d, d.adress == "x")', 'did you mean `address`?'],
  ['impact.moved_per_weak < 3.0', 'did you mean `moved_per_week`?'],
  ['plan.?summry.orValue(1) == 1', 'did you mean `summary`?'],
])('%s', async (rule, message) => {
  const read = await readRule(rule);
  const mistake = read.mistake ?? read.unknown;
  if (mistake === null) throw new Error('it is right');
  expect(mistake.message).toContain(message);
  expect(mistake.message).toContain(`\`${rule.slice(mistake.start, mistake.end)}\``);
});

test.each([
  'plan.resource_changes.all(c, c.type != "group" || c.change.after == null || c.change.after.name == "x")',
  'plan.requests.by_action.list_agents < 3',
  'plan["anything"] == 1',
  'plan.resource_changes[0].address == "group/x"',
  'plan.resource_changes.map(c, c.address).all(a, a.startsWith("x"))',
  'plan.resource_changes.all(c, c.fields.all(f, f.after.anything == 1))',
  '[{"own": 1}].all(x, x.own == 1)',
])('%s is right', async (rule) => {
  expect(await readRule(rule)).toMatchObject({ mistake: null, unknown: null });
});
