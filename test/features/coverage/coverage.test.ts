// What is shown of coverage: a row for each group, the hours without cover, what an apply changes, and the week of each group.

import { expect, test } from 'vitest';
import { dayOf, weekOf } from '../../../src/base/week.ts';
import { covering } from '../../../src/features/coverage/operation.ts';
import type { CoverageReport } from '../../../src/features/coverage/report.ts';
import type { Block, Picture } from '../../../src/view/blocks.ts';
import { onTerminal, uncoloured } from '../../../src/view/paint.ts';
import { tableCsv } from '../../../src/view/writers/csv.ts';
import { markdownText } from '../../../src/view/writers/markdown.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { ABOUT, expectInert, shownText } from '../written.ts';
import { AFTER, BEFORE, hours, person, reportOf, STAFFED_BY_BOTS, staff, team } from './examples.ts';

const OPTIONS = { groups: [] };
const BOTH = reportOf('both', staff(BEFORE, true), staff(AFTER, true));
const BOTS = reportOf('live', null, staff(STAFFED_BY_BOTS, true));
const AGAINST: NonNullable<CoverageReport['demand']> = {
  from: '2026-09-21T00:00:00+02:00',
  to: '2026-10-19T00:00:00+02:00',
  days: 28,
  groups: [
    {
      address: 'group/sales',
      chats: 1240,
      busiest: { text: 'Mon 09:00-10:00', per_hour: 12.25 },
      at_once: Array.from({ length: 7 * 24 }, (_, hour) => (hour === 9 || hour === 10 ? hour / 10 : 0)),
      slots: Array.from({ length: 7 * 24 }, () => 8),
      waited: { share: 0.13, seconds: 47, leaves: 0.034 },
      unstaffed: [{ text: 'Mon 10:00-11:00', hours: [10], chats: 3 }],
      idle: [{ text: 'Sat 08:00-24:00', hours: [128], chats: 0, looked_at: 64, at_most_per_hour: 0.05 }],
    },
  ],
  missing: ['1 group is not on the license yet, or cannot be found there'],
};

test('groups with their staff, hours without cover, and what an apply changes', () => {
  expect(shownText(covering, BOTH, OPTIONS, { requests: { list_groups: 1 } })).toMatchInlineSnapshot(`
    "Week of 2026-10-19, Europe/Warsaw, on the license, and after an apply

    Group                           People  Slots  Without hours  No cover
    group/fresh (new)               0-1     0-8    0              159.5 h
    group/night                     0-1     0+     0              152 h
    group/sales                     0-1     0-8    0              152 h -> 159.5 h
    group/support                   0       0      1 (5 slots)    never
    group/7 "Gone & <b>" (removed)  0-1     0+     0              152 h

    Nobody can get a chat:
      group/fresh  Mon 00:00-Sun 08:00, Sun 17:30-24:00
      group/night  Mon 00:00-Sat 24:00, Sun 16:00-24:00
      group/sales  Mon 00:00-Sun 08:00, Sun 17:30-24:00

    Changes:
      - group/sales loses all cover Sun 00:00-08:00 Europe/Warsaw
      + group/sales gains cover Sun 16:00-17:30 Europe/Warsaw

    Hours of the week: 5 groups
    \`--details\` shows each of them.

    Assumptions:
      the hours of agent/carl@example.com are not known, so they count as without
        hours
      agent/eve@example.com has shifts that do not end after they begin: those count
        as nothing
      how many chats agent/dora@example.com can have is not known: the slots are at
        least those counted

    5 groups: 3 with hours without cover, 1 losing cover. 1 request sent: 1
      list_groups.
    "
  `);
  expect(covering.row(BOTH, ABOUT, OPTIONS)).toMatchObject({
    code: 0,
    figures: { groups: 5, 'no cover': 3, 'bots only': 0, 'losing cover': 1 },
  });
});

test('bots apart from people, and hours of bots only', () => {
  expect(shownText(covering, BOTS, OPTIONS)).toMatchInlineSnapshot(`
    "Week of 2026-10-19, Europe/Warsaw, on the license

    Group        People  Bots  Slots  Without hours  No cover
    group/night  0       1     20     0              never
    group/open   0       1     20     1 (5 slots)    never
    group/sales  0-1     1     20-28  0              never

    Only bots can get a chat:
      group/night  the whole week
      group/sales  Mon 00:00-Sat 24:00, Sun 16:00-24:00

    Hours of the week: 3 groups
    \`--details\` shows each of them.

    Assumptions:
      the routing status of bot/triage cannot be read: counted as if it were set
      the hours of agent/carl@example.com are not known, so they count as without
        hours

    3 groups: 2 with hours of bots only.
    "
  `);
});

test('demand next to the staff', () => {
  const text = shownText(covering, { ...BOTS, demand: AGAINST }, OPTIONS);
  expect(text.slice(text.indexOf('Demand in'), text.indexOf('Hours of the week'))).toMatchInlineSnapshot(`
    "Demand in 28 days:
      group/sales  1,240 chats, most Mon 09:00-10:00, 12.3 an hour, 13 % waited, 47
                   s on average, and 3 % left

    Chats in 28 days, and no agent scheduled:
      group/sales  Mon 10:00-11:00 (3 chats)

    Agents scheduled, and no chat in 28 days; what may come anyway, with 95 %
      certainty:
      group/sales  Sat 08:00-24:00 (at most 1 in 21 h)

    Demand that was not looked at:
      1 group is not on the license yet, or cannot be found there

    "
  `);
});

