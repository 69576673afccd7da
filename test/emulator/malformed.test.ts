import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../tries.ts';
import type { Version } from './caller.ts';
import { createCaller } from './caller.ts';
import { ROWS, SEED } from './requests.ts';

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

/** A copy of `value` in which one member, somewhere, is `change` instead. */
function changed(value: unknown, path: readonly number[], change: unknown): unknown {
  const [at, ...deeper] = path;
  if (at === undefined || typeof value !== 'object' || value === null) return change;
  const entries = Object.entries(value);
  if (entries.length === 0) return change;
  const [name] = entries[at % entries.length] ?? [''];
  const copy = entries.map(([key, member]) => [key, key === name ? changed(member, deeper, change) : member] as const);
  return Array.isArray(value) ? copy.map(([, member]) => member) : Object.fromEntries(copy);
}

const path = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 5 });
const nested = fc.nat({ max: 3000 }).map((depth) => '{"requests":' + '['.repeat(depth) + ']'.repeat(depth) + '}');

/** Version, action and body: accepted ones with a wrong member, ones that are wrong throughout, and text that is no JSON. */
const request: fc.Arbitrary<readonly [Version, string, string]> = fc
  .constantFrom(...ROWS)
  .chain(([version, name, body]) => {
    const bent = fc.tuple(path, json.value).map(([at, value]) => JSON.stringify(changed(body, at, value)));
    const wild = json.members.map((value) => JSON.stringify(value));
    const cut = fc.nat().map((at) => JSON.stringify(body).slice(0, at % JSON.stringify(body).length));
    const texts = fc.oneof({ weight: 6, arbitrary: bent }, { weight: 3, arbitrary: wild }, cut, fc.string(), nested);
    return texts.map((text) => [version, name, text] as const);
  });

test('No request crashes the service, and a refused one leaves everything as it was', async () => {
  const fresh = () => createCaller({ seed: SEED, propagationDelay: 1000 });
  let { send, emulator } = fresh();
  let before = JSON.stringify(emulator.snapshot());
  const refused = new Set<string>();
  await fc.assert(
    fc.asyncProperty(request, async ([version, name, text]) => {
      // What was accepted makes every comparison slower: begin again before the license is large.
      if (before.length > 12_000) {
        ({ send, emulator } = fresh());
        before = JSON.stringify(emulator.snapshot());
      }
      const { status, body: reply } = await send(name, text, { version });
      const after = JSON.stringify(emulator.snapshot());
      if (status !== 200) {
        expect([400, 401, 403, 404, 409]).toContain(status);
        expect(reply).toEqual({ error: { type: expect.any(String), message: expect.any(String) } });
        expect(after).toBe(before);
        refused.add(`${version} ${name}`);
      }
      before = after;
    }),
    { numRuns: tries(20_000, 2_000) },
  );
  expect(refused.size).toBe(ROWS.length);
});
