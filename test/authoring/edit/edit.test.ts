// Edits of whole files, as people would read them in a diff.

import { expect, test } from 'vitest';
import { type Edited, editYaml } from '../../../src/authoring/edit/edit.ts';
import type { Edit } from '../../../src/authoring/edit/edits.ts';

function edited(text: string, ...edits: readonly Edit[]): string {
  const outcome: Edited = editYaml('manifest.yaml', text, edits);
  return 'text' in outcome
    ? outcome.text
    : `refused at ${outcome.refused.mark.place.line}: ${outcome.refused.message}; ${outcome.refused.remedy}`;
}

const TEAM = `version: 1
agents:
  # ann leads
  ann@example.com:
    name: Ann   # her name
    max_chats_count: 5
    # tail of ann

  bob@example.com: { name: 'Bob', groups: [sales] }
groups:
`;

test('a scalar is replaced where it stands, and nothing beside it', () => {
  expect(edited(TEAM, { op: 'set', path: ['agents', 'ann@example.com', 'name'], value: 'Anna' })).toBe(
    TEAM.replace('name: Ann  ', 'name: Anna  '),
  );
});

test('a quoted text stays quoted, and what would read as something else becomes quoted', () => {
  const path = ['agents', 'bob@example.com'];
  expect(edited(TEAM, { op: 'set', path: [...path, 'name'], value: "Rob's" })).toContain("{ name: 'Rob''s', groups");
  expect(edited(TEAM, { op: 'set', path: [...path, 'groups', 0], value: '00123' })).toContain("groups: ['00123']");
});

test('a list in brackets grows in its brackets', () => {
  const path = ['agents', 'bob@example.com', 'groups'];
  expect(edited(TEAM, { op: 'set', path, value: ['support', 'sales'] })).toContain('groups: [support, sales] }');
  expect(edited(TEAM, { op: 'set', path, value: [] })).toContain('groups: [] }');
});

test('a new member stands below the comments of the one before it, spaced as its siblings are', () => {
  const grown = edited(TEAM, {
    op: 'add',
    path: ['agents'],
    name: 'eve@example.com',
    value: { name: 'Eve', suspended: true },
  });
  expect(grown).toContain('groups: [sales] }\n\n  eve@example.com: { name: Eve, suspended: true }\ngroups:\n');
});

test('an empty section becomes one with an entry', () => {
  expect(
    edited(TEAM, { op: 'add', path: ['groups'], name: 'sales', value: { name: 'Sales', language_code: 'no' } }),
  ).toBe(`${TEAM}  sales:\n    name: Sales\n    language_code: 'no'\n`);
  expect(
    edited(TEAM, { op: 'add', path: ['bots'], name: 'triage', value: { name: 'T', groups: { sales: 'first' } } }),
  ).toBe(`${TEAM}bots:\n  triage:\n    name: T\n    groups: { sales: first }\n`);
});

const ANN = {
  name: 'Ann',
  notifications: ['new_visitor', 'ticket'],
  work_scheduler: {
    timezone: 'Europe/Warsaw',
    schedule: ['monday', 'tuesday'].map((day) => ({ day, enabled: true, start: '09:00', end: '17:00' })),
  },
};
const BLOG = { key: 'blog', access: { groups: ['trade'] }, conditions: { url: { values: [{ value: '/bf' }] } } };

test('where a file shows nothing, what comes is written as in a new file', () => {
  expect(
    edited(
      'version: 1\n',
      { op: 'add', path: ['agents'], name: 'ann@example.com', value: ANN },
      { op: 'add', path: ['agents'], name: 'bob@example.com', value: { name: 'Bob', groups: ['trade'] } },
      { op: 'add', path: ['license_properties'], name: 'crm', value: { tier: 'gold' } },
      { op: 'add', path: [], name: 'auto_access', value: [BLOG] },
    ),
  ).toBe(`version: 1

agents:
  ann@example.com:
    name: Ann
    notifications: [new_visitor, ticket]
    work_scheduler:
      timezone: Europe/Warsaw
      schedule:
        - { day: monday, enabled: true, start: "09:00", end: "17:00" }
        - { day: tuesday, enabled: true, start: "09:00", end: "17:00" }
  bob@example.com: { name: Bob, groups: [trade] }

license_properties:
  crm:
    tier: gold

auto_access:
  - key: blog
    access: { groups: [trade] }
    conditions: { url: { values: [{ value: /bf }] } }
`);
});

