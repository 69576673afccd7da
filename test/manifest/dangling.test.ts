// What is said of references to entries that are not declared: which overlay removes them, which key is meant, and when another finding says it.

import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { memoryDisk } from './memory-disk.ts';

/** `place message -> remedy` of each finding. */
async function findings(text: string, ...overlays: readonly string[]): Promise<readonly string[]> {
  const named = overlays.map((overlay, nth) => [`o${nth}.yaml`, overlay] as const);
  const { diagnostics } = await loadManifest({
    files: ['m.yaml'],
    overlays: named.map(([name]) => name),
    env: {},
    version: '3.6',
    io: memoryDisk({ 'm.yaml': `version: 1\n${text}`, ...Object.fromEntries(named) }),
    now: 0,
  });
  return diagnostics.map(
    ({ place: { file, line, column }, message, remedy }) => `${file}:${line}:${column} ${message} -> ${remedy}`,
  );
}

const TEAM = `agents:
  ann@example.com: { name: Ann, work_scheduler: { schedule: office } }
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first } }
  desk: { name: Front desk, agent_priorities: { ann@example.com: last } }
bots: { triage: { name: Triage, groups: { sales: first, desk: first } } }
schedules: { office: { timezone: UTC, schedule: [{ day: monday, enabled: true, start: "09:00", end: "17:00" }] } }
auto_access:
  - { key: home, access: { groups: [sales] }, conditions: { url: { values: [{ value: / }] } } }
routes: [{ name: r, when: { url: "https://example.com/" }, expect: [sales], rule: home }]
`;

test('an overlay that removes an entry is named at each reference to it', async () => {
  expect(await findings(TEAM)).toEqual([]);
  expect(await findings(TEAM, 'groups: { desk: null }', 'version: 1\nagents: { ann@example.com: null }\n')).toEqual([
    'm.yaml:5:45 no agent `ann@example.com` is declared: o1.yaml:2:11 removes it -> also remove the reference in that overlay, or keep the agent there',
    'm.yaml:7:57 no group `desk` is declared: o0.yaml:1:11 removes it -> also remove the reference in that overlay, or keep the group there',
  ]);
  expect(await findings(TEAM, 'schedules: null')).toEqual([
    'm.yaml:3:61 no schedule `office` is declared: o0.yaml:1:1 removes it -> also remove the reference in that overlay, or keep the schedule there',
  ]);
});

test('an overlay that removes a rule from the list, or replaces the list, is named too', async () => {
  const removed = (place: string) => [
    `m.yaml:11:83 no rule \`home\` is declared: ${place} removes it -> also remove the reference in that overlay, or keep the rule there`,
  ];
  expect(await findings(TEAM, 'auto_access:\n  - { op: remove, path: /home }\n')).toEqual(removed('o0.yaml:2:5'));
  const other =
    'auto_access:\n  - { key: x, access: { groups: [sales] }, conditions: { url: { values: [{ value: / }] } } }\n';
  expect(await findings(TEAM, other)).toEqual(removed('o0.yaml:1:1'));
});

test('an entry that another overlay adds again is declared', async () => {
  expect(await findings(TEAM, 'groups: { desk: null }', 'groups: { desk: { name: Desk } }')).toEqual([]);
});

test('the name of a declared entry leads to its key, and an agent who left is never meant', async () => {
  const byName = TEAM.replace('groups: [sales]', 'groups: [North & South]').replace(
    '  desk:',
    '  ns: { name: North & South, agent_priorities: {} }\n  desk:',
  );
  expect((await findings(byName))[0]).toContain('did you mean `ns`');
  const left = `agents: { kuba@a.example: { name: Kuba, suspended: true } }
groups: { g: { name: G, agent_priorities: { nora@a.example: first } } }
`;
  expect(await findings(left)).toEqual([
    'm.yaml:3:45 no agent `nora@a.example` is declared -> remove the reference, declare the agent, or look it up with `{ external: ... }` if it is managed elsewhere',
  ]);
});

