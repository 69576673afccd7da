// A license and what is wished of it; a plan of it and the file it is saved in. For tests of the format.

import type { Desired, Version } from '../../../src/base/model.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { manifestDigest, readDigests } from '../../../src/plan/saved/digests.ts';
import { effectsOf } from '../../../src/plan/saved/effects.ts';
import type { SavedPlan } from '../../../src/plan/saved/saved-plan.ts';
import { savedText } from '../../../src/plan/saved/text.ts';
import { declare, desiredOf } from '../../desired.ts';
import { type World, world } from '../../world.ts';

const CLIENT = 'client-1';
const ACCESS = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } };

function rule(key: string, group: string) {
  return declare('auto_access', key, {
    description: key,
    access: { groups: [group] },
    conditions: { url: { values: [{ value: `/${key}` }] } },
  });
}

/** One of every kind that both versions have. */
export const BEFORE = desiredOf([
  declare('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 3 }),
  declare('agent', 'bob@example.com', { name: 'Bob' }),
  declare('group', 'sales', { name: 'Sales', agent_priorities: { 'agent/ann@example.com': 'normal' } }),
  declare('group', 'old', { name: 'Old', agent_priorities: { 'agent/bob@example.com': 'normal' } }),
  rule('pricing', 'group/sales'),
  rule('demo', 'group/sales'),
  rule('rest', 'group/sales'),
  declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, domain: ['gold', 'silver'] }),
  declare('license_property', `${CLIENT}/tier`, { value: 'gold' }),
]);

/** Something is made, changed, moved, made again and deleted, and somebody changes groups. */
export const AFTER = desiredOf([
  declare('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 5 }),
  declare('agent', 'bob@example.com', { name: 'Bob' }),
  declare('group', 'sales', {
    name: 'Sales team',
    agent_priorities: { 'agent/ann@example.com': 'normal', 'agent/bob@example.com': 'first' },
  }),
  declare('group', 'night', { name: 'Night', agent_priorities: { 'agent/bob@example.com': 'normal' } }),
  rule('rest', 'group/night'),
  rule('demo', 'group/sales'),
  rule('pricing', 'group/sales'),
  declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS, domain: ['gold', 'bronze'] }),
  declare('license_property', `${CLIENT}/tier`, { value: 'gold' }),
]);

/** A license on which `BEFORE` was applied. */
export async function begun(version: Version): Promise<World> {
  const license = world({ version });
  const report = await license.apply(await license.plan(BEFORE), BEFORE);
  if (report.outcome !== 'done') throw new Error(report.outcome);
  return license;
}

/** The text of the plan of `desired`, as it would be saved. */
export async function saved(license: World, desired: Desired): Promise<{ readonly text: string; readonly plan: Plan }> {
  const { planned, live } = await license.settled(desired, { mayApprove: false });
  const { plan } = planned;
  if (plan === null) throw new Error(planned.problems.map(({ message }) => message).join('; '));
  return { plan, text: savedText(contentOf(plan, { live, desired })).text };
}

export function contentOf(
  plan: Plan,
  { live, desired }: { readonly live: Parameters<typeof readDigests>[0]; readonly desired: Desired },
): Omit<SavedPlan, 'digest'> {
  return {
    format_version: '1.0',
    chatform_version: '0.1.0',
    created_at: '2026-01-05T09:00:00.000Z',
    target: plan.target,
    api_version: plan.api_version,
    service: '0'.repeat(64),
    manifest: manifestDigest(desired),
    selection: { only: [], except: [] },
    acknowledged: { given: [], vetoes: [] },
    plan,
    diagnostics: [],
    read: readDigests(live),
    effects: effectsOf(plan),
  };
}
