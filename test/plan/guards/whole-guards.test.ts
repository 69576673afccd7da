// What guards withhold and what a plan warns of, every word of it: test/plan/whole/guards-*.txt. `npx vitest run test/plan/guards -u` writes them
// again.

import { expect, test } from 'vitest';
import type {
  Address,
  Binding,
  Desired,
  Json,
  KindName,
  LedgerState,
  Live,
  LiveObject,
  Spec,
  Version,
} from '../../../src/base/model.ts';
import { cautionsOf } from '../../../src/plan/guards/cautions.ts';
import type { PlannerOptions } from '../../../src/plan/input.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, object, planOf } from '../license.ts';

const CLIENT = 'client-1';
const ACCESS = { license: { agent: ['read', 'write'] } };
const PLACE = { file: 'people.yaml', line: 6, column: 1, length: 1 };

/** Kinds without an object were read, and have none; those of `unread` were not. */
function license(version: Version, objects: readonly LiveObject[], unread: readonly KindName[] = []): Live {
  const kinds: readonly KindName[] = [
    'agent',
    'group',
    'bot',
    'bot_template',
    'auto_access',
    'property',
    ...(version === '3.7' ? (['allowed_domain', 'tag'] as const) : []),
  ];
  const named = [...new Set([...kinds, ...objects.map(({ kind }) => kind)])].filter((kind) => !unread.includes(kind));
  return {
    version,
    objects: Object.fromEntries(named.map((kind) => [kind, objects.filter((each) => each.kind === kind)])),
    ruleOrder: objects.filter(({ kind }) => kind === 'auto_access').map(({ id }) => String(id)),
    scopes: [],
  };
}

const person = (name: string, groups: Spec = {}, spec: Spec = {}, facts: object = {}) =>
  object('agent', `${name}@example.com`, { name, groups, ...spec }, facts);
const named = (name: string, spec: object = {}) => declare('agent', `${name}@example.com`, { name, ...spec });
const group = (id: number, members: Spec = {}, facts: object = { members }) =>
  object('group', id, { name: `Group ${id}`, agent_priorities: members }, facts);
const rule = (id: string, groups: readonly Json[]) =>
  object('auto_access', id, {
    description: id,
    access: { groups },
    conditions: { url: { values: [{ value: `/${id}` }] } },
  });
const declaredRule = (key: string, groups: readonly string[]) =>
  declare('auto_access', key, {
    description: key,
    access: { groups },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  });
const owned = (...addresses: readonly (readonly [Address, string | number])[]) =>
  ledgerOf(Object.fromEntries(addresses));

interface Scene {
  readonly desired: Desired;
  readonly live: Live;
  readonly ledger?: LedgerState;
  readonly options?: Partial<PlannerOptions>;
}

