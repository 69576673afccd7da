// What is not declared is not in the file, whatever it is; what is declared is, but for credentials.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VERSIONS, type Version } from '../../../src/base/model.ts';
import { declare, desiredOf } from '../../desired.ts';
import { world } from '../../world.ts';
import { taken } from './taken.ts';

const CLIENT = 'client-1';
const ACCESS = { license: { agent: ['read', 'write'] }, group: { agent: ['read', 'write'] } } as const;

const DESIRED = desiredOf([
  declare('agent', 'ann@example.com', { name: 'Ann', max_chats_count: 3 }),
  declare('agent', 'cleo@example.com', { max_chats_count: 3 }),
  declare('group', 'sales', { name: 'Sales' }, 7),
  declare('bot', 'triage', { name: 'Triage', groups: { 'group/sales': 'first' } }, 'triage-id'),
  declare('property', `${CLIENT}/tier`, { type: 'string', access: ACCESS }),
  declare('license_property', `${CLIENT}/tier`, { value: 'gold' }),
]);

/** Each of the words stands in one place that nothing declares. */
const HIDDEN = 14;

function licenseWith(words: readonly string[], version: Version) {
  const [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = words.map((word) => `x${word}`) as [string, ...string[]];
  const seed = {
    owner: { id: `${a}@example.com`, name: String(b) },
    agents: [
      { id: 'ann@example.com', name: 'Ann', job_title: String(c), mobile: String(d) },
      { id: 'cleo@example.com', name: String(e) },
      { id: `${f}@example.com`, name: String(g), avatar_path: `https://img.example.com/${h}` },
    ],
    groups: [
      { id: 7, name: 'Sales', agent_priorities: { [`${f}@example.com`]: 'first', 'ann@example.com': 'normal' } },
      { id: 8, name: 'Night', language_code: String(i), agent_priorities: { [`${f}@example.com`]: 'first' } },
    ],
    bots: [
      { id: 'triage-id', name: 'Triage', avatar: `https://${j}.example.com/`, job_title: String(k) },
      { id: 'stray-id', name: 'Stray', avatar: `https://${l}.example.com/` },
    ],
    properties: {
      [CLIENT]: {
        tier: { type: 'string', access: ACCESS },
        note: { type: 'string', access: ACCESS, description: String(m) },
      },
    },
    license_properties: { [CLIENT]: { tier: 'gold', note: String(n) } },
  };
  return world({ version, seed: seed as unknown as NonNullable<NonNullable<Parameters<typeof world>[0]>['seed']> });
}

test('what an object is says who owns the license, and which objects came with it', async () => {
  const { snapshot } = await taken(
    licenseWith(
      Array.from({ length: HIDDEN }, (_, at) => `w${at}`),
      '3.6',
    ),
    DESIRED,
  );
  const marks = Object.values(snapshot.objects).flatMap((objects) =>
    objects.flatMap(({ owner, builtin }) => (owner === undefined && builtin === undefined ? [] : [{ owner, builtin }])),
  );
  expect(marks).toEqual([{ owner: true }, { builtin: true }]);
});

describe.each(VERSIONS)('Version %s', (version) => {
  test('nothing that nothing declares is in it, and what is declared is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.uuid(), { minLength: HIDDEN, maxLength: HIDDEN }), async (words) => {
        const made = licenseWith(words, version);
        const { text } = await taken(made, DESIRED);
        expect(words.filter((word) => text.includes(word))).toEqual([]);
        for (const shown of ['ann@example.com', 'cleo@example.com', '"Sales"', '"Triage"', '"gold"', '"Night"'])
          expect(text).toContain(shown);
        const whole = await taken(made, DESIRED, { full: true });
        expect(words.filter((word) => !whole.text.includes(word))).toEqual([]);
      }),
      { numRuns: 3 },
    );
  });
});

test('a credential in a URL is not in it, declared or not, and not in a whole one either', async () => {
  const seed = {
    agents: [{ id: 'ann@example.com', name: 'Ann' }],
    bots: [{ id: 'triage-id', name: 'Triage', avatar: 'https://ann:s3cr3t@img.example.com/a.png' }],
    auto_access: [
      {
        id: 'old',
        access: { groups: [0] },
        conditions: { url: { values: [{ value: 'https://u:s3cr3t@p@x.example.com/' }] } },
      },
    ],
  };
  const avatar = 'https://ann:s3cr3t@img.example.com/a.png';
  const desired = desiredOf([
    declare('bot', 'triage', { name: 'Triage', avatar }, 'triage-id'),
    declare('auto_access', 'own', {
      access: { groups: [] },
      conditions: { url: { values: [{ value: '/own' }] } },
    }),
  ]);
  const made = world({ seed });
  for (const full of [false, true]) {
    const { text, snapshot } = await taken(made, desired, { full });
    expect(text).not.toContain('s3cr3t');
    expect(text).toContain('https://withheld@img.example.com/a.png');
    expect(snapshot.objects.bot).toMatchObject([{ masked: ['avatar'] }]);
  }
});

test('what the environment gave to the files is not in it', async () => {
  const made = world({ seed: { agents: [{ id: 'ann@example.com', name: 'Ann', mobile: '+48 500 100 200' }] } });
  const desired = desiredOf([declare('agent', 'ann@example.com', { name: 'Ann', mobile: '+48 500 100 200' })]);
  const { text } = await taken(made, desired, { inserted: ['500 100 200'] });
  expect(text).not.toContain('500 100 200');
  expect((await taken(made, desired)).text).toContain('500 100 200');
});

test('the same license gives the same bytes, but for the time', async () => {
  const made = licenseWith(
    Array.from({ length: HIDDEN }, (_, index) => `word${index}`),
    '3.6',
  );
  const first = await taken(made, DESIRED);
  await made.clock.sleep(3_600_000);
  const second = await taken(made, DESIRED);
  expect(second.snapshot.digest).toBe(first.snapshot.digest);
  expect(second.text.replace(second.snapshot.created_at, first.snapshot.created_at)).toBe(first.text);
  expect(second.text).not.toBe(first.text);
});
