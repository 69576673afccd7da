// What a withheld lockout tells a person: who, what, and how to go on; and who is found to be the token's own agent.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/model.ts';
import { KINDS } from '../../../src/kinds/index.ts';
import { fetchLive } from '../../../src/license/reading/live.ts';
import { viewOf } from '../../../src/license/reading/view.ts';
import { planOptions } from '../../../src/planning/planning.ts';
import { targetSettings } from '../../../src/project/settings.ts';
import { declare, desiredOf } from '../../desired.ts';
import { world } from '../../world.ts';
import { ledgerOf, liveOf, object, planOf } from '../license.ts';

const ANN = 'ann@example.com';
const BOB = 'bob@example.com';
const CANNOT = { acknowledged: new Set<string>() };

const ADMINISTRATORS = liveOf(
  object('agent', ANN, { name: 'Ann', role: 'administrator', suspended: false }, { account: 'a-1' }),
  object('agent', BOB, { name: 'Bob', role: 'administrator', suspended: false }, { account: 'b-1' }),
);

test('The account of a personal access token tells whose it is', () => {
  const desired = desiredOf([declare('agent', ANN, { suspended: true, role: 'normal' })]);
  const withheldFor = (account: string) =>
    planOf(desired, ADMINISTRATORS, ledgerOf({}), { ...CANNOT, own: { account } }).withheld;
  expect(withheldFor('a-1')).toMatchObject([
    {
      guard: 'own-agent',
      addresses: [`agent/${ANN}`],
      message: expect.stringMatching(/agent\/ann@example\.com.*could do less than now and could no longer log in/),
      remedy: expect.stringContaining(`--acknowledge agent/${ANN}`),
    },
  ]);
  expect(withheldFor('b-1')).toEqual([]);
  expect(withheldFor('unknown')).toEqual([]);
});

test('What the service refuses to change takes no right away', () => {
  const owner = object('agent', ANN, { name: 'Ann', role: 'owner', suspended: false }, { owner: true });
  const desired = desiredOf([declare('agent', ANN, { role: 'normal', suspended: true })]);
  const plan = planOf(desired, liveOf(owner), ledgerOf({}), { ...CANNOT, own: { id: ANN } });
  expect(plan.notes.map(({ kind }) => kind)).toEqual(['unreachable', 'unreachable']);
  expect(plan.withheld).toEqual([]);
});

test('own_agent of the target decides, then its account, and without either nobody is known', () => {
  const ownBy = (settings: JsonObject) =>
    planOptions(targetSettings('t', { base_url: 'emulator:x', ...settings }, 'chatform.yaml'), {}).own;
  expect(ownBy({ own_agent: ANN, account_id: 'a-1' })).toEqual({ id: ANN });
  expect(ownBy({ account_id: 'a-1' })).toEqual({ account: 'a-1' });
  expect(ownBy({})).toBeNull();
});

test('Accounts are read from the list of agents, where the version tells them, at no further request', async () => {
  const desired = desiredOf([declare('agent', 'zoe@example.com', { name: 'Zoe' })]);
  for (const version of ['3.3', '3.6'] as const) {
    const { client, emulator } = world({ version, seed: { agents: [{ id: 'zoe@example.com', name: 'Zoe' }] } });
    const view = viewOf(desired, ledgerOf({}), version);
    const live = await fetchLive((action, body) => client.call(action, body), view, version);
    const accounts = live.objects.agent?.map(({ facts }) => facts.account);
    expect(accounts?.every((account) => (account !== undefined) === (version === '3.6'))).toBe(true);
    expect(emulator.stats()).toEqual({ list_agents: 1 });
  }
});

test('Whoever is acknowledged is deleted, demoted or suspended, and the others are still named', () => {
  const desired = desiredOf([declare('agent', ANN, { suspended: true }), declare('agent', BOB, { role: 'normal' })]);
  const withheldBy = (...acknowledged: readonly string[]) =>
    planOf(desired, ADMINISTRATORS, ledgerOf({}), { acknowledged: new Set(acknowledged) }).withheld;
  expect(withheldBy()).toMatchObject([
    {
      guard: 'last-administrator',
      addresses: [`agent/${ANN}`, `agent/${BOB}`],
      message: expect.stringContaining('only the owner'),
      remedy: expect.stringContaining(`--acknowledge agent/${ANN} --acknowledge agent/${BOB}`),
    },
  ]);
  expect(withheldBy(`agent/${ANN}`)).toMatchObject([{ addresses: [`agent/${BOB}`] }]);
  expect(withheldBy(`agent/${ANN}`, `agent/${BOB}`)).toEqual([]);
});