/** A group with what goes with it, tags that are spelled otherwise, definitions, templates, and the first domains. */
const DANGEROUS: Scene = {
  live: license('3.7', [
    group(1),
    group(2),
    object('greeting', 10, { name: 'Help', group: '1' }),
    object('greeting', 11, { name: 'Bye', group: '1' }),
    object('greeting', 12, { name: 'Moved', group: '1' }),
    object('greeting', 13, { name: 'Elsewhere', group: '2' }),
    object('canned_response', 20, { text: 'Hi', tags: ['hi'], group: '1' }),
    object('tag', 'VIP', { name: 'VIP', groups: ['2'] }),
    object('tag', 'returns', { name: 'returns', groups: ['2'] }),
    object('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, publish: [] }),
    object('property', `${CLIENT}/note`, { type: 'string', access: ACCESS, publish: [] }),
    object('bot_template', 'tpl-1', { name: 'Old', owner_client_id: CLIENT }),
  ]),
  ledger: owned(
    ['group/sales', 1],
    ['group/support', 2],
    ['greeting/moved', 12],
    ['tag/returns', 'returns'],
    [`property/${CLIENT}/tier`, `${CLIENT}/tier`],
    [`property/${CLIENT}/note`, `${CLIENT}/note`],
    ['bot_template/old', 'tpl-1'],
  ),
  desired: desiredOf([
    declare('group', 'support', { name: 'Group 2' }),
    declare('greeting', 'moved', { name: 'Moved', group: 'group/support' }),
    declare('tag', 'vip', { groups: ['group/support'] }),
    declare('tag', 'returns', { groups: ['group/support'] }),
    declare('property', `${CLIENT}/tier`, { type: 'int', access: ACCESS }),
    declare('property', `${CLIENT}/note`, { type: 'string', access: ACCESS, publish: ['read'] }),
    declare('bot_template', 'wide', { name: 'Wide', owner_client_id: CLIENT, affect_existing_installations: true }),
    declare('bot_template', 'plain', { name: 'Plain', owner_client_id: CLIENT, affect_existing_installations: false }),
    declare('allowed_domain', 'a.example', {}),
    declare('allowed_domain', 'b.example', {}),
  ]),
  options: { acknowledged: new Set(['deletes']), pruneInstalledBots: true, hasSink: false },
};

/** In 3.3 every group needs an agent of the priority `normal`: each group here is another reason why it has one, or has none. */
const NORMAL: Scene = {
  live: license('3.3', [
    person('ann', { 1: 'normal', 2: 'normal', 3: 'normal', 4: 'normal', 5: 'normal', 9: 'normal', 12: 'normal' }),
    person('bob', { 3: 'normal' }),
    person('cid', { 4: 'normal' }, { awaiting_approval: true }, { pendingApproval: true }),
    person('dan', { 5: 'normal', 10: 'normal', 11: 'normal', 13: 'normal' }, { suspended: true }),
    person('eve', { 6: 'normal', 7: 'normal', 13: 'normal' }),
    person('fay', { 8: 'first' }),
    person('gus', { 12: 'normal' }, { suspended: true }),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13].map((id) => {
      const members: { readonly [group: number]: Spec } = {
        1: { 'ann@example.com': 'normal' },
        2: { 'ann@example.com': 'normal' },
        3: { 'ann@example.com': 'normal', 'bob@example.com': 'normal' },
        4: { 'ann@example.com': 'normal', 'cid@example.com': 'normal' },
        5: { 'ann@example.com': 'normal', 'dan@example.com': 'normal' },
        6: { 'eve@example.com': 'normal' },
        7: { 'eve@example.com': 'normal' },
        8: { 'fay@example.com': 'first' },
        10: { 'dan@example.com': 'normal' },
        12: { 'ann@example.com': 'normal', 'gus@example.com': 'normal' },
        13: { 'dan@example.com': 'normal', 'eve@example.com': 'normal' },
      };
      return group(id, members[id]);
    }),
  ]),
  ledger: owned(
    ['group/f', 6],
    ['group/g', 7],
    ['agent/eve@example.com', 'eve@example.com'],
    ['agent/dan@example.com', 'dan@example.com'],
  ),
  desired: desiredOf([
    named('ann', { suspended: true }),
    named('bob'),
    named('new', { groups: { 'group/g': 'normal' } }),
    named('fay', { groups: { 'group/h': 'last' } }),
    declare('group', 'a', { name: 'Group 1' }, 1),
    declare('group', 'c', { name: 'Group 3' }, 3),
    declare('group', 'd', { name: 'Group 4' }, 4),
    declare('group', 'e', { name: 'Group 5' }, 5),
    declare('group', 'g', { name: 'Group 7' }),
    declare('group', 'h', { name: 'Group 8' }, 8),
    declare('group', 'l', { name: 'Group 12' }, 12),
  ]),
  options: { prune: { agent: 'owned' }, acknowledged: new Set(['deletes', 'group/e']) },
};

const MEMBERS = { 'ann@example.com': 'normal', 'bob@example.com': 'first' };

