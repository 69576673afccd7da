// Canned responses: what a reading has to be asked for, and what a write would take from a person.

import { expect, test } from 'vitest';
import { ApiError } from '../../src/base/errors.ts';
import type { DriftReport } from '../../src/features/drift/schema.ts';
import { chatform, folder } from '../cli/chatform.ts';
import { declare, desiredOf } from '../desired.ts';
import { world } from '../world.ts';

const place = { file: 'test.yaml', line: 1, column: 1, length: 1 };
const general = { address: 'group/general', kind: 'group', id: 0, name: null, place } as const;
const hello = desiredOf(
  [declare('canned_response', 'hello', { text: 'Hi.', tags: ['hello'], group: 'group/general' })],
  [general],
);

test('Every group, every private text and every page is read', async () => {
  const texts = Array.from({ length: 10_001 }, (_, at) => ({
    id: at + 1,
    text: 'Hi.',
    tags: at === 10_000 ? ['hello'] : [`t${at}`],
    group_id: 0,
    is_private: at === 0,
  }));
  const license = world({ version: '3.7', seed: { canned_responses: texts } });
  const plan = await license.plan(hello);
  expect(plan.bindings.adopt).toEqual([{ address: 'canned_response/hello', id: 10_001 }]);
  expect(plan.unmanaged).toHaveLength(10_000);
  expect(license.emulator.stats()['list_canned_responses']).toBe(2);
  expect(plan.scopes).toContain('canned_responses--all:ro');
});

test('A token that sees a part only is refused, so that no text is made twice', async () => {
  const scopes = ['groups--all:ro', 'canned_responses--groups:rw', 'canned_responses_write'];
  const license = world({ version: '3.7', seed: { tokens: [{ token: 'test-token', scopes }] } });
  const error = await license.plan(hello).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(String(error)).toContain('canned_responses--all:ro');
});

test('A private text is of its last editor, and neither taken for a shared one nor deleted', async () => {
  const own = { text: 'Mine.', tags: ['hello'], group_id: 0, is_private: true, author_id: 'ann@example.com' };
  const license = world({ version: '3.7', seed: { canned_responses: [own] } });
  const plan = await license.plan({ ...hello, complete: ['canned_response'] });
  expect(plan.steps.map(({ operation }) => operation)).toEqual(['create']);
  expect(plan.unmanaged).toMatchObject([{ id: 1, reason: 'it is a private text' }]);
});

test('Drift says who changed a text last, and of other kinds nothing', async () => {
  const cwd = await folder({
    'chatform.yaml':
      'version: 1\nmanifest: [manifest.yaml]\ntargets: { shop: { base_url: "emulator:license.json", ledger: l.ndjson, api_version: "3.7" } }\n',
    'manifest.yaml':
      'version: 1\ngroups: { sales: { name: Sales, agent_priorities: {} } }\ncanned_responses: { hello: { text: Hello., tags: [hello], group: sales } }\n',
    'license.json': JSON.stringify({ owner: { id: 'zoe@example.com', name: 'Zoe' } }),
  });
  const changes = [
    ['update_canned_response', { id: 1, text: 'Hi.', tags: ['hello'], group_id: 1, is_private: false }],
    ['update_group', { id: 1, name: 'Help' }],
  ] as const;
  expect((await chatform(['apply', '--yes', '-q'], { cwd })).code).toBe(0);
  for (const [action, data] of changes)
    expect(await chatform(['api', action, '--data', JSON.stringify(data), '--write', '--yes'], { cwd })).toMatchObject({
      code: 0,
    });
  const { items } = JSON.parse((await chatform(['drift', '--json'], { cwd })).stdout) as DriftReport;
  expect(items.map(({ type, changed_by }) => [type, changed_by])).toEqual([
    ['group', undefined],
    ['canned_response', 'zoe@example.com'],
  ]);
});
