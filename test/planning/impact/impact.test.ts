// The impact of plans on small licenses: groups that the plan makes, hours that are full already, and figures that say "at most".

import { describe, expect, test } from 'vitest';
import type { Address, Desired, Live, Spec } from '../../../src/base/model.ts';
import { weekAt } from '../../../src/base/week.ts';
import { type MeasuredQueues, queueFigures } from '../../../src/demand/queues.ts';
import { lastRange } from '../../../src/demand/range.ts';
import { HOURS_OF_WEEK } from '../../../src/demand/week.ts';
import { makePlan } from '../../../src/plan/assemble.ts';
import { compare } from '../../../src/plan/compare.ts';
import type { CarriedChats, Impact } from '../../../src/plan/impact.ts';
import { staffing } from '../../../src/plan/staffing.ts';
import type { GroupDemand } from '../../../src/planning/impact/carried.ts';
import { impactOf } from '../../../src/planning/impact/impact.ts';
import { touchedBy } from '../../../src/planning/impact/touched.ts';
import { staffOf } from '../../../src/routing/staff/staff.ts';
import { demandTexts, impactText, mostText, percent, worseText } from '../../../src/view/words/impact.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object } from '../../plan/license.ts';
import { EVERYTHING } from '../../world.ts';

const NOW = Date.UTC(2026, 2, 18);
const ANN = 'ann@example.com';
const BOB = 'bob@example.com';
const CARL = 'carl@example.com';

/** Every day from eight to eight. */
const DAILY: Spec = {
  timezone: 'UTC',
  schedule: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => ({
    day,
    enabled: true,
    start: '08:00',
    end: '20:00',
  })),
};

const rule = (group: string): Spec => ({
  description: 'Prices',
  access: { groups: [group] },
  conditions: { url: { values: [{ value: '/pricing' }] } },
});

const agent = (name: string, slots: number): Spec => ({ name, max_chats_count: slots, work_scheduler: DAILY });
const members = (...those: readonly string[]): Spec => Object.fromEntries(those.map((member) => [member, 'normal']));

/** Ann and Bob sell, with six slots. */
const LIVE = liveOf(
  object('agent', ANN, { ...agent('Ann', 4), groups: { 7: 'normal' } }),
  object('agent', BOB, { ...agent('Bob', 2), groups: { 7: 'normal' } }),
  object('group', 0, { name: 'General', language_code: 'en' }),
  object('group', 7, { name: 'Sales', language_code: 'en', agent_priorities: members(ANN, BOB) }),
  object('auto_access', 'r1', rule('7')),
);

const LEDGER = {
  [`agent/${ANN}`]: ANN,
  [`agent/${BOB}`]: BOB,
  'group/sales': 7,
  'group/desk': 8,
  'auto_access/pricing': 'r1',
};

/** Each day at ten so many chats of half an hour. */
function demand(perDay: number, days = 28): GroupDemand {
  const hours = Array.from({ length: HOURS_OF_WEEK }, (_, index) =>
    index % 24 === 10
      ? { chats: (perDay * days) / 7, times: days / 7, perHour: perDay }
      : { chats: 0, times: days / 7, perHour: 0 },
  );
  return { chats: perDay * days, notTaken: perDay, last: '2026-03-17', hours, length: 1800 };
}

interface Measured {
  readonly live?: Live;
  readonly demands?: ReadonlyMap<Address, GroupDemand>;
  readonly days?: string;
  readonly rulesChanged?: string | null;
  readonly queues?: MeasuredQueues;
}

function impactFor(
  desired: Desired,
  {
    live = LIVE,
    demands = new Map<Address, GroupDemand>([['group/sales', demand(4)]]),
    days = '28d',
    rulesChanged = null,
    queues = { by: 'nothing' },
  }: Measured = {},
): Impact {
  const input = { desired, live, ledger: ledgerOf(LEDGER), moved: [], options: EVERYTHING };
  const { plan, problems } = makePlan(input);
  const range = lastRange(days, 'UTC', NOW);
  if (plan === null || range === null) throw new Error(problems.map(({ message }) => message).join('; '));
  const compared = compare(input);
  const about = { zone: 'UTC', isRead: true, version: '3.6' } as const;
  const { before, after } = staffing(compared);
  const staff = { before: staffOf(before, about), after: staffOf(after, about) };
  const touched = touchedBy({ plan, compared, staff });
  return impactOf({
    touched,
    staff,
    week: weekAt('UTC', NOW),
    range,
    demands,
    sharing: new Map(),
    silent: new Set(),
    queues,
    figures: null,
    rulesChanged,
    missing: null,
    requests: {},
  });
}

