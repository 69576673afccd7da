// Situations of plans with an impact: rules that move and go, an agent with fewer slots, a group that is deleted, and reports that could not be read.

import type { Address, Spec } from '../../src/base/model.ts';
import { weekAt } from '../../src/base/week.ts';
import type { AgentFigures } from '../../src/demand/hourly.ts';
import { type MeasuredQueues, queueFigures } from '../../src/demand/queues.ts';
import { lastRange } from '../../src/demand/range.ts';
import { HOURS_OF_WEEK } from '../../src/demand/week.ts';
import { makePlan } from '../../src/plan/assemble.ts';
import { compare } from '../../src/plan/compare.ts';
import type { Impact } from '../../src/plan/impact.ts';
import { type ReviewedPlan, reviewed } from '../../src/plan/review/plan-result.ts';
import { staffing } from '../../src/plan/staffing.ts';
import type { GroupDemand } from '../../src/planning/impact/carried.ts';
import { impactOf } from '../../src/planning/impact/impact.ts';
import { touchedBy } from '../../src/planning/impact/touched.ts';
import { staffOf } from '../../src/routing/staff/staff.ts';
import { commandDocument } from '../../src/view/documents.ts';
import { declare, desiredOf } from '../desired.ts';
import { ledgerOf, liveOf, object } from '../plan/license.ts';
import { EVERYTHING } from '../world.ts';
import { AT, type Outputs, planOutputs } from './outputs.ts';

const ANN = 'ann@example.com';
const BOB = 'bob@example.com';
const ZONE = 'Europe/Warsaw';

const OFFICE: Spec = {
  timezone: ZONE,
  schedule: ['monday', 'tuesday', 'wednesday'].map((day) => ({ day, enabled: true, start: '09:00', end: '17:00' })),
};

const on = (value: string): Spec => ({ url: { values: [{ value }] } });
const rule = (description: string, groups: readonly string[], page: string): Spec => ({
  description,
  access: { groups: [...groups] },
  conditions: on(page),
});

const INPUT = {
  desired: desiredOf([
    declare('agent', ANN, { name: 'Ann', max_chats_count: 5, work_scheduler: OFFICE }),
    declare('agent', BOB, { name: 'Bob', max_chats_count: 6, work_scheduler: OFFICE }),
    declare('group', 'sales', {
      name: 'Sales',
      language_code: 'en',
      agent_priorities: { [`agent/${ANN}`]: 'normal', [`agent/${BOB}`]: 'normal' },
    }),
    declare('group', 'desk', { name: 'Desk', language_code: 'en', agent_priorities: { [`agent/${BOB}`]: 'normal' } }),
    declare('auto_access', 'jobs', rule('Jobs', ['group/desk'], '/jobs')),
    declare('auto_access', 'pricing', rule('Prices', ['group/sales'], '/pricing')),
    declare('auto_access', 'shop', rule('Shop', ['group/desk'], '/shop')),
  ]),
  live: liveOf(
    object('agent', 'zoe@example.com', { name: 'Zoe', role: 'owner' }),
    object('agent', ANN, { name: 'Ann', max_chats_count: 8, work_scheduler: OFFICE, groups: { 7: 'normal' } }),
    object('agent', BOB, {
      name: 'Bob',
      max_chats_count: 6,
      work_scheduler: OFFICE,
      groups: { 7: 'normal', 8: 'normal' },
    }),
    object('group', 0, { name: 'General', language_code: 'en' }),
    object('group', 7, {
      name: 'Sales',
      language_code: 'en',
      agent_priorities: { [ANN]: 'normal', [BOB]: 'normal' },
    }),
    object('group', 8, { name: 'Desk', language_code: 'en', agent_priorities: { [BOB]: 'normal' } }),
    object('group', 9, { name: 'Night', language_code: 'en', agent_priorities: {} }),
    object('bot', 'bot-1', { name: 'Idle', groups: {}, max_chats_count: 1, work_scheduler: {} }),
    object('auto_access', 'r1', rule('Prices', ['7'], '/pricing')),
    object('auto_access', 'r2', rule('Jobs', ['8'], '/jobs')),
    object('auto_access', 'r3', rule('Shop', ['7'], '/shop')),
  ),
  ledger: ledgerOf({
    [`agent/${ANN}`]: ANN,
    [`agent/${BOB}`]: BOB,
    'group/sales': 7,
    'group/desk': 8,
    'group/night': 9,
    'auto_access/pricing': 'r1',
    'auto_access/jobs': 'r2',
    'auto_access/shop': 'r3',
  }),
  moved: [],
  options: { ...EVERYTHING, target: 'production' },
};

