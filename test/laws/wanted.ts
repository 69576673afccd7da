// What the manifests of a history declare: few names, so that runs make the same objects again.

import fc from 'fast-check';
import type { Desired, External, KindName, Spec, Version } from '../../src/base/model.ts';
import { KINDS } from '../../src/kinds/index.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { CLIENT } from './upheaval.ts';

export interface Wanted {
  readonly groups: readonly { readonly key: string; readonly name: string; readonly members: readonly string[] }[];
  readonly agents: readonly { readonly key: string; readonly title: string }[];
  readonly rules: readonly { readonly key: string; readonly groups: readonly string[] }[];
  readonly bot: readonly string[] | null;
  /** How many chats the bots of the template take. */
  readonly template: number | null;
  /** Type of the property: another one replaces it. */
  readonly property: 'string' | 'int' | null;
  readonly value: boolean;
  /** Another group replaces it. */
  readonly greeting: InGroup | null;
  readonly response: InGroup | null;
  readonly tag: readonly string[] | null;
  /** Any change replaces it. */
  readonly webhook: { readonly path: string; readonly description: string } | null;
  readonly domains: readonly string[];
}

interface InGroup {
  /** Group 0 where it is not declared. */
  readonly group: string;
  readonly text: string;
}

export const NOTHING: Wanted = {
  groups: [],
  agents: [],
  rules: [],
  bot: null,
  template: null,
  property: null,
  value: false,
  greeting: null,
  response: null,
  tag: null,
  webhook: null,
  domains: [],
};

export const GROUPS = ['a', 'b'] as const;
export const AGENTS = ['ann@example.com', 'bob@example.com'] as const;
export const OWNER = { id: 'boss@example.com', name: 'The Boss' };
const BOSS: External = {
  address: 'agent/boss',
  kind: 'agent',
  id: OWNER.id,
  name: null,
  place: { file: 'test.yaml', line: 1, column: 1, length: 1 },
};

const some = fc.subarray([...GROUPS]);
const inGroup = fc.option(
  fc.record({ group: fc.constantFrom(...GROUPS), text: fc.constantFrom('Hello', 'Good day') }),
  { freq: 2 },
);

export const wanted: fc.Arbitrary<Wanted> = fc.record({
  groups: some.chain((keys) =>
    fc.tuple(
      ...keys.map((key) =>
        fc.record({
          key: fc.constant(key),
          name: fc.constantFrom(`The ${key}`, `New ${key}`),
          members: fc.subarray([...AGENTS]),
        }),
      ),
    ),
  ),
  agents: fc
    .subarray([...AGENTS])
    .chain((keys) =>
      fc.tuple(...keys.map((key) => fc.record({ key: fc.constant(key), title: fc.constantFrom('Clerk', 'Lead') }))),
    ),
  rules: fc
    .shuffledSubarray(['r', 's', 't'])
    .chain((keys) =>
      fc.tuple(...keys.map((key) => fc.record({ key: fc.constant(key), groups: fc.shuffledSubarray([...GROUPS]) }))),
    ),
  bot: fc.option(some, { freq: 2 }),
  template: fc.option(fc.constantFrom(4, 5), { freq: 2 }),
  property: fc.option(fc.constantFrom('string' as const, 'int' as const)),
  value: fc.boolean(),
  greeting: inGroup,
  response: inGroup,
  tag: fc.option(some, { freq: 2 }),
  webhook: fc.option(
    fc.record({ path: fc.constantFrom('ended', 'closed'), description: fc.constantFrom('', 'to the warehouse') }),
    { freq: 2 },
  ),
  domains: fc.subarray(['shop.example', 'blog.example']),
});