/** The priority of the last one changes from the side of the group, and from the side of the agent. */
const CHANGED: Scene = {
  live: license('3.3', [
    person('ann', { 1: 'normal', 2: 'normal', 3: 'normal', 4: 'normal', 5: 'normal' }),
    person('dan', {}, { suspended: true }),
    object('agent', 'eve@example.com', { name: 'eve' }),
    person('bob', { 1: 'first', 2: 'first', 3: 'first' }),
    group(1, MEMBERS),
    group(2, MEMBERS),
    group(3, MEMBERS),
    group(4, { 'ann@example.com': 'normal' }),
    group(5, { 'ann@example.com': 'normal' }),
    group(6, { 'eve@example.com': 'normal' }),
  ]),
  ledger: owned(['group/d', 4]),
  desired: desiredOf([
    named('ann', { groups: { 'group/b': 'last' } }),
    named('bob'),
    declare(
      'group',
      'a',
      { name: 'Group 1', agent_priorities: { 'agent/ann@example.com': 'first', 'agent/bob@example.com': 'first' } },
      1,
    ),
    declare('group', 'b', { name: 'Group 2' }, 2),
    named('dan', { suspended: true }),
    named('eve'),
    declare('bot', 'fresh', { name: 'Fresh', groups: { 'group/a': 'normal' } }),
    declare(
      'group',
      'e',
      { name: 'Group 5', agent_priorities: { 'agent/ann@example.com': 'first', 'agent/dan@example.com': 'normal' } },
      5,
    ),
    declare('group', 'f', { name: 'Group 6', agent_priorities: { 'agent/eve@example.com': 'first' } }, 6),
    declare('group', 'c', { name: 'Group 3', agent_priorities: { 'agent/bob@example.com': 'normal' } }, 3),
  ]),
  options: { acknowledged: new Set(['deletes']) },
};

/** Bots and agents who are deleted, and the groups whose chats they took. */
const COVER: Scene = {
  live: license('3.6', [
    person('ann', { 1: 'first', 2: 'first', 3: 'first', 7: 'first' }),
    person('bob', { 3: 'first' }, { suspended: true }),
    person('cid', { 4: 'first', 7: 'first' }),
    person('dan', { 4: 'first' }),
    person('eve', { 6: 'first' }),
    object('bot', 'b1', { name: 'One', groups: { 2: 'first', 5: 'first' } }),
    object('bot', 'b2', { name: 'Two', groups: { 5: 'first', 6: 'first' } }),
    ...[1, 2, 3, 4, 5, 6, 7].map((id) => group(id)),
  ]),
  ledger: owned(
    ['agent/ann@example.com', 'ann@example.com'],
    ['agent/cid@example.com', 'cid@example.com'],
    ['agent/bob@example.com', 'bob@example.com'],
    ['bot/one', 'b1'],
    ['bot/two', 'b2'],
    ['group/e', 5],
  ),
  desired: desiredOf([
    named('bob'),
    named('dan'),
    declare('bot', 'one', { name: 'One' }),
    declare('group', 'a', { name: 'Group 1' }, 1),
    declare('group', 'c', { name: 'Group 3' }, 3),
    declare('group', 'e', { name: 'Group 5' }, 5),
  ]),
  options: { prune: { agent: 'owned' }, acknowledged: new Set(['deletes']) },
};

/** Groups that go while rules route to them: declared rules, owned ones that stay, unmanaged ones; and rules that leave them in the same run. */
const ROUTED: Scene = {
  live: license('3.6', [
    ...[1, 2, 3, 4].map((id) => group(id)),
    rule('declared', [1, 2]),
    rule('leaves', [3]),
    rule('unmanaged', [1]),
    rule('goes', [3]),
    object('bot', 'b1', { name: '1', groups: {} }),
  ]),
  ledger: owned(
    ['group/a', 1],
    ['group/b', 2],
    ['group/c', 3],
    ['group/d', 4],
    ['auto_access/declared', 'declared'],
    ['auto_access/leaves', 'leaves'],
    ['auto_access/goes', 'goes'],
    ['bot/one', 'b1'],
  ),
  desired: desiredOf(
    [
      declaredRule('declared', ['group/first', 'group/second']),
      declaredRule('leaves', ['group/d']),
      declare('group', 'd', { name: 'Group 4' }),
    ],
    [
      { address: 'group/first', kind: 'group', id: 1, name: null, place: PLACE },
      { address: 'group/second', kind: 'group', id: 2, name: null, place: PLACE },
    ],
  ),
  options: { acknowledged: new Set(['deletes']) },
};