/** The prices move to a group that the plan makes, with these members; those who sell stay where they are. */
function moved(vip: Spec, slots = 4): Desired {
  return desiredOf([
    declare('agent', ANN, agent('Ann', slots)),
    declare('agent', BOB, agent('Bob', 2)),
    declare('group', 'sales', {
      name: 'Sales',
      language_code: 'en',
      agent_priorities: members(`agent/${ANN}`, `agent/${BOB}`),
    }),
    declare('group', 'vip', { name: 'VIP', language_code: 'en', ...vip }),
    declare('auto_access', 'pricing', rule('group/vip')),
  ]);
}

describe('A group that the plan makes', () => {
  test('has the chats that move over the slots of its declared members', () => {
    const impact = impactFor(moved({ agent_priorities: members(`agent/${ANN}`) }));
    const vip = impact.groups.find(({ group }) => group === 'group/vip');
    expect(vip).toMatchObject({ name: 'VIP', is_new: true, chats: 0, not_taken: 0, last: null, gains: 112 });
    expect(vip?.slots).toEqual({ before: null, after: expect.arrayContaining([4]) });
    expect(vip?.demand.after[10]).toBe(2);
    // Two erlang on four slots: Erlang C is 0.174.
    const [worst] = vip?.worse ?? [];
    expect(worst?.before).toEqual({ at_once: 0, slots: 0, share: 0, seconds: 0, leaves: null });
    expect(worst?.after).toMatchObject({ at_once: 2, slots: 4, share: 0.174 });
    expect([impact.wait_before, impact.wait_after]).toEqual([0, worst?.after.seconds]);
    expect(impact.moved).toBe(112);
  });

  test('in which no member works makes its chats wait for an hour or longer', () => {
    const { wait_after: wait, groups } = impactFor(moved({ agent_priorities: members(`agent/${ANN}`) }, 0));
    expect(wait).toBe(3600);
    expect(groups.find(({ is_new: isNew }) => isNew)?.worse.map(({ text }) => text)).toHaveLength(7);
  });

  test('whose slots are not known leaves the waiting unknown, and the impact says why', () => {
    const [, ...others] = LIVE.objects.agent ?? [];
    const unsized = object('agent', ANN, { name: 'Ann', work_scheduler: DAILY, groups: { 7: 'normal' } });
    const live = { ...LIVE, objects: { ...LIVE.objects, agent: [unsized, ...others] } };
    const desired = moved({ agent_priorities: members(`agent/${ANN}`) });
    const known = desired.resources.map((each) =>
      each.address === `agent/${ANN}` ? { ...each, spec: { name: 'Ann' } } : each,
    );
    const impact = impactFor({ ...desired, resources: known }, { live });
    expect([impact.wait_before, impact.wait_after]).toEqual([null, null]);
    expect(impact.assumptions).toContainEqual(
      expect.stringMatching(/^the slots are not known, so no waiting is calculated: .*group\/vip/),
    );
  });

  test('with a new bot has no slots of it: the bot waits for its routing status', () => {
    const { resources, ...others } = moved({ agent_priorities: members(`agent/${BOB}`) });
    const { resources: bots } = desiredOf([
      declare('bot', 'triage', { name: 'Triage', max_chats_count: 50, groups: { 'group/vip': 'first' } }),
    ]);
    const impact = impactFor({ ...others, resources: [...resources, ...bots] });
    const vip = impact.groups.find(({ group }) => group === 'group/vip');
    expect(vip?.slots.after?.[10]).toBe(2);
    expect(impact.assumptions).toContain('members who get no chats have no slots: bot/triage');
  });
});