/** From nine to five on three days, most at ten on Mondays. */
function demand(perHour: number, length: number, last: string | null): GroupDemand {
  const hours = Array.from({ length: HOURS_OF_WEEK }, (_, index) => {
    const isOpen = index < 3 * 24 && index % 24 >= 9 && index % 24 < 17;
    const each = isOpen ? perHour * (index === 10 ? 2 : 1) : 0;
    return { chats: each * 4, times: 4, perHour: each };
  });
  const chats = hours.reduce((sum, hour) => sum + hour.chats, 0);
  return { chats, notTaken: Math.round(chats / 50), last, hours, length: chats === 0 ? null : length };
}

const DEMANDS: ReadonlyMap<Address, GroupDemand> = new Map([
  ['group/desk', demand(4, 600, '2026-11-20')],
  ['group/night', { ...demand(1, 900, '2026-11-20'), chats: 96 }],
  ['group/sales', demand(20, 660, '2026-11-20')],
]);

const QUEUES: MeasuredQueues = {
  by: 'group',
  groups: new Map([[7, queueFigures({ served: 36, served_seconds: 1440, left: 24, left_seconds: 2880 })]]),
};

const figures = (agent: string, chats: number): AgentFigures => ({
  agent,
  chats,
  good: 0,
  bad: 0,
  answered: 0,
  first_response: 0,
  accepting: 0,
  not_accepting: 0,
  logged_in: 0,
  chatting: 0,
});

interface Learned {
  readonly demands?: ReadonlyMap<Address, GroupDemand>;
  readonly people?: true;
  readonly missing?: string;
  readonly rulesChanged?: string;
}

/** The plan with its impact, as a reviewer gets it. */
export function reviewedImpact({ demands = DEMANDS, people, missing, rulesChanged }: Learned = {}): ReviewedPlan {
  const { plan } = makePlan(INPUT);
  const compared = compare(INPUT);
  const now = Date.parse(AT);
  const range = lastRange('28d', ZONE, now);
  if (plan === null || range === null) throw new Error('no plan');
  const about = { zone: ZONE, isRead: true, version: '3.6' } as const;
  const { before, after } = staffing(compared);
  const staff = { before: staffOf(before, about), after: staffOf(after, about) };
  const touched = touchedBy({ plan, compared, staff });
  const impact: Impact = impactOf({
    touched,
    staff,
    week: weekAt(ZONE, now),
    range,
    demands,
    sharing: new Map(),
    silent: new Set(),
    queues: missing === undefined ? QUEUES : { by: 'nothing' },
    figures: people === undefined ? null : new Map([['group/sales', [figures(ANN, 223), figures(BOB, 1777)]]]),
    rulesChanged: rulesChanged ?? null,
    missing: missing ?? null,
    requests: { 'chats/duration': demands.size * 2, 'chats/total_chats': demands.size },
  });
  return reviewed({ ...plan, impact }, [], 'd'.repeat(64));
}

function outputsOf(learned: Learned): Outputs {
  const of = reviewedImpact(learned);
  return { ...planOutputs(of, null), 'plan.json': commandDocument({ ...of.plan }) };
}

export const IMPACTS: { readonly [situation: string]: () => Outputs } = {
  impact: () => outputsOf({}),
  'impact-with-people': () => {
    const { 'plan.txt': text = '', 'comment.md': comment = '' } = outputsOf({ people: true });
    return { 'plan.txt': text, 'comment.md': comment };
  },
  'impact-not-read': () => {
    const { 'plan.txt': text = '', 'comment.md': comment = '' } = outputsOf({
      demands: new Map([...DEMANDS].filter(([group]) => group === 'group/desk')),
      missing: 'the reports were not read to the end: authorization: no; give the token the scope reports_read',
      rulesChanged: 'rules were changed on 2026-11-19, within these days',
    });
    return { 'plan.txt': text, 'comment.md': comment };
  },
};