/** The last domains go, and a tag is probably another one now. */
const LAST: Scene = {
  live: license('3.7', [
    object('tag', 'returns', { name: 'returns', groups: ['2'] }),
    object('allowed_domain', 'a.example', {}),
    object('allowed_domain', 'b.example', {}),
    object('license_property', 'monitoring/whitelist_enabled', { value: true }),
    object('license_property', 'monitoring/other', { value: false }),
    group(2),
  ]),
  ledger: owned(
    ['tag/returns', 'returns'],
    ['group/support', 2],
    ['allowed_domain/a.example', 'a.example'],
    ['allowed_domain/b.example', 'b.example'],
  ),
  desired: desiredOf([
    declare('group', 'support', { name: 'Group 2' }),
    declare('tag', 'refunds', { groups: ['group/support'] }),
  ]),
  options: { acknowledged: new Set(['deletes']) },
};

const VALUES = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };
const definition = (name: string) =>
  object('property', `${CLIENT}/${name}`, { type: 'string', access: VALUES, publish: [] });
const value = (of: KindName, id: string) => object(of, id, { value: 'x' });

/** Definitions that are made again or deleted, a group that goes, and values that hang on them. */
const PROTECTED: Scene = {
  live: license('3.6', [
    group(1),
    group(2),
    ...['again', 'gone', 'free', 'kept'].map(definition),
    ...['again', 'written', 'gone', 'kept'].map((name) => value('license_property', `${CLIENT}/${name}`)),
    ...['again', 'gone', 'kept'].flatMap((name) =>
      ['1', '2'].map((id) => value('group_property', `${id}/${CLIENT}/${name}`)),
    ),
  ]),
  ledger: owned(
    ['group/a', 1],
    ['group/b', 2],
    ...['again', 'gone', 'free', 'kept'].map((name) => [`property/${CLIENT}/${name}`, `${CLIENT}/${name}`] as const),
    ...['again', 'gone', 'kept'].flatMap((name) => [
      [`license_property/${CLIENT}/${name}`, `${CLIENT}/${name}`] as const,
      [`group_property/a/${CLIENT}/${name}`, `1/${CLIENT}/${name}`] as const,
      [`group_property/b/${CLIENT}/${name}`, `2/${CLIENT}/${name}`] as const,
    ]),
  ),
  desired: desiredOf([
    declare('group', 'a', { name: 'Group 1' }),
    declare('property', `${CLIENT}/again`, { type: 'int', access: VALUES }),
    declare('property', `${CLIENT}/free`, { type: 'int', access: VALUES }),
    declare('property', `${CLIENT}/kept`, { type: 'string', access: VALUES }),
    declare('license_property', `${CLIENT}/again`, { value: 3 }),
    declare('group_property', `a/${CLIENT}/again`, { value: 'x' }),
    declare('group_property', `a/${CLIENT}/kept`, { value: 'x' }),
  ]),
  options: {
    acknowledged: new Set(['deletes', `property/${CLIENT}/again`, `property/${CLIENT}/free`]),
    protects: (address) => /_property|again/.test(address),
  },
};

const MISSING = { leavers: { kind: 'agent', table: 'people.csv', place: PLACE } } as const;

/** A table that lost most of its rows. */
const TRUNCATED: Scene = {
  live: license('3.6', [person('ann'), person('bob'), person('cid'), person('dan'), group(1), group(2)]),
  ledger: owned(
    ['agent/ann@example.com', 'ann@example.com'],
    ['agent/bob@example.com', 'bob@example.com'],
    ['agent/cid@example.com', 'cid@example.com'],
    ['group/a', 1],
    ['group/b', 2],
  ),
  desired: { ...desiredOf([named('ann'), declare('group', 'a', { name: 'Group 1' })]), ...MISSING },
  options: { acknowledged: new Set(), maxDeletes: 2, maxDeletePercent: 59 },
};

/** The same, and the rest of the files is lost also; or every agent goes whom no file declares. */
const NOTHING: Scene = {
  ...TRUNCATED,
  desired: { ...desiredOf([]), ...MISSING },
  options: { acknowledged: new Set(['deletes']) },
};
const NO_STRANGERS: Scene = {
  ...TRUNCATED,
  desired: { ...desiredOf([named('ann'), declare('group', 'a', { name: 'Group 1' })], [], ['agent']), ...MISSING },
};