test('a finding that is an error fails the target, at its place', () => {
  const findings = BOTH.findings.map((each) => ({ ...each, level: 'error' as const }));
  const failed = { ...BOTH, findings };
  expect(covering.row(failed, ABOUT, OPTIONS)).toMatchObject({ state: 'failed', code: 1 });
  expect(shownText(covering, failed, OPTIONS)).toContain('error lost-cover: group/sales loses all cover');
  expect(covering.findings(failed, ABOUT, OPTIONS).findings).toMatchObject([
    { rule: 'lost-cover', result: 'failed', place: { file: 'manifest.yaml', line: 3 } },
  ]);
  expect(shownText(covering, { ...BOTH, groups: [] }, OPTIONS)).toContain('There are no groups.');
});

test('the week of a group stands in --details, in Markdown and in the table', () => {
  const view = covering.view(BOTS, ABOUT, OPTIONS);
  const details = terminalText(view, onTerminal(uncoloured, 80), { details: true });
  expect(details.slice(details.indexOf('  Sales'), details.indexOf('Assumptions'))).toMatchInlineSnapshot(`
    "  Sales (group/sales), bots only 152 h:
        Day    Chats at once
        Mon    00:00-24:00 bots 20
        Tue    00:00-24:00 bots 20
        Wed    00:00-24:00 bots 20
        Thu    00:00-24:00 bots 20
        Fri    00:00-24:00 bots 20
        Sat    00:00-24:00 bots 20
        Sun    00:00-02:00 28, 02:00-03:00 28, 03:00-16:00 28, 16:00-24:00 bots 20
        again  02:00-03:00 28

    "
  `);
  expect(markdownText(view)).toContain('| Sun | 00:00-02:00 28, 02:00-03:00 28, 03:00-16:00 28, 16:00-24:00 bots 20 |');
  expect(tableCsv(covering.table(BOTS, ABOUT, OPTIONS)).split('\r\n')[2]).toMatchInlineSnapshot(
    `"group/open,Open,live,2026-10-19T00:00:00+02:00,2026-10-26T00:00:00+01:00,0,1,20,1"`,
  );
});

function heatMaps(blocks: readonly Block[]): readonly Extract<Picture, { readonly kind: 'heat-map' }>[] {
  return blocks.flatMap((block) => {
    if (block.type === 'section') return heatMaps(block.body);
    return block.type === 'picture' && block.picture.kind === 'heat-map' ? [block.picture] : [];
  });
}

test('an hour that the clock repeats has a row of its own, and one that it skips is marked', () => {
  const staffed = staff(
    [
      team('group/sales', 'Sales'),
      person('ann', {
        work_scheduler: hours('sunday', '01:00', '02:30'),
        groups: { 'group/sales': 'normal' },
        max_chats_count: 3,
      }),
    ],
    true,
  );
  const daysOf = (report: CoverageReport) =>
    heatMaps(covering.view(report, ABOUT, OPTIONS).body)[0]?.rows.slice(6) ?? [];
  const seen = (report: CoverageReport) =>
    daysOf(report).map(({ label, cells }) => [label, ...cells.map(({ from, to, look }) => `${from}-${to} ${look}`)]);
  expect(seen(reportOf('live', null, staffed))).toEqual([
    ['Sun', '0-1 none', '1-2 s4', '2-2.5 s4', '2.5-3 none', '3-24 none'],
    ['again', '2-2.5 s4', '2.5-3 none'],
  ]);
  const spring = weekOf('Europe/Warsaw', dayOf('2026-03-29') ?? 0);
  expect(seen(reportOf('live', null, staffed, spring))).toEqual([
    ['Sun', '2-3 void', '0-1 none', '1-2 s4', '3-24 none'],
  ]);
});

test('what is lost, and what only bots have, is framed', () => {
  const frames = (report: CoverageReport) =>
    heatMaps(covering.view(report, ABOUT, OPTIONS).body).map(({ rows }) =>
      rows.flatMap((row) => row.frames.map(({ look, from, to }) => `${row.label} ${look} ${from}-${to}`)),
    );
  expect(frames(BOTH)).toContainEqual(['Sun lost 0-2', 'Sun lost 2-3', 'Sun lost 3-8', 'again lost 2-3']);
  expect(frames(BOTS).at(-1)?.slice(-1)).toEqual(['Sun alone 16-24']);
});

test('no text of a license is obeyed', () => {
  const hostile = (text: string): CoverageReport => ({
    ...BOTH,
    target: `production${text}`,
    groups: BOTH.groups.map((group) => ({ ...group, address: `group/${text}`, name: text })),
    findings: BOTH.findings.map((each) => ({ ...each, message: text, remedy: text })),
    notes: [text],
    demand: { ...AGAINST, groups: AGAINST.groups.map((each) => ({ ...each, address: `group/${text}` })) },
  });
  expectInert(covering, hostile, OPTIONS);
});