test('the new key of a renamed group is named, whatever it is, with how to keep the group', async () => {
  const renamed = (key: string, name = 'EMEA') => TEAM.replace('  sales: { name: Sales', `  ${key}: { name: ${name}`);
  const moved = (key: string) => `add \`moved: [{ from: group/sales, to: group/${key} }]\`.`;
  const found = await findings(renamed('emea-team'));
  expect(found).toHaveLength(3);
  for (const each of found)
    expect(each).toContain(
      `-> did you mean \`emea-team\`, to which nothing refers? After a rename, also ${moved('emea-team')} Otherwise remove the reference`,
    );
  // Of two groups to which nothing refers, the one that has the name.
  const two = renamed('emea-team', 'Sales').replace('  desk:', '  other: { name: Other }\n  desk:');
  expect((await findings(two))[0]).toContain('did you mean `emea-team`, to which nothing refers?');
  expect((await findings(two.replace('name: Sales', 'name: Both')))[0]).not.toContain('did you mean');
  // A slip is more probable.
  const slip = TEAM.replace('groups: [sales]', 'groups: [salse]').replace(
    '  desk:',
    '  other: { name: Other }\n  desk:',
  );
  expect((await findings(slip))[0]).toContain('did you mean `sales`? Otherwise');
});

test('a move in the manifest says which key is meant', async () => {
  const text = TEAM.replace('  sales: { name: Sales', '  emea: { name: EMEA');
  const found = await findings(`${text}moved: [{ from: group/sales, to: group/emea }]\n`);
  expect(found).toHaveLength(3);
  for (const each of found) expect(each).toContain('-> did you mean `emea`, which it was moved to? Otherwise');
});

test('an entry that is indented too deep is one mistake, wherever it stands', async () => {
  const team = (member: string) => `agents:
  ann@example.com:
    name: Ann
${member}      name: Bob
groups:
  sales: { name: Sales, agent_priorities: { ann@example.com: first, bob@example.com: first } }
  desk: { name: Desk, agent_priorities: { bob@example.com: first } }
`;
  expect(await findings(team('    bob@example.com:\n'))).toEqual([
    'm.yaml:5:5 there is no field `bob@example.com` here -> if another entry begins here, indent it less',
  ]);
  const inside = await findings(
    team('    groups:\n      bob@example.com:\n  ').replaceAll('ann@example.com: first, ', ''),
  );
  expect(inside).toHaveLength(1);
  expect(inside[0]).toContain(
    'm.yaml:7:9 a mapping is not allowed here -> if another entry begins here, indent it less; allowed: `priority`',
  );
});

test('a section under a wrong name is one mistake, whatever refers to its entries and whatever overlays change there', async () => {
  expect(await findings(TEAM.replace('groups:\n', 'group:\n'), 'groups: { sales: { language_code: pl } }')).toEqual([
    expect.stringContaining('m.yaml:4:1 a manifest has no section `group` -> did you mean `groups`?'),
  ]);
});

test('a shelf is no section under a wrong name: references to its entries lead to nothing', async () => {
  const found = await findings(TEAM.replace('groups:\n', 'x-groups:\n'));
  expect(found.filter((each) => each.includes('no group'))).not.toEqual([]);
});

test('a kind of which nothing is declared is named once, with all that refers to it', async () => {
  const withoutGroups = TEAM.replace(/groups:\n(?: {2}.*\n){2}/, '');
  expect(await findings(withoutGroups)).toEqual([
    'm.yaml:4:43 no group is declared, and the files refer to 2 groups: `sales`, `desk` -> name the file that declares them under `manifest:`, declare them, or look them up with `{ external: ... }` if they are managed elsewhere',
  ]);
});

test('thousands of references to one missing entry take no longer for each than a few do', async () => {
  const rule = (nth: number) =>
    `  - { key: k${nth}, access: { groups: [gone] }, conditions: { url: { values: [{ value: /${nth} }] } } }\n`;
  const rules = Array.from({ length: 6_000 }, (_, nth) => rule(nth)).join('');
  const found = await findings(`auto_access:\n${rules}`);
  // The last of the thousand that are told counts the rest.
  expect(found.filter((each) => each.includes('no group `gone` is declared'))).toHaveLength(999);
}, 10_000);
