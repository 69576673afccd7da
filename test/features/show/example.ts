// What a license has, as every output of `show` has to show it: bots, suspended people, people in no group, two groups of one name; texts of the test
// in every place where somebody can choose one.

import { type MembersInput, membersOf } from '../../../src/features/show/member-lists.ts';
import type { Shown, ShownMembers } from '../../../src/features/show/schema.ts';
import { type Placed, staffOf } from '../../../src/routing/staff/staff.ts';
import { ITEMS } from '../drift/example.ts';

const group = (reference: string, name: string, decides: readonly string[] = []): Placed => ({
  reference,
  kind: 'group',
  name,
  spec: {},
  decides,
});

const worker = (reference: string, name: string, spec: Placed['spec'], decides: readonly string[] = []): Placed => ({
  reference,
  kind: reference.startsWith('bot/') ? 'bot' : 'agent',
  name,
  spec: { max_chats_count: 6, ...spec },
  decides,
});

const GROUPS = [
  group('group/0', 'General'),
  group('group/sales', 'Sales'),
  group('group/support', 'Customer support in English'),
  group('group/9', 'Sales'),
];

const LIVE: readonly Placed[] = [
  ...GROUPS,
  worker('agent/ann@example.com', 'Ann', { groups: { 'group/sales': 'first', 'group/support': 'normal' } }),
  worker('agent/bob@example.com', '=Bob "B", <b>', { suspended: true, groups: { 'group/sales': 'normal' } }),
  worker('agent/carl@example.com', 'Carl', { groups: { 'group/sales': 'last', 'group/9': 'supervisor' } }),
  worker('agent/dora@example.com', 'dora@example.com', { awaiting_approval: true, groups: {} }),
  worker('agent/eve@example.com', 'Eve', { max_chats_count: 0, groups: { 'group/0': 'normal' } }),
  worker('bot/triage', 'Triage', { groups: { 'group/sales': 'first' } }),
];

/** After an apply: Ann leaves a group, Bob's priority changes, Eve leaves her only group, Fay is new, and a group goes. */
const AFTER: readonly Placed[] = [
  ...GROUPS.filter(({ reference }) => reference !== 'group/9'),
  worker('agent/ann@example.com', 'Ann', { groups: { 'group/sales': 'first' } }),
  worker('agent/bob@example.com', '=Bob "B", <b>', { suspended: true, groups: { 'group/sales': 'first' } }),
  worker('agent/carl@example.com', 'Carl', { groups: { 'group/sales': 'last' } }),
  worker('agent/dora@example.com', 'dora@example.com', { awaiting_approval: true, groups: {} }),
  worker('agent/eve@example.com', 'Eve', { max_chats_count: 0, groups: {} }),
  worker('agent/fay@example.com', 'Fay', { groups: { 'group/support': 'normal' } }),
  worker('bot/triage', 'Triage', { groups: { 'group/sales': 'first' } }),
];

const DECLARED: readonly Placed[] = [
  group('group/sales', 'Sales', ['name', 'agent_priorities']),
  group('group/support', 'Support', ['name']),
  worker('agent/ann@example.com', 'Ann', { groups: { 'group/sales': 'first' } }, ['groups']),
  worker('agent/dora@example.com', 'Dora', {}, ['name']),
  worker('agent/eve@example.com', 'Eve', { groups: {} }, ['groups']),
];

const staff = (placed: readonly Placed[], isRead: boolean) => staffOf(placed, { zone: 'UTC', isRead, version: '3.6' });

const ownershipOf: MembersInput['ownershipOf'] = (address) =>
  address.includes('/eve') ? 'unmanaged' : address.includes('/dora') ? 'owned' : 'declared';

export const GROUP_MEMBERS = {
  live: membersOf({ view: 'live', before: null, staff: staff(LIVE, true), ownershipOf }),
  both: membersOf({ view: 'both', before: staff(LIVE, true), staff: staff(AFTER, true), ownershipOf }),
  files: membersOf({ view: 'files', before: null, staff: staff(DECLARED, false), ownershipOf }),
} as const satisfies { readonly [view in ShownMembers['view']]: ShownMembers };

const ABOUT: Shown = {
  target: 'production',
  api_version: '3.6',
  manifest_read: true,
  warnings: [],
  failures: [],
  kinds: [],
  resources: null,
  refers_to: null,
  referred_to_by: null,
  differences: null,
};

/** Members of a license on which every text is the given one. */
export function membersCalled(text: string): Shown {
  const placed = [
    group(`group/${text}`, text),
    worker(`agent/${text}`, text, { groups: { [`group/${text}`]: 'first' } }),
    worker(`agent/alone${text}`, text, { suspended: true }),
  ];
  const members = membersOf({ view: 'live', before: null, staff: staff(placed, true), ownershipOf });
  return { ...ABOUT, target: text, members };
}

/** A group in full on which every text is the given one. */
export function resourceCalled(text: string): Shown {
  const spec = { name: text, [text]: text, map: { [text]: [text], other: { deep: text } } };
  const pointer = { field: text, address: `agent/${text}`, name: text };
  const about = { type: 'group', id: 7, ownership: 'declared', origin: 'created', last_applied: null } as const;
  return {
    ...ABOUT,
    target: text,
    resources: [
      {
        ...about,
        address: `group/${text}x`,
        name: text,
        source: { file: text, line: 1, column: 1 },
        spec,
        unread: [text],
      },
    ],
    refers_to: [pointer],
    referred_to_by: [pointer],
    differences: ITEMS.slice(0, 4).map((item) => ({ ...item, path: [text], base: text, live: { [text]: text } })),
  };
}
