// Services that keep another form of what was written: an apply ends done, and only that form of that value is no difference.

import { describe, expect, it } from 'vitest';
import type { Desired, Json, Spec } from '../../src/base/model.ts';
import type { SettingsInput } from '../../src/emulator/index.ts';
import { compact } from '../../src/ledger/compact.ts';
import { foldLedger } from '../../src/ledger/ledger.ts';
import { type Declared, declare, desiredOf } from '../desired.ts';
import { callerOf } from '../emulator/caller.ts';
import { type World, world } from '../world.ts';

type Forms = NonNullable<SettingsInput['keptForms']>;

const named = (name: string): Declared => declare('group', 'sales', { name });
const rule = (value: string): Declared =>
  declare('auto_access', 'pages', {
    access: { groups: ['group/sales'] },
    conditions: { url: { values: [{ value }, { value: '/b ' }] } },
  });
const tier = declare('property', 'me/tier', {
  type: 'string',
  access: { license: { agent: ['read', 'write'] } },
});
const valued = (value: Json): Declared => declare('license_property', 'me/tier', { value });

interface Case {
  readonly about: string;
  readonly forms: Forms;
  readonly declared: readonly Declared[];
  readonly field: string;
  readonly read: Json;
}

const CASES: readonly Case[] = [
  {
    about: 'a name without its blanks',
    forms: ['trimmed'],
    declared: [named(' Sales ')],
    field: 'name',
    read: 'Sales',
  },
  {
    about: 'a name with single blanks in small letters',
    forms: ['joined-blanks', 'small'],
    declared: [named('Sales  Team')],
    field: 'name',
    read: 'sales team',
  },
  {
    about: 'a host in Punycode, within a list',
    forms: ['ascii-hosts', 'trimmed'],
    declared: [named('Sales'), rule('https://M\u00fcnchen.de/A')],
    field: 'conditions',
    read: { url: { values: [{ value: '/b' }, { value: 'https://xn--mnchen-3ya.de/A' }] } },
  },
  {
    about: 'a host in Unicode, within a list',
    forms: ['unicode-hosts', 'trimmed'],
    declared: [named('Sales'), rule('https://xn--mnchen-3ya.de/A')],
    field: 'conditions',
    read: { url: { values: [{ value: '/b' }, { value: 'https://m\u00fcnchen.de/A' }] } },
  },
  {
    about: 'the value of a property',
    forms: ['small'],
    declared: [tier, valued('Gold')],
    field: 'value',
    read: 'gold',
  },
];

async function applied(made: World, desired: Desired) {
  return made.apply(await made.plan(desired), desired, { placeOf: () => desired.resources[0]?.place ?? null });
}

const isEmpty = async (made: World, desired: Desired): Promise<boolean> =>
  (await made.plan(desired)).steps.length === 0 && (await made.differences(desired)).length === 0;

describe.each(CASES)('Where the service keeps $about', ({ forms, declared, field, read }) => {
  const desired = desiredOf(declared);
  const last = declared.at(-1) as Declared;
  const address = `${last.kind}/${last.key}` as const;
  const making = async () => {
    const made = world({ settings: { keptForms: forms } });
    return { made, report: await applied(made, desired) };
  };
  const others = declared.slice(0, -1);
  const edited = (spec: Spec): Desired => desiredOf([...others, { ...last, spec: { ...last.spec, ...spec } }]);
  const offered = edited({ [field]: read });

  it('an apply ends done at once, and tells the value that is kept', async () => {
    const { report } = await making();
    const written = desired.resources.find((each) => each.address === address)?.spec[field];
    expect(report).toMatchObject({ outcome: 'done', unsettled: [] });
    expect(report.forms.filter((form) => form.address === address)).toEqual([
      { address, field, written, read, place: desired.resources[0]?.place },
    ]);
    expect(report.duration).toBeLessThan(1_000);
  });

  it('neither a plan nor a drift finds a difference, as long as both sides stay', async () => {
    const { made } = await making();
    expect(await isEmpty(made, desired)).toBe(true);
    expect(await applied(made, desired)).toMatchObject({ outcome: 'done', results: [], forms: [] });
    expect(await isEmpty(made, desired)).toBe(true);
  });

  it('the offered spelling is no difference either', async () => {
    const { made } = await making();
    expect(await isEmpty(made, offered)).toBe(true);
    expect(await applied(made, offered)).toMatchObject({ outcome: 'done', results: [], forms: [] });
    expect(await isEmpty(made, offered)).toBe(true);
    // From then on the license has what the manifest says, so the former spelling is an edit.
    expect((await made.plan(desired)).steps).toHaveLength(1);
  });
});

