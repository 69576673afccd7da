// Figures of persons: none under five chats is shown, and none can be computed from what is shown.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formOf } from '../../../src/demand/forms.ts';
import type { AgentFigures } from '../../../src/demand/hourly.ts';
import { hiddenAmong } from '../../../src/demand/privacy.ts';
import type { ReportRow } from '../../../src/demand/reply.ts';
import { tableOf } from '../../../src/demand/tables.ts';
import { type PersonChoice, shownFigures } from '../../../src/features/report/persons.ts';
import { sharesOf } from '../../../src/planning/impact/impact.ts';
import { tries } from '../../tries.ts';

const NO_FIGURES: AgentFigures = {
  agent: '',
  chats: 0,
  good: 0,
  bad: 0,
  answered: 0,
  first_response: 0,
  accepting: 0,
  not_accepting: 0,
  logged_in: 0,
  chatting: 0,
};

const NO_CHATS: ReadonlyMap<string, number> = new Map();

function shown(choice: Partial<PersonChoice>, rows: readonly ReportRow[], total: number | null = null) {
  const whole: PersonChoice = {
    report: 'agents/performance',
    distribution: 'day',
    agents: 0,
    isWithPeople: true,
    chats: NO_CHATS,
    ...choice,
  };
  return shownFigures(whole, tableOf(whole.report, rows, 'day'), { total, summary: {} });
}

/** Agents a, b and so on with so many chats, each rated good and answered in 10 s. */
const agents = (...chats: readonly number[]): readonly ReportRow[] =>
  chats.map((count, index) => ({
    keys: [String.fromCharCode(97 + index)],
    values: {
      chats_count: count,
      chats_rated_good: count,
      chats_rated_bad: 0,
      first_response_chats_count: count,
      first_response_time: count === 0 ? 0 : 10,
      accepting_chats_time: 3600,
      chatting_time: 60 * count,
      logged_in_time: 3600,
      not_accepting_chats_time: 0,
    },
  }));

test.each([
  [[], []],
  [[9, 5, 7], []],
  [
    [9, 4, 7],
    [1, 2],
  ],
  [
    [9, 4, 1, 7],
    [1, 2],
  ],
  [
    [9, 2, 1, 7],
    [1, 2, 3],
  ],
  [
    [9, 0],
    [0, 1],
  ],
  [
    [0, 0, 3],
    [0, 1, 2],
  ],
])('of %j the places %j stay hidden', (chats, hidden) => {
  expect([...hiddenAmong(chats)].sort()).toEqual(hidden);
});

test('few chats of others that are not shown are hidden by one more, and many by none', () => {
  expect([...hiddenAmong([20, 9], 3)]).toEqual([1]);
  expect([...hiddenAmong([20, 9], 30)]).toEqual([]);
  expect([...hiddenAmong([20, 3], 30)]).toEqual([1]);
});

test('a share of a person in an impact tells no share of another', () => {
  const group = 'group/sales';
  const figures = (chats: number, agent: string): AgentFigures => ({ ...NO_FIGURES, agent, chats });
  const changed = ['ann', 'bob'].map((id) => ({ id, address: `agent/${id}` as const }));
  const shares = (...chats: readonly number[]) => {
    const all = chats.map((count, index) => figures(count, ['ann', 'bob', 'eve'][index] ?? ''));
    const touched = [{ address: group, changed }] as unknown as Parameters<typeof sharesOf>[0];
    const demands = new Map([[group, { chats: 40 }]]) as unknown as Parameters<typeof sharesOf>[2];
    return sharesOf(touched, new Map([[group, all]]), demands).map((share) => share.chats);
  };
  expect(shares(20, 9)).toEqual([20, 9]);
  expect(shares(20, 3)).toEqual([null, null]);
  expect(shares(20, 3, 17)).toEqual([20, null]);
  expect(shares(20, 18, 2)).toEqual([20, null]);
});

describe('performance', () => {
  test('shows neither an agent under five chats, nor the next one, and then the sum is of both', () => {
    const { rows, sums, notes } = shown({}, agents(20, 3, 8, 9));
    expect(rows.map(({ keys }) => keys[0])).toEqual(['a', 'd']);
    expect(sums).toMatchObject({ chats_count: 40, first_response_time: 10 });
    expect(notes).toEqual([
      '2 agents are left out: figures of a person on fewer than 5 chats are hidden, and so are those that would tell them.',
    ]);
  });

  test('shows no sum where all that is hidden is small', () => {
    expect(shown({}, agents(1, 2))).toMatchObject({ rows: [], sums: {} });
    // Nobody of the hidden was rated badly, which a sum would tell.
    expect(shown({}, agents(20, 3, 8, 9)).sums).not.toHaveProperty('chats_rated_bad');
  });

  test('without --people shows sums of several agents, never those of one', () => {
    expect(shown({ isWithPeople: false }, agents(20, 8))).toMatchObject({ rows: [], sums: { chats_count: 28 } });
    expect(shown({ isWithPeople: false }, agents(100))).toMatchObject({ rows: [], sums: {} });
    expect(shown({ isWithPeople: false }, agents(100, 4)).sums).toEqual({});
  });

  test('of named agents has rows and no sums', () => {
    const { rows, sums } = shown({ agents: 2 }, agents(20, 8));
    expect([rows.length, sums]).toEqual([2, {}]);
  });

  test('hides an average that stands on few responses', () => {
    const [one, ...others] = agents(20, 30, 40);
    if (one === undefined) throw new Error('there is one');
    const values = { ...one.values, first_response_chats_count: 2, first_response_time: 99 };
    const { rows } = shown({}, [{ ...one, values }, ...others]);
    expect(rows[0]?.values).not.toHaveProperty('first_response_time');
    expect(rows[0]?.values).toMatchObject({ chats_count: 20 });
    expect(rows[1]?.values).not.toHaveProperty('first_response_time');
    expect(rows[2]?.values).toHaveProperty('first_response_time');
  });
});

