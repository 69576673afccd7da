import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACTIONS } from '../../src/emulator/configuration/actions.ts';
import type { Version } from './caller.ts';
import { createCaller } from './caller.ts';

const SEED = {
  agents: [{ id: 'ann', name: 'Ann', groups: [{ id: 1, priority: 'first' }] }],
  groups: [{ id: 1, name: 'One' }],
  bots: [{ id: 'bot', name: 'B' }],
  auto_access: [{ id: 'rule', access: { groups: [1] }, conditions: { url: { values: [{ value: 'x' }] } } }],
} as const;

/** Every member that any request has, so that values land where they are looked at. */
const MEMBERS = [
  'id',
  'name',
  'role',
  'groups',
  'group_ids',
  'filters',
  'fields',
  'work_scheduler',
  'schedule',
  'timezone',
  'agent_priorities',
  'max_chats_count',
  'access',
  'conditions',
  'url',
  'values',
  'next_id',
  'owner_client_id',
  'properties',
  'domain',
  'range',
  'type',
  'default_value',
  'requests',
  'group_id',
  'test',
  '__proto__',
  'constructor',
];
const HOSTILE = [
  '',
  '\u0000',
  '\ud800',
  '${env.HOME}',
  '../../etc',
  "'; --",
  '__proto__',
  'x'.repeat(5000),
  'ann',
  'rule',
  'bot',
];

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 1, 1.5, 1e308, 2 ** 53, -0, 20, 21),
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string()),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('members'),
  ),
  members: fc.dictionary(fc.oneof(fc.constantFrom(...MEMBERS), fc.string()), tie('value'), { maxKeys: 5 }),
}));

const body: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: json.members.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: json.value.map((value) => JSON.stringify(value).slice(1)) },
  { weight: 1, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 3000 }).map((depth) => '{"requests":' + '['.repeat(depth) + ']'.repeat(depth) + '}'),
  },
);

const NAMES = (['3.3', '3.6'] as const).flatMap((version) =>
  Array.from(ACTIONS[version].keys(), (name): [Version, string] => [version, name]),
);

test('No request crashes the service, and a refused one leaves everything as it was', async () => {
  const { send, emulator } = createCaller({ seed: SEED, propagationDelay: 1000 });
  let before = JSON.stringify(emulator.snapshot());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...NAMES), body, async ([version, name], text) => {
      const { status, body: reply } = await send(name, text, { version });
      const after = JSON.stringify(emulator.snapshot());
      if (status !== 200) {
        expect([400, 401, 403, 404, 409]).toContain(status);
        expect(reply).toEqual({ error: { type: expect.any(String), message: expect.any(String) } });
        expect(after).toBe(before);
      }
      before = after;
    }),
    { numRuns: 20_000 },
  );
});