/** Before 3.6 a new group needs an agent of priority `normal`, and 3.3 knows no clients of bots. */
export function manifestOf(given: Wanted, version: Version): Desired {
  const { groups, agents, rules, bot, template, property, value, greeting, response, tag, webhook, domains } = given;
  const [hasGroup, hasAgent] = [new Set(groups.map(({ key }) => key)), new Set(agents.map(({ key }) => key))];
  const there = (keys: readonly string[]): readonly string[] =>
    keys.filter((key) => hasGroup.has(key)).map((key) => `group/${key}`);
  const all = (references: readonly string[]): Spec => Object.fromEntries(references.map((each) => [each, 'normal']));
  const groupOf = ({ group }: InGroup): string => there([group])[0] ?? '0';
  const isOlder = version === '3.3' || version === '3.5';
  const owned = version === '3.3' ? {} : { owner_client_id: CLIENT };
  const one = (kind: KindName, key: string, spec: Spec | null): readonly Declared[] =>
    spec === null || !KINDS[kind].versions.includes(version) ? [] : [declare(kind, key, spec)];
  const key = `${CLIENT}/tier`;
  const access = { license: { agent: ['read', 'write'] } };
  const resources = [
    ...agents.map((agent) => declare('agent', agent.key, { name: agent.key, job_title: agent.title })),
    ...groups.map(({ key: own, name, members }) =>
      declare('group', own, {
        name,
        agent_priorities: {
          ...all(members.filter((member) => hasAgent.has(member)).map((member) => `agent/${member}`)),
          ...(isOlder ? all([BOSS.address]) : {}),
        },
      }),
    ),
    ...one('bot', 'helper', bot && { name: 'Helper', ...owned, groups: all(there(bot)) }),
    ...one(
      'bot_template',
      'chef',
      template === null ? null : { name: 'Template', owner_client_id: CLIENT, max_chats_count: template },
    ),
    ...rules.flatMap((rule) => {
      const references = there(rule.groups);
      return one('auto_access', rule.key, {
        description: rule.key,
        access: { groups: references.length === 0 ? ['0'] : references },
        conditions: { url: { values: [{ value: `/${rule.key}` }] } },
      });
    }),
    ...one('property', key, property && { type: property, access }),
    ...one('license_property', key, property && value ? { value: property === 'int' ? 7 : 'x' } : null),
    ...one(
      'greeting',
      'hi',
      greeting && {
        name: 'Hi',
        group: groupOf(greeting),
        rules: [],
        properties: { 'greeting-message_text': greeting.text },
      },
    ),
    ...one('canned_response', 'hi', response && { text: response.text, tags: ['hi'], group: groupOf(response) }),
    ...one('tag', 'returns', tag && { groups: there(tag) }),
    ...one(
      'webhook',
      'ended',
      webhook && {
        owner_client_id: CLIENT,
        type: 'license',
        action: 'chat_deactivated',
        url: `https://hooks.example/${webhook.path}`,
        description: webhook.description,
      },
    ),
    ...domains.flatMap((domain) => one('allowed_domain', domain, {})),
  ];
  return desiredOf(resources, isOlder && groups.length > 0 ? [BOSS] : []);
}

/** The same under another key of a group, or another address of an agent, where that can be. */
export function renamed(before: Wanted, move: { readonly from: string; readonly to: string }): Wanted {
  const [kind, from = ''] = move.from.split('/');
  const [, to = ''] = move.to.split('/');
  const name = (key: string): string => (key === from ? to : key);
  const renamedIn = <Item extends { readonly key: string }>(items: readonly Item[]): readonly Item[] =>
    items.map((item) => ({ ...item, key: name(item.key) }));
  const known = kind === 'agent' ? before.agents : before.groups;
  if (!known.some(({ key }) => key === from) || known.some(({ key }) => key === to)) return before;
  if (kind === 'agent')
    return {
      ...before,
      agents: renamedIn(before.agents),
      groups: before.groups.map((group) => ({ ...group, members: group.members.map(name) })),
    };
  const inside = (given: InGroup | null): InGroup | null => given && { ...given, group: name(given.group) };
  return {
    ...before,
    groups: renamedIn(before.groups),
    rules: before.rules.map((rule) => ({ ...rule, groups: rule.groups.map(name) })),
    bot: before.bot?.map(name) ?? null,
    greeting: inside(before.greeting),
    response: inside(before.response),
    tag: before.tag?.map(name) ?? null,
  };
}