describe('Patience', () => {
  const desired = moved({ agent_priorities: members(`agent/${ANN}`) });
  const demands = new Map<Address, GroupDemand>([['group/sales', demand(20)]]);
  const queue = (served: number, left: number): MeasuredQueues => ({
    by: 'group',
    groups: new Map([[7, queueFigures({ served, served_seconds: served * 60, left, left_seconds: left * 120 })]]),
  });
  const model = (impact: Impact): string => impact.assumptions.find((text) => text.startsWith('waiting')) ?? '';

  test('is measured where enough visitors left, and fewer slots make them leave instead of wait without end', () => {
    const impact = impactFor(desired, { demands, queues: queue(60, 40) });
    const [sales, vip] = impact.groups;
    expect([sales?.patience_seconds, vip?.patience_seconds]).toEqual([210, 210]);
    // 100 of 560 chats, 8,400 s.
    expect(sales?.waiting.measured).toEqual({ share: 0.179, seconds: 15, leaves: 0.071 });
    const [worst] = vip?.worse ?? [];
    expect(worst?.after.seconds).toBeLessThan(210);
    expect(worst?.after.leaves).toBeCloseTo((worst?.after.seconds ?? 0) / 210, 3);
    expect(model(impact)).toMatch(/by Erlang A: .* leave after 210 s on average/);
  });

  test('rests on visitors who left as chats, and the impact says so, also where they can be none', () => {
    const texts = (queues: MeasuredQueues) => {
      const { assumptions, groups } = impactFor(desired, { demands, queues });
      return [groups[0]?.waiting.measured, assumptions.filter((text) => / who left /.test(text))];
    };
    const counted = expect.stringMatching(/^visitors who left the queue are chats of their group/);
    expect(texts(queue(60, 40))[1]).toEqual([counted]);
    expect(texts(queue(60, 0))[1]).toEqual([]);
    // 560 chats.
    expect(texts(queue(300, 600))).toEqual([
      { share: 1, seconds: 160.714, leaves: 1 },
      [counted, expect.stringMatching(/^more visitors waited in group\/sales than there were chats: /)],
    ]);
  });

  test('is not known where the version does not measure it, or too few left', () => {
    const old = impactFor(desired, { demands });
    const few = impactFor(desired, { demands, queues: queue(60, 19) });
    for (const { groups } of [old, few]) {
      expect(groups.map(({ patience_seconds: seconds }) => seconds)).toEqual([null, null]);
      expect(groups[1]?.worse[0]?.after).toMatchObject({ share: 1, seconds: 3600, leaves: null });
    }
    expect(model(old)).toContain('because the reports do not measure it before version 3.6');
    expect(model(few)).toContain('because too few left in these days');
    expect([old, few].map(({ groups }) => groups[0]?.waiting.measured?.share ?? null)).toEqual([null, 0.141]);
  });

  test('is that of the license where the reports do not tell groups apart, and waiting of the group is not measured', () => {
    const license = queueFigures({ served: 60, served_seconds: 3600, left: 40, left_seconds: 4800 });
    const { groups } = impactFor(desired, { demands, queues: { by: 'license', license } });
    expect(groups[0]).toMatchObject({ patience_seconds: 210, waiting: { measured: null } });
  });
});

describe('An hour that is full already', () => {
  const same = (slots: number): Desired =>
    desiredOf([
      declare('agent', ANN, agent('Ann', slots)),
      declare('agent', BOB, agent('Bob', 2)),
      declare('group', 'sales', {
        name: 'Sales',
        language_code: 'en',
        agent_priorities: members(`agent/${ANN}`, `agent/${BOB}`),
      }),
      declare('auto_access', 'pricing', rule('group/sales')),
    ]);
  const full = { demands: new Map<Address, GroupDemand>([['group/sales', demand(20)]]) };

  test('gets worse by fewer slots', () => {
    const { groups, wait_before: before, wait_after: after } = impactFor(same(1), full);
    expect(groups[0]?.worse.map(({ text }) => text)).toContain('Mon 10:00-11:00');
    expect(groups[0]?.worse[0]).toMatchObject({ before: { slots: 6, share: 1 }, after: { slots: 3, share: 1 } });
    expect([before, after]).toEqual([3600, 3600]);
  });

  test('gets no worse by more slots', () => {
    const { groups, wait_after: after } = impactFor(same(5), full);
    expect([groups[0]?.worse, after]).toEqual([[], 0]);
  });
});

