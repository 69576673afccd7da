// Whether a ledger belongs to the license that was read: what is sure, what only raises a doubt, and what changes on one license.

import { describe, expect, test } from 'vitest';
import type { LiveObject } from '../../../src/base/model.ts';
import type { LedgerEvent } from '../../../src/ledger/events.ts';
import { foldLedger } from '../../../src/ledger/ledger.ts';
import {
  foundLicense,
  knownLicense,
  licenseName,
  licenseToRecord,
  matchLicense,
} from '../../../src/license/reading/stated.ts';

const stamp = { v: 1, run: 'r', at: '2026-11-20T12:00:00.000Z' } as const;
const URL = 'https://api.example.com';

interface Seen {
  readonly url?: string;
  readonly identity?: string | null;
  /** Null: no agent was read. */
  readonly owner?: string | null;
  readonly others?: readonly string[];
  readonly groups?: { readonly [id: string]: string };
  readonly rules?: readonly string[];
  readonly bots?: readonly { readonly id: string; readonly derived?: true }[];
}

const objectOf = (kind: LiveObject['kind'], id: string | number, name: string, facts: LiveObject['facts'] = {}) =>
  ({ kind, id, name, spec: {}, facts }) satisfies LiveObject;

function seen({ url = URL, identity = null, owner = 'ann@example.com', others = [], groups, rules, bots }: Seen) {
  const live = {
    version: '3.6',
    objects: {
      ...(owner === null
        ? {}
        : {
            agent: [objectOf('agent', owner, owner, { owner: true }), ...others.map((id) => objectOf('agent', id, id))],
          }),
      ...(groups === undefined
        ? {}
        : {
            group: [
              objectOf('group', 0, 'General', { builtin: true }),
              ...Object.entries(groups).map(([id, name]) => objectOf('group', Number(id), name)),
            ],
          }),
      ...(rules === undefined ? {} : { auto_access: rules.map((id) => objectOf('auto_access', id, id)) }),
      ...(bots === undefined
        ? {}
        : { bot: bots.map(({ id, derived }) => objectOf('bot', id, id, derived === true ? { derived } : {})) }),
    },
    ruleOrder: [],
    scopes: [],
  } as const;
  return { live, found: foundLicense(live, url, identity) };
}

function matched(events: readonly LedgerEvent[], now: Seen) {
  const { live, found } = seen(now);
  const known = knownLicense(events);
  if (known === null) throw new Error('the ledger knows no license');
  return matchLicense(known, found, foldLedger(events), live);
}

const license = (given: Partial<Extract<LedgerEvent, { type: 'license' }>> = {}): LedgerEvent => ({
  ...stamp,
  type: 'license',
  base_url: URL,
  identity: null,
  owner: 'ann@example.com',
  groups: { 1: 'Sales', 2: 'Support' },
  ...given,
});
const bound = (address: 'group/sales' | 'auto_access/pricing' | 'bot/triage', id: string | number): LedgerEvent => ({
  ...stamp,
  type: 'bound',
  address,
  id,
  origin: 'created',
});

const GROUPS = { 1: 'Sales', 2: 'Support' };
const OTHER = { owner: 'zoe@example.org', groups: { 1: 'Billing', 2: 'Returns' } };

describe('The same address', () => {
  test.each<readonly [string, readonly LedgerEvent[], Seen, string]>([
    ['as it was', [license()], { groups: GROUPS }, 'same'],
    ['a renamed group', [license()], { groups: { 1: 'Sales', 2: 'Help' } }, 'same'],
    ['all groups renamed', [license()], { groups: { 1: 'Shop', 2: 'Help' } }, 'same'],
    ['all groups deleted', [license()], { groups: {} }, 'same'],
    [
      'another owner, who was an agent before',
      [license()],
      { owner: 'bob@example.com', others: ['ann@example.com'], groups: {} },
      'same',
    ],
    ['another owner, and all groups renamed', [license()], OTHER, 'other'],
    ['another owner, and no groups', [license()], { owner: 'zoe@example.org', groups: {} }, 'other'],
    ['another owner, and no group was read', [license()], { owner: 'zoe@example.org' }, 'same'],
    ['all groups renamed, and no agent was read', [license()], { owner: null, groups: OTHER.groups }, 'other'],
    ['all groups deleted, and no agent was read', [license()], { owner: null, groups: {} }, 'doubtful'],
    [
      'the only group renamed, and no agent was read',
      [license({ groups: { 1: 'Sales' } })],
      { owner: null, groups: { 1: 'Shop' } },
      'doubtful',
    ],
    [
      'all of it, and no rule of ours',
      [license(), bound('auto_access/pricing', 'r1')],
      { ...OTHER, rules: ['r7'] },
      'other',
    ],
    [
      'all of it, and a rule of ours',
      [license(), bound('auto_access/pricing', 'r1')],
      { ...OTHER, rules: ['r1'] },
      'same',
    ],
    ['all of it, and rules that were not read', [license(), bound('auto_access/pricing', 'r1')], OTHER, 'other'],
    ['nothing was read', [license()], {}, 'same'],
  ])('%s', (_, events, now, match) => {
    expect(matched(events, now)).toBe(match);
  });
});