describe('one agent by day', () => {
  const days = (...chats: readonly number[]): readonly ReportRow[] =>
    chats.map((total, index) => ({ keys: [`2026-10-0${index + 1}`], values: { total, continuous: 0 } }));

  test('has the days with five chats, and no day can be computed', () => {
    const { rows, sums, total } = shown({ report: 'chats/total_chats', agents: 1 }, days(9, 1, 7, 0), 17);
    expect(rows.map(({ keys, values }) => [keys[0], values])).toEqual([['2026-10-01', { total: 9, continuous: 0 }]]);
    expect([sums, total]).toEqual([{ total: 17 }, 17]);
    expect(shown({ report: 'chats/total_chats', agents: 1 }, days(1, 2), 3)).toMatchObject({
      rows: [],
      sums: {},
      total: null,
    });
  });

  test('has the hours that the agent was there on days with chats', () => {
    const hours = ['a', 'b', 'c'].map((key) => ({ keys: [key], values: { hours: 8 } }));
    const chats = new Map([
      ['a', 9],
      ['b', 6],
      ['c', 5],
    ] as const);
    expect(shown({ report: 'agents/availability', agents: 1, chats }, hours, 24)).toMatchObject({
      total: 24,
      notes: [],
    });
    const fewer = new Map([
      ['a', 9],
      ['b', 2],
    ] as const);
    const { rows, sums } = shown({ report: 'agents/availability', agents: 1, chats: fewer }, hours, 24);
    expect([rows, sums]).toEqual([[], { hours: 24 }]);
  });

  test('a report of all agents is whole', () => {
    const rows = days(1, 2);
    expect(shown({ report: 'chats/total_chats' }, rows, 3)).toEqual({
      rows,
      sums: { total: 3, continuous: 0 },
      total: 3,
      notes: [],
    });
  });
});

const { columns } = formOf('agents/performance', 'day');
const NAMES = columns.map(({ name }) => name);

/** Any month of a few agents, as the service counts it. */
const month = fc.array(
  fc.record({
    chats: fc.nat(12),
    good: fc.nat(12),
    bad: fc.nat(3),
    answered: fc.nat(12),
    wait: fc.nat(90),
    times: fc.nat(9),
  }),
  { maxLength: 6 },
);

function rowsOf(found: typeof month extends fc.Arbitrary<infer T> ? T : never): readonly ReportRow[] {
  return found.map(({ chats, good, bad, answered, wait, times }, index) => {
    const rated = Math.min(chats, good);
    const first = Math.min(chats, answered);
    const numbers = [
      chats,
      rated,
      Math.min(chats - rated, bad),
      first,
      first === 0 ? 0 : wait,
      times,
      60 * chats,
      2 * times,
      times,
    ];
    return { keys: [`agent-${index}`], values: Object.fromEntries(NAMES.map((name, at) => [name, numbers[at] ?? 0])) };
  });
}

test('with and without --people together, no hidden figure can be computed by subtraction', () => {
  fc.assert(
    fc.property(month, (found) => {
      const all = rowsOf(found);
      const [people, alone] = [shown({}, all), shown({ isWithPeople: false }, all)];
      expect(alone.rows).toEqual([]);
      const cellOf = (row: ReportRow, name: string): number | undefined =>
        people.rows.find(({ keys }) => keys[0] === row.keys[0])?.values[name];
      for (const { name, of, on } of columns) {
        const hidden = all.filter((row) => cellOf(row, name) === undefined);
        const chats = hidden.map(({ values }) => on.reduce((sum, each) => sum + (values[each] ?? 0), 0));
        for (const row of all)
          if (!hidden.includes(row))
            expect(on.reduce((sum, each) => sum + (row.values[each] ?? 0), 0)).toBeGreaterThan(4);
        const isSummed = name in people.sums || name in alone.sums;
        if (hidden.length === 0 || !isSummed) continue;
        const unseen = hidden.map(({ values }) => (values[name] ?? 0) * (of === undefined ? 1 : (values[of] ?? 0)));
        // What a reader computes is of several agents, and not nothing, which would be nothing of each.
        expect(hidden.length).toBeGreaterThan(1);
        // An average of no chats is known to be 0.
        const unknown = chats.filter((count) => of === undefined || count > 0);
        if (unknown.some((count) => count < 5)) expect(unknown.length).toBeGreaterThan(1);
        expect(chats.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(4);
        expect(unseen.reduce((sum, value) => sum + value, 0)).toBeGreaterThan(4);
      }
      // One time is the sum of two others: all three have sums, or none.
      const linked = ['accepting_chats_time', 'not_accepting_chats_time', 'logged_in_time'];
      for (const { sums } of [people, alone]) expect(new Set(linked.map((name) => name in sums)).size).toBe(1);
      const of = Math.max(0, ...all.map(({ values }) => values['chats_count'] ?? 0));
      if ('chats_count' in alone.sums) expect((alone.sums['chats_count'] ?? 0) - of).toBeGreaterThan(4);
    }),
    { numRuns: tries(2000, 200) },
  );
});