function adopted({ bindings, ...rest }: LedgerState, ...addresses: readonly Address[]): LedgerState {
  const origins = [...bindings].map(([address, { id }]): [Address, Binding] => [
    address,
    { id, origin: addresses.includes(address) ? 'adopted' : 'created' },
  ]);
  return { ...rest, bindings: new Map(origins) };
}

/** Groups that chatform made or only adopted, and that no file declares any more. */
const BEFORE: Scene = {
  live: license('3.6', [group(1), group(2), group(3), group(4), object('bot', 'b1', { name: 'One', groups: {} })]),
  ledger: adopted(
    owned(['group/a', 1], ['group/b', 2], ['group/c', 3], ['group/d', 4]),
    'group/a',
    'group/b',
    'group/d',
  ),
  desired: desiredOf([declare('bot', 'one', { name: 'One' }), declare('group', 'd', { name: 'Group 4' })]),
  options: { acknowledged: new Set() },
};

const hook = (id: string, more: Spec = {}) => ({
  owner_client_id: CLIENT,
  type: 'license',
  action: 'incoming_chat',
  url: `https://hooks.example/${id}`,
  ...more,
});

/** Secrets that creates return or need, on a license that has a webhook and a template. */
const SECRETS: Scene = {
  live: license('3.6', [
    object('webhook', 'w1', hook('1')),
    object('webhook', 'w2', hook('2', { action: 'incoming_event' })),
    object('bot_template', 't1', { name: 'Scout', owner_client_id: CLIENT }),
  ]),
  ledger: owned(['webhook/one', 'w1'], ['webhook/two', 'w2'], ['bot_template/scout', 't1']),
  desired: desiredOf([
    declare('webhook', 'one', hook('moved')),
    declare('webhook', 'two', hook('moved-too', { action: 'incoming_event', secret_key: { env: 'HOOK_SECRET' } })),
    declare('webhook', 'new', hook('new', { action: 'chat_deactivated' })),
    declare('webhook', 'given', hook('given', { action: 'chat_transferred', secret_key: { env: 'HOOK_SECRET' } })),
    declare('bot_template', 'scout', { name: 'Scouts', owner_client_id: CLIENT, affect_existing_installations: false }),
    declare('bot', 'new', { name: 'New' }),
  ]),
  options: { hasSink: false, acknowledged: new Set() },
};

/** A tag in other capitals makes room, which no limit of deletes counts; a kind of which nothing is declared is empty on purpose. */
const SPELLED: Scene = {
  live: license('3.7', [object('tag', 'VIP', { name: 'VIP', groups: [] }), object('allowed_domain', 'a.example', {})]),
  ledger: owned(['tag/vip', 'VIP']),
  desired: desiredOf([declare('tag', 'vip', { groups: [] })], [], ['allowed_domain']),
  options: {
    acknowledged: new Set(['empty-manifest', 'allowed_domain/a.example']),
    maxDeletes: 0,
    maxDeletePercent: 100,
  },
};

const boss = (name: string) => person(name, {}, { role: 'administrator' });

/** Administrators whom chatform made or only adopted, next to the owner; a bot has the name of an account. */
const ADMINISTRATORS: Scene = {
  live: license('3.6', [
    boss('ann'),
    person('bob'),
    boss('cid'),
    person('owner', {}, { role: 'owner' }, { owner: true }),
    object('bot', 'cid@example.com', { name: 'Bot', groups: {} }),
  ]),
  ledger: adopted(
    owned(
      ['agent/ann@example.com', 'ann@example.com'],
      ['agent/bob@example.com', 'bob@example.com'],
      ['agent/cid@example.com', 'cid@example.com'],
      ['bot/made', 'cid@example.com'],
    ),
    'agent/cid@example.com',
  ),
  desired: desiredOf([]),
  options: { acknowledged: new Set(['deletes']), destroying: { adopted: false }, prune: {} },
};
const ALL = { acknowledged: new Set(['deletes']), destroying: { adopted: true }, prune: {} } as const;
const MADE: Scene = {
  ...ADMINISTRATORS,
  ledger: owned(
    ['agent/ann@example.com', 'ann@example.com'],
    ['agent/bob@example.com', 'bob@example.com'],
    ['agent/cid@example.com', 'cid@example.com'],
  ),
};

