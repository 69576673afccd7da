// What is a difference when a reading cannot say.

import { describe, expect, it } from 'vitest';
import { digest } from '../../src/base/digest.ts';
import { KINDS } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { limitsOf } from '../../src/kinds/limits.ts';
import { diffFields } from '../../src/plan/diff.ts';
import { declare, desiredOf } from '../desired.ts';
import { world } from '../world.ts';
import { ledgerOf, liveOf, object, planOf, stepsOf } from './license.ts';

const ACCESS = { license: { agent: ['read', 'write'] } };
const TIER = { type: 'string', access: ACCESS };
const UNREAD = { unread: ['domain', 'range', 'default_value'] };

describe('fields that do not always read back', () => {
  const desired = desiredOf([declare('property', 'client/tier', { ...TIER, domain: ['gold'] })]);
  const live = liveOf(object('property', 'client/tier', { ...TIER, publish: [] }, UNREAD));

  it('A domain added to a definition that we registered without one is a difference', () => {
    const ledger = ledgerOf({ 'property/client/tier': 'client/tier' }, { 'property/client/tier': { spec: TIER } });
    expect(Object.keys(stepsOf(planOf(desired, live, ledger)))).toEqual([
      'delete property/client/tier',
      'create property/client/tier',
    ]);
  });

  it('A domain that the ledger knows is not', () => {
    const applied = { spec: TIER, digests: { domain: digest(['gold']) } };
    const ledger = ledgerOf({ 'property/client/tier': 'client/tier' }, { 'property/client/tier': applied });
    expect(planOf(desired, live, ledger).resource_changes).toEqual([]);
  });

  it('A domain that the ledger knows as another is a difference, whoever registered the definition', () => {
    const applied = { spec: TIER, digests: { domain: digest(['silver']) } };
    const ledger = ledgerOf({}, { 'property/client/tier': applied });
    expect(Object.keys(stepsOf(planOf(desired, live, ledger)))).toEqual([
      'delete property/client/tier',
      'create property/client/tier',
    ]);
  });

  it('A domain of a published definition cannot be told, and could not be changed', () => {
    const published = liveOf(object('property', 'client/tier', { ...TIER, publish: ['read'] }, UNREAD));
    expect(planOf(desired, published).notes).toMatchObject([{ kind: 'unreachable' }]);
  });

  it('A domain of a definition that somebody else registered cannot be told', () => {
    const plan = planOf(desired, live);
    expect(plan.steps).toEqual([]);
    expect(plan.notes).toMatchObject([{ address: 'property/client/tier', kind: 'unreadable' }]);
  });

  it('A domain of a definition that is made again anyway is written, and known from then on', () => {
    const other = desiredOf([
      declare('property', 'client/tier', { ...TIER, description: 'Another', domain: ['gold'] }),
    ]);
    const plan = planOf(other, live);
    expect(stepsOf(plan)['create property/client/tier']).toMatchObject({ domain: ['gold'] });
    expect(plan.resource_changes[0]?.fields.map(({ field, reach }) => [field, reach])).toEqual([
      ['description', 'replace'],
      ['domain', 'replace'],
    ]);
    expect(plan.resource_changes[0]?.fields[1]?.reason).toContain('made again with the others');
    expect(plan.notes.map(({ kind }) => kind)).toEqual(['data-loss']);
  });

  it('Where one definition shows such members, another one that shows none has none', async () => {
    const access = { license: { agent: ['read', 'write'] } } as const;
    const tier = { type: 'string', access } as const;
    const { plan } = world({
      seed: { properties: { client: { tier, grade: { ...tier, default_value: 'a' } } } },
      settings: { listPropertyDetails: true },
    });
    expect(Object.keys(stepsOf(await plan(desired)))).toEqual([
      'delete property/client/tier',
      'create property/client/tier',
    ]);
  });
});

describe('a kind without an update', () => {
  const live = object('property', 'client/tier', { ...TIER, description: 'Tier', publish: [] });
  const reachOf = (kind: Kind): readonly string[] =>
    diffFields(
      kind,
      { description: 'Level' },
      live,
      live.spec,
      { applied: null, complete: false },
      { version: '3.6', limits: limitsOf('3.6'), mayApprove: false },
    ).map(({ reach }) => reach);

  it('A difference is closed by a replacement where the kind says what that loses', () => {
    expect(KINDS.property.update).toBeUndefined();
    expect(reachOf(KINDS.property)).toEqual(['replace']);
  });

  it('A difference is unreachable where the kind says nothing of a replacement, or the object is permanent', () => {
    const { replacing: _, ...kept } = KINDS.property;
    expect(reachOf(kept)).toEqual(['unreachable']);
    expect(reachOf({ ...KINDS.property, permanent: () => 'it is for ever' })).toEqual(['unreachable']);
  });
});
