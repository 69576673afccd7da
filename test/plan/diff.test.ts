// What is a difference when a reading cannot say.

import { describe, expect, it, test } from 'vitest';
import { digest } from '../../src/base/digest.ts';
import type { Address, Applied, Json, KindName, LedgerState, LiveObject, Spec } from '../../src/base/model.ts';
import { KINDS } from '../../src/kinds/index.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { limitsOf } from '../../src/kinds/limits.ts';
import {
  diffFields,
  isKeptForm,
  readsAsUnset,
  readsAsUnsetBefore,
  type SecretStanding,
  withWrittenForms,
} from '../../src/plan/diff.ts';
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
    [
      'is compared where nothing is known of the environment',
      NAMED,
      ledgerOf({ [ADDRESS]: 'w' }, { [ADDRESS]: KNOWN }),
      {},
      'unreadable: HOOK is not set here, so the secret is not compared',
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
  const LOST = 'secret_key replace: a run that was cut off left it unsure, or `secrets rotate` asked for another';
  const NEW = 'secret_key replace: no place tells the one that it has, so a new one is made';

  test.each<[string, Spec, LedgerState, Partial<PlannerOptions>, readonly string[]]>([
    ['keeps the secret that is kept', MOVED, KEPT, {}, [AGAIN]],
    ['gets a new secret where the kept one cannot be read', MOVED, KEPT, { readsSecrets: false }, [AGAIN, NEW]],
    ['gets a new secret where none is kept', MOVED, MADE, {}, [AGAIN, NEW]],
    [
      'keeps the secret that is named',
      { ...NAMED, url: MOVED.url },
      ledgerOf({ [ADDRESS]: 'w' }, { [ADDRESS]: KNOWN }),
      standing('same'),
      [AGAIN],
    ],
    [
      'gets a new secret in the place of a lost one',
      MOVED,
      { ...MADE, secrets: new Map([[ADDRESS, 'lost']]) },
      {},
      [AGAIN, LOST],
    ],
  ])('A webhook that is made again %s', (_, spec, ledger, options, told) => {
    expect(fieldsOf(spec, ledger, options)).toEqual(told);
  });
});

/** `field reach: reason` of one resource whose object is there. */
function toldOf(
  declared: Parameters<typeof declare>,
  live: LiveObject,
  { ledger = ledgerOf({}), options = {} }: { ledger?: LedgerState; options?: Partial<PlannerOptions> } = {},
): readonly string[] {
  const plan = planOf(desiredOf([declare(...declared)]), liveOf(live), ledger, options);
  return plan.resource_changes.flatMap(({ fields }) =>
    fields.map(({ field, reach, reason }) => `${field} ${reach}${reason === null ? '' : `: ${reason}`}`),
  );
}

