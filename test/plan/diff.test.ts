// What is a difference when a reading cannot say.

import { describe, expect, it, test } from 'vitest';
import { digest } from '../../src/base/digest.ts';
import type { LedgerState, Spec } from '../../src/base/model.ts';
import { KINDS } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { limitsOf } from '../../src/kinds/limits.ts';
import { diffFields, type SecretStanding } from '../../src/plan/diff.ts';
import type { PlannerOptions } from '../../src/plan/input.ts';
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

describe('the secret of a webhook', () => {
  const ADDRESS = 'webhook/ended';
  const SPEC = { owner_client_id: 'shop', type: 'license', action: 'chat_deactivated', url: 'https://a.example/ended' };
  const NAMED = { ...SPEC, secret_key: { env: 'HOOK' } };
  const KNOWN = { spec: SPEC, digests: { secret_key: 'slow' } };
  const MADE = ledgerOf({ [ADDRESS]: 'w' }, { [ADDRESS]: { spec: SPEC } });
  const KEPT: LedgerState = { ...MADE, secrets: new Map([[ADDRESS, 'kept']]) };
  const ASKED = { acknowledged: new Set([ADDRESS]) };

  const fieldsOf = (spec: Spec, ledger: LedgerState, options: Partial<PlannerOptions> = {}) => {
    const live = { ...liveOf(), objects: { webhook: [object('webhook', 'w', SPEC)], bot: [] } };
    const { resource_changes: changes } = planOf(desiredOf([declare('webhook', 'ended', spec)]), live, ledger, options);
    return changes.flatMap(({ fields }) => fields.map(({ field, reach, reason }) => `${field} ${reach}: ${reason}`));
  };
  const standing = (is: SecretStanding): Partial<PlannerOptions> => ({
    standingOf: (variable, known) => (variable === 'HOOK' && known === 'slow' ? is : 'unknown'),
  });

  test.each<[string, Spec, LedgerState, Partial<PlannerOptions>, string | null]>([
    ['is the one that was applied', NAMED, ledgerOf({ [ADDRESS]: 'w' }, { [ADDRESS]: KNOWN }), standing('same'), null],
    [
      'is another one by now',
      NAMED,
      ledgerOf({ [ADDRESS]: 'w' }, { [ADDRESS]: KNOWN }),
      standing('changed'),
      'replace: HOOK has another secret than the one that was applied',
    ],
    [
      'is not set on this machine',
      NAMED,
      ledgerOf({ [ADDRESS]: 'w' }, { [ADDRESS]: KNOWN }),
      standing('unset'),
      'unreadable: HOOK is not set here, so the secret is not compared',
    ],
    [
      'was made by chatform, and is named now',
      NAMED,
      MADE,
      standing('same'),
      'replace: its secret is not the one of HOOK',
    ],
    [
      'was there before',
      NAMED,
      ledgerOf({}),
      standing('same'),
      `unreadable: its secret is unknown: it was there before; \`--acknowledge ${ADDRESS}\` makes it again with the one of HOOK`,
    ],
    [
      'was there before, and is acknowledged',
      NAMED,
      ledgerOf({}),
      { ...standing('same'), ...ASKED },
      `replace: its secret is unknown, and ${ADDRESS} is acknowledged`,
    ],
    [
      'was applied to a webhook that is gone',
      NAMED,
      ledgerOf({ [ADDRESS]: 'gone' }, { [ADDRESS]: KNOWN }),
      standing('same'),
      `unreadable: its secret is unknown: another hand made it; \`--acknowledge ${ADDRESS}\` makes it again with the one of HOOK`,
    ],
    ['was made by chatform', SPEC, KEPT, {}, null],
    ['was there before, and no file names one', SPEC, ledgerOf({}), {}, null],
    [
      'was made by chatform for a webhook that is gone',
      SPEC,
      ledgerOf({ [ADDRESS]: 'gone' }),
      {},
      `unreadable: its secret is unknown: another hand made it; \`--acknowledge ${ADDRESS}\` makes it again with a new one`,
    ],
    [
      'was made for a webhook that is gone, and is acknowledged',
      SPEC,
      ledgerOf({ [ADDRESS]: 'gone' }),
      ASKED,
      `replace: its secret is unknown, and ${ADDRESS} is acknowledged`,
    ],
    [
      'was lost',
      SPEC,
      { ...MADE, secrets: new Map([[ADDRESS, 'lost']]) },
      {},
      'replace: a run that was cut off left it unsure, or `secrets rotate` asked for another',
    ],
  ])('A secret that %s', (_, spec, ledger, options, told) => {
    expect(fieldsOf(spec, ledger, options)).toEqual(told === null ? [] : [`secret_key ${told}`]);
  });

  const MOVED = { ...SPEC, url: 'https://a.example/moved' };
  const AGAIN = 'url replace: it can be set only on create, so the webhook is made again';
  const NEW = 'secret_key replace: no place tells the one that it has, so a new one is made';

  test.each<[string, Spec, LedgerState, Partial<PlannerOptions>, readonly string[]]>([
    ['keeps the secret that is kept', MOVED, KEPT, {}, [AGAIN]],
    ['gets a new secret where the kept one cannot be read', MOVED, KEPT, { readsSecrets: false }, [AGAIN, NEW]],
    ['gets a new secret where none is kept', MOVED, MADE, {}, [AGAIN, NEW]],
  ])('A webhook that is made again %s', (_, spec, ledger, options, told) => {
    expect(fieldsOf(spec, ledger, options)).toEqual(told);
  });
});
