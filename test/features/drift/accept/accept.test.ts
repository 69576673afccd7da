// How accepting a difference changes files, as people would read it in a diff.

import { expect, test } from 'vitest';
import type { KindName, Live, LiveObject } from '../../../../src/base/model.ts';
import { type Accepted, acceptAll, chosen } from '../../../../src/features/drift/accept/accept.ts';
import type { AcceptInto } from '../../../../src/features/drift/accept/change.ts';
import type { Difference } from '../../../../src/plan/differences/difference.ts';

const NOTHING: Difference = {
  status: 'drift',
  kind: 'changed',
  address: 'group/sales',
  type: 'group',
  name: 'Sales',
  id: 7,
  path: [],
  base: null,
  live: null,
  desired: null,
  reach: 'write',
  reason: null,
  applied_at: null,
  usual: false,
  source: null,
  ways_out: ['apply', 'accept', 'ignore'],
};

function of(type: KindName, key: string, rest: Partial<Difference>): Difference {
  return { ...NOTHING, type, address: `${type}/${key}`, ...rest };
}

function object(kind: KindName, id: string | number, name: string): LiveObject {
  return { kind, id, name, spec: {}, facts: {} };
}

const LIVE: Live = {
  version: '3.6',
  objects: { group: [object('group', 7, 'Sales'), object('group', 9, 'Night Shift')], agent: [] },
  ruleOrder: [],
  scopes: [],
};

const DECLARED = {
  team: { type: 'map', value: { 'ann@example.com': 'first' }, isWrong: false },
  alerts: { type: 'list', value: ['ticket'], isWrong: false },
} as const;

function accepted(
  text: string,
  items: readonly Difference[],
  overlay = 'version: 1\n',
  into: AcceptInto = { mayChange: () => true, overlay: null },
): Accepted {
  return acceptAll(items, {
    sheets: { files: [{ file: 'manifest.yaml', text }], overlays: [{ file: 'prod.yaml', text: overlay }] },
    variables: { env: {}, var: { zone: 'UTC', ...DECLARED } },
    version: '3.6',
    live: LIVE,
    declaring: { changesFor: () => ({ reason: 'not here', mark: null }), placeOf: () => 0, keyOf: () => null },
    into,
  });
}

function texts(
  ...given: Parameters<typeof accepted>
): readonly [manifest: string | undefined, overlay: string | undefined] {
  const { sheets, left } = accepted(...given);
  expect(left.map(({ reason }) => reason)).toEqual([]);
  return [sheets.files[0]?.text, sheets.overlays[0]?.text];
}

const BASE = `version: 1
agents:
  # our best
  ann@example.com: { name: Ann, role: administrator, groups: { sales: first } } # since 2019
groups:
  sales:
    name: Sales # all of them
    language_code: en
`;

test('a value changes where it stands', () => {
  const items = [of('group', 'sales', { path: ['language_code'], live: 'pl' })];
  expect(texts(BASE, items)[0]).toBe(BASE.replace('language_code: en', 'language_code: pl'));
});

test('what an overlay says is edited in the overlay', () => {
  const overlay = 'version: 1\ngroups:\n  sales: { language_code: "de" } # prod\n';
  const items = [of('group', 'sales', { path: ['language_code'], live: 'pl' })];
  expect(texts(BASE, items, overlay)).toEqual([BASE, overlay.replace('"de"', '"pl"')]);
});

test('a member that an overlay deletes comes back in the overlay', () => {
  const overlay = 'version: 1\nagents:\n  ann@example.com:\n    groups: { sales: null }\n';
  const items = [of('agent', 'ann@example.com', { path: ['groups', 'group/sales'], live: 'last' })];
  expect(texts(BASE, items, overlay)).toEqual([BASE, overlay.replace('null', 'last')]);
});

test('what an overlay says and the manifest below it too is deleted in the overlay', () => {
  const overlay = 'version: 1\nagents:\n  ann@example.com:\n    groups: { sales: last }\n';
  const items = [of('agent', 'ann@example.com', { path: ['groups', 'group/sales'], live: null })];
  expect(texts(BASE, items, overlay)).toEqual([BASE, overlay.replace('last', 'null')]);
});

const RULES = `version: 1
groups: { sales: { name: Sales }, support: { name: Support } }
auto_access:
  # shop
  - key: shop
    description: below
    access: { groups: [sales] }
    conditions: { url: { values: [{ value: /shop }] } }
  - key: rest
    access: { groups: [sales, support] } # everybody
    conditions: { url: { values: [{ value: / }] } }
`;