describe('values that this reading does not show', () => {
  const hours = (end: string) => ({
    timezone: 'UTC',
    schedule: [{ day: 'monday', enabled: true, start: '09:00', end }],
  });
  const BOT = { name: 'Guide', work_scheduler: hours('17:00') };
  const ON = { routing_status: 'accepting_chats' };
  const SURE = 'routing_status transition: it cannot be read now: set once to be sure';
  const hidden = object('bot', 'b', BOT, { unread: ['routing_status'] });
  const ownBot = (digests: Spec): LedgerState =>
    ledgerOf(
      { 'bot/guide': 'b' },
      {
        'bot/guide': {
          spec: BOT,
          digests: Object.fromEntries(Object.entries(digests).map(([name, value]) => [name, digest(value)])),
        },
      },
    );

  test.each<[string, Spec, LedgerState, readonly string[]]>([
    ['is set once where the ledger does not know it', ON, ledgerOf({}), [SURE]],
    ['is set once where the bot is owned and the ledger does not know it', ON, ownBot({}), [SURE]],
    ['is as the ledger knows it', ON, ownBot(ON), []],
    ['is set where the ledger knows another', ON, ownBot({ routing_status: 'offline' }), ['routing_status transition']],
    [
      'is set again with the hours that hide it',
      { ...ON, work_scheduler: hours('18:00') },
      ownBot(ON),
      [SURE, 'work_scheduler write'],
    ],
    ['is not set again with the same hours', { ...ON, work_scheduler: hours('17:00') }, ownBot(ON), []],
    ['is not set again with another name', { ...ON, name: 'Pilot' }, ownBot(ON), ['name write']],
  ])('A status that the hours of a bot hide %s', (_, spec, ledger, told) => {
    expect(toldOf(['bot', 'guide', { name: 'Guide', ...spec }, 'b'], hidden, { ledger })).toEqual(told);
  });

  it('A field that a snapshot leaves out is not compared, whatever the ledger knows', () => {
    const live = object('agent', 'ann@example.com', { name: 'Ann' }, { unread: ['mobile'], withheld: ['mobile'] });
    const ledger = ledgerOf(
      { 'agent/ann@example.com': 'ann@example.com' },
      { 'agent/ann@example.com': { spec: {}, digests: { mobile: digest('1') } } },
    );
    const reason =
      'it is not in the snapshot, so whether it differs is unknown; a plan against the license itself shows it';
    for (const mobile of ['1', '2'])
      expect(toldOf(['agent', 'ann@example.com', { mobile }], live, { ledger })).toEqual([
        `mobile unreadable: ${reason}`,
      ]);
  });

  it('A state that is not shown, and that nothing hides, is not set to be sure', () => {
    const live = object('agent', 'ann@example.com', { name: 'Ann' }, { unread: ['suspended'] });
    expect(toldOf(['agent', 'ann@example.com', { suspended: true }], live)).toEqual([
      'suspended unreadable: it cannot be read back, and the ledger does not know it; compare it by hand, or leave it out',
    ]);
  });

  it('Hours that the service refuses to show are not overwritten', () => {
    const live = { ...hidden, spec: { name: 'Guide', work_scheduler: null } };
    const told = toldOf(['bot', 'guide', BOT, 'b'], live);
    expect(told).toEqual([
      expect.stringMatching(/^work_scheduler unreadable: its hours have the shape of later versions/),
    ]);
  });

  const TEMPLATE = { name: 'Scout', owner_client_id: 'c' };
  const UNSURE =
    'job_title unverified: it cannot be read back: written once to be sure; leave it out to keep what is there';
  const template = (known: Spec): LedgerState =>
    ledgerOf({ 'bot_template/scout': 't' }, { 'bot_template/scout': { spec: TEMPLATE, digests: known as never } });

  test.each<[string, LedgerState, readonly string[]]>([
    ['is not written again', template({ job_title: digest('Sorter') }), []],
    ['is written where it was another', template({ job_title: digest('Clerk') }), ['job_title write']],
    ['is written where chatform made the template without it', template({}), ['job_title write']],
    ['is written to be sure where that record is lost', ledgerOf({ 'bot_template/scout': 't' }), [UNSURE]],
    [
      'is written to be sure where the template was there before',
      { ...template({}), bindings: new Map([['bot_template/scout', { id: 't', origin: 'adopted' }]]) },
      [UNSURE],
    ],
  ])('A value of a template that the ledger knows %s', (_, ledger, told) => {
    const live = object('bot_template', 't', TEMPLATE);
    expect(toldOf(['bot_template', 'scout', { ...TEMPLATE, job_title: 'Sorter' }], live, { ledger })).toEqual(told);
  });

  it('A type of a bot, which some licenses do not show, is written once where nothing knows it', () => {
    const live = object('bot', 'b', { name: 'Guide' }, { unread: ['type'] });
    expect(toldOf(['bot', 'guide', { name: 'Guide', type: 'chatbot' }], live)).toEqual([
      'type unverified: it cannot be read back: written once to be sure; leave it out to keep what is there',
    ]);
  });
});

