// What is shown of a report of the service: a row for each bucket, or a line for each day, month or tag, with bars.

import { expect, test } from 'vitest';
import { reporting } from '../../../src/features/report/operation.ts';
import type { ShownReport } from '../../../src/features/report/schema.ts';
import { onTerminal, uncoloured } from '../../../src/view/paint.ts';
import { tableCsv } from '../../../src/view/writers/csv.ts';
import { markdownText } from '../../../src/view/writers/markdown.ts';
import { terminalText } from '../../../src/view/writers/terminal.ts';
import { ABOUT, expectInert, shownText } from '../written.ts';
import { AGENTS, CHATS, DURATIONS, HOURS, NOTHING, SURVEYS, TAGS } from './examples.ts';

const OPTIONS = { name: null };
const REQUESTS = { list_groups: 1, 'chats/total_chats': 1 };

function shown(report: ShownReport): string {
  return shownText(reporting, report, OPTIONS, { requests: REQUESTS });
}

test('days are a row each, with a bar for the first number', () => {
  expect(shown({ ...CHATS, rows: CHATS.rows.slice(4, 8) })).toMatchInlineSnapshot(`
    "Chats: group/sales on production, 2026-10-19 to 2026-11-01, Europe/Warsaw

    Day         Chats  Continuous
    2026-10-23    121           4  ███▍
    2026-10-24    792           5  ██████████████████████▏
    2026-10-25      0           6
    2026-10-26    858           7  ████████████████████████
    all         9,240          91

    All: chats 9,240, continuous 91. 2 requests sent: 1 chats/total_chats, 1
      list_groups.
    "
  `);
});

test('hours of many days are a line for each day, and --details has each of them', () => {
  expect(shown(HOURS)).toMatchInlineSnapshot(`
    "Chats: group/sales on production, 2026-10-19 to 2026-11-01, Europe/Warsaw

    Day         Chats  Hour by hour, up to 114
    2026-10-19    595  ········▁▁▆█▅▁▂▇█▄▁·····
    2026-10-20    618  ········▁▆█▅▁▂▇█▄▁▃·····
    2026-10-21    702  ········▆█▅▁▂▇█▄▁▃▇·····
    all         1,999

    Numbers: 72 rows
    \`--details\` shows each of them.

    All: chats 1,999, continuous 0. 2 requests sent: 1 chats/total_chats, 1
      list_groups.
    "
  `);
  const view = reporting.view(HOURS, ABOUT, OPTIONS);
  const all = terminalText(view, onTerminal(uncoloured, 80), { details: true });
  expect(all.match(/^ {2}2026-10-\d\d \d\d:00/gm)).toHaveLength(72);
});

test('days of more than two months are a line for each month', () => {
  const rows = Array.from({ length: 70 }, (_, day) => ({
    keys: [new Date(Date.UTC(2026, 0, 20 + day)).toISOString().slice(0, 10)],
    values: { total: day, continuous: 0 },
  }));
  expect(shown({ ...CHATS, rows, sums: {} })).toMatchInlineSnapshot(`
    "Chats: group/sales on production, 2026-10-19 to 2026-11-01, Europe/Warsaw

    Month    Chats  Day by day, up to 69
    2026-01     66  ····················▁▁▁▁▁▁▁▁▁▁▁
    2026-02    714  ▁▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃▃▃▃▄▄▄▄▄▄▄▄▅···
    2026-03  1,635  ▅▅▅▅▅▅▅▅▆▆▆▆▆▆▆▆▆▇▇▇▇▇▇▇▇█████·

    Numbers: 70 rows
    \`--details\` shows each of them.

    70 rows. 2 requests sent: 1 chats/total_chats, 1 list_groups.
    "
  `);
});

test('tags are a line each, over all days of the time', () => {
  expect(shown(TAGS)).toMatchInlineSnapshot(`
    "Tags: tag "vip", tag "\\u001b[31m::x\\u202e<b>" on production, 2026-10-19 to
      2026-11-01, Europe/Warsaw

    Tag                                       Chats  Day by day, up to 115
    vip                                         863  ▄█▆▂▁▅█▅▁▁▆█▅▁
    =\\u001b[31m::x\\u202e<b>,"long long long…     30  ···▁··▁··▁··▁·

    Numbers: 19 rows
    \`--details\` shows each of them.

    19 rows. 2 requests sent: 1 chats/total_chats, 1 list_groups.
    "
  `);
});

test('a table that is too wide loses its last columns, and averages of nothing are left out', () => {
  expect(shown(AGENTS)).toMatchInlineSnapshot(`
    "Performance of agents: group/sales on production, 2026-10-19 to 2026-11-01,
      Europe/Warsaw

    Agent                  Chats  Good  Bad  Answered  First response  Accepting
    agent/ann@example.com    223    31    4       219            21 s      140 h
    all                      230    33    4       225            22 s

    2 agents are left out: figures of a person on fewer than 5 chats are hidden, and
      so are those that would tell them.

    All: chats 230, good 33, bad 4, answered 225, first response 22 s. 2 requests
      sent: 1 chats/total_chats, 1 list_groups.
    "
  `);
  expect(shown(DURATIONS)).toMatchInlineSnapshot(`
    "Chats, and how long they take: group/sales on production, 2026-10-19 to
      2026-11-01, Europe/Warsaw

    Day         Chats  Duration  Agents chat
    2026-10-19     41     383 s         61 s  ████████████████████████
    2026-10-20      2    65 min        7.7 h  █▏
    all            43     548 s       22 min

    All: chats 43, duration 548 s, agents chat 22 min. 2 requests sent: 1
      chats/total_chats, 1 list_groups.
    "
  `);
});

test('a survey that was filled in, and nothing at all', () => {
  expect(shown(SURVEYS)).toMatchInlineSnapshot(`
    "Surveys: group/sales on production, 2026-10-19 to 2026-11-01, Europe/Warsaw

    Group        Survey   Field      Option  Times
    group/sales  1548327  filled in             12  ████████████████████████
    group/sales  1548327  154        0           7  ██████████████

    2 rows. 2 requests sent: 1 chats/total_chats, 1 list_groups.
    "
  `);
  expect(shown(NOTHING)).toMatchInlineSnapshot(`
    "Chats: group/sales, agent/bob@example.com on production, 2026-10-19 to
      2026-11-01, Europe/Warsaw

    Nothing in this time. 2 requests sent: 1 chats/total_chats, 1 list_groups.
    "
  `);
});

test('Markdown has the bars, CSV and a table of targets the numbers', () => {
  expect(markdownText(reporting.view(TAGS, ABOUT, OPTIONS))).toContain('| vip | 863 | ▄█▆▂▁▅█▅▁▁▆█▅▁ |');
  expect(tableCsv(reporting.table(DURATIONS, ABOUT, OPTIONS))).toMatchInlineSnapshot(`
    "day,count,duration,agents_chatting_duration
    2026-10-19,41,383.4,61
    2026-10-20,2,3912,27600
    "
  `);
  expect(reporting.row(AGENTS, ABOUT, OPTIONS)).toMatchObject({ figures: { chats: 230, good: 33, answered: 225 } });
});

test('no text of a license is obeyed', () => {
  const hostile = (text: string): ShownReport => ({
    ...TAGS,
    target: `production${text}`,
    groups: [`group/${text}`],
    tags: [text],
    rows: TAGS.rows.map(({ keys: [day = ''], values }) => ({ keys: [day, `${text}vip`], values })),
    notes: [text],
  });
  expectInert(reporting, hostile, OPTIONS);
});
