// The text of `show` with hostile names: a table stays a table, a terminal obeys nothing, and no line is wider than the terminal.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MembersBy } from '../../../src/render/text/members.ts';
import { showText } from '../../../src/render/text/show.ts';
import { staffOf } from '../../../src/staff/staff.ts';
import { membersOf } from '../../../src/tasks/show/members.ts';
import type { Shown, ShownMembers, ShownObject } from '../../../src/tasks/show/schema.ts';
import { onTerminal, uncoloured } from '../../../src/view/paint.ts';
import { plain } from '../../../src/view/plain.ts';
import { columnsOf } from '../../../src/view/terminal/narrow.ts';
import { GROUP_MEMBERS } from '../../tasks/show/example.ts';
import { hostileText } from '../hostile.ts';

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
  kinds: [],
  resources: [ENTRY],
  refers_to: null,
  referred_to_by: null,
  differences: null,
};

const inFull = (entry: Partial<ShownObject>): string =>
  showText({ ...ALL, resources: [{ ...ENTRY, ...entry }], refers_to: [], referred_to_by: [] }, [], null, uncoloured);

test('A terminal gets no control character, and a table a line for each object', () => {
  fc.assert(
    fc.property(hostileText, hostileText, fc.dictionary(hostileText, hostileText), (address, name, map) => {
      const entry = { ...ENTRY, address, name, spec: { name, map, list: [name, [name], map] } };
      const table = showText({ ...ALL, resources: [entry, entry] }, ['name', 'map', 'list'], null, uncoloured);
      expect(table.split('\n')).toHaveLength(4);
      for (const text of [table, inFull(entry)])
        expect(plain(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', ''));
    }),
  );
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

const textOf = (members: ShownMembers, by: MembersBy, width: number | null): string =>
  showText({ ...ALL, resources: null, members }, [], by, width === null ? uncoloured : onTerminal(uncoloured, width));

test('Members fit a terminal of any usual width, and name everyone', () => {
  const width = fc.integer({ min: 72, max: 220 });
  const by = fc.constantFrom('group' as const, 'person' as const, null);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), hostileText, width, by, (groups, called, columns, list) => {
      const members = crowd(groups, called);
      const text = textOf(members, list, columns);
      expect(text.split('\n').filter((line) => columnsOf(line) > columns)).toEqual([]);
      for (const { address } of members.people) expect(text).toContain(address);
      expect(plain(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', ''));
    }),
  );
});

test('In a pipe nothing is cut: every name and every group is whole', () => {
  const long = 'Customer support in English, second line';
  for (const by of ['group', 'person', null] as const) {
    const text = textOf(crowd(20, long), by, null);
    expect(text).not.toContain('…');
    expect(text.split(`${long} group/g19`).length).toBeGreaterThan(1);
  }
});

test('A matrix that does not fit gets narrower columns first, and is a list by group in the end', () => {
  const at = (width: number | null): string => textOf(GROUP_MEMBERS.live, null, width);
  const byGroup = (width: number): string => textOf(GROUP_MEMBERS.live, 'group', width);
  const wide = at(null);
  expect(wide.split('\n')[2]).toMatch(/^ADDRESS +NAME +NOTE +General +/);
  const narrow = at(110);
  expect(narrow.split('\n')[2]).toMatch(/^ADDRESS .*…/);
  expect(narrow).not.toBe(wide);
  expect(at(60)).toBe(byGroup(60));
});

test('Names that do not fit a column are counted, as many as fit are named, and none is cut', () => {
  const agents = Object.fromEntries(['ann', 'bob', 'cleo', 'dan'].map((name) => [`${name}@x.com`, 'first']));
  const at = (width: number, spec: ShownObject['spec'], column: string): string => {
    const table = showText({ ...ALL, resources: [{ ...ENTRY, spec }] }, [column], null, onTerminal(uncoloured, width));
    return table.split('\n')[1] ?? '';
  };
  expect(at(120, { agents }, 'agents')).toContain(
    'ann@x.com first, bob@x.com first, cleo@x.com first, dan@x.com first',
  );
  expect(at(80, { agents }, 'agents')).toContain('ann@x.com first, bob@x.com first and 2 more  declared');
  expect(at(60, { agents }, 'agents')).toContain('ann@x.com first and 3 more  declared');
  expect(at(46, { agents }, 'agents')).toContain('4 in all');
  expect(at(46, { access: { groups: ['group/a', 'group/b', 'group/c'] } }, 'access')).toMatch(/3 in all +declared/);
  expect(at(46, { text: 'a text that is much too long' }, 'text')).toContain('…');
});