describe('The default group', () => {
  /** The rule is gone, so that its chats come to the default group, where Ann and Bob have so many slots; Carl sells, or these two do. */
  const falling = (slots: number, general: readonly string[], sellers: readonly string[] = [CARL]): Impact => {
    const group = object(
      'group',
      0,
      { name: 'General', language_code: 'en', agent_priorities: members(...general) },
      { builtin: true },
    );
    const sales = object('group', 7, { name: 'Sales', language_code: 'en', agent_priorities: members(...sellers) });
    const agents = [
      [ANN, 'Ann', 4],
      [BOB, 'Bob', 2],
      [CARL, 'Carl', 6],
    ] as const;
    const live = {
      ...LIVE,
      objects: {
        ...LIVE.objects,
        agent: agents.map(([id, name, count]) => object('agent', id, agent(name, count))),
        group: [group, sales],
      },
    };
    const desired = desiredOf([
      declare('agent', ANN, agent('Ann', slots)),
      declare('agent', BOB, agent('Bob', 2)),
      declare('group', 'sales', { name: 'Sales', language_code: 'en' }),
    ]);
    const demands = new Map<Address, GroupDemand>([
      ['group/sales', demand(4)],
      ['group/0', demand(1)],
    ]);
    return impactFor(desired, { live, demands });
  };

  test('has a wait that is at most so long, by its members', () => {
    const impact = falling(4, [ANN, BOB]);
    const general = impact.groups.find(({ group }) => group === 'group/0');
    expect(general?.slots.after?.[10]).toBe(6);
    expect(general?.worse[0]).toMatchObject({ before: { at_once: 0.5 }, after: { at_once: 2.5, slots: 6 } });
    expect(impact.wait_after).toBe(Math.max(...(general?.worse ?? []).map(({ after }) => after.seconds)));
    expect(impact.wait_after).toBeGreaterThan(0);
    expect(impact.wait_after).toBeLessThan(120);
    expect(impact.assumptions).toContain(
      'in group/0, the default group, any agent may answer, and only its members count: waits are at most so long',
    );
  });

  test('gets no longer waits from the chats of a group that the same agents serve already', () => {
    const impact = falling(4, [ANN, BOB], [ANN, BOB]);
    const general = impact.groups.find(({ group }) => group === 'group/0');
    expect([general?.worse, impact.wait_after]).toEqual([[], 0]);
    expect(general?.waiting.before).toMatchObject({ share: general?.waiting.after?.share });
    expect(general?.waiting.after?.share).toBeGreaterThan(0);
    expect(impact.assumptions).toContain(
      'an agent in several groups counts once: the chats of all of these groups share the slots',
    );
  });

  test('without a member may make all its chats wait', () => {
    expect(falling(4, []).wait_after).toBe(3600);
  });
});

describe('A wait', () => {
  test('stands on so many chats, and the largest share comes first', () => {
    const impact = impactFor(moved({ agent_priorities: members(`agent/${ANN}`) }));
    const [worst] = impact.groups.find(({ group }) => group === 'group/vip')?.worse ?? [];
    expect(worst).toMatchObject({ chats: 16, times: 4 });
    expect(worst && worseText(worst, { is_new: true })).toBe(
      'Mon 10:00-11:00: 2 chats at once on average (16 chats in 4 such hours), slots 4: 17 % would wait, 157 s on average; the group is new',
    );
  });

  test('of few or of nearly all chats is none of nothing or of all', () => {
    expect([0, 0.004, 0.5, 0.996, 1].map(percent)).toEqual(['0 %', 'under 1 %', '50 %', 'over 99 %', '100 %']);
  });
});

describe('No chat', () => {
  test.each([
    [28 * 24, 'at most 1 in 9 days'],
    [64, 'at most 1 in 21 h'],
    [7, 'at most 1 in 2.3 h'],
    [4, 'at most 1 in 1.3 h'],
    [1, 'at most 3 an hour'],
    [2, 'at most 1.5 an hour'],
  ])('in %i hours: %s', (hours, text) => {
    expect(mostText(hours)).toBe(text);
  });

  test('proves only that there are few, wherever it is said', () => {
    const none = new Map<Address, GroupDemand>([['group/sales', demand(0)]]);
    const impact = impactFor(moved({ agent_priorities: members(`agent/${ANN}`) }, 3), { demands: none });
    const few = 'no chat in 28 days (at most 1 in 9 days)';
    expect(impactText(impact)).toBe(`${few}; at most 1 in 9 days would go to other groups; 0 requests to the reports`);
    expect(impact.changes.flatMap((change) => demandTexts(change, impact))).toEqual([
      `works for group/sales: ${few}`,
      `carries ${few}: all of group/sales, which no other rule feeds`,
      `${few} would go to other groups because of it: those of group/sales`,
    ]);
    expect(demandTexts({ ...(impact.changes[0] as CarriedChats), what: 'destroyed-group' }, impact)).toEqual([few]);
  });
});