/** The role of the only administrators goes to others, and the token is of a person who is or is not there. */
const HANDED_OVER: Scene = {
  live: ADMINISTRATORS.live,
  desired: desiredOf([
    named('ann', { role: 'normal' }),
    named('cid', { role: 'normal' }),
    named('bob', { role: 'administrator' }),
    named('new', { role: 'normal' }),
    declare('group', 'a', { name: 'A' }),
  ]),
  options: { acknowledged: new Set(), own: { id: 'nobody@example.com' } },
};

const text = (id: number, of: string, more: Spec = {}) =>
  object('canned_response', id, { text: `Text ${id}`, tags: [`t${id}`], group: of, ...more });
const declaredText = (id: number, of: string, more: Spec = {}) =>
  declare('canned_response', `t${id}`, { text: `Text ${id}`, tags: [`t${id}`], group: of, ...more });

/** A group that goes, and texts that move away, go themselves, change or stay. */
const TEXTS: Scene = {
  live: license('3.7', [group(1), group(2), text(1, '1'), text(2, '1'), text(3, '1'), text(4, '1'), text(5, '2')]),
  ledger: owned(['group/a', 1], ['group/b', 2], ...[1, 2, 3, 5].map((id) => [`canned_response/t${id}`, id] as const)),
  desired: desiredOf(
    [
      declare('group', 'b', { name: 'Group 2' }),
      declaredText(1, 'group/b', { text: 'Moved, and other words' }),
      declaredText(2, 'group/same', { text: 'Other words' }),
      declaredText(5, 'group/b'),
    ],
    [{ address: 'group/same', kind: 'group', id: 1, name: null, place: PLACE }],
  ),
  options: { acknowledged: new Set(['deletes']) },
};

/** Only a group goes, or only a definition is made again: with a value that is written again, one that is left out, and a new one. */
const GONE_WITH_GROUP: Scene = {
  live: license('3.6', [group(1), definition('kept'), value('group_property', `1/${CLIENT}/kept`)]),
  ledger: owned(
    ['group/a', 1],
    [`property/${CLIENT}/kept`, `${CLIENT}/kept`],
    [`group_property/a/${CLIENT}/kept`, `1/${CLIENT}/kept`],
  ),
  desired: desiredOf([declare('property', `${CLIENT}/kept`, { type: 'string', access: VALUES })]),
  options: { acknowledged: new Set(['deletes']), protects: (address) => address.startsWith('group_property') },
};

/** The manifest says nothing of them, but of one that it moves. */
const TAKEN_BY_GROUP: Scene = {
  live: license('3.6', [
    group(1),
    group(2),
    object('greeting', 5, { name: 'Hello', group: 1, rules: [] }),
    object('greeting', 6, { name: 'Bye', group: 1, rules: [] }),
    object('greeting', 7, { name: 'Stays', group: 2, rules: [] }),
    object('greeting', 8, { name: 'Free', group: 1, rules: [] }),
    object('canned_response', 1, { text: 'Bye', tags: ['bye'], group: '1' }),
    object('canned_response', 2, { text: 'Hello', tags: ['hello'], group: '1' }),
    definition('kept'),
    value('group_property', `1/${CLIENT}/kept`),
  ]),
  ledger: owned(['group/a', 1], ['group/b', 2], ['greeting/hello', 5], ['canned_response/moves', 1]),
  desired: desiredOf([
    declare('group', 'b', { name: 'Group 2' }),
    declare('canned_response', 'moves', { text: 'Bye', tags: ['bye'], group: 'group/b' }),
  ]),
  options: {
    acknowledged: new Set(['deletes', 'group/a', 'group']),
    protects: (address) => /^greeting\/(?:hello|Bye|Stays)|^canned_response|^group_property/.test(address),
  },
};