describe('A value that is kept in another form', () => {
  const desired = desiredOf([named(' Sales ')]);
  const making = async (): Promise<World> => {
    const made = world({ settings: { keptForms: ['trimmed'] } });
    expect(await applied(made, desired)).toMatchObject({ outcome: 'done' });
    return made;
  };
  const renamed = async (made: World, name: string): Promise<void> => {
    const { call } = callerOf(made.emulator);
    await call('update_group', { id: 1, name });
  };

  it.each(['Selling', 'SALES', 'sales'])('is drift as soon as the license says %s', async (name) => {
    const made = await making();
    await renamed(made, name);
    expect((await made.plan(desired)).steps).toHaveLength(1);
    expect(await made.differences(desired)).toMatchObject([
      { status: 'drift', address: 'group/sales', live: name, desired: ' Sales ' },
    ]);
    expect(await applied(made, desired)).toMatchObject({ outcome: 'done', unsettled: [] });
    expect(await isEmpty(made, desired)).toBe(true);
  });

  it.each(['Selling', '  Sales', 'sales'])('is written again when the manifest says %j', async (name) => {
    const made = await making();
    const edited = desiredOf([named(name)]);
    expect(await made.differences(edited)).toMatchObject([{ status: 'pending', desired: name }]);
    const report = await applied(made, edited);
    expect(report).toMatchObject({ outcome: 'done', unsettled: [], results: [{ outcome: { status: 'done' } }] });
    expect(await isEmpty(made, edited)).toBe(true);
  });

  it('is known also after a rename of its key, after a change of another field, in a shorter ledger, and when its entry is removed', async () => {
    const made = await making();
    const more = desiredOf([declare('group', 'sales', { name: ' Sales ', language_code: 'pl' })]);
    expect((await made.plan(more)).steps).toMatchObject([{ fields: { language_code: 'pl' } }]);
    expect(await applied(made, more)).toMatchObject({ outcome: 'done', forms: [] });
    expect(await isEmpty(made, more)).toBe(true);
    const shorter = compact(await made.ledger.read(), Number.MAX_SAFE_INTEGER);
    expect(foldLedger(shorter).applied.get('group/sales')).toMatchObject({ reads: { name: 'Sales' } });
    const other = desiredOf([declare('group', 'market', { name: ' Sales ', language_code: 'de' })]);
    const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
    const moved = [{ from: 'group/sales', to: 'group/market', place }] as const;
    expect(await made.differences(other, {}, moved)).toMatchObject([{ path: ['language_code'] }]);
    const { plan } = await made.planned(other, {}, moved);
    if (plan === null) throw new Error('no plan');
    expect(await made.apply(plan, other)).toMatchObject({ outcome: 'done', unsettled: [] });
    expect(await isEmpty(made, other)).toBe(true);
    expect(await made.differences(desiredOf([]))).toMatchObject([{ status: 'pending', kind: 'unmanaged' }]);
  });

  it('is not known to be kept when a reading that may lag shows the value of before', async () => {
    const made = world({
      settings: { keptForms: ['trimmed'] },
      seed: { groups: [{ id: 5, name: 'Sales' }] },
    });
    const bound = desiredOf([declare('group', 'sales', { name: ' Sales ' }, 5)]);
    const report = await made.apply(await made.plan(bound), bound, { window: 60_000 });
    expect(report).toMatchObject({ outcome: 'done', unsettled: [], forms: [{ read: 'Sales' }] });
    expect(report.duration).toBeGreaterThanOrEqual(60_000);
    const brief = world({ settings: { keptForms: ['trimmed'] }, seed: { groups: [{ id: 5, name: 'Sales' }] } });
    const early = { window: 60_000, propagationTimeout: 30_000 };
    expect(await brief.apply(await brief.plan(bound), bound, early)).toMatchObject({ outcome: 'unsettled', forms: [] });
  });

  it('is known also of a field that can be set on create only', async () => {
    const ann = declare('agent', 'ann@example.com', { name: 'Ann ' });
    const made = world({ settings: { keptForms: ['trimmed'] } });
    expect(await applied(made, desiredOf([ann]))).toMatchObject({ outcome: 'done', forms: [{ read: 'Ann' }] });
    const left = (await made.differences(desiredOf([ann]))).filter(({ kind }) => kind !== 'pending-approval');
    expect(left.map(({ path, status, kind, reason }) => [path, status, kind, reason])).toEqual([]);
  });

  it('does not make a definition again, with its values, at each apply', async () => {
    const described = (description: string): Desired =>
      desiredOf([declare('property', 'me/tier', { ...tier.spec, description })]);
    const made = world({ settings: { keptForms: ['trimmed'] } });
    const options = { acknowledged: new Set(['property/me/tier']) };
    for (const text of ['Loyalty ', ' Level']) {
      const report = await made.apply(await made.plan(described(text), options), described(text), { options });
      expect(report).toMatchObject({ outcome: 'done', forms: [{ written: text, read: text.trim() }] });
      expect(await isEmpty(made, described(text))).toBe(true);
    }
  });

  it('is the object of a create whose answer was lost, and is not made again', async () => {
    const faults = [{ type: 'reset', when: 'after', actions: ['*create_group'], times: 1 }] as const;
    const made = world({ settings: { keptForms: ['trimmed'] }, scenario: { faults } });
    expect(await applied(made, desired)).toMatchObject({ outcome: 'done', forms: [{ read: 'Sales' }] });
    expect(made.emulator.stats()['create_group']).toBe(1);
  });

  it('is a second one where the service made two', async () => {
    const made = world({
      settings: { keptForms: ['trimmed'] },
      wrap: (exchange) => async (request) => {
        if (request.url.endsWith('create_group')) await exchange(request);
        return exchange(request);
      },
    });
    expect(await applied(made, desired)).toMatchObject({
      outcome: 'unsettled',
      unsettled: [{ reading: expect.stringContaining('exists more than once') }],
    });
  });
});
