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
    op: 'set',
    path: ['agents', 'eve@example.com'],
    value: { name: 'Eve', suspended: true },
  });
  expect(grown).toContain('groups: [sales] }\n\n  eve@example.com: { name: Eve, suspended: true }\ngroups:\n');
});

test('an empty section becomes one with an entry', () => {
  expect(edited(TEAM, { op: 'set', path: ['groups', 'sales'], value: { name: 'Sales', language_code: 'no' } })).toBe(
    `${TEAM}  sales:\n    name: Sales\n    language_code: 'no'\n`,
  );
  expect(edited(TEAM, { op: 'set', path: ['bots', 'triage'], value: { name: 'T', groups: { sales: 'first' } } })).toBe(
    `${TEAM}bots:\n  triage:\n    name: T\n    groups: { sales: first }\n`,
  );
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
      { op: 'set', path: ['agents', 'ann@example.com'], value: ANN },
      { op: 'set', path: ['agents', 'bob@example.com'], value: { name: 'Bob', groups: ['trade'] } },
      { op: 'set', path: ['license_properties', 'crm'], value: { tier: 'gold' } },
      { op: 'set', path: ['auto_access'], value: [BLOG] },
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
  expect(edited(block, { op: 'insert', path: ['auto_access'], index: 1, items: [BLOG] })).toBe(
    `${block}${block.slice(block.indexOf('  - key')).replace('key: shop', 'key: blog').replace('/shop', '/bf')}`,
  );
});

test('an entry beside one in brackets is in brackets only when little else than words stands in it', () => {
  const simple = 'version: 1\ngroups:\n  sales: { name: Sales }\n';
  const trade = { name: 'Trade', properties: { crm: { tier: 'gold' } } };
  expect(edited(simple, { op: 'set', path: ['groups', 'trade'], value: trade })).toBe(
    `${simple}  trade:\n    name: Trade\n    properties: { crm: { tier: gold } }\n`,
  );
});

