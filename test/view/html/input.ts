// A text in; a plan with something in every part of a report, and the license around it, out. The text is everywhere where somebody can choose one;
// in conditions only when asked, for there it decides who goes where.

import type { Desired, Diagnostic, Live, Spec } from '../../../src/base/model.ts';
import { picturesOf } from '../../../src/features/plan/operation.ts';
import type { PlanPictures } from '../../../src/features/plan/pictures.ts';
import { reportView } from '../../../src/features/plan/view.ts';
import { makePlan } from '../../../src/plan/assemble.ts';
import { compare } from '../../../src/plan/compare.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { type ReviewedPlan, reviewed } from '../../../src/plan/review/plan-result.ts';
import { ROUTING_DEFAULTS } from '../../../src/routing/settings.ts';
import type { Declared } from '../../../src/target/prepare.ts';
import { htmlPage } from '../../../src/view/writers/html.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object } from '../../plan/license.ts';
import { EVERYTHING } from '../../world.ts';

export const AT = '2026-11-21T19:40:00.000Z';

const OFFICE = [
  { day: 'monday', enabled: true, start: '09:00', end: '17:00' },
  { day: 'sunday', enabled: true, start: '10:00', end: '12:00' },
];

function worker(name: string, schedule = OFFICE): Spec {
  return { name, role: 'normal', max_chats_count: 4, work_scheduler: { timezone: 'UTC', schedule } };
}

function on(path: string): Spec {
  return { url: { values: [{ value: path }] } };
}

const liveWith = (text: string, page: string): Live =>
  liveOf(
    object('agent', 'ann@example.com', { ...worker(text), job_title: text }),
    object('agent', 'bob@example.com', worker('Bob')),
    object('agent', 'stranger@example.com', worker(text)),
    object('group', 1, {
      name: text,
      language_code: 'en',
      agent_priorities: { 'ann@example.com': 'first', 'bob@example.com': 'normal' },
    }),
    object('group', 2, { name: `${text}2`, language_code: 'en', agent_priorities: { 'bob@example.com': 'last' } }),
    object('auto_access', 'a1', { description: text, access: { groups: ['1'] }, conditions: on('/a') }),
    object('auto_access', 'a2', { description: `${text}2`, access: { groups: ['2'] }, conditions: on('/b') }),
    object('auto_access', 'a3', { description: `${text}3`, access: { groups: ['1'] }, conditions: on(`/c${page}`) }),
  );

const desiredWith = (text: string, page: string): Desired =>
  desiredOf([
    declare('agent', 'ann@example.com', { ...worker(text, OFFICE.slice(0, 1)), job_title: `${text}!` }),
    declare('agent', 'bob@example.com', worker('Bob', [])),
    declare('agent', 'new@example.com', worker(`${text} new`)),
    declare('group', 'sales', {
      name: `${text} now`,
      agent_priorities: { 'agent/ann@example.com': 'last', 'agent/new@example.com': 'first' },
    }),
    declare('auto_access', 'third', {
      description: `${text}3`,
      access: { groups: ['group/sales'] },
      conditions: on(`/c${page}`),
    }),
    declare('auto_access', 'fresh', {
      description: text,
      access: { groups: ['group/sales'] },
      conditions: on(`/d${page}`),
    }),
    declare('auto_access', 'first', {
      description: `${text}1`,
      access: { groups: ['group/sales'] },
      conditions: on('/a'),
    }),
  ]);

const LEDGER = ledgerOf({
  'agent/ann@example.com': 'ann@example.com',
  'agent/bob@example.com': 'bob@example.com',
  'group/sales': 1,
  'group/old': 2,
  'auto_access/first': 'a1',
  'auto_access/second': 'a2',
  'auto_access/third': 'a3',
});

export interface PageInput extends ReviewedPlan {
  readonly at: string;
  readonly pictures: PlanPictures | null;
}

export function planPage(input: PageInput): string {
  return htmlPage(reportView(input, input));
}

export function knownAfter(text: string, page = ''): PageInput {
  const [desired, live] = [desiredWith(text, page), liveWith(text, page)];
  const input = { desired, live, ledger: LEDGER, options: { ...EVERYTHING, target: text } };
  const { plan, problems } = makePlan(input);
  if (plan === null) throw new Error(problems.map(({ message }) => message).join('; '));
  const settings = { name: text, apiVersion: '3.6', routing: ROUTING_DEFAULTS };
  const declared = { settings, desired } as unknown as Declared;
  const place = { file: text, line: 1, column: 1, length: 1 };
  const edited: Plan = {
    ...plan,
    withheld: [{ guard: 'policy', addresses: [], message: text, remedy: text }],
    policies: [{ name: text, level: 'warn', passed: false, message: text, failure: text }],
  };
  const finding: Diagnostic = {
    code: 'nobody-there',
    severity: 'warning',
    place,
    message: text,
    remedy: text,
    excerpt: text,
    related: [],
  };
  const pictures = picturesOf(declared, compare(input), Date.parse(AT));
  return { ...reviewed(edited, [finding], null), at: AT, pictures };
}