test('the value of an operation is edited in the operation', () => {
  const overlay = 'version: 1\nauto_access:\n  - { op: replace, path: /shop/description, value: prod } # why\n';
  const items = [of('auto_access', 'shop', { path: ['description'], live: 'by hand' })];
  expect(texts(RULES, items, overlay)).toEqual([RULES, overlay.replace('value: prod', 'value: by hand')]);
});

test('what the only operation of an overlay put into the list goes with the whole section of the overlay', () => {
  const operation =
    '  - { op: add, path: /-, value: { key: prod, access: { groups: [sales] }, conditions: { url: { values: [{ value: /p }] } } } }\n';
  const overlay = `version: 1\n# prod only\nauto_access:\n${operation}`;
  const items = [of('auto_access', 'prod', { kind: 'missing', reach: null })];
  expect(texts(RULES, items, overlay)).toEqual([RULES, 'version: 1\n']);
  const two = `${overlay}  - { op: replace, path: /shop/description, value: prod }\n`;
  expect(texts(RULES, items, two)).toEqual([RULES, two.replace(operation, '')]);
});

test('an object that nothing declares stands in a list by its id', () => {
  const items = [of('auto_access', 'shop', { path: ['access'], live: { groups: ['9', 'group/sales'] } })];
  expect(texts(RULES, items)[0]).toBe(RULES.replace('[sales] }', '[sales, { external: { id: 9 } }] }'));
});

test('an object that nothing declares gets a name where only a key can stand', () => {
  const items = [of('agent', 'ann@example.com', { path: ['groups', '9'], live: 'normal' })];
  expect(texts(BASE, items)[0]).toBe(
    `${BASE.replace('sales: first }', 'sales: first, night-shift: normal }')}  night-shift:\n    external: { id: 9 }\n`,
  );
});

test('a membership is said on every side that declares it', () => {
  const both = `${BASE}    agent_priorities: { ann@example.com: first }\n`;
  const items = [of('group', 'sales', { path: ['agent_priorities', 'agent/ann@example.com'], live: 'last' })];
  expect(texts(both, items)[0]).toBe(both.replaceAll(': first', ': last'));
});

test('a membership is changed and removed where it is written in other capitals than the entry', () => {
  const team = (members: string): string => `${BASE}    agent_priorities: {${members}}\n`;
  const both = team(' ANN@example.com: first, Bob@example.com: normal ').replace(
    'agents:\n',
    'agents:\n  bob@example.com: { name: Bob }\n',
  );
  const change = { path: ['agent_priorities', 'agent/ann@example.com'], live: 'last' };
  const removal = { path: ['agent_priorities', 'agent/bob@example.com'], live: null };
  const [one] = texts(both, [of('group', 'sales', change), of('group', 'sales', removal)]);
  expect(one).toContain('agent_priorities: { ANN@example.com: last }');
  const [gone] = texts(both, [of('agent', 'bob@example.com', { kind: 'missing' })]);
  expect(gone).toContain('agent_priorities: { ANN@example.com: first }');
});

test('what is gone from the license goes with its comments, and with all that refers to it', () => {
  const items = [of('group', 'support', { kind: 'missing', reach: null })];
  expect(texts(RULES, items)[0]).toBe(
    RULES.replace(', support: { name: Support }', '').replace('[sales, support]', '[sales]'),
  );
  const ann = [of('agent', 'ann@example.com', { kind: 'missing', reach: null })];
  expect(texts(BASE, ann)[0]).toBe(BASE.replace(/agents:\n.*\n.*\n/, 'agents: {}\n'));
});