describe('Another address', () => {
  const url = 'https://staging.example.com';
  test.each<readonly [string, readonly LedgerEvent[], Seen, string]>([
    ['other groups under the same ids', [license()], { url, groups: OTHER.groups }, 'other'],
    ['no groups', [license()], { url, groups: {} }, 'other'],
    ['groups of the same names', [license()], { url, groups: GROUPS }, 'doubtful'],
    ['a group of the same name', [license()], { url, groups: { 1: 'Sales', 2: 'Returns' } }, 'doubtful'],
    [
      'groups of the same names, and no bot of ours',
      [license(), bound('bot/triage', 'b1')],
      { url, groups: GROUPS, bots: [{ id: 'b2' }] },
      'other',
    ],
    ['a bot of ours', [license(), bound('bot/triage', 'b1')], { url, ...OTHER, bots: [{ id: 'b1' }] }, 'same'],
    [
      'a bot that a template made on each license',
      [license(), bound('bot/triage', 'b1')],
      { url, ...OTHER, bots: [{ id: 'b1', derived: true }] },
      'other',
    ],
    ['another owner', [license({ groups: {} })], { url, owner: 'zoe@example.org', groups: {} }, 'other'],
    ['nothing else', [license({ groups: {}, owner: null })], { url }, 'doubtful'],
  ])('%s', (_, events, now, match) => {
    expect(matched(events, now)).toBe(match);
  });

  test.each([
    ['https://API.example.com/'],
    ['https://api.example.com:443'],
    ['https://api-fra.example.com'],
    ['https://fra.api.example.com'],
    ['https://api.dal.example.com/'],
    ['http://api.example.com.'],
  ])('is not %s', (other) => {
    expect(matched([license()], { url: other, groups: { 1: 'Shop', 2: 'Help' } })).toBe('same');
  });

  test.each([
    ['emulator:license.json', 'emulator:moved/license.json', 'same'],
    ['emulator:license.json', 'emulator:other.json', 'other'],
    ['http://127.0.0.1:4000', 'http://localhost:4000/', 'same'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:5000', 'other'],
    ['https://api.example.com', 'http://127.0.0.1:4000', 'other'],
    ['https://api.example.com/one', 'https://api.example.com/two', 'other'],
  ])('%s, and then %s: %s', (before, after, match) => {
    expect(matched([license({ base_url: before })], { url: after, groups: { 1: 'Shop' } })).toBe(match);
  });
});

describe('The identity of an emulator', () => {
  const [one, two] = ['11111111-aaaa', '22222222-bbbb'];
  test.each<readonly [string, readonly LedgerEvent[], Seen, string]>([
    [
      'the same, whatever else changed',
      [license({ identity: one })],
      { ...OTHER, url: 'emulator:else.json', identity: one },
      'same',
    ],
    ['another, whatever else is the same', [license({ identity: one })], { groups: GROUPS, identity: two }, 'other'],
    [
      'another, and a rule of ours',
      [license({ identity: one }), bound('auto_access/pricing', 'r1')],
      { identity: two, rules: ['r1'] },
      'doubtful',
    ],
    ['none any more', [license({ identity: one })], { groups: GROUPS }, 'same'],
    ['one at last', [license()], { groups: GROUPS, identity: two }, 'same'],
  ])('%s', (_, events, now, match) => {
    expect(matched(events, now)).toBe(match);
  });
});

describe('What a ledger knows of its license', () => {
  test('Names of its own groups are those that were applied last, and a group that it deleted is gone', () => {
    const events: readonly LedgerEvent[] = [
      bound('group/sales', 1),
      license(),
      { ...stamp, type: 'applied', address: 'group/sales', spec: { name: 'Shop' }, digests: {} },
    ];
    expect(knownLicense(events)?.groups).toEqual({ 1: 'Shop', 2: 'Support' });
    const gone = { ...stamp, type: 'forgotten', address: 'group/sales', because: 'deleted' } as const;
    expect(knownLicense([...events, gone])?.groups).toEqual({ 2: 'Support' });
    expect(knownLicense([])).toBeNull();
  });

  test('An apply records what is new, and keeps what it did not read', () => {
    const known = knownLicense([license({ identity: 'one' })]);
    expect(licenseToRecord(known, seen({ groups: GROUPS }).found)).toBeNull();
    expect(licenseToRecord(known, { base_url: `${URL}/`, identity: null, owner: null, groups: null })).toMatchObject({
      base_url: `${URL}/`,
      identity: 'one',
      owner: 'ann@example.com',
      groups: GROUPS,
    });
    expect(licenseToRecord(known, seen({ groups: { 1: 'Sales' } }).found)?.groups).toEqual({ 1: 'Sales' });
    expect(licenseToRecord(null, seen({}).found)).toEqual({
      base_url: URL,
      identity: null,
      owner: 'ann@example.com',
      groups: {},
    });
  });

  test('Its name is the beginning of an identity, or the host and the owner, or else a group', () => {
    expect(licenseName(license({ identity: '3f2a9c01-77' }) as never)).toBe('3f2a9c01');
    expect(licenseName(license() as never)).toBe('api.example.com/ann@example.com');
    expect(licenseName(license({ owner: null }) as never)).toBe('api.example.com/Sales');
    expect(licenseName(license({ owner: null, groups: {} }) as never)).toBe('api.example.com');
    expect(licenseName(license({ base_url: 'emulator:a.json', owner: 'x' }) as never)).toBe('emulator:a.json/x');
  });
});
