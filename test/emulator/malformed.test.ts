import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../tries.ts';
import { createCaller } from './caller.ts';
import { malformedRequests } from './malformed-requests.ts';
import { ROWS, SEED } from './requests.ts';

/** Every member that any request has. */
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
];

test('No request crashes the service, and a refused one leaves everything as it was', async () => {
  const fresh = () => createCaller({ seed: SEED, propagationDelay: 1000 });
  let { send, emulator } = fresh();
  let before = JSON.stringify(emulator.snapshot());
  const refused = new Set<string>();
  await fc.assert(
    fc.asyncProperty(malformedRequests(ROWS, MEMBERS, ['ann', 'rule', 'bot']), async ([version, name, text]) => {
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
    { numRuns: tries(20_000, 4_000) },
  );
  expect(refused.size).toBe(ROWS.length);
});