describe('people who wait for approval, and the limits of people', () => {
  const waiting = object(
    'agent',
    'ann@example.com',
    { name: 'Ann', awaiting_approval: true, suspended: true },
    { pendingApproval: true },
  );
  const declared = { awaiting_approval: false, suspended: false };

  it('A token that may approve approves them, any other one leaves that to a person, and the rest is compared', () => {
    const toldTo = (mayApprove: boolean) =>
      toldOf(['agent', 'ann@example.com', declared], waiting, { options: { mayApprove } });
    expect(toldTo(true)).toEqual(['awaiting_approval transition', 'suspended transition']);
    expect(toldTo(false)).toEqual(['suspended transition']);
  });

  it('A person who does not wait is no difference', () => {
    const live = object('agent', 'ann@example.com', { name: 'Ann', awaiting_approval: false, suspended: false });
    expect(toldOf(['agent', 'ann@example.com', declared], live, { options: { mayApprove: false } })).toEqual([]);
  });

  it('The limit itself is accepted, and one more is not', () => {
    const live = object('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 6 });
    const reachOf = (count: number) =>
      toldOf(['agent', 'ann@example.com', { max_chats_count: count }], live).map((told) => told.split(':')[0]);
    expect(reachOf(20)).toEqual(['max_chats_count write']);
    expect(reachOf(21)).toEqual(['max_chats_count unreachable']);
  });
});

describe('what the ledger has no record of', () => {
  const ANN = { job_title: 'Clerk' };
  const HOOK = { owner_client_id: 'shop', type: 'license', action: 'chat_deactivated', url: 'https://a.example/ended' };
  const TEMPLATE = { name: 'Scout', owner_client_id: 'c' };
  const agent = ['agent', 'ann@example.com', ANN, object('agent', 'ann@example.com', { ...ANN, mobile: '1' })] as const;
  const hook = ['webhook', 'ended', { ...HOOK, secret_key: { env: 'HOOK' } }, object('webhook', 'w', HOOK)] as const;
  const template = [
    'bot_template',
    'scout',
    { ...TEMPLATE, affect_existing_installations: true },
    object('bot_template', 't', TEMPLATE),
  ] as const;

  test.each<[string, readonly [KindName, string, Spec, LiveObject], Partial<Applied> | null, boolean]>([
    ['no value at all', agent, null, true],
    ['the value', agent, { spec: ANN }, false],
    ['the digest of the value', agent, { digests: { job_title: digest('Clerk') } }, false],
    ['another value', agent, { spec: { job_title: 'Boss' } }, true],
    ['the digest of another value', agent, { digests: { job_title: digest('Boss') } }, true],
    ['nothing of a declared field', agent, {}, true],
    ['a field that no file declares any more', agent, { spec: { ...ANN, mobile: '1' } }, true],
    [
      'the digest of a field that no file declares any more',
      agent,
      { spec: ANN, digests: { mobile: digest('1') } },
      true,
    ],
    ['a slow digest of a secret', hook, { spec: HOOK, digests: { secret_key: 'slow' } }, false],
    ['all but an option of how to write', template, { spec: TEMPLATE }, false],
  ])('Of a resource that is up to date, it has %s', (_, [kind, key, spec, live], known, isListed) => {
    const address: Address = `${kind}/${key}`;
    const ledger = ledgerOf({ [address]: live.id }, known === null ? {} : { [address]: known });
    const there = { ...liveOf(), objects: { [kind]: [live] } };
    const plan = planOf(desiredOf([declare(kind, key, spec)]), there, ledger, { standingOf: () => 'same' });
    expect(plan.steps).toEqual([]);
    expect(plan.resource_changes.map(({ change }) => change.actions)).toEqual(isListed ? [['no-op']] : []);
  });
});

test('An undo tells nothing of the rest of a resource that the ledger knows', () => {
  const live = object('agent', 'ann@example.com', { job_title: 'Clerk' });
  const desired = desiredOf([declare('agent', 'ann@example.com', { job_title: 'Clerk' })]);
  const told = (known: { [address: Address]: Partial<Applied> }) =>
    planOf(desired, liveOf(live), ledgerOf({ 'agent/ann@example.com': 'ann@example.com' }, known), { partial: true })
      .resource_changes.length;
  expect(told({ 'agent/ann@example.com': { spec: { mobile: '1' } } })).toBe(0);
  expect(told({})).toBe(1);
});

describe('values that the service keeps in another form', () => {
  const GOLD = { text: 'Hello <b>you</b>' };
  const READS = { text: 'Hello you' };

  test.each<[string, Spec, Partial<Applied>, Spec | null, Spec]>([
    ['reads as it was written', READS, { spec: GOLD, reads: READS }, GOLD, GOLD],
    ['reads as it was written, also when nothing declares it', READS, { spec: GOLD, reads: READS }, null, GOLD],
    ['is what a person wrote since', { text: 'Bye' }, { spec: GOLD, reads: READS }, GOLD, { text: 'Bye' }],
    ['is as the manifest declares it by now', READS, { spec: GOLD, reads: READS }, READS, READS],
    ['is as it is where another field has such a form', READS, { spec: GOLD, reads: { tags: [] } }, GOLD, READS],
    ['is as it is where the ledger has no value', READS, { spec: {}, reads: READS }, GOLD, READS],
    [
      'was written, and reads as nothing',
      {},
      { spec: { is_private: true }, reads: { is_private: false } },
      {},
      { is_private: true },
    ],
    ['is as it is where no form is known', READS, { spec: GOLD }, GOLD, READS],
  ])('A live value %s', (_, live, known, desired, read) => {
    const applied = { spec: {}, digests: {}, at: '', ...known };
    expect(withWrittenForms(KINDS.canned_response, live, applied, desired)).toEqual(read);
  });

  test.each<[string, Json, Json, boolean]>([
    ['the declared value as it was read after the write', 'Hello <b>you</b>', 'Hello you', true],
    ['another reading', 'Hello <b>you</b>', 'Bye', false],
    ['a value that was not written', 'Bye', 'Hello you', false],
  ])('A kept form is %s', (_, declared, read, isKept) => {
    const applied = { spec: GOLD, digests: {}, at: '', reads: READS };
    expect(isKeptForm(applied, 'text', declared, read)).toBe(isKept);
    expect(isKeptForm({ ...applied, reads: { tags: [] } }, 'text', declared, read)).toBe(false);
    expect(isKeptForm({ spec: GOLD, digests: {}, at: '' }, 'text', declared, read)).toBe(false);
    expect(isKeptForm(undefined, 'text', declared, read)).toBe(false);
  });
});

describe('values that may never have been set', () => {
  const KEY = 'client/tier';
  const gold = object('license_property', KEY, { value: 'gold' });
  const group = object('group', 7, { name: 'gold' });
  const definition = (spec: Spec) => desiredOf([declare('property', KEY, { ...TIER, ...spec })]);

  test.each<[string, LiveObject, Spec | null, boolean]>([
    ['the default that the manifest declares', gold, { default_value: 'gold' }, true],
    ['another value than the declared default', gold, { default_value: 'silver' }, false],
    ['a value of a definition without a default', gold, {}, false],
    ['a value of a definition that no file declares', gold, null, false],
    ['a value that the reading itself doubts', { ...gold, facts: { possiblyUnset: true } }, null, true],
    ['an object that is no value', group, { default_value: 'gold' }, false],
  ])('Reads as unset or not: %s', (_, live, spec, isUnset) => {
    expect(readsAsUnset(KEY, live, spec === null ? desiredOf([]) : definition(spec))).toBe(isUnset);
  });

  test.each<[string, LiveObject, Partial<Applied> | null, boolean]>([
    ['the default that was applied', gold, { spec: { ...TIER, default_value: 'gold' } }, true],
    [
      'the default of which the ledger has a digest',
      gold,
      { spec: TIER, digests: { default_value: digest('gold') } },
      true,
    ],
    [
      'another value than that of the digest',
      gold,
      { spec: TIER, digests: { default_value: digest('silver') } },
      false,
    ],
    ['a value of a definition without a default', gold, { spec: TIER }, false],
    ['a value of a definition that is not in the ledger', gold, null, false],
    ['a value that the reading itself doubts', { ...gold, facts: { possiblyUnset: true } }, null, true],
    ['an object that is no value', group, { spec: { ...TIER, default_value: 'gold' } }, false],
  ])('Read as unset or not before the manifest was applied: %s', (_, live, known, isUnset) => {
    const ledger = ledgerOf({}, known === null ? {} : { [`property/${KEY}`]: known });
    expect(readsAsUnsetBefore(KEY, live, ledger)).toBe(isUnset);
  });
});
