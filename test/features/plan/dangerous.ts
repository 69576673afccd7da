// Plans for tests of comments: one where all that deserves caution happens, big ones, and ones whose names are hostile.

import type { Address, Diagnostic } from '../../../src/base/model.ts';
import { type CommentInput, NOWHERE } from '../../../src/features/plan/comment.ts';
import type { Plan, ResourceChange, ResourceDrift } from '../../../src/plan/plan.ts';
import { type ReviewedPlan, reviewed } from '../../../src/plan/review/plan-result.ts';
import { declare, desiredOf } from '../../desired.ts';
import { ledgerOf, liveOf, object, planOf } from '../../plan/license.ts';

const ACCESS = { chat: { agent: ['read'] } };
const WIDER = { chat: { agent: ['read', 'write'] } };

/** Everything at once: destroys with referrers, a publication, a replacement, a new secret, a raised role, a rerouted visitor, a veto, a policy. */
export function dangerous(): Plan {
  const rule = (key: string, group: string) =>
    object('auto_access', key, {
      description: key,
      access: { groups: [group] },
      conditions: { url: { values: [{ value: `/${key}` }] } },
    });
  const live = liveOf(
    object('agent', 'ann@example.com', { name: 'Ann', role: 'normal' }),
    object('agent', 'zoe@example.com', { name: 'Zoe', role: 'owner' }),
    object('group', 7, { name: 'Old', language_code: 'en', agent_priorities: { 'ann@example.com': 'normal' } }),
    object('group', 8, { name: 'Sales', language_code: 'en', agent_priorities: { 'ann@example.com': 'normal' } }),
    object('bot', 'bot-9', { name: 'Left', default_group_priority: 'first', groups: {} }),
    rule('r1', '7'),
    object('property', 'client-1/tier', { type: 'string', access: ACCESS, publish: [] }),
    object('property', 'client-1/size', { type: 'int', access: ACCESS, publish: [] }),
  );
  const declared = desiredOf([
    declare('agent', 'ann@example.com', { name: 'Ann', role: 'administrator' }),
    declare('group', 'sales', { name: 'Sales', language_code: 'pl' }),
    declare('bot', 'triage', { name: 'Triage', default_group_priority: 'first' }),
    declare('auto_access', 'pricing', {
      description: 'r1',
      access: { groups: ['group/sales'] },
      conditions: { url: { values: [{ value: '/r1' }] } },
    }),
    declare('property', 'client-1/tier', { type: 'string', access: WIDER, publish: [] }),
    declare('property', 'client-1/size', { type: 'int', access: ACCESS, publish: ['read'] }),
  ]);
  const ledger = ledgerOf({
    'group/old': 7,
    'group/sales': 8,
    'bot/left': 'bot-9',
    'auto_access/pricing': 'r1',
    'property/client-1/tier': 'client-1/tier',
    'property/client-1/size': 'client-1/size',
  });
  const plan = planOf(declared, live, ledger, { maxDeletes: 1, hasSink: false });
  const policies = [
    { name: 'bedtime', level: 'warn', passed: false, message: 'no plans at night', failure: null } as const,
  ];
  return { ...plan, policies, resource_drift: [DRIFT] };
}

const DRIFT: ResourceDrift = {
  address: 'group/sales',
  type: 'group',
  name: 'Sales',
  id: 8,
  change: {
    actions: ['update'],
    before: { language_code: 'pl', agent_priorities: { 'agent/ann@example.com': null } },
    after: { language_code: 'en', agent_priorities: { 'agent/ann@example.com': 'normal' } },
  },
  applied_at: '2026-01-05T09:00:00.000Z',
};

export function planned(plan: Plan, diagnostics: readonly Diagnostic[] = []): ReviewedPlan {
  return reviewed(plan, diagnostics, 'd'.repeat(64));
}

export function subjectOf(plan: Plan, more: Partial<CommentInput> = {}): CommentInput {
  return { of: planned(plan), state: 'plan', origin: NOWHERE, ...more };
}

/** So many changes, of which so many destroy something, each referred to by another rule. */
export function big(changes: number, destroys: number): Plan {
  const template = dangerous();
  const updated = template.resource_changes.find(({ address }) => address === 'group/sales') as ResourceChange;
  const going = template.resource_changes.find(({ address }) => address === 'group/old') as ResourceChange;
  const all = Array.from({ length: changes }, (_, index): ResourceChange => {
    const isGone = index % Math.ceil(changes / Math.max(destroys, 1)) === 0 && destroys > 0;
    const address: Address = `group/${isGone ? 'gone' : 'team'}-${String(index).padStart(5, '0')}`;
    const referred_by = isGone ? [{ type: 'auto_access', reference: `auto_access/r${index}`, name: 'r' } as const] : [];
    return { ...(isGone ? going : updated), address, name: address, referred_by };
  });
  return { ...template, resource_changes: all, withheld: [], notes: [], policies: [], resource_drift: [] };
}

/** The same plan with another name for everything that somebody else can name. */
export function named(plan: Plan, name: string): Plan {
  const change = (each: ResourceChange): ResourceChange => ({
    ...each,
    address: `${each.type}/${name}`,
    name,
    fields: each.fields.map((field) => ({ ...field, before: name, after: { [name]: [name], other: name } })),
    referred_by: each.referred_by.map((referrer) => ({ ...referrer, reference: name, name })),
    source: { file: name, line: 3, column: 1 },
    ...(each.change.before === null ? {} : { change: { ...each.change, before: { [name]: name } } }),
  });
  const decision = { rule: name, groups: [name, `group/${name}`] };
  const visitor = { url: name, country: name };
  return {
    ...plan,
    target: name,
    resource_changes: plan.resource_changes.map(change),
    routing: {
      rerouted: [
        {
          before: decision,
          after: decision,
          cause: { what: 'added', rule: name },
          examples: [{ visitor, on: [name] }],
        },
      ],
      exact: false,
      way: 'exposed',
      exposed: [{ visitor, before: decision, meanwhile: decision, after: decision, writes: 1 }],
      longer: null,
    },
    unmanaged: [{ type: 'group', id: name, name, released: null, reason: name }],
    resource_drift: [
      {
        ...DRIFT,
        address: `group/${name}`,
        name,
        change: { ...DRIFT.change, before: { [name]: name }, after: { [name]: [name] } },
      },
    ],
    withheld: [{ guard: 'policy', addresses: [], message: name, remedy: name }],
    policies: [{ name, level: 'warn', passed: false, message: name, failure: name }],
    notes: plan.notes.map((note) => ({ ...note, address: `group/${name}`, message: name })),
  };
}