test('what is gone from the license goes with the operations that change it', () => {
  const operation = '  - { op: replace, path: /shop/description, value: prod } # why\n';
  const other = '  - { op: replace, path: /rest/access, value: { groups: [sales] } }\n';
  const items = [of('auto_access', 'shop', { kind: 'missing', reach: null })];
  const rest = RULES.replace(/ {2}# shop\n[\s\S]*(?= {2}- key: rest)/, '');
  expect(texts(RULES, items, `version: 1\nauto_access:\n${operation}`)).toEqual([rest, 'version: 1\n']);
  expect(texts(RULES, items, `version: 1\nauto_access:\n${operation}${other}${operation}`)).toEqual([
    rest,
    `version: 1\nauto_access:\n${other}`,
  ]);
});

test('rules change places with their comments', () => {
  const items = [
    of('auto_access', '', {
      kind: 'reordered',
      address: 'auto_access',
      live: ['auto_access/rest', 'auto_access/shop'],
    }),
  ];
  const [text = ''] = texts(RULES, items);
  expect(text.indexOf('key: rest')).toBeLessThan(text.indexOf('# shop\n  - key: shop'));
  expect([...text].sort()).toEqual([...RULES].sort());
});

test('rules of one file change places, though an operation puts another one beside them', () => {
  const overlay =
    'version: 1\nauto_access:\n  - { op: add, path: /0, value: { key: top, access: { groups: [sales] }, conditions: { url: { values: [{ value: /t }] } } } }\n';
  const live = ['auto_access/top', 'auto_access/rest', 'auto_access/shop'];
  const items = [of('auto_access', '', { kind: 'reordered', address: 'auto_access', live })];
  const [text = '', over] = texts(RULES, items, overlay);
  expect(over).toBe(overlay);
  expect(text.indexOf('key: rest')).toBeLessThan(text.indexOf('# shop\n  - key: shop'));
  const moved = { ...items[0], live: [...live.slice(1), 'auto_access/top'] } as Difference;
  expect(accepted(RULES, [moved], overlay).left).toMatchObject([{ reason: expect.stringContaining('operations') }]);
});

test('rules of several files are not put in order', () => {
  const overlay = 'version: 1\nauto_access:\n  - { op: move, from: /rest, path: /0 }\n';
  const items = [
    of('auto_access', '', {
      kind: 'reordered',
      address: 'auto_access',
      live: ['auto_access/shop', 'auto_access/rest'],
    }),
  ];
  expect(accepted(RULES, items, overlay).left).toMatchObject([{ reason: expect.stringContaining('operations') }]);
});

const HOURS = `version: 1
agents:
  ann@example.com:
    name: Ann
    work_scheduler:
      timezone: \${var.zone}
      schedule:
        - { day: tuesday, enabled: true, start: "09:00", end: "17:00" } # late
        - { day: monday, enabled: true, start: "08:00", end: "17:00" }
`;
const day = (name: string, start: string) => ({ day: name, enabled: true, start, end: '17:00' });

test('of a schedule one item changes, in the order of its author, and the variable beside it stays', () => {
  const live = { timezone: 'UTC', schedule: [day('monday', '08:30'), day('tuesday', '09:00')] };
  const items = [of('agent', 'ann@example.com', { path: ['work_scheduler'], live })];
  expect(texts(HOURS, items)[0]).toBe(HOURS.replace('"08:00"', '"08:30"'));
});

test('hours in the short form keep it, and days that are switched off say nothing', () => {
  const short = HOURS.replace(/ {8}- .*tuesday.*\n/, '        mon-tue: 09:00-17:00\n').replace(
    / {8}- .*monday.*\n/,
    '',
  );
  const off = { ...day('saturday', '09:00'), enabled: false };
  const live = { timezone: 'UTC', schedule: [day('monday', '08:30'), day('tuesday', '09:00'), off] };
  const items = [of('agent', 'ann@example.com', { path: ['work_scheduler'], live })];
  expect(texts(short, items)[0]).toBe(
    short.replace('mon-tue: 09:00-17:00', 'mon: 08:30-17:00\n        tue: 09:00-17:00'),
  );
});

test('a value that comes from a variable is left, with its place', () => {
  const live = { timezone: 'Asia/Tokyo', schedule: [day('monday', '08:00'), day('tuesday', '09:00')] };
  const items = [of('agent', 'ann@example.com', { path: ['work_scheduler'], live })];
  const { left, sheets } = accepted(HOURS, items);
  expect(left).toMatchObject([{ reason: expect.stringContaining('${var.zone}'), mark: { place: { line: 6 } } }]);
  expect(sheets.files[0]?.text).toBe(HOURS);
});

test('that an agent waits for approval is said where the approval is declared', () => {
  const waits = { kind: 'pending-approval', reach: 'transition', live: true } as const;
  const text = 'version: 1\nagents:\n  ann@example.com: { name: Ann, awaiting_approval: false }\n';
  const items = [of('agent', 'ann@example.com', { ...waits, path: ['awaiting_approval'] })];
  expect(texts(text, items)[0]).toBe(text.replace('false', 'true'));
});

test('a text of the license that looks like a variable is written so that it is none', () => {
  const items = [of('group', 'sales', { path: ['name'], live: 'Sales ${var.zone}' })];
  expect(texts(BASE, items)[0]).toContain(['name: Sales ', '{var.zone} # all of them'].join('$$'));
});

test('one that cannot be taken over does not keep the others from it', () => {
  const items = [
    of('group', 'sales', { path: ['language_code'], live: 'pl' }),
    of('group', 'gone', { path: ['language_code'], live: 'pl' }),
  ];
  const { taken, left } = accepted(BASE, items);
  expect([taken.length, left.length]).toEqual([1, 1]);
});

test('without an address only what moved on the license alone is chosen', () => {
  const all = (['drift', 'conflict', 'pending', 'converged', 'unknown'] as const).map((status) => ({
    ...of('group', status, { status }),
    ignored: null,
  }));
  const hidden = { ...of('group', 'hidden', {}), ignored: { reason: 'known', until: null } };
  const { items, left } = chosen([...all, hidden], null);
  expect(items.map(({ status }) => status)).toEqual(['drift']);
  expect(left.map(({ item, reason }) => [item.status, reason])).toEqual([
    ['conflict', expect.stringContaining('name')],
  ]);
  const named = chosen([...all, hidden], () => true);
  expect(named.items.map(({ address }) => address)).toEqual(['group/drift', 'group/conflict', 'group/hidden']);
  expect(named.left.map(({ item }) => item.status)).toEqual(['pending', 'converged', 'unknown']);
});

test('a variable that is a whole list or mapping is left, whichever member differs', () => {
  const text = `version: 1
agents:
  ann@example.com: { name: Ann, notifications: "\${var.alerts}" }
groups:
  sales: { name: Sales, agent_priorities: "\${var.team}" }
  support: { name: Support, agent_priorities: { ann@example.com: first } }
`;
  const items = [
    of('group', 'sales', { path: ['agent_priorities', 'agent/ann@example.com'], live: 'normal' }),
    of('group', 'sales', { path: ['agent_priorities', 'agent/ann@example.com'], live: null }),
    of('agent', 'ann@example.com', { path: ['notifications'], live: ['incoming_chat', 'ticket'] }),
    of('agent', 'ann@example.com', { path: ['notifications'], live: null }),
    of('agent', 'ann@example.com', { kind: 'missing' }),
  ];
  const { sheets, left, taken } = accepted(text, items);
  expect([sheets.files[0]?.text, taken]).toEqual([text, []]);
  const reasons = left.map(({ reason, mark }) => `${mark?.place.line} ${reason.replace(/:.*/, '')}`);
  const team = '5 the value comes from `${var.team}`';
  const alerts = '3 the value comes from `${var.alerts}`';
  expect(reasons).toEqual([team, team, alerts, alerts, team]);
});

test.each([null, 'prod.yaml'])(
  'New items of one list are accepted together, each in its place (into %s)',
  (overlay) => {
    const keys = ['a', 'b', 'c', 'd'];
    const unmanaged = { status: 'drift', kind: 'unmanaged', type: 'auto_access', path: [] };
    const items = keys
      .toReversed()
      .map((key, id) => ({ ...unmanaged, id, address: `auto_access/${key}` }) as unknown as Difference);
    const keyOf = ({ id }: Difference): string => keys.toReversed()[Number(id)] ?? '';
    const seen = new Set<object>();
    const { taken, left, sheets } = acceptAll(items, {
      sheets: {
        files: [{ file: 'manifest.yaml', text: 'version: 1\nauto_access:\n  - { key: x }\n  - { key: y }\n' }],
        overlays: [{ file: 'prod.yaml', text: 'version: 1\n' }],
      },
      variables: { env: {}, var: {} },
      version: '3.6',
      live: LIVE,
      declaring: {
        changesFor: (item, declared) => {
          seen.add(declared);
          const index = keyOf(item) < 'c' ? 1 : 2;
          return [{ op: 'insert', path: ['auto_access'], index, items: [{ key: keyOf(item) }] }];
        },
        placeOf: (item) => keys.indexOf(keyOf(item)),
        keyOf: () => null,
      },
      into: { mayChange: (file) => overlay === null || file === overlay, overlay },
    });
    expect([taken.length, left]).toEqual([4, []]);
    expect(seen.size).toBe(overlay === null ? 1 : 2);
    const [{ text = '' } = {}] = overlay === null ? sheets.files : sheets.overlays;
    const found = [...text.matchAll(/key: "?([a-z])/g)].map(([, key]) => key);
    const own = found.filter((key) => keys.includes(String(key)));
    expect(overlay === null ? own : own.toSorted()).toEqual(keys);
  },
);