test('The owner neither counts as an administrator nor is blamed for being the only one', () => {
  const owner = object('agent', 'boss@example.com', { name: 'Boss', role: 'owner' }, { owner: true });
  const live = liveOf(owner, object('agent', ANN, { name: 'Ann', role: 'administrator' }));
  const demote = desiredOf([declare('agent', ANN, { role: 'normal' })]);
  expect(planOf(demote, live, ledgerOf({}), CANNOT).withheld).toMatchObject([{ guard: 'last-administrator' }]);
  const alone = liveOf(owner, object('agent', ANN, { name: 'Ann', role: 'normal', suspended: false }));
  const suspend = desiredOf([declare('agent', ANN, { suspended: true })]);
  expect(planOf(suspend, alone, ledgerOf({}), CANNOT).withheld).toEqual([]);
});

test('An undeclared group in 3.3 is named by its id, and acknowledged at whoever leaves it', () => {
  const live = {
    ...liveOf(
      object('agent', ANN, { name: 'Ann', groups: { '1': 'normal' } }),
      object('group', 1, { name: 'Sales', agent_priorities: { [ANN]: 'normal' } }),
    ),
    version: '3.3' as const,
  };
  const desired = desiredOf([declare('agent', ANN, { groups: {} })]);
  expect(planOf(desired, live, ledgerOf({}), CANNOT).withheld).toMatchObject([
    {
      guard: 'last-member',
      addresses: [`agent/${ANN}`],
      message: expect.stringMatching(/group 1 .*`normal`.*agent\/ann@example\.com/),
    },
  ]);
});

test('A group that goes while rules stay names the rules, a stranger by what a person calls it', () => {
  const conditions = { url: { values: [{ value: '/' }] } };
  const live = liveOf(
    object('group', 1, { name: 'A' }),
    object('auto_access', 'r1', { access: { groups: ['1'] }, conditions, description: 'by hand' }),
    object('auto_access', 'r2', { access: { groups: ['1'] }, conditions, description: 'kept' }),
  );
  const ledger = ledgerOf({ 'group/a': 1, 'auto_access/kept': 'r2' });
  const desired = desiredOf([declare('group', 'b', { name: 'B' })]);
  const options = { ...CANNOT, prune: { auto_access: 'none' as const } };
  expect(planOf(desired, live, ledger, options).withheld).toMatchObject([
    {
      guard: 'still-routed',
      addresses: ['group/a', 'auto_access/id/r1', 'auto_access/kept'],
      message: expect.stringMatching(/auto_access\/kept|by hand/),
      remedy: expect.stringContaining('--acknowledge group/a'),
    },
  ]);
});

test('As many rules are named as a sentence bears, and the others counted', () => {
  const messageFor = (rules: number) => {
    const live = liveOf(
      object('group', 1, { name: 'A' }),
      ...Array.from({ length: rules }, (_, n) =>
        object('auto_access', `r${n}`, {
          access: { groups: ['1'] },
          conditions: { url: { values: [{ value: '/' }] } },
        }),
      ),
    );
    const desired = desiredOf([declare('group', 'b', { name: 'B' })]);
    return planOf(desired, live, ledgerOf({ 'group/a': 1 }), CANNOT).withheld[0]?.message ?? '';
  };
  expect(messageFor(1)).toMatch(/\(r0\) still routes to it$/);
  expect(messageFor(8)).toMatch(/\(r6\), the undeclared rule `r7` \(r7\) still route to it$/);
  expect(messageFor(9)).toMatch(/\(r7\) and 1 more still route to it$/);
  expect(messageFor(9)).not.toContain('r8');
});

test('Only kinds that can log in have a standing', () => {
  expect(Object.values(KINDS).flatMap(({ name, standing }) => (standing === undefined ? [] : [name]))).toEqual([
    'agent',
  ]);
});