test('where an author writes in block what would fit on a line, so is what comes', () => {
  const block = `version: 1
auto_access:
  - key: shop
    access:
      groups:
        - trade
    conditions:
      url:
        values:
          - value: /shop
`;
  expect(edited(block, { op: 'insert', path: ['auto_access'], index: 1, value: BLOG })).toBe(
    `${block}${block.slice(block.indexOf('  - key')).replace('key: shop', 'key: blog').replace('/shop', '/bf')}`,
  );
});

test('an entry beside one in brackets is in brackets only when little else than words stands in it, or in the other', () => {
  const simple = 'version: 1\ngroups:\n  sales: { name: Sales }\n';
  const trade = { name: 'Trade', properties: { crm: { tier: 'gold' } } };
  expect(edited(simple, { op: 'add', path: ['groups'], name: 'trade', value: trade })).toBe(
    `${simple}  trade:\n    name: Trade\n    properties: { crm: { tier: gold } }\n`,
  );
  const dense = 'version: 1\ngroups:\n  sales: { name: Sales, properties: { crm: { tier: silver } } }\n';
  expect(edited(dense, { op: 'add', path: ['groups'], name: 'trade', value: trade })).toBe(
    `${dense}  trade: { name: Trade, properties: { crm: { tier: gold } } }\n`,
  );
});

