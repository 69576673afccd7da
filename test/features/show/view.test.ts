// What people read of a license: its kinds, one kind, one resource, and who is in which group; a table stays a table whatever the names are.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { membersOf } from '../../../src/features/show/member-lists.ts';
import type { MembersBy } from '../../../src/features/show/members.ts';
import type { Shown, ShownMembers, ShownObject } from '../../../src/features/show/schema.ts';
import { shownTable, shownView } from '../../../src/features/show/view.ts';
import { staffOf } from '../../../src/routing/staff/staff.ts';
import { plainText } from '../../../src/view/blocks.ts';
import { onTerminal, uncoloured } from '../../../src/view/paint.ts';
import { plain } from '../../../src/view/plain.ts';
import { columnsOf } from '../../../src/view/terminal/narrow.ts';
import { tableCsv } from '../../../src/view/writers/csv.ts';
import { htmlPage } from '../../../src/view/writers/html.ts';
import { markdownText } from '../../../src/view/writers/markdown.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { hostileText } from '../../view/hostile.ts';
import { ITEMS } from '../drift/example.ts';
import { GROUP_MEMBERS } from './example.ts';

const ENTRY: ShownObject = {
  address: 'group/sales',
  type: 'group',
  id: 7,
  name: 'Sales',
  ownership: 'declared',
  origin: 'adopted',
  last_applied: null,
  source: { file: 'manifest.yaml', line: 3, column: 3 },
  spec: { name: 'Sales' },
  unread: [],
};

const ALL: Shown = {
  target: 'production',
  api_version: '3.6',
  manifest_read: true,
  warnings: [],
  failures: [],
  kinds: [],
  resources: [ENTRY],
  refers_to: null,
  referred_to_by: null,
  differences: null,
};

function textOf(shown: Shown, width: number | null = null, by: MembersBy = null): string {
  return terminalText(shownView(shown, by), width === null ? uncoloured : onTerminal(uncoloured, width));
}

const inFull = (entry: Partial<ShownObject>, more: Partial<Shown> = {}): string =>
  textOf({ ...ALL, resources: [{ ...ENTRY, ...entry }], refers_to: [], referred_to_by: [], ...more });

test('A list of greetings says when each shows, as a plan does', () => {
  const rules = [
    { type: 'url_current', operator: 'contains', value: '/pricing' },
    { condition: 'and', type: 'visit_time_page', operator: 'greater_or_equal', value: '30' },
  ];
  const spec = { group: 'group/sales', active: true, rules };
  const entry: ShownObject = { ...ENTRY, address: 'greeting/help', type: 'greeting', name: 'Help', spec };
  expect(textOf({ ...ALL, resources: [entry, entry] })).toContain(
    'when URL contains /pricing, and time on the page at least 30 s',
  );
});