/** Objects that `protect:` names by their names and ids. */
const OTHER_NAMES: Scene = {
  live: license('3.6', [
    group(1),
    group(2),
    object('greeting', 3, { name: 'Moves', group: 1, rules: [] }),
    object('greeting', 4, { name: 'Twice', group: 2, rules: [] }),
    object('greeting', 5, { name: 'Taken', group: 1, rules: [] }),
    object('greeting', 6, { name: 'Six', group: 2, rules: [] }),
  ]),
  ledger: owned(
    ['group/a', 1],
    ['group/b', 2],
    ['greeting/moves', 3],
    ['greeting/twice', 4],
    ['greeting/again', 4],
    ['greeting/5', 6],
  ),
  desired: desiredOf([
    declare('group', 'b', { name: 'Group 2' }),
    declare('greeting', 'moves', { name: 'Moves', group: 'group/b', rules: [] }),
    declare('greeting', '5', { name: 'Six', group: 'group/b', rules: [] }),
  ]),
  options: {
    acknowledged: new Set(['deletes', 'group/a', 'greeting/moves']),
    protects: (address) => ['greeting/Moves', 'greeting/twice', 'greeting/id/5'].includes(address),
  },
};

/** A bot that a template made, with the id of the template, and one of another template. */
const OF_TEMPLATE: Scene = {
  live: license('3.6', [
    object('bot_template', 't1', { name: 'Scout', owner_client_id: CLIENT }),
    object('bot_template', 't2', { name: 'Other', owner_client_id: CLIENT }),
    object('bot', 't1', { name: 'Helper', groups: {} }, { derived: true }),
    object('bot', 't2', { name: 'Helpful', groups: {} }, { derived: true }),
  ]),
  ledger: owned(['bot_template/scout', 't1'], ['bot_template/other', 't2']),
  desired: desiredOf([declare('bot_template', 'other', { name: 'Other', owner_client_id: CLIENT })]),
  options: {
    acknowledged: new Set(['deletes', 'bot_template/scout']),
    protects: (address) => address.startsWith('bot/Help'),
    pruneInstalledBots: true,
  },
};

const LEFT_OUT: Scene = {
  live: license('3.6', [group(1), definition('again'), value('license_property', `${CLIENT}/again`)]),
  ledger: owned(
    ['group/a', 1],
    [`property/${CLIENT}/again`, `${CLIENT}/again`],
    [`license_property/${CLIENT}/again`, `${CLIENT}/again`],
  ),
  desired: desiredOf([
    declare('group', 'a', { name: 'Group 1' }),
    declare('property', `${CLIENT}/again`, { type: 'string', domain: ['x', 'y'], access: VALUES }),
    declare('license_property', `${CLIENT}/again`, { value: 'x' }),
    declare('group_property', `a/${CLIENT}/again`, { value: 'x' }),
  ]),
  options: {
    acknowledged: new Set([`property/${CLIENT}/again`]),
    protects: (address) => /_property/.test(address),
    selects: (address) => !address.startsWith('license_property'),
  },
};

const DOMAINS: Scene = {
  live: license('3.7', [object('allowed_domain', 'a.example', {})]),
  ledger: owned(['allowed_domain/a.example', 'a.example']),
  desired: desiredOf([declare('allowed_domain', 'b.example', {})]),
  options: { acknowledged: new Set(['deletes']) },
};