describe('"At most"', () => {
  test('per week is never below the days, however many they are', () => {
    const demands = new Map<Address, GroupDemand>([['group/sales', { ...demand(0), chats: 1, notTaken: 1 }]]);
    const impact = impactFor(moved({}), { demands, days: '30d' });
    expect([impact.moved, impact.moved_per_week]).toEqual([1, 0.3]);
  });

  test('is the same number for whole weeks', () => {
    const impact = impactFor(moved({}), {
      demands: new Map<Address, GroupDemand>([['group/sales', { ...demand(0), chats: 48 }]]),
    });
    expect(impact.moved_per_week).toBe(12);
  });

  test('of the chats without an agent is about the same chats, and never more than they are', () => {
    const desk = { name: 'Desk', language_code: 'en', agent_priorities: members(BOB) };
    const { objects } = LIVE;
    const live = { ...LIVE, objects: { ...objects, group: [...(objects.group ?? []), object('group', 8, desk)] } };
    const desired = desiredOf([
      declare('agent', ANN, agent('Ann', 4)),
      declare('agent', BOB, agent('Bob', 2)),
      declare('group', 'sales', { name: 'Sales' }),
      declare('group', 'desk', { name: 'Desk' }),
      declare('auto_access', 'pricing', rule('group/desk')),
    ]);
    const demands = new Map<Address, GroupDemand>([
      ['group/sales', { ...demand(0), chats: 20, notTaken: 15 }],
      ['group/desk', { ...demand(0), chats: 30, notTaken: 30 }],
    ]);
    const impact = impactFor(desired, { live, demands });
    expect(impact.groups.map(({ group }) => group)).toEqual(['group/desk', 'group/sales']);
    expect([impact.chats, impact.not_taken]).toEqual([20, 15]);
  });
});

describe('After rules changed within the days', () => {
  const rulesChanged = 'rules were changed on 2026-03-15, within these days';

  test('nothing is said of what a change of rules moves, or of waiting', () => {
    const impact = impactFor(moved({ agent_priorities: members(`agent/${ANN}`) }, 3), { rulesChanged });
    expect(impact).toMatchObject({ chats: null, moved: null, moved_per_week: null, wait_after: null });
    expect(impact.groups.map(({ gains, worse }) => [gains, worse.length])).toEqual([
      [0, 7],
      [null, 0],
    ]);
    const pricing = impact.changes.find(({ what }) => what === 'rule') as CarriedChats;
    expect(demandTexts(pricing, impact)).toEqual([
      `what it carries is not known: ${rulesChanged}`,
      'how many chats go to other groups because of it is not known',
    ]);
    expect(impact.assumptions).toContain(
      `${rulesChanged}: the chats of these days do not tell what a change of rules moves, nor where chats would wait longer`,
    );
    expect(impact.assumptions).not.toContain('the rules were the same in all of these days');
  });

  test('the chats of a group that is destroyed are known, and where they go is not', () => {
    const { resources, ...others } = moved({});
    const desired = {
      ...others,
      resources: resources.filter(({ kind }) => kind !== 'group' && kind !== 'auto_access'),
    };
    const impact = impactFor(desired, { rulesChanged });
    const group = impact.changes.find(({ what }) => what === 'destroyed-group');
    expect([group?.chats, group?.moved, impact.moved]).toEqual([112, null, null]);
  });

  test('a change of staff still has the chats of its groups', () => {
    const desired = desiredOf([
      declare('agent', ANN, agent('Ann', 3)),
      declare('agent', BOB, agent('Bob', 2)),
      declare('group', 'sales', { name: 'Sales', language_code: 'en' }),
      declare('auto_access', 'pricing', rule('group/sales')),
    ]);
    const impact = impactFor(desired, { rulesChanged });
    expect(impact).toMatchObject({ chats: 112, moved: 0, wait_after: null });
  });
});