test('A terminal gets no control character, and a table a line for each object', () => {
  fc.assert(
    fc.property(hostileText, hostileText, fc.dictionary(hostileText, hostileText), (address, name, map) => {
      const spec = { name, language_code: [name, [name], map], agent_priorities: map };
      const entry = { ...ENTRY, address, name, spec };
      const table = textOf({ ...ALL, resources: [entry, entry] });
      expect(table.split('\n')).toHaveLength(6);
      for (const text of [table, inFull(entry)])
        expect(plain(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', ''));
    }),
  );
});

test('The license is a count of each kind; one that was not read is not zero', () => {
  const counts = { total: 12, declared: 3, owned: 2, unmanaged: 7 };
  const kinds: Shown['kinds'] = [
    { type: 'agent', read: true, ...counts },
    { type: 'bot', read: false, total: 0, declared: 0, owned: 0, unmanaged: 0 },
  ];
  const shown: Shown = { ...ALL, kinds, resources: null, failures: ['list_bots: forbidden'] };
  expect(textOf(shown)).toMatchInlineSnapshot(`
    "Kind      Total  Declared  Owned  Unmanaged
    agent        12         3      2          7
    bot    not read

    12 objects on the license: 3 declared, 2 owned, 7 unmanaged.
    Warning: not everything could be read: list_bots: forbidden
    "
  `);
  expect(tableCsv(shownTable(shown, null))).toBe(
    'kind,total,declared,owned,unmanaged\r\nagent,12,3,2,7\r\nbot,not read,,,\r\n',
  );
});

test('A resource is shown in full: what chatform knows of it, its fields, its differences, and what refers to it', () => {
  const priorities = { 'agent/ann@example.com': 'first' };
  const spec = {
    name: 'Sales',
    agent_priorities: priorities,
    text: 'two words',
    quoted: ['yes', '', '7'],
    none: {},
    list: [{ value: '/a' }, ['b']],
  };
  const text = inFull(
    { spec, unread: ['domain'] },
    {
      differences: ITEMS.slice(0, 2),
      refers_to: [{ field: 'agent_priorities', address: 'agent/ann@example.com', name: 'Ann' }],
      referred_to_by: ['groups', 'access'].map((field) => ({ field, address: 'agent/bob@example.com', name: 'Bob' })),
    },
  );
  expect(text).toMatchInlineSnapshot(`
    "address   group/sales
    id        7
    declared  manifest.yaml:3
    owned     adopted

    On the license:
      name                                    Sales
      agent_priorities.agent/ann@example.com  first, Ann
      text                                    two words
      quoted                                  "yes", "", "7"
      none                                    {}
      list                                    {"value":"/a"}
                                              ["b"]

      not read: domain

    Differs from the applied or declared values:
      group/sales, named "Sales | <b>EMEA</b> & \`APAC\`"
        ~ agent_priorities.agent/ann@example.com: applied "first" -> live "last" -> declared "first"  manifest/groups.yaml:4
          changed on the license since the apply of 2026-11-20T09:00:00Z
        ! language_code: applied "en" -> live "pl" -> declared "de"  manifest/groups.yaml:6
          changed differently on both sides since the apply of 2026-11-20T09:00:00Z

    Referred to by:
      Object                 Name  Field
      agent/bob@example.com  Bob   groups, access

    group/sales: declared; 2 differences.
    "
  `);
});

test('A membership is said once, with the name of the person', () => {
  const text = inFull(
    { spec: { name: 'Sales', agent_priorities: { 'agent/ann@example.com': 'first' } } },
    {
      refers_to: [{ field: 'agent_priorities', address: 'agent/ann@example.com', name: 'Ann' }],
      referred_to_by: [
        { field: 'groups', address: 'agent/ann@example.com', name: 'Ann' },
        { field: 'groups', address: 'bot/triage', name: 'Triage' },
      ],
    },
  );
  expect(text).toContain('agent_priorities.agent/ann@example.com  first, Ann');
  expect(text.match(/ann@example/g)).toHaveLength(1);
  expect(text).toMatch(/bot\/triage .* groups/);
});

test('Rules are sentences in their order', () => {
  const rule = (key: string, spec: ShownObject['spec'], more: Partial<ShownObject> = {}): ShownObject => ({
    ...{ ...ENTRY, address: `auto_access/${key}`, type: 'auto_access', id: key, name: key, spec, ...more },
  });
  const where = {
    url: { values: [{ value: '/a' }, { value: '/b' }] },
    geolocation: { values: [{ country_code: 'PL' }] },
  };
  const resources = [
    rule('b', { description: 'Two pages', access: { groups: ['group/x', 'group/y'] }, conditions: where }),
    rule('a', { access: { groups: [] } }, { ownership: 'unmanaged' }),
  ];
  expect(
    textOf({ ...ALL, resources }),
  ).toContain(`1. auto_access/b: if the URL contains /a or /b, and the visitor is from PL: to group/x and group/y
  Two pages
2. auto_access/a: conditions not read: to no group
  no file has it
`);
});

test('People are a roster: at 80 columns without addresses, unless two share a name', () => {
  const person = (key: string, name: string, spec: ShownObject['spec']): ShownObject => ({
    ...ENTRY,
    ...{ address: `agent/${key}@a-long-domain.example.com`, type: 'agent', id: `${key}@x`, name, spec },
  });
  const spec = { role: 'normal', max_chats_count: 6, groups: { 'group/orders-north-america': 'first' } };
  const people = [
    person('ann', 'Ann Lee', { ...spec, suspended: true }),
    person('bob', 'Bob Ray', { ...spec, max_chats_count: 0, groups: {} }),
  ];
  const narrow = textOf({ ...ALL, resources: people }, 80);
  expect(
    narrow
      .split('\n')
      .slice(0, 3)
      .map((line) => line.trimEnd()),
  ).toEqual([
    'Name     Chats  Groups                        Note       Role',
    'Ann Lee  6      orders-north-america (first)  suspended  normal',
    'Bob Ray  0                                    no chats   normal',
  ]);
  expect(textOf({ ...ALL, resources: people })).toMatch(
    /^Address .*\nagent\/ann@a-long-domain.example.com .* suspended /,
  );
  const twins = people.map((each) => ({ ...each, name: 'Ann Lee' }));
  expect(textOf({ ...ALL, resources: twins }, 80)).toContain('agent/ann@');
});

/** Many people with long names in many groups. */
function crowd(groups: number, called: string): ShownMembers {
  const names = Array.from({ length: groups }, (_, nth) => `group/g${nth}`);
  const placed = [
    ...names.map((reference) => ({
      reference,
      kind: 'group' as const,
      name: `${called} ${reference}`,
      spec: {},
      decides: [],
    })),
    ...names.map((reference, nth) => ({
      reference: `agent/person-${nth}@example.com`,
      kind: 'agent' as const,
      name: called,
      spec: { suspended: nth % 2 === 0, groups: { [reference]: 'supervisor', 'group/g0': 'normal' } },
      decides: [],
    })),
  ];
  const staff = staffOf(placed, { zone: 'UTC', isRead: true, version: '3.6' });
  return membersOf({ view: 'live', before: null, staff, ownershipOf: () => 'declared' });
}

const membersAt = (members: ShownMembers, by: MembersBy, width: number | null): string =>
  textOf({ ...ALL, resources: null, members }, width, by);

test('Members fit a terminal of any usual width, and name everyone', () => {
  const width = fc.integer({ min: 72, max: 220 });
  const by = fc.constantFrom('group' as const, 'person' as const, null);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), hostileText, width, by, (groups, called, columns, list) => {
      const members = crowd(groups, called);
      const text = membersAt(members, list, columns);
      expect(text.split('\n').filter((line) => columnsOf(line) > columns)).toEqual([]);
      for (const { address } of members.people) expect(text).toContain(address);
      expect(plain(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', ''));
    }),
  );
});

test('In a pipe nothing is cut: every name and every group is whole', () => {
  const long = 'Customer support in English, second line';
  for (const by of ['group', 'person', null] as const) {
    const text = membersAt(crowd(20, long), by, null);
    expect(text).not.toContain('…');
    expect(text.split(`${long} group/g19`).length).toBeGreaterThan(1);
  }
});

test('A matrix that does not fit gets narrower columns first, and is a list by group in the end', () => {
  const at = (width: number | null): string => membersAt(GROUP_MEMBERS.live, null, width);
  const wide = at(null);
  expect(wide).toMatch(/^Address +Name +Note +General +/);
  const narrow = at(110);
  expect(narrow).toMatch(/^Address .*…/);
  expect(narrow).not.toBe(wide);
  expect(at(60)).toBe(membersAt(GROUP_MEMBERS.live, 'group', 60));
});

test('A comparison marks who joins, leaves, and changes priority', () => {
  expect(membersAt(GROUP_MEMBERS.both, null, null)).toMatchInlineSnapshot(`
    "Address                 Name           Note                               General   Sales (9)     Sales (sales)      Customer support in English
    agent/ann@example.com   Ann                                                                       first              - normal
    agent/bob@example.com   =Bob "B", <b>  suspended                                                  ~ normal -> first
    agent/carl@example.com  Carl                                                        - supervisor  last
    agent/dora@example.com                 waiting for approval, in no group
    agent/eve@example.com   Eve            no slots, in no group              - normal
    agent/fay@example.com   Fay                                                                                          + normal
    bot/triage              Triage         bot                                                        first

    Chats go to first, then normal, then last; a supervisor gets none. An apply adds what is marked +, removes what is marked -, and changes a -> b.

    Who is in which group, on the license, and after an apply: 4 groups, 6 agents, 1 bot; 1 suspended, 1 waiting for approval, 2 in no group.
    "
  `);
  expect(membersAt(GROUP_MEMBERS.both, 'person', 100)).toMatchInlineSnapshot(`
    "Address                 Name           Note                           Groups
    agent/ann@example.com   Ann                                           Sales (sales) first, Customer
                                                                          support in English - normal
    agent/bob@example.com   =Bob "B", <b>  suspended                      Sales (sales) ~ normal ->
                                                                          first
    agent/carl@example.com  Carl                                          Sales (9) - supervisor, Sales
                                                                          (sales) last
    agent/dora@example.com                 waiting for approval, in no
                                           group
    agent/eve@example.com   Eve            no slots, in no group          General - normal
    agent/fay@example.com   Fay                                           Customer support in English +
                                                                          normal
    bot/triage              Triage         bot                            Sales (sales) first

    Chats go to first, then normal, then last; a supervisor gets none. An apply adds what is marked +,
      removes what is marked -, and changes a -> b.

    Who is in which group, on the license, and after an apply: 4 groups, 6 agents, 1 bot; 1 suspended, 1
      waiting for approval, 2 in no group.
    "
  `);
  const view = shownView({ ...ALL, resources: null, members: GROUP_MEMBERS.both }, null);
  const page = htmlPage(view);
  for (const mark of ['add', 'destroy', 'change']) expect(page).toMatch(new RegExp(`<td><span class="mark ${mark}">`));
  expect(page).toContain('2 who do not change');
  expect(markdownText(view)).toMatch(/^### Group members of `production`: read\n/);
});

test('CSV has a row for each person, or with lists for each membership', () => {
  const csv = (by: MembersBy) => tableCsv(shownTable({ ...ALL, resources: null, members: GROUP_MEMBERS.both }, by));
  expect(csv(null)).toContain('agent/eve@example.com,Eve,unmanaged,"no slots, in no group",leaves: normal,,,\r\n');
  expect(csv('person')).toContain(
    'agent/fay@example.com,Fay,declared,,group/support,Customer support in English,,normal',
  );
});

test('Without people and groups it says so', () => {
  const members = { ...GROUP_MEMBERS.live, groups: [], people: [] };
  const view = shownView({ ...ALL, resources: null, members }, null);
  expect([view.body, plainText(view.result)]).toEqual([[], 'There are no groups and no agents.']);
});

test('Names that do not fit a column are counted, as many as fit are named, and none is cut', () => {
  const names = Object.fromEntries(['ann', 'bob', 'cleo', 'dan'].map((name) => [`${name}@x.com`, 'first']));
  const at = (width: number, spec: ShownObject['spec']): string =>
    textOf({ ...ALL, resources: [{ ...ENTRY, spec: { language_code: '', ...spec } }] }, width).split('\n')[1] ?? '';
  const agents = { agent_priorities: names };
  expect(at(130, agents)).toContain('ann@x.com first, bob@x.com first, cleo@x.com first, dan@x.com first');
  expect(at(95, agents)).toContain('ann@x.com first, bob@x.com first and 2 more  declared');
  expect(at(76, agents)).toContain('ann@x.com first and 3 more  declared');
  expect(at(62, agents)).toContain('4 in all');
  expect(at(62, { agent_priorities: { groups: ['group/a', 'group/b', 'group/c'] } })).toMatch(/3 in all +declared/);
  expect(at(62, { agent_priorities: 'a text that is much too long' })).toContain('…');
});