test('an entry goes with the comments that belong to it, and with one of the blank lines around it', () => {
  expect(edited(TEAM, { op: 'remove', path: ['agents', 'ann@example.com'] })).toBe(
    TEAM.replace(/ {2}# ann leads[\s\S]*tail of ann\n\n/, ''),
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

test('what a merge gave is written out in its place, between the members of before and after it', () => {
  const before = 'x: &hours { zone: UTC, days: 5 }\nbob:\n  name: Bob\n  <<: *hours\n  role: normal\n';
  expect(edited(before, { op: 'remove', path: ['bob', 'zone'] })).toBe(
    'x: &hours { zone: UTC, days: 5 }\nbob:\n  name: Bob\n  days: 5\n  role: normal\n',
  );
});

test('a value with an anchor changes alone: the first who uses the anchor takes it over', () => {
  expect(edited(SHARED, { op: 'set', path: ['x-hours', 'timezone'], value: 'Asia/Tokyo' })).toBe(
    `x-hours:
  timezone: Asia/Tokyo
  days: [monday]
ann: # as everybody
  &hours
  timezone: UTC
  days: [monday]
bob:
  <<: *hours
  name: Bob
`,
  );
});

test('an item that comes before the anchor it uses has the value itself', () => {
  expect(edited('- &a { x: 1 }\n- <<: *a\n  y: 2\n- *a\n', { op: 'order', path: [], order: [1, 0, 2] })).toBe(
    '- <<: { x: 1 }\n  y: 2\n- &a { x: 1 }\n- *a\n',
  );
  expect(edited('- &a { x: 1 }\n- *a\n', { op: 'order', path: [], order: [1, 0] })).toBe('- &a { x: 1 }\n- *a\n');
});

test('what others use by its anchor is written out for the first of them when it is removed', () => {
  expect(edited(SHARED, { op: 'remove', path: ['x-hours'] })).toBe(`ann: # as everybody
  &hours
  timezone: UTC
  days: [monday]
bob:
  <<: *hours
  name: Bob
`);
});

test('line breaks, a missing last one and the marks of a document stay', () => {
  expect(
    edited(
      '---\r\na: 1\r\nb:\r\n  - x',
      { op: 'insert', path: ['b'], index: 1, items: ['z'] },
      { op: 'set', path: ['c'], value: { d: 1 } },
    ),
  ).toBe('---\r\na: 1\r\nb:\r\n  - x\r\n  - z\r\nc:\r\n  d: 1');
  expect(edited('a: 1\n...\n', { op: 'set', path: ['b'], value: 2 })).toBe('a: 1\nb: 2\n...\n');
  expect(edited('# nothing yet\n', { op: 'set', path: ['version'], value: 1 })).toBe('# nothing yet\n\nversion: 1\n');
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

test.each([
  ['an empty file', '', 'a: { b: 1 }\n'],
  ['an empty mapping', '{}\n', 'a: { b: 1 }\n'],
  ['an empty mapping without a last line break', '# top\n{}', '# top\na: { b: 1 }'],
  ['a byte order mark', '\ufeffx: 1\n', '\ufeffx: 1\na: { b: 1 }\n'],
  ['a tab after a key', 'x:\t1\t# one\na: # two\n', 'x:\t1\t# one\na: { b: 1 } # two\n'],
  ['brackets in CRLF lines', 'a: {\r\n  c: 2, # two\r\n}\r\n', 'a: {\r\n    c: 2, # two\r\n    b: 1\r\n  }\r\n'],
  ['a mapping in brackets', "{ 'é': 'ü' }\n", "{ 'é': 'ü', a: { b: 1 } }\n"],
  ['a block that keeps its end', 'x: |+\n  1\n\n', 'x: |+\n  1\n\na: { b: 1 }\n'],
])('a member is made in %s', (_, before, after) => {
  const text = edited(before, { op: 'set', path: ['a', 'b'], value: 1 });
  expect(text).toBe(after);
  expect(edited(text, { op: 'set', path: ['a', 'b'], value: 1 })).toBe(after);
});

test('of two anchors with one name each alias keeps the value of its own', () => {
  const before = 'a: &x [1]\nb: *x\nc: &x [2]\nd: *x\n';
  expect(edited(before, { op: 'set', path: ['a', 0], value: 3 })).toBe('a: [3]\nb: [1]\nc: &x [2]\nd: *x\n');
  expect(edited(before, { op: 'remove', path: ['c'] })).toBe('a: &x [1]\nb: *x\nd: [2]\n');
});

test('a text that a runner would obey, or a reader would not see, is written as an escape', () => {
  const text = edited('a: { b: 1 }\n', { op: 'set', path: ['a', 'b'], value: '##[x]\u200b' });
  expect(text).toBe('a: { b: "#\\u0023[x]\\u200b" }\n');
});

test('edits of one file are made together, and a comment between entries stays', () => {
  const before = 'x: 1\n\n# between\n\n# of y\ny: { a: 1 }\nz:\n  - 1 # one\n  - 2\n';
  const after = edited(
    before,
    { op: 'remove', path: ['y'] },
    { op: 'order', path: ['z'], order: [1, 0] },
    { op: 'set', path: ['x'], value: 'one' },
    { op: 'insert', path: ['z'], index: 1, items: [3] },
  );
  expect(after).toBe('x: one\n\n# between\nz:\n  - 2\n  - 3\n  - 1 # one\n');
});

test('comments inside of brackets stay with their items', () => {
  const before = 'a: [\n    1, # one\n    2 # two\n  ] # all\n';
  expect(edited(before, { op: 'insert', path: ['a'], index: 2, items: [3] })).toBe(
    'a: [\n    1, # one\n    2, # two\n    3\n  ] # all\n',
  );
  expect(edited(before, { op: 'remove', path: ['a', 1] })).toBe('a: [\n    1 # one\n  ] # all\n');
});