const SCENES: { readonly [name: string]: Scene } = {
  'where much is dangerous': DANGEROUS,
  'where some of it is acknowledged, by either name': {
    ...DANGEROUS,
    options: {
      ...DANGEROUS.options,
      hasSink: true,
      acknowledged: new Set([
        'deletes',
        'group/sales',
        'tag/VIP',
        'tag/returns',
        'allowed_domain/a.example',
        'bot_template/wide',
      ]),
    },
  },
  'where the last domains go, and a tag may have another name': LAST,
  'where it is acknowledged by the new name': {
    ...LAST,
    options: { acknowledged: new Set(['deletes', 'tag/refunds', 'allowed_domain/a.example']) },
  },
  'where what is protected hangs on what goes': PROTECTED,
  'in 3.3 where people leave': NORMAL,
  'in 3.3 where priorities change': CHANGED,
  'where those who serve are deleted': COVER,
  'where they are deleted, and bots were not read': {
    ...COVER,
    live: license('3.6', Object.values(COVER.live.objects).flat(), ['bot']),
    desired: desiredOf([named('bob'), named('dan'), declare('group', 'a', { name: 'Group 1' }, 1)]),
    ledger: owned(['agent/ann@example.com', 'ann@example.com'], ['agent/cid@example.com', 'cid@example.com']),
  },
  'where rules route to what goes': ROUTED,
  'where one of them is acknowledged': { ...ROUTED, options: { acknowledged: new Set(['deletes', 'group/a']) } },
  'where a table lost its rows': TRUNCATED,
  'where the files lost everything': NOTHING,
  'where the table has no row, and nothing else is owned': {
    ...NOTHING,
    live: license('3.6', [person('ann')]),
    ledger: owned(['agent/ann@example.com', 'ann@example.com']),
  },
  'where nothing is declared, and nothing owned': {
    desired: desiredOf([]),
    live: NOTHING.live,
    options: { acknowledged: new Set() },
  },
  'where agents leave, and others are unmanaged': NO_STRANGERS,
  'where groups were there before': BEFORE,
  'where one of the groups was there before': { ...BEFORE, options: { acknowledged: new Set(['group/b']) } },
  'from a part of the files, as in an undo': { ...BEFORE, options: { acknowledged: new Set(), partial: true } },
  'from a destroy': {
    ...BEFORE,
    desired: desiredOf([]),
    options: { acknowledged: new Set(), destroying: { adopted: false } },
  },
  'from a destroy of what was there before also': {
    ...BEFORE,
    desired: desiredOf([]),
    options: { acknowledged: new Set(), destroying: { adopted: true } },
  },
  'from a destroy with administrators': ADMINISTRATORS,
  'from a destroy of all administrators, and it is unknown whose the token is': { ...ADMINISTRATORS, options: ALL },
  'from a destroy of all administrators with the token of one': {
    ...ADMINISTRATORS,
    options: { ...ALL, own: { id: 'cid@example.com' } },
  },
  'from a destroy of all administrators with the token of nobody there': {
    ...ADMINISTRATORS,
    options: { ...ALL, own: { id: 'zed@example.com' } },
  },
  'from a destroy of administrators that chatform made': { ...MADE, options: ALL },
  'from a destroy of administrators of whom one is acknowledged': {
    ...MADE,
    options: { ...ALL, acknowledged: new Set(['deletes', 'agent/ann@example.com']) },
  },
  'where administrators hand over': HANDED_OVER,
  'where the agent of the token is new': {
    ...HANDED_OVER,
    options: { acknowledged: new Set(), own: { id: 'NEW@example.com' } },
  },
  'where the agent of the token loses a role': {
    ...HANDED_OVER,
    options: { acknowledged: new Set(), own: { id: 'cid@example.com' } },
  },
  'where a group goes and its texts do not': TEXTS,
  'where a protected value goes with its group': GONE_WITH_GROUP,
  'where a group takes protected greetings, also unmanaged ones': TAKEN_BY_GROUP,
  'where protected objects have other names': OTHER_NAMES,
  'where a template takes a protected bot': OF_TEMPLATE,
  'where a template leaves a protected bot': {
    ...OF_TEMPLATE,
    options: { ...OF_TEMPLATE.options, pruneInstalledBots: false },
  },
  'where a protected value is left out, and its definition is made again': LEFT_OUT,
  'where one domain takes the place of another': DOMAINS,
  'where secrets have no place': SECRETS,
  'where a tag is spelled otherwise, and a kind is empty on purpose': SPELLED,
  'where a kind is empty': { ...SPELLED, options: { acknowledged: new Set() } },
};

test.each(Object.entries(SCENES))(
  'What is withheld %s is as on file',
  async (name, { desired, live, ledger, options }) => {
    const plan = planOf(desired, live, ledger, options);
    const lists = {
      withheld: plan.withheld,
      cautions: cautionsOf(plan),
      unmanaged: plan.unmanaged,
      notes: plan.notes.filter(({ kind }) => kind === 'own-agent'),
    };
    const text = Object.entries(lists).map(([list, items]) =>
      [`${list}:`, ...items.map((each) => `  ${JSON.stringify(each)}`), ''].join('\n'),
    );
    await expect(text.join('')).toMatchFileSnapshot(`../whole/guards-${name.replaceAll(/\W+/g, '-')}.txt`);
  },
);