test('an entry goes with the comments that belong to it, and with one of the blank lines around it', () => {
  expect(edited(TEAM, { op: 'remove', path: ['agents', 'ann@example.com'] })).toBe(
    TEAM.replace(/ {2}# ann leads[\s\S]*tail of ann\n/, ''),
  );
  const apart = 'a: 1\n\n# about b\nb: 2\n\nc: 3\n';
  expect(edited(apart, { op: 'remove', path: ['b'] })).toBe('a: 1\n\nc: 3\n');
});

test('the last member leaves an empty mapping', () => {
  expect(edited('a: # of a\n  b: 1\nc: 2\n', { op: 'remove', path: ['a', 'b'] })).toBe('a: {} # of a\nc: 2\n');
  expect(edited('a:\n- x\n', { op: 'remove', path: ['a', 0] })).toBe('a: []\n');
  expect(edited('a: {b: 1}\n', { op: 'remove', path: ['a', 'b'] })).toBe('a: {}\n');
  expect(edited('# top\na: 1\n', { op: 'remove', path: ['a'] })).toBe('# top\n{}\n');
});

const RULES = `auto_access:
  # first match wins
  - key: pricing
    access: {groups: [sales]}

  - key: rest # catches all
    access: {groups: [support]}
  # the old one
  - key: old
    access: {groups: [sales]}
`;

test('items change places with their comments', () => {
  expect(edited(RULES, { op: 'order', path: ['auto_access'], order: [2, 0, 1] })).toBe(`auto_access:
  # the old one
  - key: old
    access: {groups: [sales]}

  # first match wins
  - key: pricing
    access: {groups: [sales]}
  - key: rest # catches all
    access: {groups: [support]}
`);
});

const HOURS = `work_scheduler:
  schedule:
    - { day: monday, start: "09:00", end: "17:00" } # mon
    # tue
    - { day: tuesday, start: "09:00", end: "17:00" }
    - { day: friday, start: "09:00", end: "12:00" } # short
`;

test('items of a schedule are told by what they are, and one that changed a little is the same item', () => {
  const days = [
    { day: 'tuesday', start: '10:00', end: '17:00' },
    { day: 'wednesday', start: '09:00', end: '17:00' },
    { day: 'friday', start: '09:00', end: '12:00' },
  ];
  expect(edited(HOURS, { op: 'set', path: ['work_scheduler', 'schedule'], value: days })).toBe(`work_scheduler:
  schedule:
    # tue
    - { day: tuesday, start: "10:00", end: "17:00" }
    - { day: wednesday, start: "09:00", end: "17:00" }
    - { day: friday, start: "09:00", end: "12:00" } # short
`);
});

const SHARED = `x-hours: &hours
  timezone: UTC
  days: [monday]
ann: *hours # as everybody
bob:
  <<: *hours
  name: Bob
`;

test('a value behind an alias changes only where the alias stands', () => {
  expect(edited(SHARED, { op: 'set', path: ['ann', 'timezone'], value: 'Europe/Warsaw' })).toBe(
    SHARED.replace(
      'ann: *hours # as everybody\n',
      'ann: # as everybody\n  timezone: Europe/Warsaw\n  days: [monday]\n',
    ),
  );
});

test('a member from a merge is overridden, and written out where it has to go', () => {
  expect(edited(SHARED, { op: 'set', path: ['bob', 'timezone'], value: 'Asia/Tokyo' })).toBe(
    `${SHARED}  timezone: Asia/Tokyo\n`,
  );
  expect(edited(SHARED, { op: 'remove', path: ['bob', 'timezone'] })).toBe(
    SHARED.replace('  <<: *hours\n', '  days: [monday]\n'),
  );
});

test('a value with an anchor changes alone: the first who uses the anchor takes it over', () => {
  expect(edited(SHARED, { op: 'set', path: ['x-hours', 'timezone'], value: 'Asia/Tokyo' })).toBe(
    `x-hours:
  timezone: Asia/Tokyo
  days: [monday]
ann: &hours # as everybody
  timezone: UTC
  days: [monday]
bob:
  <<: *hours
  name: Bob
`,
  );
});

test('an item that comes before the anchor it uses has the value itself', () => {
  expect(edited('- &a { x: 1 }\n- <<: *a\n  y: 2\n- *a\n', { op: 'order', path: [], order: [2, 0, 1] })).toBe(
    '- &a { x: 1 }\n- { x: 1 }\n- <<: { x: 1 }\n  y: 2\n',
  );
});

test('what others use by its anchor is not removed, and the line that uses it is named', () => {
  expect(edited(SHARED, { op: 'remove', path: ['x-hours'] })).toMatch(/^refused at 1: .*&hours.* line 4/);
});

test('line breaks, a missing last one and the marks of a document stay', () => {
  expect(
    edited(
      '---\r\na: 1\r\nb:\r\n  - x',
      { op: 'insert', path: ['b'], index: 1, value: 'z' },
      { op: 'set', path: ['c'], value: { d: 1 } },
    ),
  ).toBe('---\r\na: 1\r\nb:\r\n  - x\r\n  - z\r\nc:\r\n  d: 1');
  expect(edited('a: 1\n...\n', { op: 'add', path: [], name: 'b', value: 2 })).toBe('a: 1\nb: 2\n...\n');
  expect(edited('# nothing yet\n', { op: 'add', path: [], name: 'version', value: 1 })).toBe(
    '# nothing yet\nversion: 1\n',
  );
});

test('a path that leads nowhere is refused where it ends', () => {
  expect(edited(TEAM, { op: 'remove', path: ['agents', 'eve@example.com'] })).toContain('refused at 4');
  expect(edited(TEAM, { op: 'set', path: ['version', 'minor'], value: 1 })).toContain('refused at 1');
});

test('a file that does not read is not edited', () => {
  expect(edited('a: [1\n', { op: 'set', path: ['a'], value: 1 })).toContain('refused');
});

test('A file that begins with an empty line and a comment is edited like any other', () => {
  const before = '\n# above\nann: []\n...\n';
  const edited = editYaml('a.yaml', before, [{ op: 'set', path: ['made', 'deep'], value: 1 }]);
  expect('text' in edited ? edited.text : edited.refused.message).toMatch(
    /^\n# above\nann: \[\]\nmade: .*deep: 1.*\n\.\.\.\n$/s,
  );
});

test('An order that swaps items that say the same leaves the file as it is', () => {
  const before = 'all:\n  - a: \'x\'\n  # the other one\n  - { "a": x }\n  - b\n';
  const edited = editYaml('a.yaml', before, [{ op: 'order', path: ['all'], order: [1, 0, 2] }]);
  expect(edited).toMatchObject({ text: before });
});
